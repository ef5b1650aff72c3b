import { didYouMean } from '../../../core/model/source/suggestion.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import { isList, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, callableForUndefined, type Callable, type Family } from '../../runtime/callable.js';
import { equals, isTrue } from '../../runtime/comparison.js';
import { TemplateError } from '../../runtime/errors.js';
import {
  asKey,
  asText,
  describe,
  listKeys,
  requireDefined,
  step,
  toListResult,
  Undefined,
  type Result,
} from '../../runtime/result.js';

/** Filters that select or convert items of a list with a filter or a test. */
export const selection = {
  /** `map("upper")`, `map(attribute="name", default="none")` */
  map: callableForUndefined('list, filter?, ...arguments, **', map),
  select: callableForUndefined('list, test?, ...arguments, **', (args) => pick(args, true)),
  reject: callableForUndefined('list, test?, ...arguments, **', (args) => pick(args, false)),
  selectattr: callable('list, attribute, test?, ...arguments, **', (args) => pickByAttribute(args, true)),
  rejectattr: callable('list, attribute, test?, ...arguments, **', (args) => pickByAttribute(args, false)),
  /**
   * Pairs of a value of the attribute and the items with this value, sorted by value; ignores case unless
   * `case_sensitive`.
   */
  groupby: callable('list, attribute, default?, case_sensitive?', groupBy),
} satisfies Family;

function map(args: CallableArguments): Result {
  const filter = args.optional(1);
  if (filter !== undefined) return toListResult(args.results().map(args.filterNamed(filter)));
  const attribute = args.named.get('attribute');
  if (attribute === undefined) throw args.error('a filter is needed', 'write map("upper") or map(attribute="name")');
  const fallback = args.named.get('default');
  const found = args.results().map((item) => (item instanceof Undefined ? item : readAttribute(item, attribute)));
  return toListResult(found.map((one) => (one instanceof Undefined && fallback !== undefined ? fallback : one)));
}

function pick(args: CallableArguments, wanted: boolean): Result {
  const test = args.optional(1);
  const holds = test === undefined ? isTrueItem : args.testNamed(test);
  return toListResult(args.results().filter((item) => holds(item) === wanted));
}

function pickByAttribute(args: CallableArguments, wanted: boolean): Value {
  const test = args.optional(2);
  const holds = test === undefined ? isTrueItem : args.testNamed(test);
  return args.items(0).filter((item) => holds(readAttribute(item, args.value(1))) === wanted);
}

function isTrueItem(item: Result): boolean {
  return isTrue(requireDefined(item));
}

function groupBy(args: CallableArguments): Value {
  const fold = args.flag(3) ? (key: Value): Value => key : withoutCase;
  const fallback = args.optional(2);
  const groups = new Map<Value, [Value, Value[]]>();
  for (const item of args.items(0)) {
    const found = readAttribute(item, args.value(1));
    const key = found instanceof Undefined && fallback !== undefined ? fallback : requireDefined(found);
    const folded = fold(key);
    const isFound = typeof folded === 'string' || groups.has(folded);
    const same = isFound ? folded : [...groups.keys()].find((one) => equals(one, folded));
    getOrAdd(groups, same ?? folded, (): [Value, Value[]] => [key, []])[1].push(item);
  }
  return args.call('sort', [...groups.values()], false, args.flag(3), '0');
}

/** What `attribute="a.b.0"` finds in an item; undefined if any step is missing. */
export function readAttribute(item: Value, attribute: Value): Result {
  let value: Value = item;
  for (const part of asKey(attribute).split('.')) {
    const inner = value;
    const next = step(inner, part);
    if (next === undefined) return new Undefined(() => missing(inner, part));
    value = next;
  }
  return value;
}

function missing(value: Value, part: string): TemplateError {
  const keys = listKeys(value);
  const what = keys.length === 0 ? '' : `; it has ${keys.slice(0, 8).join(', ')}`;
  return new TemplateError(`an item has no "${part}"${what}`, { undefinedName: part, hint: didYouMean(part, keys) });
}

