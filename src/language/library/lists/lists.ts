import { isWhole, toWholeNumber } from '../../../core/model/values/json.js';
import { isList, isMapping, LazyMapping, type Value } from '../../../core/model/values/value.js';
import { MOST_ITEMS, type CallableArguments } from '../../runtime/arguments.js';
import { callable, callableForUndefined, type Family } from '../../runtime/callable.js';
import { order } from '../../runtime/comparison.js';
import {
  asString,
  asText,
  countCharacters,
  describe,
  isValue,
  requireDefined,
  toListResult,
  type Result,
} from '../../runtime/result.js';
import { madeHere } from '../operators/changes.js';
import { orderLoosely } from '../texts/versions.js';
import { readAttribute, withoutCase } from './selection.js';

/** The message and the hint about it. */
export const EMPTY_LIST = ['the list is empty', 'add | default(value)'] as const;

/** Filters over lists, with the meaning that Ansible's and Jinja's filters of the same names have. */
export const lists = {
  length: callableForUndefined('value', size),
  count: callableForUndefined('value', size),
  first: callableForUndefined('list', (args) => itemAt(args, 0)),
  last: callableForUndefined('list', (args) => itemAt(args, -1)),
  join: callable('list, separator|d?, attribute?', (args) =>
    args.items(0).map(attributeReader(args, 2)).map(asString).join(args.text(1, '')),
  ),
  sort: callable('list, reverse?, case_sensitive?, attribute?', sort),
  version_sort: callable('list, reverse?', (args) => {
    const reverse = args.optional(1) ?? false;
    if (typeof reverse !== 'boolean' && !isWhole(reverse)) throw args.error('"reverse" must be true or false');
    const sorted = args.items(0).map(asText).sort(orderLoosely);
    return args.flag(1) ? sorted.reverse() : sorted;
  }),
  reverse: callable('list', (args) => {
    const value = args.value(0);
    return typeof value === 'string' ? Array.from(value).reverse().join('') : args.items(0).toReversed();
  }),
  flatten: callable('list, levels?, skip_nulls?', (args) => {
    const keepNulls = args.optional(2) !== undefined && !args.flag(2);
    return flatten(args.items(0), args.number(1, Infinity), keepNulls);
  }),
  min: callable('list, case_sensitive?, attribute?', (args) => extreme(args, -1)),
  max: callable('list, case_sensitive?, attribute?', (args) => extreme(args, 1)),
  sum: callable('list, attribute?, start?', (args) => {
    const items = args.items(0).map(attributeReader(args, 1));
    return items.reduce((total, item) => args.call('add', total, item), args.optional(2) ?? 0);
  }),
  range: callable('from, to?, step?', range),
  zip: callable('first, ...others', (args) => zip(args, Math.min)),
  zip_longest: callable('first, ...others, fillvalue=', (args) => zip(args, Math.max)),
  batch: callable('list, size|linecount, fill|fill_with?', batch),
  /** A copy, whose changes do not change the original. */
  list: callableForUndefined('value', (args) => {
    const items = args.results();
    if (!items.every(isValue)) return toListResult(items);
    const copy = madeHere([...items], args.frame);
    if (items === args.optional(0)) args.scope.library?.gaps.carry(items, copy);
    return copy;
  }),
} satisfies Family;

function size(args: CallableArguments): Value {
  const value = args.value(0);
  if (typeof value === 'string') return countCharacters(value);
  if (isList(value)) return args.results().length;
  if (value instanceof LazyMapping) return [...value.keys()].length;
  if (isMapping(value)) return Object.keys(value).length;
  throw args.error(`${describe(value)} has no length`);
}

/** The first item of an empty list is undefined, so `| first | default(x)` works. */
function itemAt(args: CallableArguments, index: number): Result {
  const found = args.results().at(index);
  return found === undefined ? args.missing(...EMPTY_LIST) : found;
}

/** An item, or what the argument at `index` names in it. */
function attributeReader(args: CallableArguments, index: number): (item: Value) => Value {
  const attribute = args.value(index);
  return (item) => (attribute === null ? item : requireDefined(readAttribute(item, attribute)));
}

/** Texts are sorted without regard to case unless `case_sensitive`; `attribute` may name several: `"zone,name"`. */
function sort(args: CallableArguments): Value {
  const attributes = args.value(3) === null ? [] : args.text(3).split(',');
  const sensitive = args.flag(2);
  const keys = (item: Value): readonly Value[] =>
    (attributes.length === 0 ? [item] : attributes.map((one) => requireDefined(readAttribute(item, one)))).map((key) =>
      sensitive ? key : withoutCase(key),
    );
  const direction = args.flag(1) ? -1 : 1;
  const keyed = args.items(0).map((item) => ({ item, keys: keys(item) }));
  return keyed.sort((a, b) => direction * order(a.keys, b.keys)).map(({ item }) => item);
}

function flatten(list: readonly Value[], levels: number, keepNulls: boolean): readonly Value[] {
  return list.flatMap((item) => {
    if (!keepNulls && (item === null || item === 'None' || item === 'null')) return [];
    return isList(item) && levels > 0 ? flatten(item, levels - 1, keepNulls) : [item];
  });
}

function extreme(args: CallableArguments, direction: number): Result {
  const read = attributeReader(args, 2);
  const sensitive = args.flag(1);
  const key = (item: Value): Value => (sensitive ? read(item) : withoutCase(read(item)));
  const items = args.items(0);
  const [first, ...others] = items;
  if (first === undefined) return args.missing(...EMPTY_LIST);
  return others.reduce((best, item) => (direction * order(key(item), key(best)) > 0 ? item : best), first);
}

/** `range(5)`, `range(1, 10, 2)`: the end is left out, as in Python. */
function range(args: CallableArguments): Value {
  const start = args.optional(1) === undefined ? 0 : args.whole(0);
  const end = args.whole(args.optional(1) === undefined ? 0 : 1);
  const step = args.number(2, 1);
  if (step === 0) throw args.error('the step is 0');
  const isBig = typeof start === 'bigint' || typeof end === 'bigint';
  const distance = isBig ? Number(BigInt(end) - BigInt(start)) : end - start;
  const length = Math.max(0, Math.ceil(distance / step));
  if (length > MOST_ITEMS) throw args.error(`${length} numbers are too many`);
  if (isBig) return Array.from({ length }, (_, index) => toWholeNumber(BigInt(start) + BigInt(index) * BigInt(step)));
  return Array.from({ length }, (_, index) => start + index * step);
}

function zip(args: CallableArguments, length: (...sizes: number[]) => number): Value {
  const all = [args.items(0), ...args.rest.map((one) => args.requireItems(one))];
  const fill = args.value(1);
  return Array.from({ length: length(...all.map((list) => list.length)) }, (_, index) =>
    all.map((list) => (index < list.length ? (list[index] ?? null) : fill)),
  );
}

function batch(args: CallableArguments): Value {
  const items = args.items(0);
  const width = Math.max(1, args.amount(1));
  const fill = args.value(2);
  return Array.from({ length: Math.ceil(items.length / width) }, (_, index) => {
    const row = items.slice(index * width, (index + 1) * width);
    return fill === null ? row : [...row, ...Array.from({ length: width - row.length }, () => fill)];
  });
}
