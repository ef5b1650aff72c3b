import { isList, type Value } from '../../../core/model/values/value.js';
import { MersenneTwister } from '../../python/mersenne_twister.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { characters, type Result } from '../../runtime/result.js';
import { EMPTY_LIST } from './lists.js';

/** Lists of lists, in the order of Python's `itertools`. */
export const combinations = {
  combinations: callable('list, size|r', (args) => bounded(args, choices(args.items(0), args.number(1), false))),
  permutations: callable('list, size|r?', (args) =>
    bounded(args, choices(args.items(0), args.number(1, args.items(0).length), true)),
  ),
  /** Each item with each of the others: `zones | product(ports)`, `bits | product(repeat=8)`. */
  product: callable('list, ...others, repeat=', (args) => bounded(args, product(givenLists(args)))),
  /** Splits a list into the given number of columns; `batch` splits it into parts of the given size. */
  slice: callable('list, columns|slices, fill|fill_with?', slice),
} satisfies Family;

/** Maximum number of rows, because more would fill the memory. */
const MOST_COMBINATIONS = 100_000;

function bounded(args: CallableArguments, rows: Iterable<Value>): Value {
  const found: Value[] = [];
  for (const row of rows) {
    if (found.length >= MOST_COMBINATIONS) throw args.error(`the result has more than ${MOST_COMBINATIONS} items`);
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
  if (first === undefined) yield [];
  else for (const item of first) for (const rest of product(others)) yield [item, ...rest];
}

function givenLists(args: CallableArguments): readonly (readonly Value[])[] {
  const repeat = args.optional(1) ?? 1;
  if (typeof repeat !== 'number' || repeat > 1000) throw args.error('it takes lists, and repeat=number');
  const lists = [args.items(0), ...args.rest.map((one) => args.requireItems(one))];
  return Array.from({ length: repeat }, () => lists).flat();
}

function slice(args: CallableArguments): Value {
  const items = args.items(0);
  const columns = args.amount(1);
  const fill = args.value(2);
  if (!Number.isInteger(columns) || columns < 1) throw args.error('it needs a number of columns');
  const size = Math.floor(items.length / columns);
  const longer = items.length % columns;
  return Array.from({ length: Math.min(columns, MOST_COMBINATIONS) }, (_, index) => {
    const start = index * size + Math.min(index, longer);
    const column = items.slice(start, start + size + (index < longer ? 1 : 0));
    return fill !== null && index >= longer ? [...column, fill] : column;
  });
}

/** Pseudo-random choices. They are the same each time, because a repeated run must do the same. */
export const chance = {
  /** An item of a list, or a number below the given one: `59 | random(seed=inventory_hostname)`. */
  random: callable('end, start?, step?, seed?', choose),
  shuffle: callable('list, seed?', shuffle),
  /** The beginning of a MAC address, completed. */
  random_mac: callable('prefix, seed?', randomMac),
} satisfies Family;

function choose(args: CallableArguments): Result {
  const end = args.value(0);
  const twister = new MersenneTwister(givenSeed(args, 3));
  if (typeof end === 'number') return numberBelow(args, end, twister);
  const items = typeof end === 'string' ? characters(end) : args.items(0);
  if (items.length === 0) return args.missing(...EMPTY_LIST);
  return items[twister.below(items.length)] ?? null;
}

function numberBelow(args: CallableArguments, end: number, twister: MersenneTwister): Value {
  const start = args.number(1, 0);
  const step = args.number(2, 1) || 1;
  const count = Math.ceil((end - start) / step);
  if (!Number.isInteger(count) || count <= 0 || count > 2 ** 32)
    throw args.error(`there is no number from ${start} to below ${end}`);
  return start + step * twister.below(count);
}

function shuffle(args: CallableArguments): Value {
  const items = [...args.items(0)];
  const twister = new MersenneTwister(givenSeed(args, 1));
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = twister.below(index + 1);
    [items[index], items[other]] = [items[other] ?? null, items[index] ?? null];
  }
  return items;
}

const LOWEST_MAC = 0x1000000000;
const HIGHEST_MAC = 0xffffffffff;

function randomMac(args: CallableArguments): Value {
  const prefix = args.plainText(0).toLowerCase();
  const bytes = prefix.split(':');
  if (bytes.length > 5 || !bytes.every((one) => /^[\da-f]{2}/.test(one)))
    throw args.error(`"${prefix}" is not the beginning of a MAC address`, 'write up to five bytes: "52:54:00"');
  const drawn = LOWEST_MAC + new MersenneTwister(givenSeed(args, 1)).below(HIGHEST_MAC - LOWEST_MAC + 1);
  const rest = drawn.toString(16).slice(0, 2 * (6 - bytes.length));
  return prefix + rest.replaceAll(/../g, ':$&');
}

function givenSeed(args: CallableArguments, index: number): string | number {
  const seed = args.optional(index);
  if (typeof seed === 'string' || (typeof seed === 'number' && Number.isInteger(seed))) return seed;
  const wanted = isList(seed ?? null) ? 'a text or a whole number as its seed' : 'a seed';
  const message = `it needs ${wanted}, because a repeated run must give the same result`;
  throw args.error(message, 'write seed=inventory_hostname');
}
