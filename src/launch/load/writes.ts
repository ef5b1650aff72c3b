import type { Playbook } from '../../core/model/playbook/playbook.js';
import type { Handler, Include, Step, Task, Included } from '../../core/model/playbook/step.js';
import { sectionSteps, tasksIn } from '../../core/model/playbook/steps.js';
import { LoadError, placeText } from '../../core/model/source/diagnostic.js';
import { isMapping } from '../../core/model/values/value.js';
import { needsRendering } from '../../language/render.js';
import type { RunRequest } from '../request/run_request.js';
import type { LoadedRun } from './load_run.js';

/** Whether something writes to a controller. `unknown`: the file to include at the place is chosen during the run. */
export type PossibleWrites =
  | { readonly type: 'none' }
  | { readonly type: 'task' }
  | { readonly type: 'unknown'; readonly place: string };

const NONE: PossibleWrites = { type: 'none' };

type WriteOptions = Pick<RunRequest, 'check' | 'readOnly' | 'simulate'>;

/** Whether a run may write to a controller, as far as that is known before it. */
export async function runMayWrite(loaded: Pick<LoadedRun, 'playbooks'>, request: WriteOptions): Promise<boolean> {
  return (await findWrites(loaded, request)).type !== 'none';
}

/** A simulation writes to no controller. */
export async function findWrites(
  { playbooks }: Pick<LoadedRun, 'playbooks'>,
  { check, readOnly, simulate }: WriteOptions,
): Promise<PossibleWrites> {
  if (simulate === true || readOnly === true) return NONE;
  return check === true ? writesInCheck(playbooks) : { type: 'task' };
}

/**
 * Whether a check of these playbooks may write: a task with `check_mode: false` does. A check runs no gates. Reads the
 * files that includes name without templates.
 */
export async function writesInCheck(playbooks: readonly Playbook[]): Promise<PossibleWrites> {
  const seen = new Set<string>();
  let found = NONE;
  for (const play of playbooks.flatMap(({ plays }) => plays)) {
    const one = await among(sectionSteps(play), play.handlers, seen);
    if (one.type === 'task') return one;
    if (found.type === 'none') found = one;
  }
  return found;
}

async function among(steps: readonly Step[], handlers: readonly Handler[], seen: Set<string>): Promise<PossibleWrites> {
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

async function within(include: Include, seen: Set<string>): Promise<PossibleWrites> {
  const place = placeText(include.source);
  // A file may include itself.
  if (seen.has(place)) return NONE;
  seen.add(place);
  const ahead = await readAhead(include);
  switch (ahead.type) {
    case 'read':
      return among(ahead.included.steps, ahead.included.handlers, seen);
    case 'unknown':
      return { type: 'unknown', place };
    case 'wrong':
      return NONE;
  }
}

/** What is known about an include before the run. */
export type ReadAhead =
  | { readonly type: 'read'; readonly included: Included }
  /** A template chooses the file or role. */
  | { readonly type: 'unknown' }
  /** It cannot be read: the run reports the reason, and runs none of its tasks. */
  | { readonly type: 'wrong' };

export async function readAhead({ args, read }: Include): Promise<ReadAhead> {
  if (!isMapping(args) || needsRendering(args)) return { type: 'unknown' };
  try {
    return { type: 'read', included: await read(args) };
  } catch (error) {
    if (error instanceof LoadError) return { type: 'wrong' };
    throw error;
  }
}
