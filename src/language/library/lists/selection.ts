import { didYouMean } from '../../../core/model/source/suggestion.js';
import type { Value } from '../../../core/model/values/value.js';
import { keysOf, step } from '../../runtime/access.js';
import type { Arguments } from '../../runtime/arguments.js';
import { equals, isTrue } from '../../runtime/comparison.js';
import { TemplateError } from '../../runtime/errors.js';
import { helper, helperForUndefined, type Family } from '../../runtime/helper.js';
import { asKey, asText } from '../../runtime/text.js';
import { listOf, requireDefined, Undefined, type Result } from '../../runtime/undefined.js';

/** Helpers that select or convert items of a list with a filter or a test. */
export const selection = {
  /** `map("upper")`, `map(attribute="name", default="none")` */
  map: helperForUndefined('list, filter?, ...arguments, **', map),
  select: helperForUndefined('list, test?, ...arguments', (args) => pick(args, true)),
  reject: helperForUndefined('list, test?, ...arguments', (args) => pick(args, false)),
  selectattr: helper('list, attribute, test?, ...arguments', (args) => pickByAttribute(args, true)),
  rejectattr: helper('list, attribute, test?, ...arguments', (args) => pickByAttribute(args, false)),
  /**
   * Pairs of a value of the attribute and the items with this value, sorted by value; ignores case unless
   * `case_sensitive`.
   */
  groupby: helper('list, attribute, default?, case_sensitive?', groupBy),
} satisfies Family;

function map(args: Arguments): Result {
  const attribute = args.named.get('attribute');
  if (attribute !== undefined) {
    const fallback = args.named.get('default');
    const found = args.results().map((item) => attributeOf(requireDefined(item), attribute));
    return listOf(found.map((one) => (one instanceof Undefined && fallback !== undefined ? fallback : one)));
  }
  if (args.optional(1) === undefined)
    throw args.error('a filter is needed', 'write map("upper") or map(attribute="name")');
  return args.results().map((item) => args.call(args.text(1), item, ...args.rest));
}

function pick(args: Arguments, wanted: boolean): Result {
  const test = args.optional(1);
  const holds = (item: Result): boolean =>
    test === undefined ? isTrue(requireDefined(item)) : args.test(asText(test), item, ...args.rest);
  return listOf(args.results().filter((item) => holds(item) === wanted));
}

function pickByAttribute(args: Arguments, wanted: boolean): Value {
  const test = args.optional(2);
  return args.items(0).filter((item) => {
    const found = attributeOf(item, args.value(1));
    const holds = test === undefined ? isTrue(requireDefined(found)) : args.test(asText(test), found, ...args.rest);
    return holds === wanted;
  });
}

function groupBy(args: Arguments): Value {
  const fold = args.flag(3) ? (key: Value): Value => key : withoutCase;
  const fallback = args.optional(2);
  const groups: { readonly key: Value; readonly items: Value[] }[] = [];
  for (const item of args.items(0)) {
    const found = attributeOf(item, args.value(1));
    const key = found instanceof Undefined && fallback !== undefined ? fallback : requireDefined(found);
    const group = groups.find((one) => equals(fold(one.key), fold(key)));
    if (group) group.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return args.call(
    'sort',
    groups.map(({ key, items }) => [key, items]),
    false,
    args.flag(3),
    '0',
  );
}

/** What `attribute="a.b.0"` finds in an item; undefined if any step is missing. */
export function attributeOf(item: Value, attribute: Value): Result {
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
  const keys = keysOf(value);
  const what = keys.length === 0 ? '' : `; it has ${keys.slice(0, 8).join(', ')}`;
  return new TemplateError(`an item has no "${part}"${what}`, { undefinedName: part, hint: didYouMean(part, keys) });
}

/** The key by which texts are compared without regard to case. */
export function withoutCase(value: Value): Value {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
