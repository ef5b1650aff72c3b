import { whyUnreadable, whyUnwritable } from '../core/files/paths.js';
import { draftFile, readBeginning } from '../core/files/replace_file.js';
import { authorText, whatText, type ListedRun } from '../launch/history/listed_run.js';
import { nextCommand, runDetail, type EndedRun, type RunDetail } from '../launch/history/run_detail.js';
import { readTaskTexts } from '../launch/history/task_texts.js';
import { JournalError, runFolder } from '../record/journal/format/run_folders.js';
import { readHeader } from '../record/journal/format/run_header.js';
import { PageData } from '../reporting/page/fold/page_data.js';
import { keptSources } from '../reporting/page/fold/sources.js';
import type { PageFacts } from '../reporting/page/format/page.js';
import { BEGINNING, pageHtml, readAssets } from '../reporting/page/html.js';
import { count } from '../reporting/text/words.js';

/**
 * Writes a report, readable by the owner only. It replaces an earlier report, but no other file: a typo such as `-o
 * site.yml` must not cost a playbook.
 *
 * @throws JournalError if the file exists and is not a report, or cannot be written
 */
export async function writeReport(file: string, html: string): Promise<void> {
  await requireReplaceable(file);
  try {
    await (await draftFile(file, html)).accept();
  } catch (error) {
    throw new JournalError(`cannot write ${file}: ${whyUnwritable(error)}`);
  }
}

async function requireReplaceable(file: string): Promise<void> {
  const there = await readBeginning(file, BEGINNING.length).catch((error: unknown) => {
    throw new JournalError(`cannot write ${file}: ${whyUnreadable(error)}`);
  });
  if (there !== undefined && there.length > 0 && there.toString('latin1') !== BEGINNING) {
    const message = `${file} exists and is not a report of Evenkeel, so it is not overwritten`;
    throw new JournalError(message, 'name another file');
  }
}

/**
 * A kept run as one HTML file.
 *
 * @param config from `configOption`
 * @throws JournalError if there is no such run
 */
export async function runReport(stateDirectory: string, id: string, config: readonly string[] = []): Promise<string> {
  const { header } = await readHeader(stateDirectory, id);
  const data = new PageData(keptSources(header.cwd, await readTaskTexts(runFolder(stateDirectory, id))));
  const detail = await runDetail(stateDirectory, id, (event) => data.handle(event));
  const title = `${whatText(detail)}: ${detail.status}`;
  return pageHtml(
    data.pack(runFacts(detail, data.isOpen, config)),
    { title, summary: runSummary(detail) },
    readAssets(),
  );
}

/** For browsers without scripts. */
function runSummary(detail: RunDetail): string {
  const stats = Object.values(detail.stats);
  const failed = stats.filter((one) => one.failed > 0 || one.unreachable > 0).length;
  return `${whatText(detail)}: ${detail.status}, ${count(stats.length, 'controller')}, ${failed} failed or unreachable.`;
}

/**
 * What the page of a run shows besides its events.
 *
 * @param isOpen these have no end
 */
export function runFacts(run: ListedRun & EndedRun, isOpen: boolean, config: readonly string[]): PageFacts {
  const command = nextCommand(run, config);
  return {
    title: whatText(run),
    started: run.time,
    argv: run.argv,
    author: run.author && authorText(run.author),
    user: run.author?.user,
    commands: command === undefined ? [] : [{ purpose: 'continue with', command }],
    cutOff: isOpen && run.status !== 'running',
  };
}
