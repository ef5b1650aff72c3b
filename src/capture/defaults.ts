import type { Field, Structure } from '../kinds/kind_table.js';
import { isList, isMapping, type Mapping, type Value } from '../model/values/value.js';

/** An object without the fields that have the value that its controller sets where there is none, at any depth. */
export function withoutDefaults(object: Mapping, structure: Structure | undefined): Mapping {
  const kept = Object.entries(object).filter(([name, value]) => !isDefault(value, structure?.fields.get(name)));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, withinValue(value, structure?.fields.get(name)?.structure)]),
  );
}

function isDefault(value: Value, field: Field | undefined): boolean {
  return field?.default !== undefined && !field.list && value === field.default;
}

function withinValue(value: Value, structure: Structure | undefined): Value {
  if (structure === undefined) return value;
  if (isList(value)) return value.map((item) => withinValue(item, structure));
  return isMapping(value) ? withoutDefaults(value, structure) : value;
}
