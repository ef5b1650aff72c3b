import { HIDDEN } from '../model/placeholder.js';
import { pathText } from '../model/source/field_path.js';
import type { Change } from '../model/run/change.js';
import type { PastWrite } from '../model/run/journal.js';
import { entry, type Mapping, type Value } from '../model/values/value.js';
import { objectKey, placeOf, type Place } from '../model/run/written_object.js';
import { directReference } from '../model/run/reference.js';
import { hiddenIn } from '../module/comparison/hidden_secrets.js';
import type { ChooseName } from './chosen_name.js';
import { renewedIn } from './renewal.js';
import { changedSince, type Left, type Renewal, type Undo } from './undo.js';
import { differingFields, fieldOf, isAsBefore, looksSame, outermost, shown, type FieldNames } from './fields.js';

/** A write of a run, with what the controller showed after it, if somebody looked. */
export interface RecordedWrite extends PastWrite {
  readonly seen?: Mapping | undefined;
}

/** What a run did, all in all, to one object of one controller. */
export type Effect =
  | { readonly type: 'undo'; readonly controller: string; readonly undo: Undo }
  /** Cannot be undone; the reason is worded to follow the object's name: `was created: …`. */
  | { readonly type: 'final'; readonly controller: string; readonly object: string; readonly reason: string };

/** Writes to one object, at least one, in their order; each has changed it or may have. */
type Writes = readonly [RecordedWrite, ...RecordedWrite[]];

/**
 * The remaining effects of a run, one per object, last written first. Leaves out objects that the run itself restored. A write with an
 * unknown outcome counts; reading the object resolves it.
 * @param acting unites the names of one controller; a controller that was not reached as the inventory says keeps its name
 */
export function effectsOf(writes: readonly RecordedWrite[], acting: ChooseName = itself): readonly Effect[] {
  const objects = byObject(writes, acting)
    .toSorted((a, b) => lastOf(b).intent.write - lastOf(a).intent.write)
    .map((ofOne): Touched => ({ writes: ofOne, controller: nameOf(ofOne[0], acting), renewal: renewalOf(ofOne) }));
  const renewals = new Map<string, readonly Renewal[]>();
  for (const { controller, renewal } of objects)
    if (renewal !== undefined) renewals.set(controller, [...(renewals.get(controller) ?? []), renewal]);
  const effects = objects.flatMap((object) => effectOf(object, renewals.get(object.controller) ?? []) ?? []);
  return renewals.size === 0 ? effects : renewedFirst(effects);
}

/** An object that the run wrote to. */
interface Touched {
  readonly writes: Writes;
  /** The name of the controller by which it is put back. */
  readonly controller: string;
  readonly renewal: Renewal | undefined;
}

/** What an object refers to must be there before it. */
function renewedFirst(effects: readonly Effect[]): readonly Effect[] {
  const ordered = new Set<Effect>();
  const visited = new Set<Effect>();
  const restoring = new Map<Renewal | undefined, Effect>();
  for (const effect of effects) if (effect.type === 'undo') restoring.set(effect.undo.renewal, effect);
  const visit = (effect: Effect): void => {
    if (visited.has(effect)) return;
    visited.add(effect);
    if (effect.type === 'undo') {
      for (const renewal of renewedIn(effect.undo.before, effect.undo.renewals)) {
        const first = restoring.get(renewal);
        if (first !== undefined) visit(first);
      }
    }
    ordered.add(effect);
  };
  effects.forEach(visit);
  return [...ordered];
}

function itself(target: string): string {
  return target;
}

/** An object is the same by its uuid, or by its name in its cloud: one that was created again has another uuid. */
function byObject(writes: readonly RecordedWrite[], acting: ChooseName): readonly Writes[] {
  const groups = new Map<string, number>();
  const objects: Writes[] = [];
  for (const one of writes.toSorted((a, b) => a.intent.write - b.intent.write)) {
    if (one.outcome === 'refused') continue;
    const where = [nameOf(one, acting), one.intent.connection?.id ?? null, one.intent.tenant ?? null];
    const keys = keysOf(one).map((key) => JSON.stringify([...where, key]));
    const at = keys.map((key) => groups.get(key)).find((known) => known !== undefined) ?? objects.length;
    for (const key of keys) groups.set(key, at);
    const known = objects[at];
    objects[at] = known === undefined ? [one] : [...known, one];
  }
  return objects;
}

/** What was reached with further variables is put back by the name for which they were given. */
function nameOf({ intent: { target, connection } }: RecordedWrite, acting: ChooseName): string {
  return connection === undefined ? acting(target) : target;
}

/** The keys of the object that a write was for, the surest first. Each raw request is a separate effect. */
function keysOf({ intent, seen }: RecordedWrite): readonly string[] {
  const { change } = intent;
  if (change.kind === 'invoke' || change.kind === 'none') return [`#${intent.write}`];
  const place = placeOf(intent);
  if (place.type === 'single') return [objectKey(place)];
  const object = seen ?? change.before ?? change.after;
  const [uuid, cloud] = [place.uuid ?? entry(object, 'uuid'), entry(object, 'cloud_ref')];
  const inCloud = typeof cloud === 'string' ? (directReference(cloud)?.uuid ?? cloud) : '';
  const byName = `${objectKey(place)} ${inCloud}`;
  return typeof uuid === 'string' ? [`${place.collection}${uuid}`, byName] : [byName];
}

