import { PageData } from '../../page/fold/page_data.js';
import type { PageFacts } from '../../page/format/page.js';
import { pageHtml, readAssets } from '../../page/html.js';
import { count } from '../../report/text/words.js';
import { authorText, whatText } from '../history/listed_run.js';
import { nextCommand, runDetail, type RunDetail } from '../history/run_detail.js';

/**
 * A kept run as one HTML file.
 *
 * @throws JournalError if there is no such run
 */
export async function runReport(stateDirectory: string, id: string): Promise<string> {
  const data = new PageData();
  const detail = await runDetail(stateDirectory, id, (event) => {
    data.handle(event);
  });
  const title = `${whatText(detail)}: ${detail.status}`;
  return pageHtml(data.pack(factsOf(detail)), { title, summary: summaryOf(detail) }, await readAssets());
}

function factsOf(detail: RunDetail): PageFacts {
  return {
    title: whatText(detail),
    argv: detail.argv,
    author: detail.author && authorText(detail.author),
    next: nextCommand(detail),
    cutOff: detail.status === 'cut off',
  };
}

/** For browsers without scripts. */
function summaryOf(detail: RunDetail): string {
  const stats = Object.values(detail.stats);
  const failed = stats.filter((one) => one.failed > 0 || one.unreachable > 0).length;
  return `${whatText(detail)}: ${detail.status}, ${count(stats.length, 'controller')}, ${failed} failed or unreachable.`;
}
