import { oneLine } from '../text/plain.js';
import { inOrder, someOf } from '../text/words.js';
import type { PlayProgress } from './progress.js';

const MOST_TASKS = 3;
const MOST_NAMES = 5;

/**
 * What the second Ctrl-C aborts: `aborted: Create the cloud on lb1, lb2; Configure on lb3`. Undefined: nothing was
 * running.
 */
export function abortedText(progress: PlayProgress | undefined): string | undefined {
  const byTask = new Map<string, string[]>();
  for (const { task, controller } of progress?.running ?? []) {
    const names = byTask.get(task);
    if (names === undefined) byTask.set(task, [controller]);
    else names.push(controller);
  }
  if (byTask.size === 0) return undefined;
  const tasks = [...byTask].map(
    ([task, names]) => `${oneLine(task)} on ${someOf(inOrder(names).map(oneLine), MOST_NAMES)}`,
  );
  const shown = tasks.slice(0, MOST_TASKS).join('; ');
  return `aborted: ${shown}${tasks.length > MOST_TASKS ? `; and ${tasks.length - MOST_TASKS} other tasks` : ''}`;
}
