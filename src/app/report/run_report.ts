import { readHeader } from '../../journal/disk/run_header.js';
import { PageData } from '../../report/page/fold/page_data.js';
import { pageHtml, readAssets } from '../../report/page/html.js';
import { keptSources } from '../../report/page/fold/sources.js';
import { count } from '../../report/text/words.js';
import { factsOf } from './facts.js';
import { whatText } from '../history/listed_run.js';
import { runDetail, type RunDetail } from '../history/run_detail.js';

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

/** For browsers without scripts. */
function summaryOf(detail: RunDetail): string {
  const stats = Object.values(detail.stats);
  const failed = stats.filter((one) => one.failed > 0 || one.unreachable > 0).length;
  return `${whatText(detail)}: ${detail.status}, ${count(stats.length, 'controller')}, ${failed} failed or unreachable.`;
}
