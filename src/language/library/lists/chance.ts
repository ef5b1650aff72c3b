import { isList, type Value } from '../../../core/model/values/value.js';
import { MersenneTwister } from '../../python/mersenne_twister.js';
import { characters } from '../../runtime/access.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';
import { Undefined, type Result } from '../../runtime/undefined.js';

/** Pseudo-random choices. They are the same each time, because a repeated run must do the same. */
export const chance = {
  /** An item of a list, or a number below the given one: `59 | random(seed=inventory_hostname)`. */
  random: helper('end, start?, step?, seed?', choose),
  shuffle: helper('list, seed?', shuffle),
  /** The beginning of a MAC address, completed. */
  random_mac: helper('prefix, seed?', randomMac),
} satisfies Family;

function choose(args: Arguments): Result {
  const end = args.value(0);
  const twister = new MersenneTwister(seedOf(args, 3));
  if (typeof end === 'number') return numberBelow(args, end, twister);
  const items = typeof end === 'string' ? characters(end) : args.items(0);
  if (items.length === 0) return new Undefined(() => args.error('the list is empty', 'add | default(value)'));
  return items[twister.below(items.length)] ?? null;
}

function numberBelow(args: Arguments, end: number, twister: MersenneTwister): Value {
  const start = args.number(1, 0);
  const step = args.number(2, 1) || 1;
  const count = Math.ceil((end - start) / step);
  if (!Number.isInteger(count) || count <= 0 || count > 2 ** 32)
    throw args.error(`there is no number from ${start} to below ${end}`);
  return start + step * twister.below(count);
}

function shuffle(args: Arguments): Value {
  const items = [...args.items(0)];
  const twister = new MersenneTwister(seedOf(args, 1));
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = twister.below(index + 1);
    [items[index], items[other]] = [items[other] ?? null, items[index] ?? null];
  }
  return items;
}

const LOWEST_MAC = 0x1000000000;
const HIGHEST_MAC = 0xffffffffff;

function randomMac(args: Arguments): Value {
  const prefix = args.text(0).toLowerCase();
  const bytes = prefix.split(':');
  if (bytes.length > 5 || !bytes.every((one) => /^[\da-f]{2}/.test(one)))
    throw args.error(`"${prefix}" is not the beginning of a MAC address`, 'write up to five bytes: "52:54:00"');
  const drawn = LOWEST_MAC + new MersenneTwister(seedOf(args, 1)).below(HIGHEST_MAC - LOWEST_MAC + 1);
  const rest = drawn.toString(16).slice(0, 2 * (6 - bytes.length));
  return prefix + rest.replaceAll(/../g, ':$&');
}

function seedOf(args: Arguments, index: number): string | number {
  const seed = args.optional(index);
  if (typeof seed === 'string' || (typeof seed === 'number' && Number.isInteger(seed))) return seed;
  const wanted = isList(seed ?? null) ? 'a text or a whole number as its seed' : 'a seed';
  throw args.error(
    `it needs ${wanted}, because a repeated run must give the same result`,
    'write seed=inventory_hostname',
  );
}
