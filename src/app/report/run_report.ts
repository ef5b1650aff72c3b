import { readHeader } from '../../journal/disk/run_header.js';
import { PageData } from '../../report/page/fold/page_data.js';
import type { PageFacts } from '../../report/page/format/page.js';
import { pageHtml, readAssets } from '../../report/page/html.js';
import { keptSources } from '../../report/page/fold/sources.js';
import { count } from '../../report/text/words.js';
import { authorText, whatText } from '../history/listed_run.js';
import { nextCommand, runDetail, type RunDetail } from '../history/run_detail.js';

/**
 * A kept run as one HTML file.
 *
 * @throws JournalError if there is no such run
 */
export async function runReport(stateDirectory: string, id: string): Promise<string> {
  const { header } = await readHeader(stateDirectory, id);
  const data = new PageData(keptSources(header.cwd));
  const detail = await runDetail(stateDirectory, id, (event) => {
    data.handle(event);
  });
  const title = `${whatText(detail)}: ${detail.status}`;
  return pageHtml(data.pack(factsOf(detail)), { title, summary: summaryOf(detail) }, readAssets());
}

function factsOf(detail: RunDetail): PageFacts {
  const command = nextCommand(detail);
  return {
    title: whatText(detail),
    argv: detail.argv,
    author: detail.author && authorText(detail.author),
    commands: command === undefined ? [] : [{ purpose: 'continue with', command }],
    cutOff: detail.status === 'cut off',
  };
}

/** For browsers without scripts. */
function summaryOf(detail: RunDetail): string {
  const stats = Object.values(detail.stats);
  const failed = stats.filter((one) => one.failed > 0 || one.unreachable > 0).length;
  return `${whatText(detail)}: ${detail.status}, ${count(stats.length, 'controller')}, ${failed} failed or unreachable.`;
}
