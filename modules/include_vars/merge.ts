import { isMapping, type Mapping, type Value } from '../../src/module/contract.js';

/** The variables laid over what is there: mappings key by key, all else as it is. */
export function mergeOver(values: Mapping, before: (name: string) => Value | undefined): Mapping {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, merged(before(name), value)]));
}

function merged(before: Value | undefined, value: Value): Value {
  if (!isMapping(before) || !isMapping(value)) return value;
  const over = Object.entries(value).map(([name, one]) => [name, merged(before[name], one)] as const);
  return { ...before, ...Object.fromEntries(over) };
}
