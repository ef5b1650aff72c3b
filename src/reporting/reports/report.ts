import type { Event } from '../../core/model/run/event.js';
import type { ReporterOptions } from '../output/options.js';

/** What `--report KIND=FILE` can write. */
export const REPORT_KINDS = ['junit', 'html', 'json', 'markdown'] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];

/** One `--report KIND=FILE`. */
export interface RequestedReport {
  readonly kind: ReportKind;
  readonly file: string;
}

/** What a report needs besides the events, which are masked. */
export interface ReportOptions extends Pick<
  ReporterOptions,
  'secrets' | 'cwd' | 'writtenArguments' | 'writtenBefore' | 'commandFor' | 'needsPlan' | 'hasChanged'
> {
  /** In a comparison (`drift`), what would change is a failure. */
  readonly comparing?: boolean | undefined;
}

/** Turns the events of a run into the text of a file, a piece at a time. Most reports write everything at `run-finished`. */
export interface Report {
  take(event: Event): Iterable<string>;
}
