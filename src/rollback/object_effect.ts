import { HIDDEN } from '../model/placeholder.js';
import type { Change } from '../model/run/change.js';
import { placeOf, type Place } from '../model/run/written_object.js';
import { pathText } from '../model/source/field_path.js';
import { entry, type Mapping, type Value } from '../model/values/value.js';
import { hiddenIn } from '../module/comparison/hidden_secrets.js';
import { differingFields, fieldOf, isAsBefore, looksSame, outermost, shown, type FieldNames } from './fields.js';
import { changedSince, type ObjectState, type Renewal, type Undo } from './undo.js';
import type { PastWrite } from '../model/run/past.js';

/** A write of a run, with the object as it was read afterwards, if it was. */
export interface RecordedWrite extends PastWrite {
  readonly seen?: Mapping | undefined;
}

/** The remaining effect of a run on one object of one controller. */
export type Effect =
  | { readonly type: 'undo'; readonly controller: string; readonly undo: Undo }
  /** Cannot be undone; the reason is worded to follow the object's name: `was created: …`. */
  | { readonly type: 'final'; readonly controller: string; readonly object: string; readonly reason: string };

/** Writes to one object, at least one, in their order; each has changed it or may have. */
export type Writes = readonly [RecordedWrite, ...RecordedWrite[]];

/** An object that the run wrote to. */
export interface ObjectHistory {
  readonly writes: Writes;
  /** The name of the controller under which it is restored. */
  readonly controller: string;
  readonly renewal: Renewal | undefined;
}

export function lastOf(writes: Writes): RecordedWrite {
  return writes.at(-1) ?? writes[0];
}

/**
 * The remaining effect of the run on one object; undefined if there is none.
 *
 * @param renewals of the same controller
 */
export function effectOf(
  { writes, controller, renewal }: ObjectHistory,
  renewals: readonly Renewal[],
): Effect | undefined {
  const [{ intent, outcome }] = writes;
  const { object, change } = intent;
  const final = (reason: string): Effect => ({ type: 'final', controller, object, reason });
  const context = { controller, final, renewal, renewals };
  const deletion = deletionIn(writes);
  if (deletion >= 0) return effectOfDeletion(writes, deletion, context);
  switch (change.kind) {
    case 'none':
      return undefined;
    case 'delete':
      return undefined;
    case 'create':
      return final(outcome === 'applied' ? CREATED : `may have been created: ${KEPT}`);
    case 'invoke':
      return final('was a raw request: its effect is unknown');
    case 'update':
      return change.before === null ? final(UNREADABLE) : effectOfUpdates(writes, change, context);
    default:
      return change satisfies never;
  }
}

const KEPT = 'a rollback deletes nothing';
const CREATED = `was created: ${KEPT}`;
const UNREADABLE = 'could not be read before it was written: its former value is unknown';

type Update = Extract<Change, { kind: 'update' | 'delete' }>;

/** The index of the last write that deleted it; -1 if none did. */
function deletionIn(writes: Writes): number {
  return writes.findLastIndex(({ intent: { change } }) => change.kind === 'delete');
}

/** Undefined if the object keeps its uuid, or did not exist before the run. */
export function renewalOf(writes: Writes): Renewal | undefined {
  const deletion = deletionIn(writes);
  const [{ intent }] = writes;
  const { change } = intent;
  if (deletion < 0 || (change.kind !== 'update' && change.kind !== 'delete') || change.before === null)
    return undefined;
  const member = memberOf(placeOf(intent));
  if (member === undefined) return undefined;
  const { collection, name, uuid: former } = member;
  const now = uuidSeen(writes.slice(deletion + 1));
  return withBefore(change, { collection, name, former, now });
}

function uuidSeen(writes: readonly RecordedWrite[]): string | undefined {
  const uuid = writes.flatMap(({ seen }) => (seen === undefined ? [] : [entry(seen, 'uuid')])).at(-1);
  return typeof uuid === 'string' ? uuid : undefined;
}

/** @param at index of the last write that deleted it */
function effectOfDeletion(writes: Writes, at: number, context: Context): Effect | undefined {
  const { change } = writes[0].intent;
  const last = lastOf(writes);
  if (change.kind === 'create') {
    if (last.intent.change.kind !== 'delete') return context.final(CREATED);
    return last.outcome === 'applied' ? undefined : context.final(`was created and may still be there: ${KEPT}`);
  }
  if (change.kind !== 'update' && change.kind !== 'delete') return undefined;
  if (change.before === null) return context.final(UNREADABLE);
  return last.intent.change.kind === 'delete'
    ? undoOfDeletion(writes, change, context)
    : undoOfReplacement(writes, change, at, context);
}

/** The object no longer exists: create it again as it was before the run's first write. */
function undoOfDeletion(
  writes: Writes,
  change: Update,
  { controller, renewal, renewals }: Context,
): Effect | undefined {
  const { intent } = lastOf(writes);
  const member = memberOf(placeOf(intent));
  if (member === undefined) return undefined;
  const what = {
    object: intent.object,
    path: intent.path,
    member,
    isDeleted: true,
    fields: outermost(writes.flatMap(fieldsOf)),
    left: leftBy(lastOf(writes)),
    lost: hiddenIn(beforeOf(change)),
    refusal: changedBetween(writes),
    connection: intent.connection,
    tenant: intent.tenant,
    masked: writes.some(({ intent: { hidden } }) => hidden === true),
    renewal,
    renewals,
  };
  return { type: 'undo', controller, undo: withBefore(change, what) };
}

