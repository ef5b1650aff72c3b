import { orElse } from '../core/model/error_message.js';
import { findObjectPlace, objectKey, type PastWrite } from '../core/model/run/past.js';
import { directReference } from '../core/model/run/reference.js';
import { LoadError } from '../core/model/source/diagnostic.js';
import { appendTo, groupBy } from '../core/model/values/groups.js';
import { entry } from '../core/model/values/value.js';
import { findEffect, findRenewal, refusedEffect, type ObjectHistory, type UndoEffect } from './object_effect.js';
import { lastWrite, type ObjectWrites, type RecordedWrite } from './object_writes.js';
import { renewedIn } from './renewal.js';
import type { Renewal } from './undo.js';

/**
 * The remaining effects of a run, one per object, last written first. Leaves out objects that the run itself restored.
 * A write with an unknown outcome is included; reading the object resolves it.
 *
 * @param acting returns one name for all names of a controller; a controller with another connection than in the
 * inventory keeps its name
 */
export function findEffects(writes: readonly RecordedWrite[], acting: ChooseName = itself): readonly UndoEffect[] {
  const objects = byObject(writes, acting)
    .toSorted((a, b) => lastWrite(b).intent.write - lastWrite(a).intent.write)
    .map((ofOne): ObjectHistory => ({
      writes: ofOne,
      controller: targetName(ofOne[0], acting),
      renewal: orElse(undefined, () => readRenewal(ofOne), LoadError),
    }));
  const renewals = new Map<string, Renewal[]>();
  for (const { controller, renewal } of objects) if (renewal !== undefined) appendTo(renewals, controller, renewal);
  const effects = objects.flatMap((object) => {
    const own = renewals.get(object.controller) ?? [];
    return (
      readable(
        () => inFull(findEffect(object, own)),
        (reason) => refusedEffect(object, reason),
      ) ?? []
    );
  });
  return renewals.size === 0 ? effects : renewedFirst(effects);
}

/** Values in files beside the journal can be lost or damaged; that of one object must not keep others from being restored. */
function readable<T>(read: () => T, otherwise: (reason: string) => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof LoadError) return otherwise(error.message);
    throw error;
  }
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

/** Restores an object after the objects that it refers to. */
function renewedFirst(effects: readonly UndoEffect[]): readonly UndoEffect[] {
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
    }
    ordered.add(effect);
  };
  effects.forEach(visit);
  return [...ordered];
}

function itself(target: string): string {
  return target;
}

/**
 * Groups the writes by object: by its uuid, or by its name in its cloud, because an object that was created again has
 * another uuid.
 */
function byObject(writes: readonly RecordedWrite[], acting: ChooseName): readonly ObjectWrites[] {
  const groups = new Map<string, number>();
  const objects: ObjectWrites[] = [];
  const keyed = writes.map((one) => ({ one, found: orElse(undefined, () => writeKeys(one), LoadError) }));
  const nameIn = (one: RecordedWrite): string => JSON.stringify([...writePlace(one, acting), one.intent.object]);
  // Of a write whose values are lost, only the name of the object is known. Another write to an object of that name may be
  // to the same one, and then what it found is not what was there before the run. So they are one object here.
  const lost = new Set(keyed.filter(({ found }) => found === undefined).map(({ one }) => nameIn(one)));
  for (const { one, found = [] } of keyed.toSorted((a, b) => a.one.intent.write - b.one.intent.write)) {
    if (one.outcome === 'refused') continue;
    const own = lost.has(nameIn(one)) ? [`"${one.intent.object}`] : found;
    const keys = own.map((key) => JSON.stringify([...writePlace(one, acting), key]));
    const at = keys.map((key) => groups.get(key)).find((known) => known !== undefined) ?? objects.length;
    for (const key of keys) groups.set(key, at);
    const known = objects[at];
    objects[at] = known === undefined ? [one] : [...known, one];
  }
  return objects;
}

function writePlace(write: RecordedWrite, acting: ChooseName): readonly (string | null)[] {
  const { connection, tenant } = write.intent;
  return [targetName(write, acting), connection?.id ?? null, tenant ?? null];
}

/** A controller that was reached with further variables is restored under the name that they were set for. */
function targetName({ intent: { target, connection } }: RecordedWrite, acting: ChooseName): string {
  return connection === undefined ? acting(target) : target;
}

/** The keys of the written object, the most reliable first. Each raw request is a separate effect. */
function writeKeys({ intent, seen }: RecordedWrite): readonly string[] {
  const { change } = intent;
  if (change.kind === 'invoke' || change.kind === 'none') return [`#${intent.write}`];
  const place = findObjectPlace(intent);
  if (place.type === 'single') return [objectKey(place)];
  const object = seen ?? change.before ?? change.after;
  const [uuid, cloud] = [place.uuid ?? entry(object, 'uuid'), entry(object, 'cloud_ref')];
  const inCloud = typeof cloud === 'string' ? (directReference(cloud)?.uuid ?? cloud) : '';
  const byName = `${objectKey(place)} ${inCloud}`;
  return typeof uuid === 'string' ? [`${place.collection}${uuid}`, byName] : [byName];
}

/** Says by which of its names a controller is put back. */
export type ChooseName = (target: string) => string;

export interface Naming {
  /** The key of the controller of a name: equal for all names of one controller. Undefined if unknown. */
  readonly placeOfTarget: (target: string) => string | undefined;
  /** Which names are wanted rather than others, the weightiest preference first; what no name fulfils does not count. */
  readonly preferences?: readonly ((target: string) => boolean)[];
}

/**
 * Several names of an inventory can belong to one controller. Restore all of its objects one after the other, under the
 * name that wrote last: with two names at once, each would take the other's writes for changes by someone else.
 */
export function chooseNames(
  writes: readonly Pick<PastWrite, 'intent'>[],
  { placeOfTarget, preferences = [] }: Naming,
): ChooseName {
  const latestFirst = writes.toSorted((a, b) => b.intent.write - a.intent.write);
  const names = new Set(latestFirst.map(({ intent }) => intent.target));
  const acting = new Map([...groupBy(names, placeOfTarget)].map(([place, own]) => [place, chosen(own, preferences)]));
  return (target) => acting.get(placeOfTarget(target) ?? '') ?? target;
}

function chosen(names: readonly string[], preferences: readonly ((target: string) => boolean)[]): string | undefined {
  const wanted = preferences.reduce(
    (left, preference) => (left.some(preference) ? left.filter(preference) : left),
    names,
  );
  return wanted[0];
}
