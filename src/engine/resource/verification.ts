import { LockedOutError } from '../../controller/access/lockouts.js';
import { ControllerError } from '../../controller/exchange/controller_error.js';
import type { SeenObject } from '../../core/model/run/plan.js';
import type { Change } from '../../core/model/run/result.js';
import { entry, isEqual, isMapping, type Mapping } from '../../core/model/values/value.js';
import { failed, failedBecause, type FailedResult } from '../keywords/failed_result.js';
import {
  apply,
  changed,
  createdAnew,
  decide,
  isCreatedAnew,
  keepSecrets,
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
    const seen = await lookAgain(task, (now) => metAnother(last)(now) || isCreatedAnew(last, now));
    if (isCreatedAnew(last, seen)) return { result: createdAnew(task, written) };
    if (isDone(seen) || seen.plan.refusal !== undefined || !metAnother(last)(seen))
      return await conclude(task, written, seen);
    await apply(task, seen);
    return await conclude(task, written, await lookAgain(task, () => false));
  } catch (error) {
    if (error instanceof LockedOutError) return { result: lockedOut(task, written) };
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

async function conclude(task: ResourceTask, written: ResourceDecision, seen: ResourceDecision): Promise<ResourceEnd> {
  keepSeen(task, seen);
  const result = changed(task, written, seen.observation);
  // It could be read before the write, but not after it.
  if (seen.plan.uncomparable === true) return { result: { ...result, message: 'could not be compared' } };
  if (isDone(seen)) {
    await keepSecrets(task, seen);
    return { result };
  }
  if (!task.signal.aborted) return { result: notConverged(task, seen) };
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
  if (change.kind === 'update') return `still differs after it was written: ${differingFields(change).join(', ')}`;
  return change.kind === 'delete' ? 'still exists after it was deleted' : 'does not exist after it was written';
}

/** The write was sent, but its result cannot be determined. */
function unverifiable(task: ResourceTask, { plan }: ResourceDecision, error: ControllerError): FailedResult {
  const result = failedBecause(error, task.module.name);
  const message = `written, but it could not be verified: ${result.failure.message}`;
  return { ...result, failure: { ...result.failure, message }, change: plan.change };
}

/** The fields that an update would change, in words such as `dns_configuration.search_domain`. */
function differingFields(change: Extract<Change, { kind: 'update' }>): readonly string[] {
  return differing(change.before ?? {}, change.after, '');
}

function differing(before: Mapping, after: Mapping, prefix: string): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, wanted] = [entry(before, name), entry(after, name)];
    if (isEqual(old, wanted)) return [];
    return isMapping(old) && isMapping(wanted) ? differing(old, wanted, `${prefix}${name}.`) : [prefix + name];
  });
}

/** Whether an object that this run has written to is as the run left it. */
export type Left = 'as left' | 'changed';

/** Instead of a digest. */
const ANY_STATE = -1;
const ABSENT = -2;

/**
 * The states in which a run has left objects. A large run writes to hundreds of thousands of them, so they are stored
 * as numbers.
 */
export class WrittenObjects {
  /** By connection, a flat list of pairs: the number of an object, and the number of its digest. */
  readonly #left = new Map<string, number[]>();
  /** Numbers are shared, because most objects exist on many controllers. */
  readonly #numbers = new Map<string, number>();

  /** @param digest undefined: any state is as the run left it. */
  set(connection: string, seen: SeenObject, digest: string | null | undefined): void {
    const key = seenObjectKey(seen);
    const object = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, object);
    const left = this.#left.get(connection) ?? [];
    this.#left.set(connection, left);
    const at = indexForObject(left, object);
    left[at] = object;
    left[at + 1] = digest === undefined ? ANY_STATE : digestNumber(digest);
  }

  /** Undefined if the run has not written to the object. */
  compare(connection: string, seen: SeenObject): Left | undefined {
    const object = this.#numbers.get(seenObjectKey(seen));
    const left = this.#left.get(connection);
    if (object === undefined || left === undefined) return undefined;
    const digest = left[indexForObject(left, object) + 1];
    if (digest === undefined) return undefined;
    return digest === ANY_STATE || digest === digestNumber(seen.digest) ? 'as left' : 'changed';
  }
}

/** The index of the object, or the one at which to insert it. */
function indexForObject(left: readonly number[], object: number): number {
  let at = 0;
  while (at < left.length && left[at] !== object) at += 2;
  return at;
}

/** The first 6 of its 12 bytes. */
function digestNumber(digest: string | null): number {
  return digest === null ? ABSENT : Buffer.from(digest, 'base64url').readUIntBE(0, 6);
}

export function seenObjectKey({ path, name }: Pick<SeenObject, 'path' | 'name'>): string {
  return JSON.stringify([path, name ?? null]);
}
