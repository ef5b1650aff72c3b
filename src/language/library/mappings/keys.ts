import { isList, isMapping, type Mapping, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { asKey, asText, describe, evaluateLazy, step } from '../../runtime/result.js';
import { pattern } from '../texts/regexes.js';
import { merger } from './mappings.js';

/**
 * Filters of Ansible's collections that select by the keys of mappings: at any depth in `ansible.utils`, of the mappings in a list in
 * `community.general`.
 */
export const keyFilters = {
  keep_keys: callable('value, target, matching_parameter?', (args) => keep(collection(args), matchers(args))),
  remove_keys: callable('value, target, matching_parameter?', (args) => remove(collection(args), matchers(args))),
  /** `limits | replace_keys(target=[{"before": "mtu", "after": "size"}])` */
  replace_keys: callable('value, target, matching_parameter?', (args) =>
    replacements(args).reduce(rename, collection(args)),
  ),
  'community.general.keep_keys': callable('list, target, matching_parameter?', (args) => keepInRows(args, true)),
  'community.general.remove_keys': callable('list, target, matching_parameter?', (args) => keepInRows(args, false)),
  'community.general.replace_keys': callable('list, target, matching_parameter?', replaceInRows),
  /** Lists of mappings as one list: those with the same value of a key are combined. */
  lists_mergeby: callable('list, ...others, recursive=, list_merge=', mergeBy),
  dict_kv: callable('value, key', (args) => ({ [args.key(args.value(1))]: args.value(0) })),
  groupby_as_dict: callable('list, attribute', groupAsDict),
  counter: callable('list', (args) => {
    if (isMapping(args.value(0))) throw args.error('a list is needed, not a mapping');
    const counts = new Map<string, number>();
    for (const item of args.items(0)) counts.set(args.key(item), (counts.get(asKey(item)) ?? 0) + 1);
    return Object.fromEntries(counts);
  }),
} satisfies Family;

type Matches = (key: string) => boolean;

const WAYS = ['equality', 'starts_with', 'ends_with', 'regex'];

function matcher(args: CallableArguments, target: string): Matches {
  const way = args.text(2, 'equality');
  if (way === 'equality' || way === 'equal') return (key) => key === target;
  if (way === 'starts_with') return (key) => key.startsWith(target);
  if (way === 'ends_with') return (key) => key.endsWith(target);
  if (way !== 'regex') throw args.error(`matching_parameter cannot be "${way}"`, `use one of ${WAYS.join(', ')}`);
  const shape = pattern(`^(?:${target})`);
  return (key) => shape.test(key);
}

function matchers(args: CallableArguments): readonly Matches[] {
  return (isList(args.value(1)) ? args.list(1) : [args.value(1)]).map((target) => matcher(args, asText(target)));
}

function collection(args: CallableArguments): Value {
  const value = evaluateLazy(args.value(0));
  if (isList(value) || isMapping(value)) return value;
  throw args.error(`a list or a mapping is needed, not ${describe(value)}`);
}

/** Keeps a list or mapping if any part of it is kept; a list of texts is never kept, as in Ansible. */
function keep(value: Value, matches: readonly Matches[]): Value {
  if (isList(value)) return value.map((one) => keep(one, matches));
  if (!isMapping(value)) return value;
  const kept = Object.entries(value).flatMap(([key, inner]): readonly [string, Value][] => {
    if (!isList(inner) && !isMapping(inner)) return matches.some((match) => match(key)) ? [[key, inner]] : [];
    const found = keep(inner, matches);
    const rest = isList(found) ? found.filter((one) => !isEmpty(one)) : found;
    if (isEmpty(rest) || (isList(rest) && rest.every((one) => typeof one === 'string'))) return [];
    return [[key, rest]];
  });
  return Object.fromEntries(kept);
}

function isEmpty(value: Value): boolean {
  return isList(value) ? value.length === 0 : isMapping(value) && Object.keys(value).length === 0;
}

/** Also removes false values from lists, as in Ansible. */
function remove(value: Value, matches: readonly Matches[]): Value {
  if (isList(value)) {
    const left = value.map((one) => remove(one, matches));
    return left.filter((one) => one !== null && one !== false && one !== 0 && one !== '' && !isEmpty(one));
  }
  if (!isMapping(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !matches.some((match) => match(key)));
  return Object.fromEntries(kept.map(([key, inner]) => [key, remove(inner, matches)]));
}

function keepInRows(args: CallableArguments, keeps: boolean): Value {
  const targets = isList(args.value(1)) ? args.list(1) : [args.plainText(1)];
  if (targets.length === 0) throw args.error('the target must name a key');
  const found = matchers(args);
  const isKept = (key: string): boolean => found.some((match) => match(key)) === keeps;
  return rows(args).map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => isKept(key))));
}

