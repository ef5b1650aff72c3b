import { LockedOutError } from '../../controller/access/lockouts.js';
import { ControllerError } from '../../controller/exchange/call.js';
import type { Change } from '../../core/model/run/result.js';
import { HIDDEN, isEqual, valueAt } from '../../core/model/values/value.js';
import { differingFields, matches, type FieldNames } from '../../module/comparison/comparison.js';
import { failed, failedBecause, isReadGivenUp, type FailedResult } from '../keywords/failed_result.js';
import { keepSecrets } from './hidden_secrets.js';
import {
  apply,
  changed,
  createdAnew,
  decide,
  isCreatedAnew,
  keepSeen,
  lockedOut,
  type ResourceDecision,
  type ResourceEnd,
  type ResourceTask,
} from './resource_task.js';

/** Seconds between two reads of what was written: followers of a controller lag a little. */
const PAUSES = [0.1, 0.2, 0.4, 0.8, 1.5];

/**
 * Reads and plans again until nothing is left to change. A create that found an object of that name gets one update; if a
 * difference remains after that, the task fails and shows it.
 *
 * @param last the last write, if the object that was found has been updated already
 */
export async function verify(task: ResourceTask, written: ResourceDecision, last = written): Promise<ResourceEnd> {
  try {
    const isEnough = (now: ResourceDecision): boolean =>
      metAnother(last)(now) || isCreatedAnew(last, now) || isAsSent(last, now);
    const seen = await lookAgain(task, isEnough);
    if (isCreatedAnew(last, seen)) return { result: createdAnew(task, written) };
    if (isDone(seen) || seen.plan.refusal !== undefined || !metAnother(last)(seen))
      return await conclude(task, written, seen, isAsSent(last, seen));
    const refused = await task.planHooks?.decided(task, seen);
    if (refused !== undefined) return { result: refused };
    await apply(task, seen);
    return await conclude(task, written, await lookAgain(task, () => false));
  } catch (error) {
    if (error instanceof LockedOutError) return { result: lockedOut(task, written) };
    if (task.signal.aborted && isReadGivenUp(error)) return cutShort(changed(task, written, written.observation));
    if (error instanceof ControllerError) return { result: unverifiable(task, written, error) };
    throw error;
  }
}

/** The object that was to be created exists and differs, so it was there before (a lost reply, a name that was taken meanwhile). */
function metAnother(written: ResourceDecision): (seen: ResourceDecision) => boolean {
  return (seen) => written.plan.change.kind === 'create' && seen.plan.change.kind === 'update';
}

/** Reads until nothing is left to change, `enough` is true, or the pauses are used up. */
async function lookAgain(task: ResourceTask, enough: (seen: ResourceDecision) => boolean): Promise<ResourceDecision> {
  // The record of secrets is older than the write.
  const look = (): Promise<ResourceDecision> => decide({ ...task, writtenSecrets: undefined });
  let seen = await look();
  for (const pause of PAUSES) {
    if (isDone(seen) || enough(seen) || task.signal.aborted) return seen;
    await task.pause(pause);
    seen = await look();
  }
  return seen;
}

function isDone({ plan }: ResourceDecision): boolean {
  return plan.change.kind === 'none' || plan.uncomparable === true || plan.satisfied === true;
}

/** Whether the object is as a write left it. What takes an element away by its place would take the next one, too. */
export function isAsSent({ plan: { change: sent } }: ResourceDecision, seen: ResourceDecision): boolean {
  const { plan, observation } = seen;
  const { last } = observation;
  if (plan.takesAway !== true || sent.kind !== 'update' || sent.before === null || last === null) return false;
  const { before, after } = sent;
  const isSame = (path: FieldNames): boolean => {
    const now = valueAt(last, path);
    // A secret that was not sent may have stayed.
    return now === HIDDEN || matches(valueAt(after, path) ?? null, now, path.at(-1) ?? '');
  };
  return differingFields(before, after, isEqual).every(isSame);
}

async function conclude(
  task: ResourceTask,
  written: ResourceDecision,
  seen: ResourceDecision,
  asSent = false,
): Promise<ResourceEnd> {
  keepSeen(task, seen);
  const result = changed(task, written, seen.observation);
  // It could be read before the write, but not after it.
  if (seen.plan.uncomparable === true) return { result: { ...result, message: 'could not be compared' } };
  if (isDone(seen) || asSent) {
    await keepSecrets(task, seen);
    return { result };
  }
  if (!task.signal.aborted) return { result: notConverged(task, seen) };
  return cutShort(result);
}

/** A resume verifies the write. */
function cutShort(result: ReturnType<typeof changed>): ResourceEnd {
  return { result: { ...result, message: 'written; interrupted before it could be verified' }, unfinished: true };
}

function notConverged({ module, args }: ResourceTask, { plan: { change } }: ResourceDecision): FailedResult {
  const object = module.object(args);
  const hint =
    change.kind === 'delete'
      ? 'the controller accepted the deletion and still shows the object: does it delete later?'
      : 'the controller accepted the write and shows something else: does it normalise or ignore these values?';
  return failed(`not converged: ${object} ${leftOver(change)}`, { hint, change });
}

function leftOver(change: Change): string {
  if (change.kind === 'update') {
    const fields = differingFields(change.before ?? {}, change.after, isEqual, []);
    return `still differs after it was written: ${fields.map((path) => path.join('.')).join(', ')}`;
  }
  return change.kind === 'delete' ? 'still exists after it was deleted' : 'does not exist after it was written';
}

/** The write was sent, but its result cannot be determined. */
function unverifiable(task: ResourceTask, { plan }: ResourceDecision, error: ControllerError): FailedResult {
  const result = failedBecause(error, task.module.name);
  const message = `written, but it could not be verified: ${result.failure.message}`;
  return { ...result, failure: { ...result.failure, message }, change: plan.change };
}
