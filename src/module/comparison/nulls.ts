import { mapValues, entry, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { Field, Structure } from '../../kinds/kind_table.js';

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

/** A controller chooses them for a new object, and never changes them. */
const SCOPE: ReadonlySet<string> = new Set(['tenant_ref', 'cloud_ref']);

/** The declared value, laid over an object, without the fields that are declared as null: a missing field means the same. */
export function withoutDeclaredNulls(merged: Mapping, declared: Mapping): Mapping {
  return holdsNull(declared) ? keptFields(merged, declared) : merged;
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
  if (isList(value)) return value.some(holdsNull);
  return isMapping(value) ? Object.values(value).some(holdsNull) : value === null;
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
