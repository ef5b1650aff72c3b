import { entriesUnread, isStoring, StoredValue } from './stored.js';
import { isList, isMapping, lazyEntries, LazyMapping, Unsafe } from './value.js';

/** Values whose JSON text has more bytes than this are stored in files. */
export const LARGE = 64 * 2 ** 10;

/**
 * Whether the part of the value in memory is large enough for a file. Stops counting as soon as the answer is known.
 */
export function isLarge(value: unknown): boolean {
  return measureSize(value, LARGE, false) > LARGE;
}

/**
 * Approximate number of bytes of its JSON text.
 *
 * @param enough stops counting above this number
 * @param whole whether stored values count
 */
export function measureSize(value: unknown, enough = Infinity, whole = true): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  if (value instanceof StoredValue) return whole ? value.size : 0;
  if (value instanceof Unsafe) return value.text.length + 2;
  let size = 2;
  if (isList(value)) {
    for (const item of value) {
      size += measureSize(item, enough - size, whole) + 1;
      if (size > enough) break;
    }
    return size;
  }
  if (value instanceof LazyMapping) return size + sizeOfEntries(lazyEntries(value), enough, whole);
  if (!isMapping(value)) return size;
  if (isStoring(value)) return size + sizeOfEntries(entriesUnread(value), enough, whole);
  // `Object.entries` would allocate, and this runs for everything that is written.
  for (const name of Object.keys(value)) {
    size += name.length + 4 + measureSize(value[name], enough - size, whole);
    if (size > enough) break;
  }
  return size;
}

function sizeOfEntries(entries: readonly (readonly [string, unknown])[], enough: number, whole: boolean): number {
  let size = 0;
  for (const [name, item] of entries) {
    size += name.length + 4 + measureSize(item, enough - size, whole);
    if (size > enough) break;
  }
  return size;
}
