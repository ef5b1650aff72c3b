import { addressedObject, objectKey } from '../core/model/run/past.js';
import { directReference, isForUser } from '../core/model/run/reference.js';
import { LoadError, orElse } from '../core/model/source/diagnostic.js';
import { appendTo } from '../core/model/values/groups.js';
import { jsonText } from '../core/model/values/json.js';
import { entry, type Value } from '../core/model/values/value.js';
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
    if (effect.type !== 'undo' || !effect.undo.fields.some((path) => jsonText(path) === '["name"]')) continue;
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
  /** The uuid, if the last write is a deletion of unknown outcome; otherwise null. */
  maybeDeleted: string | undefined | null;
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
  const keyed = writes.map((one) => ({ one, found: orElse(undefined, () => writeKeys(one), LoadError) }));
  const nameIn = ({ intent }: RecordedWrite): string => jsonText([intent.reached.controller, intent.object]);
  // Of a write whose values are lost, only the name of the object is known. Another write to an object of that name may be
  // to the same one, and then what it found is not what was there before the run. So they are one object here.
  const lost = new Set(keyed.filter(({ found }) => found === undefined).map(({ one }) => nameIn(one)));
  for (const { one, found = {} } of keyed.toSorted((a, b) => a.one.intent.write - b.one.intent.write)) {
    if (one.outcome === 'refused') continue;
    const { own, uuid, name, left }: WriteKeys = lost.has(nameIn(one)) ? { own: `"${one.intent.object}` } : found;
    // What exists once is the same in all tenants. The name that a lost write gives contains the tenant.
    const tenant = name === undefined ? null : (one.intent.tenant ?? null);
    const place = jsonText([one.intent.reached.controller, tenant]);
    const inPlace = (key = ''): string => `${place}${key}`;
    const named = (key = ''): string => inPlace(`${one.intent.reached.account} ${key}`);
    const namesake = known.get(named(name));
    const object =
      known.get(inPlace(own)) ??
      (namesake !== undefined && mayBeSame(namesake, one)
        ? namesake
        : { writes: [one], uuid: undefined, maybeDeleted: null, names: new Set() });
    if (objects.has(object)) {
      // The run found it again, so the deletion did not take effect. A create may have made another one.
      const isFound = uuid === object.maybeDeleted && (uuid !== undefined || one.intent.change.kind !== 'create');
      const [first = one, ...later] = isFound ? object.writes.slice(0, -1) : object.writes;
      object.writes = first === one ? [one] : [first, ...later, one];
    }
    objects.add(object);
    const isDeletion = one.intent.change.kind === 'delete';
    object.uuid = isDeletion ? undefined : uuid;
    object.maybeDeleted = isDeletion && one.outcome === 'unknown' ? uuid : null;
    if (own !== undefined) known.set(inPlace(own), object);
    if (name === undefined) continue;
    // After a rename, no user finds it by its old name.
    const old = name === left ? [] : [...object.names, named(name)];
    for (const key of old) if (known.get(key) === object) known.delete(key);
    known.set(named(left), object);
    object.names.add(named(left));
  }
  return [...objects].map(({ writes: ofOne }) => ofOne);
}

/** Whether a write to an object of that name, with another uuid as far as known, is to the same object. */
function mayBeSame({ uuid, writes }: OneObject, { intent }: RecordedWrite): boolean {
  if (uuid !== undefined) return false;
  return intent.change.kind === 'create' || lastWrite(writes).intent.change.kind !== 'delete';
}

interface WriteKeys {
  /** Identifies the object for certain. */
  readonly own?: string;
  readonly uuid?: string;
  /** Its name in its cloud when it was written. */
  readonly name?: string;
  /** Its name in its cloud after that. */
  readonly left?: string;
}

/** Each raw request is a separate effect. */
function writeKeys({ intent, seen }: RecordedWrite): WriteKeys {
  const { change } = intent;
  if (change.kind === 'invoke' || change.kind === 'none') return { own: `#${intent.write}` };
  const written = addressedObject(intent);
  const user = isForUser(intent) ? ` ${intent.reached.account}` : '';
  if (written.type === 'single') return { own: `${objectKey(written)}${user}` };
  const object = seen ?? change.before ?? change.after;
  const [uuid, cloud] = [written.uuid ?? entry(object, 'uuid'), entry(object, 'cloud_ref')];
  const inCloud = typeof cloud === 'string' ? (directReference(cloud)?.uuid ?? cloud) : '';
  const now = entry(seen ?? change.after ?? {}, 'name');
  const named = (name: string): string => `${objectKey({ ...written, name })} ${inCloud}`;
  const names = { name: named(written.name), left: named(typeof now === 'string' ? now : written.name) };
  return typeof uuid === 'string' ? { own: `${written.collection}${uuid}`, uuid, ...names } : names;
}
