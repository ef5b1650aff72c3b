import { addressedObject, type AddressedObject } from '../core/model/run/past.js';
import { encodedPart } from '../core/model/values/uri.js';
import { HIDDEN, valueAt, entry, type Mapping, type Value } from '../core/model/values/value.js';
import { hiddenIn, type FieldNames } from '../module/comparison/comparison.js';
import {
  changedBetween,
  isBackAgain,
  lastWrite,
  leftBy,
  mayBeSeveral,
  stateBefore,
  writtenFields,
  type ObjectWrites,
  type RecordedWrite,
  type Update,
} from './object_writes.js';
import { outermost, type Renewal, type Restorer, type Undo } from './undo.js';

/** The remaining effect of a run on one object of one controller; by the name of the host that restores it. */
export type UndoEffect =
  | { readonly type: 'undo'; readonly controller: string; readonly undo: Undo }
  /** Cannot be undone; the reason is worded to follow the object's name: `was created: …`. */
  | { readonly type: 'final'; readonly controller: string; readonly object: string; readonly reason: string };

/** An object that the run wrote to. */
export interface ObjectHistory {
  readonly writes: ObjectWrites;
  readonly restorer: Restorer;
  readonly renewal: Renewal | undefined;
}

/**
 * The remaining effect of the run on one object; undefined if there is none.
 *
 * @param renewals of the same controller, whichever host wrote
 */
export function findEffect(
  { writes, restorer, renewal }: ObjectHistory,
  renewals: readonly Renewal[],
): UndoEffect | undefined {
  const [{ intent }] = writes;
  const { object, change } = intent;
  const final = (reason: string): UndoEffect => ({ type: 'final', controller: restorer.target, object, reason });
  const context = { restorer, final, renewal, renewals };
  const deletion = deletionIn(writes);
  if (deletion >= 0) return effectOfDeletion(writes, deletion, context);
  switch (change.kind) {
    case 'none':
    case 'delete':
      return undefined;
    case 'create':
      // A resume repeats a create whose outcome is unknown.
      return final(
        writes.some((write) => write.intent.change.kind === 'create' && write.outcome === 'applied')
          ? CREATED
          : `may have been created: ${KEEPS_OBJECTS}`,
      );
    case 'invoke':
      return final('was a raw request: its effect is unknown');
    case 'update':
      return change.before === null ? final(UNREADABLE) : effectOfUpdates(writes, change, context);
  }
}

/** Some of its values cannot be read. It stays an item of the rollback, which fails. */
export function refusedEffect(
  { writes, restorer }: Pick<ObjectHistory, 'writes' | 'restorer'>,
  reason: string,
): UndoEffect {
  const { object, path, hidden } = lastWrite(writes).intent;
  const undo: Undo = {
    object,
    path,
    restorer,
    masked: hidden === true,
    fields: [],
    before: {},
    left: [],
    neverShown: [],
    renewals: [],
    refusal: `${object} is not restored: ${reason}`,
  };
  return { type: 'undo', controller: restorer.target, undo };
}

const KEEPS_OBJECTS = 'a rollback deletes nothing';
const CREATED = `was created: ${KEEPS_OBJECTS}`;
const SEVERAL = 'the run may have written to several objects of that name';
const UNREADABLE = 'could not be read before it was written: its former value is unknown';

/** The index of the last write that deleted it; -1 if none did. */
function deletionIn(writes: ObjectWrites): number {
  return writes.findLastIndex(({ intent: { change } }) => change.kind === 'delete');
}

/** Undefined if the object keeps its uuid, or did not exist before the run. */
export function findRenewal(writes: ObjectWrites): Renewal | undefined {
  const deletion = deletionIn(writes);
  const [{ intent }] = writes;
  const { change } = intent;
  if (deletion < 0 || (change.kind !== 'update' && change.kind !== 'delete') || change.before === null)
    return undefined;
  const member = memberBefore(addressedObject(intent), change);
  if (member === undefined) return undefined;
  const { collection, name, uuid: formerUuid } = member;
  const [made, ...later] = writes.slice(deletion + 1);
  // An update of the deleted object shows the uuid that it had.
  const newUuid = made?.intent.change.kind === 'create' ? uuidSeen([made, ...later]) : undefined;
  return withBefore(change, { collection, name, formerUuid, newUuid });
}

function uuidSeen(writes: readonly RecordedWrite[]): string | undefined {
  const uuid = writes.flatMap(({ seen }) => (seen === undefined ? [] : [entry(seen, 'uuid')])).at(-1);
  return typeof uuid === 'string' ? uuid : undefined;
}

/** @param at index of the last write that deleted it */
function effectOfDeletion(writes: ObjectWrites, at: number, context: EffectContext): UndoEffect | undefined {
  const { change } = writes[0].intent;
  const last = lastWrite(writes);
  if (change.kind === 'create') {
    if (last.intent.change.kind !== 'delete') return context.final(CREATED);
    return last.outcome === 'applied'
      ? undefined
      : context.final(`was created and may still be there: ${KEEPS_OBJECTS}`);
  }
  if (change.kind !== 'update' && change.kind !== 'delete') return undefined;
  if (change.before === null) return context.final(UNREADABLE);
  return last.intent.change.kind === 'delete'
    ? undoOfDeletion(writes, change, context)
    : undoOfReplacement(writes, change, at, context);
}

