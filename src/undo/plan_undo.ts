import { SERVER_FIELDS } from '../core/model/run/result.js';
import { pathText } from '../core/model/source/diagnostic.js';
import { valueAt, type Mapping, type Value } from '../core/model/values/value.js';
import { hiddenIn, matches, withKeptHidden, withoutHidden, type FieldNames } from '../module/comparison/comparison.js';
import { scopeOfObject } from '../module/comparison/scope.js';
import type { Plan, Reader, Singleton } from '../module/contract.js';
import { guardAccess } from '../module/lockout.js';
import { changedSince, isAsBefore, looksSame, withFields, type FieldValue, type Undo } from './undo.js';

/** The current object; undefined if there is none. */
export type Observed = Singleton | undefined;

/** An object to restore, as it is now. */
export interface FoundUndo {
  /** With references to the current objects. */
  readonly undo: Undo;
  readonly observed: Observed;
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
  // The cloud in which the run left the object.
  const scope = scopeOfObject(member.collection, undo.left[0]?.object ?? undo.before);
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

/**
 * Restores only the fields that the run changed. Refuses if the object has changed since the run, because that change
 * would be lost.
 */
export function planUndo(undo: Undo, observed: Observed, allowLockout: boolean): Plan {
  const { object, member } = undo;
  if (undo.refusal !== undefined) return refused(undo, undo.refusal);
  if (undo.isDeleted === true && member !== undefined) return planDeleted(undo, member.uuid, observed, allowLockout);
  if (observed === undefined)
    return refused(undo, `${object} no longer exists: it was renamed or deleted since the run`);
  if (observed.status === 'unreadable') {
    const reason = `the controller does not show ${object} (it answered ${observed.code}), so it is unknown whether it has changed since`;
    return refused(undo, reason);
  }
  const current = observed.object;
  if (member !== undefined && current['uuid'] !== member.uuid) {
    const why = `${object} has been replaced: the run wrote to ${member.uuid}, and that name has another uuid`;
    return refused(undo, why);
  }
  return planFound(undo, observed, allowLockout);
}

/**
 * Creates it again, but for its uuid. Another object of that name is not touched, unless it already is what is wanted.
 */
function planDeleted(undo: Undo, uuid: string, observed: Observed, allowLockout: boolean): Plan {
  const { object, before } = undo;
  const after = createdFrom(before);
  if (observed === undefined) {
    const warnings = [
      `${object} is created again with another uuid than ${uuid}: references that this rollback does not restore still name the old one`,
      ...fieldsNeverShown(undo),
    ];
    return { change: { kind: 'create', object, before: null, after }, warnings };
  }
  if (observed.status === 'unreadable') return refused(undo, `the controller does not show ${object}`);
  if (observed.object['uuid'] === uuid) return planFound(undo, observed, allowLockout);
  if (matches(after, observed.object)) return { change: { kind: 'none' } };
  return refused(undo, `${object} has been replaced: the run deleted ${uuid}, and that name has another uuid`);
}

/** The object that is created again. */
export function createdFrom(before: Mapping): Mapping {
  return withoutHidden(Object.fromEntries(Object.entries(before).filter(([name]) => !SERVER_FIELDS.includes(name))));
}

function planFound(undo: Undo, observed: Extract<Singleton, { status: 'found' }>, allowLockout: boolean): Plan {
  const current = observed.object;
  const { object, fields, before, left } = undo;
  const open = fields.filter((path) => !isAsBefore(valueAt(before, path), valueAt(current, path), path.at(-1)));
  if (open.length === 0) return { change: { kind: 'none' } };
  const restored = withFields(current, valuesBefore(open, before));
  const change = { kind: 'update', object, before: current, after: withoutHidden(restored) } as const;
  const since = changedSince(left, current);
  if (since.length > 0) {
    const isNew = since.every((path) => left.every((one) => valueAt(one.object, path) === undefined));
    const refusal = `${object} was changed since the run: ${since.map(pathText).join(', ')}; not restored${isNew ? UPGRADED : ''}`;
    // After the write, a controller that fills in removed fields looks like this.
    return { change, refusal, ...(open.every((path) => isFilledIn(undo, current, path)) ? { satisfied: true } : {}) };
  }
  const guard = guardAccess({ allow_lockout: allowLockout }, current, change.after, observed, 'Say --allow-lockout');
  const hidden = hiddenIn(restored);
  const unfounded = unsentFields(undo, hidden);
  const after = withKeptHidden(restored, current);
  const kept = new Set(hiddenIn(after));
  const lost = hidden.filter((path) => !kept.has(path));
  const keeping = kept.size > 0 && { keeping: { after, warnings: unsentFields(undo, lost), unfounded } };
  return { change, ...guard, ...keeping, warnings: [...fieldsNeverShown(undo), ...unfounded] };
}

/** Another API version can show more fields. */
const UPGRADED =
  ' (if an upgrade of the controller added this, roll back with the API version of the run: -e controller_api_version=…)';

/** The field that the run added was removed, and the controller shows its default instead. */
function isFilledIn({ before, left }: Undo, current: Mapping, path: FieldNames): boolean {
  const [old, now] = [valueAt(before, path), valueAt(current, path)];
  const written = left.map(({ object }) => valueAt(object, path)).filter((value) => value !== undefined);
  if (old !== undefined || written.length === 0) return false;
  return written.every((value) => !looksSame(value, now, path.at(-1)));
}

function fieldsNeverShown({ object, neverShown }: Undo): readonly string[] {
  return neverShown.map((path) => `${object}: "${path}" cannot be restored, because the controller never showed it`);
}

/** Fields that this write loses in addition to earlier ones: they cannot be read, so they cannot be sent. */
function unsentFields({ object, neverShown }: Undo, hidden: readonly string[]): readonly string[] {
  const known = new Set(neverShown);
  const unsent = hidden.filter((path) => !known.has(path));
  if (unsent.length === 0) return [];
  const what = unsent.map((path) => `"${path}"`).join(', ');
  return [`${object}: ${what} cannot be read, so it is not sent; set it again if the controller drops it`];
}

/** Includes the change that was not made, so that it does not count as made after the write. */
function refused({ object, fields, before }: Undo, refusal: string): Plan {
  const after = withoutHidden(withFields({}, valuesBefore(fields, before)));
  return { refusal, change: { kind: 'update', object, before: null, after } };
}

function valuesBefore(fields: readonly FieldNames[], before: Mapping): readonly FieldValue[] {
  return fields.map((path) => [path, valueAt(before, path)]);
}
