import { mapValues, entry, isList, isMapping, LazyMapping, type Value } from '../../core/model/values/value.js';

/** The value one step inside another: an own key, an index from either end, `length`. Never anything inherited. */
export function step(value: Value, part: string): Value | undefined {
  if (isMapping(value)) return entry(value, part);
  if (value instanceof LazyMapping) return value.get(part);
  if (isList(value)) return part === 'length' ? value.length : at(part, (index) => value.at(index));
  if (typeof value !== 'string') return undefined;
  return part === 'length' ? countCharacters(value) : at(part, (index) => characterAt(value, index));
}

/** The value at a path. */
export function walk(start: Value, parts: readonly string[]): Value | undefined {
  let value: Value | undefined = start;
  for (const part of parts) {
    if (value === undefined) return undefined;
    value = step(value, part);
  }
  return value;
}

const INDEX = /^-?\d+$/;

function at(part: string, item: (index: number) => Value | undefined): Value | undefined {
  return INDEX.test(part) ? item(Number(part)) : undefined;
}

/** The keys that `step` finds, for messages. */
export function listKeys(value: Value): readonly string[] {
  if (isMapping(value)) return Object.keys(value);
  return value instanceof LazyMapping ? [...value.keys()] : [];
}

/** The value, with every lazy mapping evaluated now. */
export function evaluateLazy(value: Value): Value {
  if (value instanceof LazyMapping)
    return Object.fromEntries([...value.keys()].map((key) => [key, evaluateLazy(value.get(key) ?? null)]));
  if (isList(value)) return value.some(holdsLazy) ? value.map(evaluateLazy) : value;
  if (!isMapping(value) || !holdsLazy(value)) return value;
  return mapValues(value, (one) => evaluateLazy(one));
}

function holdsLazy(value: Value): boolean {
  if (value instanceof LazyMapping) return true;
  if (isList(value)) return value.some(holdsLazy);
  return isMapping(value) && Object.values(value).some(holdsLazy);
}

/** Surrogates. Most texts have none, so each character is one UTF-16 unit. */
const PAIRS = /[\ud800-\udfff]/;

/** The characters as Python counts them: an emoji is one. */
export function characters(text: string): readonly string[] {
  return PAIRS.test(text) ? Array.from(text) : text.split('');
}

export function countCharacters(text: string): number {
  return PAIRS.test(text) ? Array.from(text).length : text.length;
}

/** A negative index counts from the end. */
function characterAt(text: string, index: number): string | undefined {
  return PAIRS.test(text) ? Array.from(text).at(index) : text.at(index);
}
