import type { Change } from '../../core/model/run/result.js';
import type { FieldPath } from '../../core/model/source/diagnostic.js';
import { jsonText, isEqual, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';

/** One difference: the values at a path before and after. */
export type Difference =
  | { readonly type: 'added'; readonly path: FieldPath; readonly after: Value }
  | { readonly type: 'removed'; readonly path: FieldPath; readonly before: Value }
  | { readonly type: 'replaced'; readonly path: FieldPath; readonly before: Value; readonly after: Value };

/**
 * The differences of a change, in the order of the new object. If the old object could not be read, all fields are new; if the
 * object is deleted, all fields are removed.
 */
export function differences(change: Change): readonly Difference[] {
  if (change.kind === 'none' || change.kind === 'invoke') return [];
  const found: Difference[] = [];
  compareMappings(change.before ?? {}, change.after ?? {}, [], found);
  return found;
}

function compareMappings(before: Mapping, after: Mapping, path: FieldPath, found: Difference[]): void {
  for (const name of Object.keys(after)) {
    const [old, value] = [Object.hasOwn(before, name) ? before[name] : undefined, after[name] ?? null];
    // Most fields keep the identical value, so do not build a path for them.
    if (old !== value) compareValues(old, value, [...path, name], found);
  }
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name))
      found.push({ type: 'removed', path: [...path, name], before: before[name] ?? null });
  }
}

function compareValues(before: Value | undefined, after: Value, path: FieldPath, found: Difference[]): void {
  if (before === undefined) found.push({ type: 'added', path, after });
  else if (isMapping(before) && isMapping(after)) compareMappings(before, after, path, found);
  else if (isList(before) && isList(after) && before.length > 0 && after.length > 0)
    compareLists(before, after, path, found);
  else if (!isEqual(before, after)) found.push({ type: 'replaced', path, before, after });
}

/** Between unchanged elements, removed and added ones are paired in order, and shown as changed elements. */
function compareLists(before: readonly Value[], after: readonly Value[], path: FieldPath, found: Difference[]): void {
  let [from, to] = [0, 0];
  for (const [i, j] of [...commonItems(before, after), [before.length, after.length] as const]) {
    const paired = Math.min(i - from, j - to);
    for (let n = 0; n < paired; n++) compareValues(before[from + n], after[to + n] ?? null, [...path, to + n], found);
    for (let n = from + paired; n < i; n++)
      found.push({ type: 'removed', path: [...path, n], before: before[n] ?? null });
    for (let n = to + paired; n < j; n++) found.push({ type: 'added', path: [...path, n], after: after[n] ?? null });
    [from, to] = [i + 1, j + 1];
  }
}

/** Above this size of the table, elements are compared by index, because an exact diff would cost too much. */
const LARGEST_TABLE = 250_000;

type Pairs = readonly (readonly [number, number])[];

/** Indexes of equal elements in both lists: a longest common subsequence. */
export function commonItems(before: readonly Value[], after: readonly Value[]): Pairs {
  const left = before.map((one) => jsonText(one));
  const right = after.map((one) => jsonText(one));
  const start = equalAtStart(left, right);
  const end = equalAtEnd(left, right, start);
  const middle = commonInMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end));
  return [
    ...left.slice(0, start).map((_, at) => [at, at] as const),
    ...middle.map(([i, j]) => [start + i, start + j] as const),
    ...left.slice(left.length - end).map((_, at) => [left.length - end + at, right.length - end + at] as const),
  ];
}

function equalAtStart(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count++;
  return count;
}

/** Ignores the first `start` elements, which are already paired. */
function equalAtEnd(left: readonly string[], right: readonly string[], start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let count = 0;
  while (count < most && left[left.length - 1 - count] === right[right.length - 1 - count]) count++;
  return count;
}

function commonInMiddle(left: readonly string[], right: readonly string[]): Pairs {
  if (left.length * right.length > LARGEST_TABLE) return byPlace(left, right);
  return walk(left, right, lengths(left, right));
}

function byPlace(left: readonly string[], right: readonly string[]): Pairs {
  return left.flatMap((one, index) => (one === right[index] ? [[index, index] as const] : []));
}

/** `table[i][j]`: the length of the longest common subsequence of `left` from i and `right` from j. */
function lengths(left: readonly string[], right: readonly string[]): readonly Uint32Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const row = table[i];
      if (row !== undefined) row[j] = left[i] === right[j] ? at(table, i + 1, j + 1) + 1 : longer(table, i, j);
    }
  }
  return table;
}

function walk(left: readonly string[], right: readonly string[], table: readonly Uint32Array[]): Pairs {
  const common: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) common.push([i++, j++]);
    else if (at(table, i + 1, j) >= at(table, i, j + 1)) i++;
    else j++;
  }
  return common;
}

function longer(table: readonly Uint32Array[], i: number, j: number): number {
  return Math.max(at(table, i + 1, j), at(table, i, j + 1));
}

function at(table: readonly Uint32Array[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
