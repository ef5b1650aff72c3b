import { isReferenceName, refersTo, withoutNames, withoutOrigins } from '../../core/model/run/reference.js';
import { SERVER_FIELDS } from '../../core/model/run/result.js';
import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { compareNumbers, isNumeric } from '../../core/model/values/json.js';
import { hasLater, HIDDEN, entry, isList, isMapping, leavesIn, mapValues } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import type { Field, Structure } from '../../kinds/kind_table.js';

/**
 * Whether a controller's value already matches the declared one. Compares declared keys only: objects deeply, lists in order and
 * element by element. A value that reads back hidden is unknown, not different, but it is there. Controllers leave out empty values, so a declared
 * null or empty list matches a missing value.
 */
export function matches(declared: Value, actual: Value | undefined, name = ''): boolean {
  if (declared === actual) return true;
  if (actual === HIDDEN) return declared !== null;
  if (actual === undefined) return declared === null || (isList(declared) && declared.length === 0);
  if (isMapping(declared))
    return (
      isMapping(actual) && Object.keys(declared).every((key) => matches(declared[key] ?? null, entry(actual, key), key))
    );
  if (isList(declared))
    return (
      isList(actual) &&
      declared.length === actual.length &&
      declared.every((item, at) => matches(item, actual[at], name))
    );
  if (isReferenceName(name) && typeof declared === 'string' && typeof actual === 'string')
    return sameReference(declared, actual);
  return isNumeric(declared) && isNumeric(actual) && compareNumbers(declared, actual) === 0;
}

/**
 * Compares references without the `#name` that controllers append when they show them; a path equals the URL that ends with it. A
 * reference by name (`/api/tenant/?name=admin`) matches one to that kind that shows the name. One that names a cloud or a tenant matches none.
 */
function sameReference(declared: string, actual: string): boolean {
  // Objects that do not exist yet have only their names to tell them apart.
  if (hasLater(declared)) return declared === actual;
  return declared.split('#', 1)[0] === actual.split('#', 1)[0] || refersTo(actual, declared);
}

/** Names of fields from the outside in. Lists count as a whole, so there are no numbers in it. */
export type FieldNames = readonly string[];

/**
 * The fields in which an object has changed: nested objects field by field, lists as a whole.
 *
 * @param same whether two values count as equal; undefined is a missing field
 * @param ignored names of the object's fields, by default those that the controller sets
 */
export function differingFields(
  before: Mapping,
  after: Mapping,
  same: (one: Value | undefined, other: Value | undefined, name: string) => boolean,
  ignored = SERVER_FIELDS,
): readonly FieldNames[] {
  const within = (names: readonly string[], above: FieldNames, old: Mapping, now: Mapping): readonly FieldNames[] =>
    names.flatMap((name) => {
      const [path, one, other] = [[...above, name], entry(old, name), entry(now, name)];
      if (isMapping(one) && isMapping(other)) return within(allNames(one, other), path, one, other);
      return same(one, other, name) ? [] : [path];
    });
  const names = allNames(before, after).filter((name) => !ignored.includes(name));
  return within(names, [], before, after);
}

export function allNames(one: Mapping, other: Mapping): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

/** Finds the structure of an object only if a null needs it, because that reads the table of kinds. */
export type FindStructure = () => Structure | undefined;

/**
 * The declaration with the controller's value in place of each null that equals it: null means a missing field, which
 * has its default.
 */
export function withNullsAsShown(declared: Mapping, shown: Mapping, find: FindStructure | undefined): Mapping {
  if (!holdsNull(declared)) return declared;
  const free = Object.entries(declared).filter(([name, value]) => value !== null || !SCOPE.has(name));
  return resolvedMapping(Object.fromEntries(free), shown, find?.());
}

/** A controller chooses them for a new object that does not declare them, and never changes them. */
export const SCOPE: ReadonlySet<string> = new Set(['tenant_ref', 'cloud_ref']);

/** Without the fields that are declared as null: known types of fields do not have null, and a missing field means the same. */
export function withoutDeclaredNulls(merged: Mapping, declared: Mapping, find: FindStructure | undefined): Mapping {
  return holdsNull(declared) && find?.() !== undefined ? keptFields(merged, declared) : merged;
}

function keptFields(merged: Mapping, declared: Mapping): Mapping {
  const kept = Object.entries(merged).filter(([name]) => entry(declared, name) !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, keptInside(value, entry(declared, name))]));
}

function keptInside(merged: Value, declared: Value | undefined): Value {
  if (isMapping(merged) && isMapping(declared)) return keptFields(merged, declared);
  return isList(merged) && isList(declared) ? merged.map((item, at) => keptInside(item, declared[at])) : merged;
}

export function holdsNull(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return value === null;
  if (isList(value)) return value.some(holdsNull);
  return isMapping(value) && Object.values(value).some(holdsNull);
}

function resolvedMapping(declared: Mapping, shown: Mapping, structure: Structure | undefined): Mapping {
  return mapValues(declared, (value, name) => resolved(value, entry(shown, name), structure?.fields.get(name)));
}

