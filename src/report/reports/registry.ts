import { safeJson } from '../text/safe_json.js';
import { withShortTexts } from '../text/shorten.js';
import type { Report, ReportKind, ReportOptions } from './report.js';

type MakeReport = (options: ReportOptions) => Report;

/** A report is loaded when it is asked for. */
const REPORTS: Readonly<Record<ReportKind, () => Promise<MakeReport>>> = {
  json: () => Promise.resolve(() => ({ take: (event) => [`${safeJson(event)}\n`] })),
  html: async () => {
    const { HtmlReport } = await import('./html.js');
    return (options) => withShort(new HtmlReport(options));
  },
  junit: async () => {
    const { JunitReport } = await import('./junit.js');
    return (options) => withShort(new JunitReport(options));
  },
  markdown: async () => {
    const { MarkdownReport } = await import('./markdown.js');
    return (options) => withShort(new MarkdownReport(options));
  },
};

export function loadReport(kind: ReportKind): Promise<MakeReport> {
  return REPORTS[kind]();
}

/** Megabytes of a controller's answer belong into no report for people. */
function withShort(report: Report): Report {
  return { take: (event) => report.take(withShortTexts(event)) };
}
