import { safeJson } from '../text/plain.js';
import { withShortTexts } from '../text/shorten.js';
import type { Report, ReportKind, ReportOptions } from './report.js';

export interface LoadedReport {
  readonly make: (options: ReportOptions) => Report;
  /** Matches the beginning of every report of this kind. A file that begins differently is not replaced. */
  readonly beginning: RegExp;
}

/** The code of a report is loaded only if the report is requested. */
const REPORTS: Readonly<Record<ReportKind, () => Promise<LoadedReport>>> = {
  json: () =>
    Promise.resolve({
      make: () => ({ take: (event) => [`${safeJson(event)}\n`] }),
      beginning: /^\{[^{}]*"type":"run-(?:started|refused)"/,
    }),
  html: async () => {
    const { HtmlReport } = await import('./html.js');
    return {
      make: (options) => new HtmlReport(options),
      beginning:
        /^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="evenkeel">/,
    };
  },
  junit: async () => {
    const { JunitReport } = await import('./junit.js');
    return {
      make: (options) => withShort(new JunitReport(options)),
      beginning: /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="evenkeel"/,
    };
  },
  markdown: async () => {
    const { MarkdownReport } = await import('./markdown.js');
    return { make: (options) => withShort(new MarkdownReport(options)), beginning: /^<!-- evenkeel -->\n/ };
  },
};

export function loadReport(kind: ReportKind): Promise<LoadedReport> {
  return REPORTS[kind]();
}

/** Shortens texts: a report for people must not have megabytes of a controller's answer. */
function withShort(report: Report): Report {
  return { take: (event) => report.take(withShortTexts(event)) };
}
