import { directReference } from '../model/run/reference.js';
import { objectKey, placeOf } from '../model/run/written_object.js';
import { entry } from '../model/values/value.js';
import type { ChooseName } from './chosen_name.js';
import { effectOf, renewalOf, type Effect, type ObjectHistory } from './object_effect.js';
import { lastOf, type RecordedWrite, type Writes } from './object_writes.js';
import { renewedIn } from './renewal.js';
import type { Renewal } from './undo.js';

/**
 * The remaining effects of a run, one per object, last written first. Leaves out objects that the run itself restored.
 * A write with an unknown outcome is included; reading the object resolves it.
 *
 * @param acting returns one name for all names of a controller; a controller with another connection than in the
 * inventory keeps its name
 */
export function effectsOf(writes: readonly RecordedWrite[], acting: ChooseName = itself): readonly Effect[] {
  const objects = byObject(writes, acting)
    .toSorted((a, b) => lastOf(b).intent.write - lastOf(a).intent.write)
    .map((ofOne): ObjectHistory => ({
      writes: ofOne,
      controller: nameOf(ofOne[0], acting),
      renewal: renewalOf(ofOne),
    }));
  const renewals = new Map<string, readonly Renewal[]>();
  for (const { controller, renewal } of objects)
    if (renewal !== undefined) renewals.set(controller, [...(renewals.get(controller) ?? []), renewal]);
  const effects = objects.flatMap((object) => effectOf(object, renewals.get(object.controller) ?? []) ?? []);
  return renewals.size === 0 ? effects : renewedFirst(effects);
}

/** Restores an object after the objects that it refers to. */
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

/**
 * Groups the writes by object: by its uuid, or by its name in its cloud, because an object that was created again has
 * another uuid.
 */
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

/** A controller that was reached with further variables is restored under the name that they were set for. */
function nameOf({ intent: { target, connection } }: RecordedWrite, acting: ChooseName): string {
  return connection === undefined ? acting(target) : target;
}

/** The keys of the written object, the most reliable first. Each raw request is a separate effect. */
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