function resolved(declared: Value, shown: Value | undefined, field: Field | undefined): Value {
  if (shown === undefined) return declared;
  if (declared === null) return isUnset(shown, field) ? shown : null;
  if (isMapping(declared) && isMapping(shown)) return resolvedMapping(declared, shown, field?.structure);
  if (!isList(declared) || !isList(shown)) return declared;
  return declared.map((item, at) => resolved(item, shown[at], field));
}

/** Whether a controller shows this value for a missing field. Its schema does not list defaults that are empty. */
function isUnset(shown: Value, field: Field | undefined): boolean {
  if (isList(shown)) return shown.length === 0;
  if (isMapping(shown))
    return Object.entries(shown).every(([name, value]) => isUnset(value, field?.structure?.fields.get(name)));
  return field?.default === undefined || field.list ? EMPTY.has(shown) : shown === field.default;
}

const EMPTY: ReadonlySet<Value> = new Set<Value>([null, '', 0, false]);

/** The object without hidden secrets: if a placeholder were written back, it would become the secret. */
export function withoutHidden(object: Mapping): Mapping {
  if (!holdsHidden(object)) return object;
  const kept = Object.entries(object).filter(([, item]) => item !== HIDDEN);
  return Object.fromEntries(kept.map(([key, item]) => [key, strip(item)]));
}

function strip(value: Value): Value {
  if (isMapping(value)) return withoutHidden(value);
  return isList(value) ? value.filter((item) => item !== HIDDEN).map(strip) : value;
}

/**
 * Keeps a placeholder only where the observed object has a secret. List elements that change or move lose theirs, because the
 * controller may match elements in another way.
 */
export function withKeptHidden(object: Mapping, before: Mapping): Mapping {
  const kept = Object.entries(object).flatMap(([key, item]) => {
    const value = keptIn(item, entry(before, key), key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(kept);
}

function keptIn(value: Value, before: Value | undefined, name: string): Value | undefined {
  if (value === HIDDEN) return before === HIDDEN ? value : undefined;
  if (!holdsHidden(value)) return value;
  if (isMapping(value)) return withKeptHidden(value, isMapping(before) ? before : {});
  if (!isList(value)) return value;
  const elements = before !== undefined && isList(before) ? before : [];
  const isSame = (item: Value, element: Value | undefined): boolean =>
    matches(item, element, name) && matches(element ?? null, item, name);
  const isInPlace = value.length === elements.length || elements.every((element, at) => isSame(element, value[at]));
  // In another list, one that looks like another may be the other, with another secret.
  const stays = (item: Value, at: number): boolean =>
    isSame(item, elements[at]) && (isInPlace || elements.filter((one) => isSame(item, one)).length === 1);
  return value.flatMap((item, at) => (stays(item, at) ? [item] : item === HIDDEN ? [] : [strip(item)]));
}

/** Whether a value contains a placeholder. Fast, without copies and paths, because most values have none. */
function holdsHidden(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return value === HIDDEN;
  if (isList(value)) return value.some(holdsHidden);
  if (!isMapping(value)) return false;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item === 'object' ? holdsHidden(item) : item === HIDDEN) return true;
  }
  return false;
}

/** The paths of placeholders in a value: `vcenter_configuration.password`. */
export function hiddenIn(value: Value, path: FieldPath = []): readonly string[] {
  if (!holdsHidden(value)) return [];
  return [...leavesIn(value, path)].flatMap(([leaf, at]) => (leaf === HIDDEN ? [pathText(at)] : []));
}

/** The declared values that the controller hides, with their paths. */
export function hiddenFields(
  declared: Value,
  actual: Value | undefined,
  path: FieldPath = [],
): readonly (readonly [string, Value])[] {
  if (!declaresHidden(declared, actual)) return [];
  if (actual === HIDDEN) return declared === null ? [] : [[pathText(path), declared]];
  if (isMapping(declared) && isMapping(actual))
    return Object.entries(declared).flatMap(([key, item]) => hiddenFields(item, entry(actual, key), [...path, key]));
  if (isList(declared) && isList(actual))
    return declared.flatMap((item, at) => hiddenFields(item, actual[at], [...path, at]));
  return [];
}

/** Whether a value is declared whose present value cannot be known. */
export function declaresHidden(declared: Value, actual: Value | undefined): boolean {
  if (actual === HIDDEN) return declared !== null;
  if (typeof actual !== 'object') return false;
  if (isMapping(declared) && isMapping(actual))
    return Object.keys(declared).some((key) => declaresHidden(declared[key] ?? null, entry(actual, key)));
  if (isList(declared) && isList(actual)) return declared.some((item, at) => declaresHidden(item, actual[at]));
  return false;
}

/**
 * Without `_last_modified` and similar fields, which every write changes. References without the address of the controller, which
 * shows it as it was reached: a simulated one has another port at each start. And without names, which only some reads show.
 */
export function comparable(object: Mapping): Mapping {
  const fields = Object.entries(object).filter(([name]) => !name.startsWith('_'));
  return withoutNames(withoutOrigins(Object.fromEntries(fields)));
}
