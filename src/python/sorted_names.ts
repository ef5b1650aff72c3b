import type { Mapping } from '../model/values/value.js';

const SURROGATE = /[\ud800-\udfff]/;

/** The names of a mapping in Python's order, by code point; JavaScript's own differs beyond U+FFFF. */
export function sortedNames(mapping: Mapping): readonly string[] {
  const names = Object.keys(mapping).sort();
  if (!names.some((name) => SURROGATE.test(name))) return names;
  return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
