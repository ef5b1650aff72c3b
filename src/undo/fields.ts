import { HIDDEN } from '../core/model/values/display.js';
import { appendTo } from '../core/model/values/groups.js';
import { entry, isList, isMapping, type Mapping, type Value } from '../core/model/values/value.js';
import { allNames, matches, type FieldNames } from '../module/comparison/comparison.js';
import { withoutHidden } from '../module/comparison/hidden_secrets.js';

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
  if (isMapping(one) && isMapping(other)) {
    return allNames(one, other).every((key) => isSame(entry(one, key), entry(other, key), key, hidden));
  }
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((item, at) => isSame(item, other[at], name, hidden));
  }
  return matches(one, other, name) || matches(other, one, name);
}

function isNothing(value: Value | undefined): value is undefined | null {
  return value === undefined || value === null || (isList(value) && value.length === 0);
}

/** The part of a value that is not hidden. */
export function shown(value: Value | undefined): Value | undefined {
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
    const value = changed(made.get(name), below);
    if (value === undefined) made.delete(name);
    else made.set(name, value);
  }
  return Object.fromEntries(made);
}

function changed(value: Value | undefined, fields: readonly FieldValue[]): Value | undefined {
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
