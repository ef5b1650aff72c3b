import { isDeepStrictEqual } from 'node:util';
import { isList, isMapping } from './value.js';

/**
 * Deep equality of data: lists in order, mappings in any key order. Templates compare values differently (1 equals
 * true), and so do controllers (references, placeholders): see `template/comparison` and `module/comparison`.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => isEqual(item, b[at]));
  if (!isMapping(a)) return isDeepStrictEqual(a, b);
  if (!isMapping(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}
