import { entry, isList, isMapping, type Mapping, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { equals } from '../../runtime/comparison.js';
import { asKey, describe, evaluateLazy, step, Undefined, type Result } from '../../runtime/result.js';
import { difference, readAttribute } from '../lists/selection.js';
import { madeHere } from '../operators/changes.js';

/** Filters over mappings. */
export const mappings = {
  dict: callable('pairs?, **', (args) =>
    madeHere({ ...fromPairs(args), ...Object.fromEntries(args.named) }, args.frame),
  ),
  keys: callable('mapping', (args) => Object.keys(args.mapping(0))),
  values: callable('mapping', (args) => Object.values(args.mapping(0))),
  items: callable('mapping', (args) => Object.entries(args.mapping(0))),
  get: callable('mapping, key, default?', (args) => {
    const found = step(args.value(0), asKey(args.value(1)));
    return found === undefined ? args.value(2) : found;
  }),
  dict2items: callable('mapping, key_name?, value_name?', (args) => {
    const keyName = args.text(1, 'key');
    const valueName = args.text(2, 'value');
    return Object.entries(args.mapping(0)).map(([key, value]) =>
      Object.fromEntries([
        [keyName, key],
        [valueName, value],
      ]),
    );
  }),
  items2dict: callable('list, key_name?, value_name?', items2dict),
  dictsort: callable('mapping, case_sensitive?, by?, reverse?', (args) => {
    const by = args.text(2, 'key') === 'value' ? '1' : '0';
    return args.call('sort', Object.entries(args.mapping(0)), args.flag(3), args.flag(1), by);
  }),
  /** Mappings by the value of one of their keys. */
  rekey_on_member: callable('mappings, key, duplicates?', rekey),
  combine: callable('mapping, ...others, recursive=, list_merge=', combine),
  extract: callable('key, container, more|morekeys?', extract),
  subelements: callable('list, attribute|subelements, skip_missing?', subelements),
} satisfies Family;

function fromPairs(args: CallableArguments): Mapping {
  const value = args.optional(0);
  if (value === undefined) return {};
  if (!isList(value)) return args.mapping(0);
  return Object.fromEntries(
    value.map((pair): [string, Value] => {
      const [key = null, one = null, ...more] = args.requireItems(pair);
      if (args.requireItems(pair).length < 2 || more.length > 0) throw args.error('every item must be a pair');
      return [args.key(key), one];
    }),
  );
}

function items2dict(args: CallableArguments): Value {
  const keyName = args.text(1, 'key');
  const valueName = args.text(2, 'value');
  return Object.fromEntries(
    args.list(0).map((item): [string, Value] => {
      const key = step(item, keyName);
      const value = step(item, valueName);
      if (key === undefined || value === undefined)
        throw args.error(`every item needs "${keyName}" and "${valueName}"`);
      return [asKey(key), value];
    }),
  );
}

/** Later mappings win; `recursive=true` merges inner mappings, `list_merge` decides about two lists. */
function combine(args: CallableArguments): Value {
  const all = [args.value(0), ...args.rest]
    .flatMap((one) => (isList(one) ? one : [one]))
    .map((one) => evaluateLazy(one))
    .filter((one) => one !== null);
  const merge = merger(args);
  // From the right, as in Ansible: a null between two mappings does not remove what the first one has.
  return all.reduceRight<Mapping>((merged, one) => {
    if (!isMapping(one)) throw args.error(`only mappings can be combined, not ${describe(one)}`);
    return merge(one, merged);
  }, {});
}

type Combine<T> = (low: T, high: T) => T;

/** Combines two mappings; `recursive` and `list_merge` are the parameters after the first. */
export function merger(args: CallableArguments): Combine<Mapping> {
  const recursive = args.flag(1);
  const mergeLists = listMerger(args, args.text(2, 'replace'));
  const merge: Combine<Mapping> = (low, high) => {
    // As in Ansible, equal ones are one: their lists are not joined.
    if (equals(low, high)) return { ...high };
    const merged = new Map(Object.entries(low));
    for (const [key, value] of Object.entries(high)) {
      const old = entry(low, key);
      if (old !== undefined && isMapping(old) && isMapping(value) && recursive) merged.set(key, merge(old, value));
      else merged.set(key, old !== undefined && isList(old) && isList(value) ? mergeLists(old, value) : value);
    }
    return Object.fromEntries(merged);
  };
  return merge;
}

/** `_rp`: common items are taken from the later list only. */
const LIST_MERGES: ReadonlyMap<string, Combine<readonly Value[]>> = new Map(
  Object.entries<Combine<readonly Value[]>>({
    replace: (_, high) => high,
    keep: (low) => low,
    append: (low, high) => [...low, ...high],
    prepend: (low, high) => [...high, ...low],
    append_rp: (low, high) => [...difference(low, high), ...high],
    prepend_rp: (low, high) => [...high, ...difference(low, high)],
  }),
);

function listMerger(args: CallableArguments, how: string): Combine<readonly Value[]> {
  const merge = LIST_MERGES.get(how);
  if (merge !== undefined) return merge;
  throw args.error(`there is no list_merge "${how}"`, `use one of ${[...LIST_MERGES.keys()].join(', ')}`);
}

function rekey(args: CallableArguments): Value {
  const data = evaluateLazy(args.value(0));
  const duplicates = args.text(2, 'error');
  if (duplicates !== 'error' && duplicates !== 'overwrite')
    throw args.error(`duplicates cannot be "${duplicates}"`, 'it is error or overwrite');
  const found = new Map<string, Value>();
  for (const item of isList(data) ? data : Object.values(args.mapping(0))) {
    const member = isMapping(item) ? entry(item, args.text(1)) : undefined;
    if (member === undefined) throw args.error(`every item needs "${args.text(1)}"`);
    const key = asKey(member);
    if (found.has(key) && duplicates === 'error')
      throw args.error(`"${key}" occurs twice`, 'write duplicates="overwrite"');
    found.set(key, item);
  }
  return Object.fromEntries(found);
}

/** `names | map("extract", hostvars, "controller_url")` */
function extract(args: CallableArguments): Result {
  const further = isList(args.value(2)) ? args.list(2) : args.optional(2) === undefined ? [] : [args.value(2)];
  let value: Value = args.value(1);
  for (const part of [args.value(0), ...further]) {
    const next = step(value, asKey(part));
    if (next === undefined) return args.missing(`there is no "${asKey(part)}"`);
    value = next;
  }
  return value;
}

/** Pairs of an item and each element of a list in it. */
function subelements(args: CallableArguments): Value {
  const skip =
    args.optional(2) !== undefined && (args.value(2) === true || step(args.value(2), 'skip_missing') === true);
  const outer = args.value(0);
  const items = isList(outer) ? outer : Object.values(args.mapping(0));
  return items.flatMap((item) => {
    const inner = readAttribute(item, args.value(1));
    if (inner instanceof Undefined) {
      if (skip) return [];
      throw inner.explain();
    }
    if (!isList(inner)) throw args.error(`"${args.text(1)}" must be a list, not ${describe(inner)}`);
    return inner.map((one) => [item, one]);
  });
}