/** The key by which texts are compared without regard to case. */
export function withoutCase(value: Value): Value {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

type Combine = (left: readonly Value[], right: readonly Value[]) => readonly Value[];

const union: Combine = (left, right) => [...left, ...right];
const intersection: Combine = (left, right) => left.filter(isIn(right));
export const difference: Combine = (left, right) => left.filter(isNotIn(right));
const symmetric: Combine = (left, right) => [...difference(left, right), ...difference(right, left)];

/** Lists as sets: each item once, in the order of its first appearance. */
export const sets = {
  unique: callable('list, case_sensitive?, attribute?', unique),
  union: combining(union),
  intersect: combining(intersection),
  difference: combining(difference),
  symmetric_difference: combining(symmetric),
  /** The same for any number of lists, as in the collection `community.general`; `flatten=true` for a list of lists. */
  lists_union: callable('list, ...others, flatten=', (args) => combineLists(args, union, true)),
  lists_intersect: callable('list, ...others, flatten=', (args) => combineLists(args, intersection)),
  lists_difference: callable('list, ...others, flatten=', (args) => combineLists(args, difference)),
  lists_symmetric_difference: callable('list, ...others, flatten=', (args) => combineLists(args, symmetric, true)),
  param_list_compare: callable('base, target', compareParameters),
} satisfies Family;

/** In the target, `all` means every item of the base, and `!name` excludes one of them. */
function compareParameters(args: CallableArguments): Value {
  const base = args.items(0).map(asText);
  const target = args.items(1).map((one) => {
    if (typeof one === 'string') return one;
    throw args.error(`the target must name texts, not ${describe(one)}`);
  });
  const excluded = target.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const named = target.filter((one) => one !== 'all' && !one.startsWith('!'));
  const all = target.includes('all') ? base.filter((one) => !excluded.includes(one)) : [];
  const actionable = new Set([...all, ...named.filter((one) => base.includes(one))]);
  return { actionable: [...actionable].sort(), unsupported: named.filter((one) => !base.includes(one)) };
}

function combining(combine: Combine): Callable {
  return callable('left, right|b', (args) => distinct(combine(args.list(0), args.list(1))));
}

/** A single value stays as it is, whatever it is, as in Ansible. @param joins whether only lists, or only texts, can be combined */
function combineLists(args: CallableArguments, combine: Combine, joins = false): Value {
  const given = [args.value(0), ...args.rest];
  const [first = [], ...others] = args.flag(1) ? flattened(args, given) : given;
  if (others.length === 0) return first;
  const areTexts = [first, ...others].every((one) => typeof one === 'string');
  const unfit = joins && !areTexts ? [first, ...others].find((one) => !isList(one)) : undefined;
  if (unfit !== undefined) throw args.error(`a list is needed, not ${describe(unfit)}`);
  const start = distinct(args.requireItems(first));
  return others.reduce<readonly Value[]>((left, right) => distinct(combine(left, args.requireItems(right))), start);
}

/** The lists in lists of lists; a list of anything else is one. */
function flattened(args: CallableArguments, given: readonly Value[]): readonly Value[] {
  return given.flatMap((one) => {
    if (!isList(one)) throw args.error(`a list is needed, not ${describe(one)}`);
    return one.every(isList) ? one : [one];
  });
}

/** Returns a test for items of a list. Uses a set where possible, because the list may be as long as the fleet. */
export function isIn(list: readonly Value[]): (item: Value) => boolean {
  const simple = new Set(list);
  const others = list.filter((one) => typeof one !== 'string');
  return (item) => simple.has(item) || (typeof item !== 'string' && others.some((one) => equals(one, item)));
}

function isNotIn(list: readonly Value[]): (item: Value) => boolean {
  const has = isIn(list);
  return (item) => !has(item);
}

function distinct(list: readonly Value[], key: (item: Value) => Value = (item) => item): readonly Value[] {
  const seen = new Set<Value>();
  // Of the same type, a text or a number equals only itself, which the set finds; `1` and `true` are equal.
  const numbers: Value[] = [];
  const others: Value[] = [];
  const isKnown = (one: Value): boolean => {
    if (seen.has(one) || typeof one === 'string') return seen.has(one);
    const isSame = (other: Value): boolean => equals(other, one);
    return others.some(isSame) || (typeof one !== 'number' && numbers.some(isSame));
  };
  return list.filter((item) => {
    const one = key(item);
    if (isKnown(one)) return false;
    seen.add(one);
    if (typeof one === 'number') numbers.push(one);
    else if (typeof one !== 'string') others.push(one);
    return true;
  });
}

/** Ignores case unless `case_sensitive`, as Ansible's filter does. */
function unique(args: CallableArguments): Value {
  const attribute = args.value(2);
  const sensitive = args.flag(1);
  const isStrict = attribute !== null || args.optional(1) === false;
  return distinct(args.items(0), (item) => {
    const key = attribute === null ? item : requireDefined(readAttribute(item, attribute));
    // Ansible compares lists and mappings only if neither option asks for Jinja's own filter, which cannot.
    if (isStrict && typeof key === 'object' && key !== null)
      throw args.error(`unique with "case_sensitive=false" or "attribute" cannot compare ${describe(key)}`);
    return sensitive ? key : withoutCase(key);
  });
}
