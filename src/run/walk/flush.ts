import { inside, type Frame } from './frame.js';
import type { StepEnd } from './step_end.js';
import type { Walker } from './walker.js';
import { walkHandler } from './walk_handler.js';

/**
 * Runs the notified handlers in the order of definition, each at most once. One that a later one notifies waits for the next
 * flush, as in Ansible; the last flush of a play goes on until none is left, where Ansible would drop it. After one that failed no
 * other runs, forced or not, unless a `rescue` has made up for it.
 */
export async function flushHandlers(
  walk: Walker,
  frame: Frame,
  extent: 'once' | 'until none is left',
): Promise<StepEnd> {
  if (walk.handlerFailed) return 'failed';
  const done = new Set<object>();
  for (let round = 0; round === 0 || extent === 'until none is left'; round++) {
    const due = [...walk.pending].filter((handler) => !done.has(handler));
    if (due.length === 0) break;
    for (const [index, handler] of walk.context.handlers.list.entries()) {
      if (!walk.pending.has(handler) || done.has(handler)) continue;
      done.add(handler);
      const end = await walkHandler(walk, handler, handlerFrame(inside(frame, round, index)));
      walk.pending.delete(handler);
      walk.handlerFailed = end === 'failed';
      if (end !== 'completed') return end;
    }
  }
  return 'completed';
}

/** A handler belongs to the play: it sees nothing of an include in which the flush stands. */
function handlerFrame(frame: Frame): Frame {
  return { ...frame, within: '', siblings: [], layers: [], handler: true };
}
