import { isReferenceName } from '../../core/model/run/reference.js';
import { getOrAdd, groupBy } from '../../core/model/values/groups.js';
import { HIDDEN, jsonText, entry, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { matches } from './comparison.js';

/**
 * Merges the declaration into the object that was read: objects are merged, lists replaced, undeclared fields kept. An element of a
 * declared list that the controller already has keeps its undeclared fields, wherever in the list it was. Declared secrets replace hidden
 * ones.
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
  const partners = findPartners(declared, actual, name);
  return declared.map((item, at) => {
    const partner = partners.get(at);
    return partner === undefined ? item : layOver(item, actual[partner], name);
  });
}

/** Maps declared elements to matching elements of the controller, by index: at the same index, else the first free one. */
function findPartners(declared: readonly Value[], actual: readonly Value[], name: string): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const same = (at: number, other: number): boolean =>
    other < actual.length && matches(declared[at] ?? null, actual[other], name);
  for (const at of declared.keys()) if (same(at, at)) partners.set(at, at);
  const elements = new FreeElements(actual, new Set(partners.values()));
  for (const [at, item] of declared.entries()) {
    if (partners.has(at)) continue;
    const free = elements.take(item, name, (other) => same(at, other));
    if (free !== undefined) partners.set(at, free);
  }
  return partners;
}

/** A text, number or boolean that an element declares, and the path to it. */
type Leaf = readonly [path: readonly string[], value: Value];

/** Leaves that only an equal or hidden value can match. */
function collectLeaves(declared: Value, name: string, path: readonly string[] = []): readonly Leaf[] {
  if (isMapping(declared))
    return Object.entries(declared).flatMap(([key, item]) => collectLeaves(item, key, [...path, key]));
  return declared === null || typeof declared === 'object' || isReferenceName(name) ? [] : [[path, declared]];
}

/** In lists up to this length, comparing each element costs less than an index. */
const SHORT = 16;

/** The controller's elements without a partner. Finds them by content, because comparing all pairs of long lists takes hours. */
class FreeElements {
  /** For each path: the indexes of elements by their value there, in order. A hidden value may be any value. */
  readonly #indexes = new Map<string, ReadonlyMap<Value | undefined, readonly number[]>>();

  constructor(
    private readonly actual: readonly Value[],
    private readonly taken: Set<number>,
  ) {}

  /** Returns the index of the first element that fits. */
  take(declared: Value, name: string, fits: (at: number) => boolean): number | undefined {
    const isFree = (at: number): boolean => !this.taken.has(at) && fits(at);
    const found =
      this.actual.length <= SHORT
        ? this.actual.findIndex((_, at) => isFree(at))
        : (this.#candidates(collectLeaves(declared, name)).find(isFree) ?? -1);
    if (found === -1) return undefined;
    this.taken.add(found);
    return found;
  }

  #candidates(leaves: readonly Leaf[]): readonly number[] {
    let fewest: readonly number[] | undefined;
    for (const [path, value] of leaves) {
      const index = this.#index(path);
      const [equal, hidden] = [index.get(value) ?? [], index.get(HIDDEN) ?? []];
      const both = hidden.length === 0 || value === HIDDEN ? equal : [...equal, ...hidden].toSorted((a, b) => a - b);
      if (fewest === undefined || both.length < fewest.length) fewest = both;
    }
    return fewest ?? [...this.actual.keys()];
  }

  #index(path: readonly string[]): ReadonlyMap<Value | undefined, readonly number[]> {
    return getOrAdd(this.#indexes, jsonText(path), () =>
      groupBy(this.actual.keys(), (at) => valueAt(this.actual[at], path)),
    );
  }
}

/** The value at a path; hidden if a value on the path is hidden. */
function valueAt(element: Value | undefined, path: readonly string[]): Value | undefined {
  let found = element;
  for (const name of path) {
    if (found === HIDDEN) return HIDDEN;
    found = isMapping(found) ? entry(found, name) : undefined;
  }
  return found;
}
