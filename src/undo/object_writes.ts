import { isRollback } from '../core/model/playbook/step_place.js';
import type { PastWrite } from '../core/model/run/past.js';
import type { Change } from '../core/model/run/result.js';
import { pathText } from '../core/model/source/diagnostic.js';
import { valueAt, type Mapping, type Value } from '../core/model/values/value.js';
import { differingFields, hiddenIn, type FieldNames } from '../module/comparison/comparison.js';
import { changedSince, isAsBefore, looksSame, shownPart, type ObjectState, type Restorer } from './undo.js';

/** A write of a run, with the object as it was read afterwards, if it was. */
export interface RecordedWrite extends PastWrite {
  readonly seen?: Mapping | undefined;
  /** The last write of the run before the step was forgotten, because a gate rolled its batch back. Absent: it was not. */
  readonly forgottenAfter?: number | undefined;
}

/** The writes to one object, in order, at least one. Each has or may have changed it. */
export type ObjectWrites = readonly [RecordedWrite, ...RecordedWrite[]];

/** A change of an object that was there before. */
export type Update = Extract<Change, { kind: 'update' | 'delete' }>;

export function lastWrite(writes: ObjectWrites): RecordedWrite {
  return writes.at(-1) ?? writes[0];
}

export function stateBefore(change: Update): Mapping {
  return change.before ?? {};
}

/** The fields that a write changed, and hidden fields that it may have lost. */
export function writtenFields({ intent: { change }, seen }: RecordedWrite): readonly FieldNames[] {
  if (change.kind !== 'update' || change.before === null) return [];
  const sent = differingFields(change.before, change.after, (old, now, name) =>
    looksSame(shownPart(old), shownPart(now), name),
  );
  return [...sent, ...differingFields(change.before, seen ?? change.after, stayedHidden)];
}

/** Hidden values cannot be sent back. Only a read afterwards shows whether the controller kept them. */
function stayedHidden(old: Value | undefined, now: Value | undefined, name: string): boolean {
  return hiddenIn(old ?? null).length === 0 || looksSame(old, now, name);
}

/** The possible states of the object after a write: with an unknown outcome, also the state before it. */
export function leftBy(write: RecordedWrite): readonly ObjectState[] {
  const { change } = write.intent;
  if (change.kind === 'delete') return [toState(() => change.before)];
  if (change.kind !== 'update') return [];
  const written = toState(() => write.seen ?? change.after, write.seen !== undefined);
  if (write.outcome !== 'unknown' || change.before === null) return [written];
  return [written, toState(() => stateBefore(change))];
}

/** An object may be in a file, so it is read each time. */
function toState(read: () => Mapping, whole = true): ObjectState {
  return {
    get object() {
      return read();
    },
    whole,
  };
}

/**
 * Whether the run left a field unchanged. A field that was not sent may still have appeared, if the object was not read
 * afterwards.
 */
export function isBackAgain(before: Mapping, path: FieldNames): (left: ObjectState) => boolean {
  const old = valueAt(before, path);
  return ({ object, whole }) => {
    const now = valueAt(object, path);
    return hiddenIn(old ?? null).length === 0 && (whole || now !== undefined) && isAsBefore(old, now, path.at(-1));
  };
}

export type IsPreferred = (restorer: Restorer) => boolean;

/** The one who wrote last, of those who fulfil the preferences, which take time to judge. What none of them fulfils does not count. */
export function chooseRestorer(writes: ObjectWrites, preferences: readonly IsPreferred[]): Restorer {
  const last = lastWrite(writes).intent;
  const isLast = ({ intent: { target, reached } }: RecordedWrite): boolean =>
    target === last.target && reached.account === last.reached.account;
  const all = writes.every(isLast) ? [] : writes.map(({ intent }) => intent);
  const best = preferences.reduce((left, one) => (left.some(one) ? left.filter(one) : left), all);
  const { target, reached, connection, tenant } = best.at(-1) ?? last;
  return { target, reached, connection, tenant };
}

/** Why the object cannot be restored: someone else changed it between two writes of the run. */
export function changedBetween(writes: ObjectWrites): string | undefined {
  for (const [at, { intent }] of writes.entries()) {
    const earlier = writes[at - 1];
    const { change } = intent;
    if (earlier === undefined || (change.kind !== 'update' && change.kind !== 'delete') || change.before === null)
      continue;
    const since = changedSince(leftBy(earlier), change.before);
    if (since.length === 0) continue;
    return `${intent.object} was changed during the run: ${since.map(pathText).join(', ')}; not restored`;
  }
  return undefined;
}

/** Lost values can hide to which of several objects of a name the run wrote. */
export function mayBeSeveral(writes: ObjectWrites): boolean {
  const uuids = writes.map(({ intent: { change } }) =>
    change.kind === 'update' && change.before !== null ? change.before['uuid'] : undefined,
  );
  const isCreatedLater = writes.slice(1).some(({ intent: { change } }) => change.kind === 'create');
  return isCreatedLater || new Set(uuids.filter((uuid) => uuid !== undefined)).size > 1;
}

/**
 * Selects the writes to an object that a rollback of a batch undoes: those of the tasks of its controllers since the
 * object was last restored for all of them, and rollbacks that may have been cut off. Batches can have other controllers
 * after an edit, so an earlier rollback may have restored what others did, too.
 */
export function writesOfBatch(controllers: ReadonlySet<string>): (writes: ObjectWrites) => readonly RecordedWrite[] {
  return (writes) => {
    let left: RecordedWrite[] = [];
    for (const write of writes) {
      const { place, controller } = write.intent;
      if (!isRollback(place)) {
        if (controllers.has(controller)) left.push(write);
        continue;
      }
      const tasks = left.filter((one) => !isRollback(one.intent.place));
      const undone = tasks.filter(({ forgottenAfter = Infinity }) => forgottenAfter < write.intent.write);
      // It restored what others did.
      if (undone.length === 0) continue;
      left = write.outcome === 'applied' && undone.length === tasks.length ? [] : [...left, write];
    }
    return left;
  };
}
