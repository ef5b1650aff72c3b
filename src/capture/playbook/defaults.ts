import { isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { Structure } from '../../kinds/kind_table.js';

/** An object without the fields that have their default value, at any depth. */
export function withoutDefaults(object: Mapping, structure: Structure | undefined): Mapping {
  const kept = Object.entries(object).filter(([name, value]) => !isLeftOut(name, value, structure));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, withinValue(value, structure?.fields.get(name)?.structure)]),
  );
}

/**
 * Objects of several controllers without the fields that have their default on all of them. A field that differs
 * somewhere stays everywhere, so that it is declared for each.
 */
export function withoutSharedDefaults(
  objects: readonly Mapping[],
  structure: Structure | undefined,
): readonly Mapping[] {
  if (structure === undefined) return objects;
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  const columns = new Map([...names].flatMap((name) => fieldColumns(name, objects, structure)));
  return objects.map((object, at) =>
    Object.fromEntries(
      Object.keys(object).flatMap((name) => {
        const value = columns.get(name)?.[at];
        return value === undefined ? [] : [[name, value] as const];
      }),
    ),
  );
}

/** The values of a field; empty if all have the default. */
function fieldColumns(
  name: string,
  objects: readonly Mapping[],
  structure: Structure,
): readonly (readonly [name: string, values: readonly (Value | undefined)[]])[] {
  const values = objects.map((object) => (Object.hasOwn(object, name) ? object[name] : undefined));
  if (values.every((value) => value === undefined || isLeftOut(name, value, structure))) return [];
  const inner = structure.fields.get(name)?.structure;
  const mappings = withoutSharedDefaults(values.filter(isMapping), inner).values();
  return [
    [
      name,
      values.map((value) => {
        if (isMapping(value)) return mappings.next().value;
        return value === undefined ? undefined : withinValue(value, inner);
      }),
    ],
  ];
}

/** A new object needs its required fields, even if they have their defaults. */
function isLeftOut(name: string, value: Value, structure: Structure | undefined): boolean {
  return isDefault(name, value, structure) && structure?.required.includes(name) !== true;
}

export function isDefault(name: string, value: Value, structure: Structure | undefined): boolean {
  const field = structure?.fields.get(name);
  return field?.default !== undefined && !field.list && value === field.default;
}

function withinValue(value: Value, structure: Structure | undefined): Value {
  if (structure === undefined) return value;
  if (isList(value)) return value.map((item) => withinValue(item, structure));
  return isMapping(value) ? withoutDefaults(value, structure) : value;
}
