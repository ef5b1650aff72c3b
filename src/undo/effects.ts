import { addressedObject, objectKey } from '../core/model/run/past.js';
import { directReference, isForUser } from '../core/model/run/reference.js';
import { LoadError, orElse } from '../core/model/source/diagnostic.js';
import { appendTo } from '../core/model/values/groups.js';
import { jsonText, entry, isEqual, type Value } from '../core/model/values/value.js';
import { findEffect, findRenewal, refusedEffect, type ObjectHistory, type UndoEffect } from './object_effect.js';
import { chooseRestorer, lastWrite, type IsPreferred, type ObjectWrites, type RecordedWrite } from './object_writes.js';
import { renewedIn } from './renewal.js';
import type { Renewal, Restorer, Undo } from './undo.js';

/**
 * The remaining effects of a run, one per object, last written first. Leaves out objects that the run itself restored.
 * A write with an unknown outcome is included; reading the object resolves it.
 *
 * @param select which of the writes to one object count
 * @param preferences which of those who wrote an object should restore it, the weightiest first
 * @param relocate the host that restores in place of one that cannot
 */
export function findEffects(
  writes: readonly RecordedWrite[],
  select: (ofOne: ObjectWrites) => readonly RecordedWrite[] = (ofOne) => ofOne,
  preferences: readonly IsPreferred[] = [],
  relocate: (restorer: Restorer) => Restorer = (restorer) => restorer,
): readonly UndoEffect[] {
  const objects = byObject(writes)
    .flatMap((ofOne): readonly ObjectWrites[] => {
      const [first, ...others] = select(ofOne);
      return first === undefined ? [] : [[first, ...others]];
    })
    .toSorted((a, b) => lastWrite(b).intent.write - lastWrite(a).intent.write)
    .map((ofOne): ObjectHistory => ({
      writes: ofOne,
      restorer: relocate(chooseRestorer(ofOne, preferences)),
      renewal: orElse(undefined, () => readRenewal(ofOne), LoadError),
    }));
  const renewals = new Map<string, Renewal[]>();
  for (const { restorer, renewal } of objects)
    if (renewal !== undefined) appendTo(renewals, restorer.reached.controller, renewal);
  const effects = objects.flatMap((object) => {
    try {
      return inFull(findEffect(object, renewals.get(object.restorer.reached.controller) ?? [])) ?? [];
    } catch (error) {
      // Values in files beside the journal can be lost or damaged; that of one object must not keep others from being restored.
      if (error instanceof LoadError) return refusedEffect(object, error.message);
      throw error;
    }
  });
  const holders = formerHolders(effects);
  return renewals.size + holders.size === 0 ? effects : inOrder(effects, holders);
}

/** Reads what it restores and compares, which later would be too late. */
function inFull(effect: UndoEffect | undefined): UndoEffect | undefined {
  if (effect?.type !== 'undo') return effect;
  void effect.undo.before;
  for (const { object } of effect.undo.left) void object;
  return effect;
}

function readRenewal(writes: ObjectWrites): Renewal | undefined {
  const renewal = findRenewal(writes);
  // Later would be too late: other objects are restored with it.
  void renewal?.before;
  return renewal;
}

/** Renamed objects, by the names that the run left them. */
function formerHolders(effects: readonly UndoEffect[]): ReadonlyMap<string, UndoEffect> {
  const holders = new Map<string, UndoEffect>();
  for (const effect of effects) {
    if (effect.type !== 'undo' || !effect.undo.fields.some((path) => isEqual(path, ['name']))) continue;
    for (const { object } of effect.undo.left) holders.set(placedName(effect.undo, entry(object, 'name')), effect);
  }
  return holders;
}

function placedName({ restorer: { reached, tenant }, member }: Undo, name: Value | undefined): string {
  return jsonText([reached.controller, tenant ?? null, member?.collection ?? null, name ?? null]);
}

/** Restores an object after the objects that it refers to, and after the one that has its former name. */
function inOrder(effects: readonly UndoEffect[], holders: ReadonlyMap<string, UndoEffect>): readonly UndoEffect[] {
  const ordered = new Set<UndoEffect>();
  const visited = new Set<UndoEffect>();
  const restoring = new Map<Renewal | undefined, UndoEffect>();
  for (const effect of effects) if (effect.type === 'undo') restoring.set(effect.undo.renewal, effect);
  const visit = (effect: UndoEffect): void => {
    if (visited.has(effect)) return;
    visited.add(effect);
    if (effect.type === 'undo') {
      for (const renewal of renewedIn(effect.undo.before, effect.undo.renewals)) {
        const first = restoring.get(renewal);
        if (first !== undefined) visit(first);
      }
      const holder = holders.get(placedName(effect.undo, effect.undo.member?.name));
      if (holder !== undefined) visit(holder);
    }
    ordered.add(effect);
  };
  effects.forEach(visit);
  return [...ordered];
}

/** The writes to one object so far. */
interface OneObject {
  writes: ObjectWrites;
  /** Undefined: not known since it was created or deleted. */
  uuid: string | undefined;
  /** Present if the last write is a deletion of unknown outcome; with the uuid, if it is known. */
  openDeletion: { readonly uuid: string | undefined } | undefined;
  /** The keys of the names by which each user finds it. */
  readonly names: Set<string>;
}

