import type { WriteIntended } from '../core/model/run/journal.js';
import { appendTo } from '../core/model/values/groups.js';
import { HIDDEN, entry, isList, isMapping, type Mapping, type Value } from '../core/model/values/value.js';
import { allNames, differingFields, matches, withoutHidden, type FieldNames } from '../module/comparison/comparison.js';

/** By which host of the inventory an object is restored, as which user, and with which variables: as by one of the writes to it. */
export type Restorer = Pick<WriteIntended, 'target' | 'reached' | 'connection' | 'tenant'>;

/** How to restore one object. */
export interface Undo {
  /** For messages: `cloud "edge-1"`. */
  readonly object: string;
  /** Where it is written. */
  readonly path: string;
  /** How to find a member of a collection. Absent: a single object, read at the path where it is written. */
  readonly member?: UndoMember | undefined;
  /** The run deleted it: create it again if it is not there. Only a member of a collection can be found again. */
  readonly isDeleted?: boolean | undefined;
  /** The fields to put back; of a deleted object, in case that the deletion did not take effect. */
  readonly fields: readonly FieldNames[];
  /** The object as it was before the run's first write. */
  readonly before: Mapping;
  /** The states in which the run may have left it: in any other state, someone else has changed it since. */
  readonly left: readonly ObjectState[];
  /**
   * Fields that the controller hid when they were read, such as `vcenter.password`: their former values are unknown.
   */
  readonly neverShown: readonly string[];
  /** Why the object must not be written. It is still an item of the task, so that it is counted and recorded. */
  readonly refusal?: string | undefined;
  readonly restorer: Restorer;
  /** Written under `no_log`: must not be shown. */
  readonly masked: boolean;
  /** Identifies a deleted object for references to it. */
  readonly renewal?: Renewal | undefined;
  /** The objects of the controller that get or got another uuid. */
  readonly renewals: readonly Renewal[];
}

/** An object that the run deleted. Created again, it has another uuid, which other restored objects must refer to. */
export interface Renewal {
  readonly collection: string;
  readonly name: string;
  /** The uuid before the run. */
  readonly formerUuid: string;
  /** The uuid of the object that the run created instead; undefined if the rollback creates it. */
  readonly newUuid?: string | undefined;
  readonly before: Mapping;
}

interface UndoMember {
  readonly collection: string;
  /** Before the run. */
  readonly name: string;
  readonly uuid: string;
}

/** The state in which a run left an object, as far as known. */
export interface ObjectState {
  readonly object: Mapping;
  /**
   * Whether the controller returned exactly this. Otherwise it is what was sent, and the controller may have added
   * fields.
   */
  readonly whole: boolean;
}

/**
 * The fields that were changed since the run left the object in one of these states; none if it is unchanged. Compares
 * with the nearest state.
 */
export function changedSince(left: readonly ObjectState[], current: Mapping): readonly FieldNames[] {
  const found = left.map((one) => differences(one, current)).toSorted((a, b) => a.length - b.length);
  return found[0] ?? [];
}

function differences({ object, whole }: ObjectState, current: Mapping): readonly FieldNames[] {
  if (whole) return differingFields(object, current, looksSame);
  return differingFields(object, current, (sent, shown, name) => sent === undefined || matches(sent, shown, name));
}

/**
 * Whether two values of a controller match: hidden values match anything, references are compared without the `#name`
 * at the end, and empty values match missing ones.
 */
export function looksSame(one: Value | undefined, other: Value | undefined, name = ''): boolean {
  return isSame(one, other, name, (left, right) => isNothing(left) === isNothing(right));
}

/** Like `looksSame`, but only values that were hidden before match anything: a value that is hidden only now is new. */
export function isAsBefore(before: Value | undefined, now: Value | undefined, name = ''): boolean {
  return isSame(before, now, name, (old) => old === HIDDEN);
}

/** @param hidden whether two values match if at least one is hidden */
function isSame(
  one: Value | undefined,
  other: Value | undefined,
  name: string,
  hidden: (one: Value | undefined, other: Value | undefined) => boolean,
): boolean {
  if (one === HIDDEN || other === HIDDEN) return hidden(one, other);
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other);
  if (isMapping(one) && isMapping(other))
    return allNames(one, other).every((key) => isSame(entry(one, key), entry(other, key), key, hidden));
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at], name, hidden));
  return matches(one, other, name) || matches(other, one, name);
}

function isNothing(value: Value | undefined): value is undefined | null {
  return value === undefined || value === null || (isList(value) && value.length === 0);
}

/** The part of a value that is not hidden. */
export function shownPart(value: Value | undefined): Value | undefined {
  return value === undefined ? undefined : withoutHidden({ value })['value'];
}

/** A field's value; undefined removes the field. */
export type FieldValue = readonly [path: FieldNames, value: Value | undefined];

/** Sets or removes these fields of an object. Creates parent objects for a new field, but not to remove one. */
export function withFields(object: Mapping, fields: readonly FieldValue[]): Mapping {
  const inside = new Map<string, FieldValue[]>();
  for (const [[name, ...rest], value] of fields) if (name !== undefined) appendTo(inside, name, [rest, value]);
  // Made from entries: a field may be called `__proto__`.
  const made = new Map(Object.entries(object));
  for (const [name, below] of inside) {
    const value = withFieldsIn(made.get(name), below);
    if (value === undefined) made.delete(name);
    else made.set(name, value);
  }
  return Object.fromEntries(made);
}

function withFieldsIn(value: Value | undefined, fields: readonly FieldValue[]): Value | undefined {
  const whole = fields.find(([path]) => path.length === 0);
  if (whole !== undefined) return whole[1];
  if (isMapping(value)) return withFields(value, fields);
  return fields.some(([, wanted]) => wanted !== undefined) ? withFields({}, fields) : value;
}

/** The paths that are not inside another path. */
export function outermost(paths: readonly FieldNames[]): readonly FieldNames[] {
  const unique = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const isInside = (path: FieldNames): boolean =>
    path.some((_, length) => length > 0 && unique.has(JSON.stringify(path.slice(0, length))));
  return [...unique.values()].filter((path) => !isInside(path));
}
