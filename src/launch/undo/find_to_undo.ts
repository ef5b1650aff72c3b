import type { Scope } from '../../core/model/run/reference.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import { scopeOfObject } from '../../module/comparison/scope.js';
import type { Reader } from '../../module/contract.js';
import type { Observed } from '../../undo/plan_undo.js';
import type { Undo } from '../../undo/undo.js';

/** An object to restore, as it is now. */
export interface FoundUndo {
  /** With references to the current objects. */
  readonly undo: Undo;
  readonly observed: Observed;
}

/** The cloud in which the run left the object. */
function undoScope({ left, before }: Undo, collection: string): Scope | undefined {
  const [last] = left;
  return scopeOfObject(collection, last?.object ?? before);
}

/**
 * Reads the object under the names that it had before the run and after it. An object that must not be written need not
 * be read, and refuses to be written if another one has its former name now.
 * @param isLeaving whether an object with that uuid gives its name back before
 */
export async function findToUndo(
  undo: Undo,
  reader: Reader,
  isLeaving: (uuid: Value | undefined) => boolean,
): Promise<FoundUndo> {
  const { refusal, member, path, isDeleted, object: title } = undo;
  if (refusal !== undefined) return { undo, observed: undefined };
  if (member === undefined) return { undo, observed: await reader.single(path) };
  const scope = undoScope(undo, member.collection);
  let [object, holder]: (Mapping | undefined)[] = [];
  for (const name of namesToFind(undo, member.name)) {
    object = await reader.find(member.collection, name, scope);
    if (object?.['uuid'] === member.uuid) break;
    if (name === member.name && !isLeaving(object?.['uuid'])) holder = object;
  }
  if (object === undefined) return { undo, observed: undefined };
  const observed = { status: 'found', object } as const;
  if (holder === undefined || isDeleted === true || object['uuid'] !== member.uuid) return { undo, observed };
  const owner = holder['uuid'];
  const taken = `${title} is not restored: its former name "${member.name}" belongs to ${typeof owner === 'string' ? owner : 'another object'} now; rename or delete that one and roll back again`;
  return { undo: { ...undo, refusal: taken }, observed };
}

/** The name that decides comes last: of a deleted object, the one under which it is created again. */
function namesToFind({ left, isDeleted }: Undo, former: string): readonly string[] {
  const names = left.map(({ object }) => object['name']).filter((name) => typeof name === 'string');
  return [...new Set(isDeleted === true ? [...names.filter((name) => name !== former), former] : [former, ...names])];
}