function replaceInRows(args: CallableArguments): Value {
  const found = replacements(args);
  if (found.length === 0) throw args.error('the target must name a key');
  const renamed = (key: string): string => found.find(({ matches }) => matches(key))?.after ?? key;
  return rows(args).map((row) => Object.fromEntries(Object.entries(row).map(([key, one]) => [renamed(key), one])));
}

function rows(args: CallableArguments): readonly Mapping[] {
  return args.list(0).map((item) => {
    const row = evaluateLazy(item);
    if (isMapping(row)) return row;
    throw args.error(`the items must be mappings, not ${describe(item)}`);
  });
}

interface Replacement {
  readonly matches: Matches;
  readonly after: string;
}

function replacements(args: CallableArguments): readonly Replacement[] {
  return args.list(1).map((one) => {
    const [before, after] = [step(one, 'before'), step(one, 'after')];
    if (before !== undefined && after !== undefined)
      return { matches: matcher(args, asText(before)), after: asKey(after) };
    throw args.error('every target needs "before" and "after"');
  });
}

/** A key that is replaced goes to the end, as in Ansible. */
function rename(value: Value, { matches, after }: Replacement): Value {
  if (isList(value)) return value.map((one) => rename(one, { matches, after }));
  if (!isMapping(value)) return value;
  const renamed = new Map<string, Value>();
  for (const [key, inner] of Object.entries(value))
    if (!matches(key)) renamed.set(key, rename(inner, { matches, after }));
  for (const [key, inner] of Object.entries(value)) {
    if (!matches(key)) continue;
    renamed.delete(after);
    renamed.set(after, rename(inner, { matches, after }));
  }
  return Object.fromEntries(renamed);
}

/** Sorts by the key if there are several lists. Omits mappings without the key. */
function mergeBy(args: CallableArguments): Value {
  const given = [args.value(0), ...args.rest];
  const key = given.at(-1) ?? null;
  if (given.length < 2) throw args.error('it needs a list and the name of a key');
  const [first = [], ...others] = given.slice(0, -1).flatMap((list) => listsIn(args, list));
  if (others.length === 0) return first;
  if (typeof key !== 'string') throw args.error(`the name of a key is needed, not ${describe(key)}`);
  const merge = merger(args);
  // From the right, as `combine`.
  return [first, ...others].reduceRight((high, low) => {
    const merged = new Map<Value, Mapping>();
    for (const item of [...args.requireItems(low), ...args.requireItems(high)]) {
      const one = evaluateLazy(item);
      if (!isMapping(one)) throw args.error(`the items must be mappings, not ${describe(item)}`);
      const by = step(one, key);
      if (by !== undefined) merged.set(by, merge(merged.get(by) ?? {}, one));
    }
    return args.call('sort', [...merged.values()], false, true, key);
  });
}

/** A text is a list of characters, as in Python. */
function listsIn(args: CallableArguments, value: Value): readonly Value[] {
  if (!isList(value) && typeof value !== 'string') throw args.error(`a list is needed, not ${describe(value)}`);
  const items = args.requireItems(value);
  return items.every((one) => isList(one) || typeof one === 'string') ? items : [value];
}

function groupAsDict(args: CallableArguments): Value {
  const items = args.list(0).map((item) => {
    const value = step(item, args.text(1));
    if (value === undefined) throw args.error(`every item needs "${args.text(1)}"`);
    return [asKey(value), item] as const;
  });
  return Object.fromEntries(items);
}
