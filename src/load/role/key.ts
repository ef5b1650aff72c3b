import { isList, isMapping, type Mapping, type Value } from '../../model/values/value.js';

/** The same text for equal values, in whatever order their keys stand. */
export function keyOf(value: Mapping): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: Value): unknown {
  if (isList(value)) return value.map(sorted);
  if (!isMapping(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}
