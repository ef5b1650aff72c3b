import { HIDDEN } from '../model/placeholder.js';
import { entry, isList, isMapping, type Mapping, type Value } from '../model/value.js';
import { matches } from './comparison.js';

/**
 * The object that was read with what is declared laid over it: objects merged, lists replaced, everything that nobody
 * declared as it was. An element of a declared list that the controller already has keeps what the controller knows about
 * it beyond the declaration, wherever in the list it stood. Hidden secrets give way to declared ones.
 */
export function overlay(declared: Mapping, actual: Mapping): Mapping {
  const merged = new Map<string, Value>(Object.entries(actual));
  for (const [key, item] of Object.entries(declared)) {
    const current = entry(actual, key);
    if (current !== undefined || !matches(item, current, key)) merged.set(key, layOver(item, current, key));
  }
  return Object.fromEntries(merged);
}

function layOver(declared: Value, actual: Value | undefined, name: string): Value {
  if (actual === undefined || actual === HIDDEN) return declared;
  if (isMapping(declared) && isMapping(actual)) return overlay(declared, actual);
  if (isList(declared) && isList(actual)) return layListOver(declared, actual, name);
  return matches(declared, actual, name) ? actual : declared;
}

function layListOver(declared: readonly Value[], actual: readonly Value[], name: string): readonly Value[] {
  const partners = partnersOf(declared, actual, name);
  return declared.map((item, at) => {
    const partner = partners.get(at);
    return partner === undefined ? item : layOver(item, actual[partner], name);
  });
}

/** Declared index → index of the controller's element that it matches: at the same place first, then the first one free. */
function partnersOf(declared: readonly Value[], actual: readonly Value[], name: string): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const same = (at: number, other: number): boolean =>
    other < actual.length && matches(declared[at] ?? null, actual[other], name);
  for (const at of declared.keys()) if (same(at, at)) partners.set(at, at);
  const taken = new Set(partners.values());
  for (const at of declared.keys()) {
    if (partners.has(at)) continue;
    const free = [...actual.keys()].find((other) => !taken.has(other) && same(at, other));
    if (free === undefined) continue;
    partners.set(at, free);
    taken.add(free);
  }
  return partners;
}
