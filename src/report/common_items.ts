import type { Value } from '../model/values/value.js';

/** Beyond this the table of the comparison costs more than its diff is worth: elements are then compared by place. */
const LARGEST_TABLE = 250_000;

type Pairs = readonly (readonly [number, number])[];

/** Places of equal elements in both lists, in order: a longest common subsequence. */
export function commonItems(before: readonly Value[], after: readonly Value[]): Pairs {
  const left = before.map((one) => JSON.stringify(one));
  const right = after.map((one) => JSON.stringify(one));
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

/** Leaves out the first `start` elements, which are paired already. */
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

/** `table[i][j]`: how many elements the rests of both lists from there on have in common. */
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
