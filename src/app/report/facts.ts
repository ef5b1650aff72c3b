import type { PageFacts } from '../../report/page/format/page.js';
import { authorText, whatText, type ListedRun } from '../history/listed_run.js';
import { nextCommand } from '../history/run_detail.js';

/** What the page of a run shows besides its events. */
export function factsOf(run: ListedRun & { readonly undoneBy?: string | undefined }): PageFacts {
  const command = nextCommand(run);
  return {
    title: whatText(run),
    argv: run.argv,
    author: run.author && authorText(run.author),
    commands: command === undefined ? [] : [{ purpose: 'continue with', command }],
    cutOff: run.status === 'cut off',
  };
}
