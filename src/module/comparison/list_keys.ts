import type { FieldPath } from '../../core/model/source/diagnostic.js';
import { jsonText, entry, isEqual, isList, isMapping, leavesIn, valueAt } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import { declaresHidden, hiddenFields, hiddenIn, matches } from './comparison.js';
import { overlay } from './overlay.js';

/** How declared lists are merged with the controller's lists, which they otherwise replace. */
export interface ListRules {
  /**
   * By field (`servers`, `dns_configuration.server_list`): the paths below an element that identify it (`ip.addr`);
   * none: the element itself. With `{by: paths, add: false}`, elements that the controller lacks are left out.
   */
  readonly merge?: Mapping | undefined;
  /** By field: patterns of the elements to remove. */
  readonly without?: Mapping | undefined;
}

interface MergeRule {
  readonly paths: readonly string[];
  /** Whether to add the elements that the controller lacks. */
  readonly adds: boolean;
}

function toMergeRule(value: Value): MergeRule {
  if (!isMapping(value)) return { paths: keyTexts(value), adds: true };
  return { paths: keyTexts(entry(value, 'by') ?? []), adds: entry(value, 'add') !== false };
}

/** The merged lists whose elements are only changed where they are present. */
export function listsWithoutAdditions(merge: Mapping): readonly string[] {
  return Object.entries(merge).flatMap(([field, rule]) => (toMergeRule(rule).adds ? [] : [field]));
}

/** The declaration for an object that does not exist: it lacks all elements. */
export function withoutUnadded(declared: Mapping, { merge = {} }: ListRules): Mapping {
  return listsWithoutAdditions(merge).reduce(
    (left, field) => (valueAt(left, field) === undefined ? left : withValue(left, field.split('.'), [])),
    declared,
  );
}

/** The declaration with merged lists replaced by whole lists, as they will be on the controller. */
export function withWholeLists(declared: Mapping, before: Mapping, { merge = {}, without = {} }: ListRules): Mapping {
  let whole = declared;
  for (const [field, keys] of Object.entries(merge)) {
    const [names, wanted] = [field.split('.'), valueAt(declared, field)];
    if (!isList(wanted)) continue;
    whole = withValue(whole, names, merged(wanted, listAt(before, field), toMergeRule(keys), lastName(field)));
  }
  for (const [field, patterns] of Object.entries(without)) {
    const [names, name] = [field.split('.'), lastName(field)];
    const present = valueAt(whole, field) ?? valueAt(before, field);
    if (!isList(present) || !isList(patterns)) continue;
    const left = present.filter((element) => !patterns.some((pattern) => matches(pattern, element, name)));
    if (left.length < present.length) whole = withValue(whole, names, left);
  }
  return whole;
}

/** The controller's elements in their order, changed as declared, followed by the new ones. */
function merged(
  wanted: readonly Value[],
  present: readonly Value[],
  { paths, adds }: MergeRule,
  name: string,
): readonly Value[] {
  const isSame = (one: Value, other: Value): boolean => sameKey(one, other, paths, name);
  const kept = present.map((element) => {
    const declared = wanted.find((one) => isSame(one, element));
    if (declared === undefined) return element;
    return isMapping(declared) && isMapping(element) ? overlay(declared, element) : element;
  });
  return adds ? [...kept, ...wanted.filter((one) => !present.some((element) => isSame(one, element)))] : kept;
}

function sameKey(declared: Value, element: Value, keys: readonly string[], name: string): boolean {
  if (keys.length === 0) return matches(declared, element, name);
  return keys.every((key) => {
    const [wanted, present] = [valueAt(declared, key), valueAt(element, key)];
    return wanted !== undefined && present !== undefined && matches(wanted, present, key.split('.').at(-1));
  });
}

/**
 * Problems of `merge`: a field that is not declared as a list, an element without a key, or two elements with the same
 * key.
 * @param fields the declared fields
 * @param at where they are in the arguments
 */
export function listKeyProblems(
  fields: Mapping,
  merge: Mapping,
  at: FieldPath,
): readonly { readonly path: FieldPath; readonly message: string }[] {
  return Object.entries(merge).flatMap(([field, keys]) => {
    const list = valueAt(fields, field);
    const path = [...at, ...field.split('.')];
    const ofRule = (message: string) => [{ path: ['merge', field], message }];
    if (!isList(list)) return ofRule(`"merge" names "${field}", which is not declared as a list`);
    const { paths, adds } = toMergeRule(keys);
    if (paths.length === 0 && !adds) {
      const lack = `"merge" names no fields that identify an element of "${field}"`;
      return ofRule(`${lack}, so with "add: false" it would change nothing`);
    }
    return list.flatMap((element, index) => {
      const ofElement = (message: string) => [{ path: [...path, index], message }];
      const missing = paths.find((key) => valueAt(element, key) === undefined);
      if (missing !== undefined)
        return ofElement(`an element of "${field}" has no "${missing}", which "merge" needs to identify an element`);
      const twin = list.findIndex((other) => isSameElement(element, other, paths));
      if (twin === index) return [];
      const what = paths.length === 0 ? 'the same value' : `the same ${paths.join(' and ')}`;
      return ofElement(`two elements of "${field}" have ${what}, so "merge" cannot tell them apart`);
    });
  });
}

