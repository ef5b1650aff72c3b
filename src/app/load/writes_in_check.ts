import type { Handler, Include, Step, Task } from '../../model/playbook/step.js';
import type { Playbook } from '../../model/playbook/playbook.js';
import { placeText } from '../../model/source/source.js';
import { sectionsOf, tasksIn } from '../../model/playbook/steps.js';
import { isMapping } from '../../model/values/value.js';
import { needsRendering } from '../../template/static.js';

/** A task with `check_mode: false` writes even in a check. What is chosen during the run is not known here. */
export type WritesInCheck =
  { readonly type: 'none' } | { readonly type: 'task' } | { readonly type: 'unknown'; readonly place: string };

const NONE: WritesInCheck = { type: 'none' };

/** Whether a check of these playbooks could write. A check runs no gates. Reads included files that have a literal name. */
export async function writesInCheck(playbooks: readonly Playbook[]): Promise<WritesInCheck> {
  const seen = new Set<string>();
  let found = NONE;
  for (const play of playbooks.flatMap(({ plays }) => plays)) {
    const one = await among(sectionsOf(play), play.handlers, seen);
    if (one.type === 'task') return one;
    if (found.type === 'none') found = one;
  }
  return found;
}

async function among(steps: readonly Step[], handlers: readonly Handler[], seen: Set<string>): Promise<WritesInCheck> {
  let found = NONE;
  for (const call of tasksIn([...steps, ...handlers])) {
    const one = writes(call) ? ({ type: 'task' } as const) : call.type === 'include' ? await within(call, seen) : NONE;
    if (one.type === 'task') return one;
    if (found.type === 'none') found = one;
  }
  return found;
}

function writes({ checkMode }: Task | Include): boolean {
  return checkMode !== undefined && checkMode.value !== true;
}

async function within(include: Include, seen: Set<string>): Promise<WritesInCheck> {
  const place = placeText(include.source);
  // A file may include itself.
  if (seen.has(place)) return NONE;
  seen.add(place);
  const { args } = include;
  if (!isMapping(args) || needsRendering(args)) return { type: 'unknown', place };
  try {
    const { steps, handlers } = await include.read(args);
    return await among(steps, handlers, seen);
  } catch {
    // The run reports what is wrong with it, and runs none of it.
    return NONE;
  }
}
