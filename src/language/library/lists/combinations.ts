import type { Value } from '../../../core/model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';

/** Lists of lists, in the order of Python's `itertools`. */
export const combinations = {
  combinations: helper('list, size', (args) => bounded(args, choices(args.items(0), args.number(1), false))),
  permutations: helper('list, size?', (args) =>
    bounded(args, choices(args.items(0), args.number(1, args.items(0).length), true)),
  ),
  /** Each item with each of the others: `zones | product(ports)`, `bits | product(repeat=8)`. */
  product: helper('list, ...others, **', (args) => bounded(args, product(listsOf(args)))),
  /** Splits a list into the given number of columns; `batch` splits it into parts of the given size. */
  slice: helper('list, columns, fill?', slice),
} satisfies Family;

/** Maximum number of rows, because more would fill the memory. */
const MOST = 100_000;

function bounded(args: Arguments, rows: Iterable<Value>): Value {
  const found: Value[] = [];
  for (const row of rows) {
    if (found.length >= MOST) throw args.error(`the result has more than ${MOST} items`);
    found.push(row);
  }
  return found;
}

/** All selections of `size` items; if `ordered`, in every order. */
function* choices(items: readonly Value[], size: number, ordered: boolean, from = 0): Generator<readonly Value[]> {
  if (size === 0) yield [];
  if (size <= 0) return;
  for (let index = ordered ? 0 : from; index < items.length; index += 1) {
    const rest = ordered ? items.toSpliced(index, 1) : items;
    for (const others of choices(rest, size - 1, ordered, index + 1)) yield [items[index] ?? null, ...others];
  }
}

function* product(lists: readonly (readonly Value[])[]): Generator<readonly Value[]> {
  const [first, ...others] = lists;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const item of first) for (const rest of product(others)) yield [item, ...rest];
}

function listsOf(args: Arguments): readonly (readonly Value[])[] {
  const repeat = args.named.get('repeat') ?? 1;
  const unknown = [...args.named.keys()].find((name) => name !== 'repeat');
  if (unknown !== undefined || typeof repeat !== 'number' || repeat > 1000)
    throw args.error('it takes lists, and repeat=number');
  const lists = [args.items(0), ...args.rest.map((one) => args.itemsOf(one))];
  return Array.from({ length: repeat }, () => lists).flat();
}

function slice(args: Arguments): Value {
  const items = args.items(0);
  const columns = args.amount(1);
  const fill = args.value(2);
  if (!Number.isInteger(columns) || columns < 1) throw args.error('it needs a number of columns');
  const size = Math.floor(items.length / columns);
  const longer = items.length % columns;
  return Array.from({ length: Math.min(columns, MOST) }, (_, index) => {
    const start = index * size + Math.min(index, longer);
    const column = items.slice(start, start + size + (index < longer ? 1 : 0));
    return fill !== null && index >= longer ? [...column, fill] : column;
  });
}
