import type { Event } from '../../core/model/run/event.js';
import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import { maskEvent, maskFile } from '../../core/secrets/mask_event.js';
import { maskText } from '../../core/secrets/mask_text.js';
import { formatDiagnostics, withRelativeFiles } from '../diagnostics.js';
import { oneLine, safeJson } from '../text/plain.js';
import { displayPath, displayPlace } from '../text/source_files.js';
import { count } from '../text/words.js';
import { HtmlReport } from './html.js';
import { junitText } from './junit_xml.js';
import { code, fenced, MOST_MARKDOWN_CHARACTERS, MARK } from './markdown.js';
import type { ReportKind, ReportOptions } from './report.js';

/** Why nothing ran. */
export interface ReportedRefusal {
  /** ISO 8601. */
  readonly time: string;
  readonly version: string;
  /** As typed. */
  readonly playbooks: readonly string[];
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
}

const NOTHING = 'no controller was contacted';

/** The reports of a run that did not start: a mistake in a pull request must reach it. */
const REFUSED: Readonly<Record<ReportKind, (refusal: ReportedRefusal, options: ReportOptions) => string>> = {
  json: ({ time, exitCode, diagnostics }, { secrets }) => {
    const shown = diagnostics.map(({ severity, message, source, hint }) => ({
      severity,
      message: maskText(message, secrets),
      ...(source !== undefined && { source: maskFile(source, secrets) }),
      ...(hint !== undefined && { hint: maskText(hint, secrets) }),
    }));
    return `${safeJson({ type: 'run-refused', time, exitCode, diagnostics: shown })}\n`;
  },
  markdown: (refusal, options) => {
    const { playbooks, diagnostics } = refusal;
    const room = MOST_MARKDOWN_CHARACTERS - 1000;
    const text = shownText(diagnostics, options);
    const shown = text.length > room ? `${text.slice(0, room)}\n… cut here` : text;
    return [
      `${MARK}\n### ${isRefused(refusal) ? '❌' : '✅'} nothing ran: ${headline(diagnostics)}`,
      ...(playbooks.length === 0 ? [] : [playbooks.map((file) => code(maskText(file, options.secrets))).join(' · ')]),
      fenced('text', shown),
      `${NOTHING}\n\n<sub>evenkeel ${refusal.version}</sub>\n`,
    ].join('\n\n');
  },
  junit: ({ time, version, diagnostics }, options) => {
    const { cwd, secrets } = options;
    const cases = diagnostics.map((one) => {
      const { severity, source } = one;
      const message = withRelativeFiles(maskText(one.message, secrets), cwd);
      const place = { file: displayPath(source?.file ?? '', cwd), line: source?.line ?? 1 };
      const at = source === undefined ? '' : ` (${displayPlace(source, cwd)})`;
      const frame = shownText([one], options).split('\n').slice(message.split('\n').length, -2).join('\n');
      const verdict = severity === 'error' ? ('error' as const) : ('skipped' as const);
      const about = { task: `${oneLine(message)}${at}`, controller: '', seconds: 0, place };
      return { ...about, verdict, type: 'refused', message, details: frame };
    });
    const suite = { play: 'before the run', started: time, cases };
    return [...junitText([suite], { properties: { evenkeel: version }, seconds: 0, secrets })].join('');
  },
  html: (refusal, options) => {
    const { time, version, playbooks, exitCode, diagnostics } = refusal;
    const status = isRefused(refusal) ? 'failed' : 'ok';
    const fact = { time, run: '' };
    const events: readonly Event[] = [
      {
        type: 'run-started',
        ...fact,
        schemaVersion: 1,
        version,
        playbooks,
        environment: null,
        forks: 0,
        check: false,
        simulated: false,
      },
      ...diagnostics.map(({ message, source, hint }): Event => ({
        type: 'warning',
        ...fact,
        message: hint === undefined ? message : `${message} (${hint})`,
        ...(source !== undefined && { source }),
      })),
      {
        type: 'run-finished',
        ...fact,
        status,
        exitCode,
        seconds: 0,
        stats: {},
        unstarted: [],
        reason: `nothing ran: ${headline(diagnostics)}; ${NOTHING}`,
      },
    ];
    const report = new HtmlReport(options);
    return events.flatMap((event) => [...report.take(maskEvent(event, options.secrets))]).join('');
  },
};

export function refusedText(kind: ReportKind, refusal: ReportedRefusal, options: ReportOptions): string {
  return REFUSED[kind](refusal, options);
}

function isRefused({ exitCode }: ReportedRefusal): boolean {
  return exitCode !== 0;
}

function headline(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return errors === 0 ? 'there was nothing to do' : count(errors, 'error');
}

/** As on a terminal, with the lines around each place. */
function shownText(diagnostics: readonly Diagnostic[], { cwd, secrets }: ReportOptions): string {
  return formatDiagnostics(diagnostics, { colour: false, cwd, secrets }).trimEnd();
}