/** Problems of patterns without values, such as `{ip: {}}`: they would remove every element. */
export function emptyPatterns(
  without: Mapping,
): readonly { readonly path: FieldPath; readonly message: string; readonly hint: string }[] {
  return Object.entries(without).flatMap(([field, patterns]) => {
    if (!isList(patterns)) return [];
    return patterns.flatMap((pattern, index) => {
      if (!isMapping(pattern) || !isEmpty(pattern)) return [];
      const message = `an element to remove from "${field}" has no values, so it would match every element`;
      return [{ path: ['without', field, index], message, hint: `to empty the list, declare "${field}: []"` }];
    });
  });
}

/** Null and empty lists match fields that are missing. */
function isEmpty(pattern: Value): boolean {
  if (isMapping(pattern)) return Object.values(pattern).every(isEmpty);
  return pattern === null || (isList(pattern) && pattern.length === 0);
}

function isSameElement(one: Value, other: Value, keys: readonly string[]): boolean {
  return keys.length === 0 ? isEqual(one, other) : keys.every((key) => isEqual(valueAt(one, key), valueAt(other, key)));
}

/**
 * Why the controller's lists cannot be merged: two of its elements have the key of a declared element, or hide a secret that
 * would identify them. Undefined if they can be merged.
 */
export function unmergeable(
  declared: Mapping,
  before: Mapping,
  { merge = {}, without = {} }: ListRules,
): string | undefined {
  for (const [field, patterns] of Object.entries(without)) {
    const hiding = listAt(before, field).filter((element) => hiddenIn(element).length > 0);
    const isHidden = (pattern: Value, element: Value): boolean =>
      declaresHidden(pattern, element) && matches(pattern, element, lastName(field));
    if (isList(patterns) && hiding.some((element) => patterns.some((pattern) => isHidden(pattern, element))))
      return undecided(field);
  }
  for (const [field, keys] of Object.entries(merge)) {
    const [wanted, present, { paths }] = [valueAt(declared, field), listAt(before, field), toMergeRule(keys)];
    if (!isList(wanted)) continue;
    if (wanted.some((one) => isHiddenAmong(present, one, paths, lastName(field)))) return undecided(field);
    if (paths.length === 0) continue;
    const doubled = wanted.find((one) => present.filter((element) => sameKey(one, element, paths, '')).length > 1);
    if (doubled !== undefined) {
      const values = paths.map((key) => `${key} ${jsonText(valueAt(doubled, key))}`).join(', ');
      return `the controller has several elements of "${field}" with ${values}, so "merge" cannot tell which one is declared`;
    }
  }
  return undefined;
}

/** @param field the list with the secret */
export function undecided(field: string): string {
  return `the controller hides a secret in "${field}" that would tell which element is meant: identify it by other fields`;
}

/**
 * Whether a hidden secret decides which of the controller's elements a declared one is: no other value tells it, or several
 * elements have the others.
 */
export function isHiddenAmong(
  present: readonly Value[],
  declared: Value,
  keys: readonly string[] = [],
  name = '',
): boolean {
  if (hiddenIn(present).length === 0) return false;
  const found = present.filter((element) => sameKey(declared, element, keys, name));
  if (keys.length > 0)
    return found.some((element) =>
      keys.some((key) => declaresHidden(valueAt(declared, key) ?? null, valueAt(element, key))),
    );
  const hidden = found.map((element) => hiddenFields(declared, element).length).find((count) => count > 0) ?? 0;
  return (
    hidden > 0 && (found.length > 1 || hidden === [...leavesIn(declared)].filter(([leaf]) => leaf !== null).length)
  );
}

function lastName(field: string): string {
  return field.split('.').at(-1) ?? '';
}

function keyTexts(keys: Value): readonly string[] {
  return isList(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

function listAt(object: Mapping, field: string): readonly Value[] {
  const list = valueAt(object, field);
  return isList(list) ? list : [];
}

function withValue(object: Mapping, [name = '', ...rest]: readonly string[], value: Value): Mapping {
  const inner = entry(object, name);
  return { ...object, [name]: rest.length === 0 ? value : withValue(isMapping(inner) ? inner : {}, rest, value) };
}
