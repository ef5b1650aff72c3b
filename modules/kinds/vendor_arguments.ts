import { holdsNull } from '../../src/module/comparison/comparison.js';
import { isList, isMapping, type Mapping, type Value } from '../../src/module/contract.js';
import { KIND_ARGUMENTS } from './arguments.js';
import { withNamedPatchValue } from './vendor_patch.js';

const ARGUMENTS: ReadonlySet<string> = new Set(Object.keys(KIND_ARGUMENTS.vendor.properties));

/** Without the fields, whose names are those of connection arguments elsewhere: `port` of a controller site. */
export function onlyArguments(given: Mapping): Mapping {
  // A plan renders what is asked for: fields of a task that may never run are left alone.
  return Object.fromEntries(
    Object.keys(given).flatMap((name) => (ARGUMENTS.has(name) ? [[name, given[name] ?? null]] : [])),
  );
}

export function onlyFields(given: Mapping): Mapping {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !ARGUMENTS.has(name)));
}

/** The arguments as the vendor's modules mean them. A field that is null is not given; one that is `{state: absent}` is to be null. */
export function asVendorMeans(given: Mapping): Mapping {
  const fields = onlyFields(given);
  const isPlain = !holdsNull(fields) && !removesFields(fields);
  return withNamedPatchValue(isPlain ? given : { ...onlyArguments(given), ...meantFields(fields) });
}

function meantFields(fields: Mapping): Mapping {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null ? [] : [[name, isAbsent(value) ? null : meantValue(value)] as const],
    ),
  );
}

function meantValue(value: Value): Value {
  if (isList(value)) return value.map(meantValue);
  return isMapping(value) ? meantFields(value) : value;
}

function removesFields(value: Value): boolean {
  if (isList(value)) return value.some(removesFields);
  return isMapping(value) && Object.values(value).some((item) => isAbsent(item) || removesFields(item));
}

function isAbsent(value: Value): boolean {
  return isMapping(value) && value['state'] === 'absent';
}
