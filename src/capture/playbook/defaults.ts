import { groupBy } from '../../core/model/values/groups.js';
import { jsonText, entry, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { Structure } from '../../kinds/kind_table.js';
import { elementIdentity } from './shared_content.js';

/** An object without the fields that have their default value, at any depth. */
export function withoutDefaults(object: Mapping, structure: Structure | undefined): Mapping {
  const kept = Object.entries(object).filter(([name, value]) => !isLeftOut(name, value, structure));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, withinValue(value, structure?.fields.get(name)?.structure)]),
  );
}

/**
 * Objects of several controllers without the fields that have their default on all of them. A field that differs
 * somewhere stays everywhere, so that it is declared for each. The same holds for elements of lists with one identity.
 */
export function withoutSharedDefaults(
  objects: readonly Mapping[],
  structure: Structure | undefined,
): readonly Mapping[] {
  if (structure === undefined) return objects;
  return mapColumns(objects, (name, values) => {
    if (values.every((value) => value === undefined || isLeftOut(name, value, structure))) return [];
    const inner = structure.fields.get(name)?.structure;
    if (inner === undefined) return values;
    const elements = values.flatMap((value) => (isList(value) ? value : [])).filter(isMapping);
    const alike = groupBy(elements, (element) => jsonText(elementIdentity(element, inner) ?? element));
    const kept = new Map<Value, Mapping | undefined>();
    for (const group of [values.filter(isMapping), ...alike.values()]) {
      const left = withoutSharedDefaults(group, inner);
      for (const [at, one] of group.entries()) kept.set(one, left[at]);
    }
    const keep = (value: Value): Value => kept.get(value) ?? value;
    return values.map((value) => {
      if (isList(value)) return value.map(keep);
      return value === undefined ? undefined : keep(value);
    });
  });
}

/** The values of one field of several objects; undefined: the object lacks it. */
export type ColumnValues = readonly (Value | undefined)[];

/** The objects with other values, field by field, in the order of their names. */
export function mapColumns(
  objects: readonly Mapping[],
  change: (name: string, values: ColumnValues) => ColumnValues,
): readonly Mapping[] {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))].sort();
  const columns = names.map((name) => {
    const values = objects.map((object) => entry(object, name));
    return [name, change(name, values)] as const;
  });
  return objects.map((_, at) =>
    Object.fromEntries(
      columns.flatMap(([name, values]) => (values[at] === undefined ? [] : [[name, values[at]] as const])),
    ),
  );
}

/** A new object needs its required fields, even if they have their defaults. */
function isLeftOut(name: string, value: Value, structure: Structure | undefined): boolean {
  return isDefault(name, value, structure) && structure?.required.includes(name) !== true;
}

function isDefault(name: string, value: Value, structure: Structure | undefined): boolean {
  const field = structure?.fields.get(name);
  return field?.default !== undefined && !field.list && value === field.default;
}

function withinValue(value: Value, structure: Structure | undefined): Value {
  if (structure === undefined) return value;
  if (isList(value)) return value.map((item) => withinValue(item, structure));
  return isMapping(value) ? withoutDefaults(value, structure) : value;
}

/** Objects that controllers of dialects with tenants have from the start, besides `System-…`. */
const BUILT_IN_NAMES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    tenant: ['admin'],
    user: ['admin'],
    cloud: ['Default-Cloud'],
    serviceenginegroup: ['Default-Group'],
    vrfcontext: ['global', 'management'],
    network: ['VM Network'],
    backupconfiguration: ['Backup-Configuration'],
    role: ['Tenant-Admin', 'Application-Admin', 'Application-Operator'],
    useraccountprofile: ['Default-User-Account-Profile', 'No-Lockout-User-Account-Profile'],
  }).map(([kind, names]) => [kind, new Set(names)]),
);

export function comesWithControllers(kind: string, name: string): boolean {
  return name.startsWith('System-') || BUILT_IN_NAMES.get(kind)?.has(name) === true;
}

/** Users configure these in place, so they may be configured even if they are equal everywhere. */
const CONFIGURED_IN_PLACE: ReadonlySet<string> = new Set(
  'cloud serviceenginegroup vrfcontext network backupconfiguration'.split(' '),
);

/** Fields that such an object has before it is configured. */
const INITIAL_FIELDS: ReadonlySet<string> = new Set(
  'name cloud_ref tenant_ref system_default license_type license_tier'.split(' '),
);

/** Whether an object that comes with every controller, and is equal on all of them, may be unconfigured. */
export function isUnconfigured(kind: string, fields: Mapping, structure: Structure | undefined): boolean {
  if (!CONFIGURED_IN_PLACE.has(kind)) return true;
  return Object.entries(withoutDefaults(fields, structure)).every(
    ([name, value]) => INITIAL_FIELDS.has(name) || isDefault(name, value, structure),
  );
}