/**
 * Groups the writes by object: by its uuid, or by its name in its cloud, because an object that was created again has
 * another uuid. Objects with two uuids are one only if the run deleted the first. Without a uuid, two users may mean two objects by one
 * name, because each user can have a tenant of their own.
 */
function byObject(writes: readonly RecordedWrite[]): readonly ObjectWrites[] {
  const known = new Map<string, OneObject>();
  const objects = new Set<OneObject>();
  const keyed = writes.map((write) => ({ write, keys: orElse(undefined, () => writeKeys(write), LoadError) }));
  const nameIn = ({ intent }: RecordedWrite): string => jsonText([intent.reached.controller, intent.object]);
  // Of a write whose values are lost, only the name of the object is known. Another write to an object of that name may be
  // to the same one, and then what it found is not what was there before the run. So they are one object here.
  const lost = new Set(keyed.filter(({ keys }) => keys === undefined).map(({ write }) => nameIn(write)));
  for (const { write, keys = {} } of keyed.toSorted((a, b) => a.write.intent.write - b.write.intent.write)) {
    if (write.outcome === 'refused') continue;
    const { certain, uuid, nameBefore, nameAfter } = lost.has(nameIn(write)) ? lostKeys(write) : keys;
    // What exists once is the same in all tenants. The name that a lost write gives contains the tenant.
    const tenant = nameBefore === undefined ? null : (write.intent.tenant ?? null);
    const place = jsonText([write.intent.reached.controller, tenant]);
    const certainKey = `${place}${certain ?? ''}`;
    const nameKey = (name = ''): string => `${place}${write.intent.reached.account} ${name}`;
    const namesake = known.get(nameKey(nameBefore));
    const object =
      known.get(certainKey) ??
      (namesake !== undefined && mayBeSame(namesake, write)
        ? namesake
        : { writes: [write], uuid: undefined, openDeletion: undefined, names: new Set() });
    if (objects.has(object)) object.writes = joined(object, write, uuid);
    objects.add(object);
    const isDeletion = write.intent.change.kind === 'delete';
    object.uuid = isDeletion ? undefined : uuid;
    object.openDeletion = isDeletion && write.outcome === 'unknown' ? { uuid } : undefined;
    if (certain !== undefined) known.set(certainKey, object);
    if (nameBefore === undefined) continue;
    // After a rename, no user finds it by its old name.
    const old = nameBefore === nameAfter ? [] : [...object.names, nameKey(nameBefore)];
    for (const key of old) if (known.get(key) === object) known.delete(key);
    known.set(nameKey(nameAfter), object);
    object.names.add(nameKey(nameAfter));
  }
  return [...objects].map(({ writes: ofOne }) => ofOne);
}

/** The writes to an object with one more. If the run found the object again, an open deletion before did not take effect. */
function joined({ writes, openDeletion }: OneObject, write: RecordedWrite, uuid: string | undefined): ObjectWrites {
  const isSame = openDeletion !== undefined && openDeletion.uuid === uuid;
  // A create may have made another one.
  const isFound = isSame && (uuid !== undefined || write.intent.change.kind !== 'create');
  const [first = write, ...later] = isFound ? writes.slice(0, -1) : writes;
  return first === write ? [write] : [first, ...later, write];
}

/** Whether a write to an object of that name, with another uuid as far as known, is to the same object. */
function mayBeSame({ uuid, writes }: OneObject, { intent }: RecordedWrite): boolean {
  if (uuid !== undefined) return false;
  return intent.change.kind === 'create' || lastWrite(writes).intent.change.kind !== 'delete';
}

interface WriteKeys {
  /** Identifies the object for certain. */
  readonly certain?: string;
  readonly uuid?: string;
  /** Its name in its cloud when it was written. */
  readonly nameBefore?: string;
  /** Its name in its cloud after that. */
  readonly nameAfter?: string;
}

/** The quote keeps it apart from all paths. */
function lostKeys({ intent }: RecordedWrite): WriteKeys {
  return { certain: `"${intent.object}` };
}

/** Each raw request is a separate effect. */
function writeKeys({ intent, seen }: RecordedWrite): WriteKeys {
  const { change } = intent;
  if (change.kind === 'invoke' || change.kind === 'none') return { certain: `#${intent.write}` };
  const written = addressedObject(intent);
  const user = isForUser(intent) ? ` ${intent.reached.account}` : '';
  if (written.type === 'single') return { certain: `${objectKey(written)}${user}` };
  const object = seen ?? change.before ?? change.after;
  const [uuid, cloud] = [written.uuid ?? entry(object, 'uuid'), entry(object, 'cloud_ref')];
  const inCloud = typeof cloud === 'string' ? (directReference(cloud)?.uuid ?? cloud) : '';
  const now = entry(seen ?? change.after ?? {}, 'name');
  const named = (name: string): string => `${objectKey({ ...written, name })} ${inCloud}`;
  const names = { nameBefore: named(written.name), nameAfter: named(typeof now === 'string' ? now : written.name) };
  return typeof uuid === 'string' ? { certain: `${written.collection}${uuid}`, uuid, ...names } : names;
}