/** The object may no longer exist: create it again as it was before the run's first write. */
function undoOfDeletion(
  writes: ObjectWrites,
  change: Update,
  { restorer, renewal, renewals }: EffectContext,
): UndoEffect {
  const { intent } = lastWrite(writes);
  const written = addressedObject(intent);
  const member = memberBefore(written, change);
  if (written.type === 'single' || member === undefined)
    return refusedEffect({ writes, restorer }, 'the run deleted it, and too little is known of it to create it again');
  const undone = {
    object: intent.object.replace(`"${written.name}"`, () => `"${member.name}"`),
    path: intent.path,
    member,
    isDeleted: true,
    fields: outermost(writes.flatMap(writtenFields)),
    left: leftBy(lastWrite(writes)),
    neverShown: hiddenIn(stateBefore(change)),
    refusal: changedBetween(writes),
    restorer,
    masked: writes.some(({ intent: { hidden } }) => hidden === true),
    renewal,
    renewals,
  };
  return { type: 'undo', controller: restorer.target, undo: withBefore(change, undone) };
}

/**
 * It was deleted and created again: the new object gets the former values, except for the uuid. If the new one was not seen, there may be
 * none. If the same object was changed after its deletion, the controller may have deleted it later.
 */
function undoOfReplacement(
  writes: ObjectWrites,
  change: Update,
  at: number,
  context: EffectContext,
): UndoEffect | undefined {
  const [made, ...later] = writes.slice(at + 1);
  if (made?.intent.change.kind !== 'create') return undoOfDeletion(writes, change, context);
  const uuid = uuidSeen([made, ...later]);
  if (uuid === undefined) return undoOfDeletion([writes[0], ...writes.slice(1, at + 1)], change, context);
  const { object, path, name = '' } = made.intent;
  const before = { ...stateBefore(change), uuid, name };
  const replaced = { kind: 'update', object, before, after: made.seen ?? made.intent.change.after } as const;
  const intent = { ...made.intent, path: `${path}${encodedPart(uuid)}`, change: replaced };
  const asUpdate: RecordedWrite = { ...made, intent };
  return effectOfUpdates([asUpdate, ...later], replaced, context);
}

interface EffectContext {
  readonly restorer: Restorer;
  readonly final: (reason: string) => UndoEffect;
  readonly renewal: Renewal | undefined;
  readonly renewals: readonly Renewal[];
}

function effectOfUpdates(
  writes: ObjectWrites,
  change: Update,
  { restorer, final, renewals }: EffectContext,
): UndoEffect | undefined {
  if (mayBeSeveral(writes)) return refusedEffect({ writes, restorer }, SEVERAL);
  const before = stateBefore(change);
  const last = lastWrite(writes);
  const changed = outermost(writes.flatMap(writtenFields));
  const left = leftBy(last);
  const open = changed.filter((path) => last.outcome === 'unknown' || !left.every(isBackAgain(before, path)));
  const fields = open.filter((path) => valueAt(before, path) !== HIDDEN);
  // A write that repeats a placeholder keeps the secret, if it is still there afterwards.
  const states = writes.flatMap(({ intent, seen }) => [intent.body, seen ?? intent.body]);
  const kept = states.map((state) => new Set(hiddenAt(state, open)));
  const neverShown = hiddenAt(before, open).filter((hidden) => !kept.every((one) => one.has(hidden)));
  if (open.length === 0) return undefined;
  if (fields.length === 0) return final(`cannot be restored: the controller never showed ${neverShown.join(', ')}`);
  const { object, path } = last.intent;
  const refusal = changedBetween(writes);
  const member = memberBefore(addressedObject(last.intent), change);
  const masked = writes.some(({ intent }) => intent.hidden === true);
  const undone = { object, path, member, fields, left, neverShown, refusal, restorer, masked, renewals };
  return { type: 'undo', controller: restorer.target, undo: withBefore(change, undone) };
}

function hiddenAt(object: Value, fields: readonly FieldNames[]): readonly string[] {
  return fields.flatMap((path) => hiddenIn(valueAt(object, path) ?? null, path));
}

/**
 * The object before the run may be in a file, which is read each time, so that a rollback never holds the objects of all controllers.
 * The getter must not share a scope with code that reads the object: all closures of a scope keep its variables alive.
 */
function withBefore<What extends object>(change: Update, what: What): What & { readonly before: Mapping } {
  return {
    ...what,
    get before() {
      return stateBefore(change);
    },
  };
}

/** Finds the object again if its path has changed. */
function memberBefore(written: AddressedObject, first: Update): Undo['member'] {
  if (written.type === 'single' || written.uuid === undefined) return undefined;
  const name = entry(stateBefore(first), 'name');
  return { collection: written.collection, name: typeof name === 'string' ? name : written.name, uuid: written.uuid };
}