function lastOf(writes: Writes): RecordedWrite {
  return writes.at(-1) ?? writes[0];
}

/** @param renewals of the same controller */
function effectOf({ writes, controller, renewal }: Touched, renewals: readonly Renewal[]): Effect | undefined {
  const [{ intent, outcome }] = writes;
  const { object, change } = intent;
  const final = (reason: string): Effect => ({ type: 'final', controller, object, reason });
  const telling = { controller, final, renewal, renewals };
  const deletion = deletionIn(writes);
  if (deletion >= 0) return effectOfDeletion(writes, deletion, telling);
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
      return change.before === null ? final(UNREADABLE) : effectOfUpdates(writes, change, telling);
    default:
      return change satisfies never;
  }
}

const KEPT = 'a rollback deletes nothing';
const CREATED = `was created: ${KEPT}`;
const UNREADABLE = 'could not be read before it was written: its former value is unknown';

type Update = Extract<Change, { kind: 'update' | 'delete' }>;

/** Which of the writes deleted it last; -1 if none did. */
function deletionIn(writes: Writes): number {
  return writes.findLastIndex(({ intent: { change } }) => change.kind === 'delete');
}

/** Undefined if the object keeps its uuid, or was not there before the run. */
function renewalOf(writes: Writes): Renewal | undefined {
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

/** @param at which of the writes deleted it last */
function effectOfDeletion(writes: Writes, at: number, telling: Telling): Effect | undefined {
  const { change } = writes[0].intent;
  const last = lastOf(writes);
  if (change.kind === 'create') {
    if (last.intent.change.kind !== 'delete') return telling.final(CREATED);
    return last.outcome === 'applied' ? undefined : telling.final(`was created and may still be there: ${KEPT}`);
  }
  if (change.kind !== 'update' && change.kind !== 'delete') return undefined;
  if (change.before === null) return telling.final(UNREADABLE);
  return last.intent.change.kind === 'delete'
    ? undoOfDeletion(writes, change, telling)
    : undoOfReplacement(writes, change, at, telling);
}

/** It is gone: it must be created again, as it was before the run's first write. */
function undoOfDeletion(
  writes: Writes,
  change: Update,
  { controller, renewal, renewals }: Telling,
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
    hidden: writes.some(({ intent: { hidden } }) => hidden === true),
    renewal,
    renewals,
  };
  return { type: 'undo', controller, undo: withBefore(change, what) };
}

/** It was deleted and created again: that one gets the values of the former one, but for its uuid. */
function undoOfReplacement(writes: Writes, change: Update, at: number, telling: Telling): Effect | undefined {
  const [made, ...later] = writes.slice(at + 1);
  if (made?.intent.change.kind !== 'create') return undefined;
  const uuid = uuidSeen([made, ...later]);
  if (uuid === undefined) return telling.final('was deleted and created again, and was not seen since');
  const { object, path, name = '' } = made.intent;
  const before = { ...beforeOf(change), uuid, name };
  const replaced = { kind: 'update', object, before, after: made.seen ?? made.intent.change.after } as const;
  const intent = { ...made.intent, path: `${path}${encodeURIComponent(uuid)}`, change: replaced };
  const asUpdate: RecordedWrite = { ...made, intent };
  return effectOfUpdates([asUpdate, ...later], replaced, telling);
}

interface Telling {
  readonly controller: string;
  readonly final: (reason: string) => Effect;
  readonly renewal: Renewal | undefined;
  readonly renewals: readonly Renewal[];
}

function effectOfUpdates(writes: Writes, change: Update, { controller, final, renewals }: Telling): Effect | undefined {
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
  const hidden = writes.some(({ intent }) => intent.hidden === true);
  const what = { object, path, member, fields, left, lost, refusal, connection, tenant, hidden, renewals };
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

/** How the object is found again, if not by its path. */
function memberOf(place: Place): Undo['member'] {
  if (place.type === 'single' || place.uuid === undefined) return undefined;
  return { collection: place.collection, name: place.name, uuid: place.uuid };
}

/** Whether the run left a field unchanged. A field that was not sent may still have appeared, if the object was not read afterwards. */
function isBackAgain(before: Mapping, path: FieldNames): (left: Left) => boolean {
  const old = fieldOf(before, path);
  return ({ object, whole }) => {
    const now = fieldOf(object, path);
    return hiddenIn(old ?? null).length === 0 && (whole || now !== undefined) && isAsBefore(old, now, path.at(-1));
  };
}

/** The fields that a write was to change, and those whose hidden contents may have been lost by it. */
function fieldsOf({ intent: { change }, seen }: RecordedWrite): readonly FieldNames[] {
  if (change.kind !== 'update' || change.before === null) return [];
  const sent = differingFields(change.before, change.after, (old, now, name) =>
    looksSame(shown(old), shown(now), name),
  );
  return [...sent, ...differingFields(change.before, seen ?? change.after, stayedHidden)];
}

/** What is hidden cannot be sent back. Whether the controller kept it shows only if somebody looked. */
function stayedHidden(old: Value | undefined, now: Value | undefined, name: string): boolean {
  return hiddenIn(old ?? null).length === 0 || looksSame(old, now, name);
}

/** The possible states of the object after a write: with an unknown outcome, also the state before it. */
function leftBy(write: RecordedWrite): readonly Left[] {
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
  const written: Left = {
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