/** It was deleted and created again: the new object gets the former values, except for the uuid. */
function undoOfReplacement(writes: Writes, change: Update, at: number, context: Context): Effect | undefined {
  const [made, ...later] = writes.slice(at + 1);
  if (made?.intent.change.kind !== 'create') return undefined;
  const uuid = uuidSeen([made, ...later]);
  if (uuid === undefined) return context.final('was deleted and created again, and was not seen since');
  const { object, path, name = '' } = made.intent;
  const before = { ...beforeOf(change), uuid, name };
  const replaced = { kind: 'update', object, before, after: made.seen ?? made.intent.change.after } as const;
  const intent = { ...made.intent, path: `${path}${encodeURIComponent(uuid)}`, change: replaced };
  const asUpdate: RecordedWrite = { ...made, intent };
  return effectOfUpdates([asUpdate, ...later], replaced, context);
}

interface Context {
  readonly controller: string;
  readonly final: (reason: string) => Effect;
  readonly renewal: Renewal | undefined;
  readonly renewals: readonly Renewal[];
}

function effectOfUpdates(writes: Writes, change: Update, { controller, final, renewals }: Context): Effect | undefined {
  const before = beforeOf(change);
  const last = lastOf(writes);
  const changed = outermost(writes.flatMap(fieldsOf));
  const left = leftBy(last);
  const open = changed.filter((path) => last.outcome === 'unknown' || !left.every(isBackAgain(before, path)));
  const fields = open.filter((path) => fieldOf(before, path) !== HIDDEN);
  const lost = open.flatMap((path) => hiddenIn(fieldOf(before, path) ?? null, path));
  if (open.length === 0) return undefined;
  if (fields.length === 0) return final(`cannot be restored: the controller never showed ${lost.join(', ')}`);
  const { object, path, connection, tenant } = last.intent;
  const refusal = changedBetween(writes);
  const member = memberOf(placeOf(last.intent));
  const masked = writes.some(({ intent }) => intent.hidden === true);
  const what = { object, path, member, fields, left, lost, refusal, connection, tenant, masked, renewals };
  return { type: 'undo', controller, undo: withBefore(change, what) };
}

/**
 * The object before the run may be in a file, which is read each time, so that a rollback never holds the objects of all controllers.
 * The getter must not share a scope with code that reads the object: all closures of a scope keep its variables alive.
 */
function withBefore<What extends object>(change: Update, what: What): What & { readonly before: Mapping } {
  return {
    ...what,
    get before() {
      return beforeOf(change);
    },
  };
}

function beforeOf(change: Update): Mapping {
  return change.before ?? {};
}

/** Finds the object again if its path has changed. */
function memberOf(place: Place): Undo['member'] {
  if (place.type === 'single' || place.uuid === undefined) return undefined;
  return { collection: place.collection, name: place.name, uuid: place.uuid };
}

/** Whether the run left a field unchanged. A field that was not sent may still have appeared, if the object was not read afterwards. */
function isBackAgain(before: Mapping, path: FieldNames): (left: ObjectState) => boolean {
  const old = fieldOf(before, path);
  return ({ object, whole }) => {
    const now = fieldOf(object, path);
    return hiddenIn(old ?? null).length === 0 && (whole || now !== undefined) && isAsBefore(old, now, path.at(-1));
  };
}

/** The fields that a write changed, and those whose hidden contents it may have lost. */
function fieldsOf({ intent: { change }, seen }: RecordedWrite): readonly FieldNames[] {
  if (change.kind !== 'update' || change.before === null) return [];
  const sent = differingFields(change.before, change.after, (old, now, name) =>
    looksSame(shown(old), shown(now), name),
  );
  return [...sent, ...differingFields(change.before, seen ?? change.after, stayedHidden)];
}

/** Hidden values cannot be sent back. Only a read afterwards shows whether the controller kept them. */
function stayedHidden(old: Value | undefined, now: Value | undefined, name: string): boolean {
  return hiddenIn(old ?? null).length === 0 || looksSame(old, now, name);
}

/** The possible states of the object after a write: with an unknown outcome, also the state before it. */
function leftBy(write: RecordedWrite): readonly ObjectState[] {
  const { change } = write.intent;
  if (change.kind === 'delete') {
    return [
      {
        get object() {
          return change.before;
        },
        whole: true,
      },
    ];
  }
  if (change.kind !== 'update') return [];
  const written: ObjectState = {
    get object() {
      return write.seen ?? change.after;
    },
    whole: write.seen !== undefined,
  };
  if (write.outcome !== 'unknown' || change.before === null) return [written];
  return [
    written,
    {
      get object() {
        return beforeOf(change);
      },
      whole: true,
    },
  ];
}

/** Why the object cannot be restored: somebody else changed it between two writes of the run. */
function changedBetween(writes: Writes): string | undefined {
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
