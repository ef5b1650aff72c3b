import { isList, type Value } from '../../../core/model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import { equals } from '../../runtime/comparison.js';
import { helper, type Family } from '../../runtime/helper.js';
import { asText, describe } from '../../runtime/text.js';
import { requireDefined } from '../../runtime/undefined.js';
import { attributeOf, withoutCase } from './selection.js';

/** Lists as sets: each item once, in the order of its first appearance. */
export const sets = {
  unique: helper('list, case_sensitive?, attribute?', unique),
  union: helper('left, right', (args) => distinct([...args.list(0), ...args.list(1)])),
  intersect: helper('left, right', (args) => distinct(args.list(0).filter(isIn(args.list(1))))),
  difference: helper('left, right', (args) => distinct(args.list(0).filter(isNotIn(args.list(1))))),
  symmetric_difference: helper('left, right', (args) => {
    const left = args.list(0);
    const right = args.list(1);
    return distinct([...left.filter(isNotIn(right)), ...right.filter(isNotIn(left))]);
  }),
  /** The same for any number of lists, as in the collection `community.general`; `flatten=true` for a list of lists. */
  lists_union: helper('list, ...others, **', (args) => distinct(listsOf(args).flat())),
  lists_intersect: helper('list, ...others, **', (args) =>
    listsOf(args).reduce((left, right) => distinct(left.filter(isIn(right)))),
  ),
  lists_difference: helper('list, ...others, **', (args) =>
    listsOf(args).reduce((left, right) => distinct(left.filter(isNotIn(right)))),
  ),
  lists_symmetric_difference: helper('list, ...others, **', (args) =>
    listsOf(args).reduce((left, right) => distinct([...left.filter(isNotIn(right)), ...right.filter(isNotIn(left))])),
  ),
  param_list_compare: helper('base, target', compareParameters),
} satisfies Family;

/** In the target, `all` means every item of the base, and `!name` excludes one of them. */
function compareParameters(args: Arguments): Value {
  const [base, target] = [args.list(0).map(asText), args.list(1).map(asText)];
  const excluded = target.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  const named = target.filter((one) => one !== 'all' && !one.startsWith('!'));
  const all = target.includes('all') ? base.filter((one) => !excluded.includes(one)) : [];
  const actionable = new Set([...all, ...named.filter((one) => base.includes(one))]);
  return { actionable: [...actionable].sort(), unsupported: named.filter((one) => !base.includes(one)) };
}

function listsOf(args: Arguments): readonly (readonly Value[])[] {
  const given = [args.value(0), ...args.rest];
  const lists = args.named.get('flatten') === true ? given.flat() : given;
  return lists.map((one) => {
    if (isList(one)) return one;
    throw args.error(`a list is needed, not ${describe(one)}`);
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
  const others: Value[] = [];
  return list.filter((item) => {
    const one = key(item);
    if (seen.has(one) || (typeof one !== 'string' && others.some((other) => equals(other, one)))) return false;
    seen.add(one);
    if (typeof one !== 'string') others.push(one);
    return true;
  });
}

/** Ignores case unless `case_sensitive`, as Ansible's filter does. */
function unique(args: Arguments): Value {
  const attribute = args.optional(2);
  const sensitive = args.flag(1);
  const isStrict = attribute !== undefined || args.optional(1) === false;
  return distinct(args.items(0), (item) => {
    const key = attribute === undefined ? item : requireDefined(attributeOf(item, attribute));
    // Ansible compares lists and mappings only if neither option asks for Jinja's own filter, which cannot.
    if (isStrict && typeof key === 'object' && key !== null)
      throw args.error(`unique with "case_sensitive=false" or "attribute" cannot compare ${describe(key)}`);
    return sensitive ? key : withoutCase(key);
  });
}
