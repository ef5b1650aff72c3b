import { isNumeric } from '../../../core/model/values/json.js';
import { isList, isMapping, LazyMapping, type Mapping, type Value } from '../../../core/model/values/value.js';
import { MOST_ITEMS, type CallableArguments } from '../../runtime/arguments.js';
import { isTrue } from '../../runtime/comparison.js';
import { TemplateError } from '../../runtime/errors.js';
import { describe, evaluateLazy, step, Undefined } from '../../runtime/result.js';
import { readAttribute } from '../lists/selection.js';
import { formatText } from '../texts/format.js';
import { flattenTerms, type LookupCall, type LookupFunction, type Lookups } from './lookup.js';

const SEQUENCE_OPTIONS = ['start', 'end', 'count', 'stride', 'format'];

/** Lookups that only use their terms. */
export const listLookups = {
  /** Items; lists of items are split up. */
  items: { options: [], run: flattenTerms },
  list: { options: [], takes: 'list', run: ({ terms }) => terms },
  /** Lists in lists become one. */
  flattened: { options: [], run: ({ terms }) => flattened(terms) },
  dict: {
    options: [],
    takes: 'mapping',
    run: (call) =>
      flattenTerms(call).flatMap((one) =>
        Object.entries(requireMapping(call.args, one)).map(([key, value]) => ({ key, value })),
      ),
  },
  indexed_items: { options: [], run: (call) => flattenTerms(call).map((item, index) => [index, item]) },
  /** Each item of the first list with each of the others. */
  nested: rows('product'),
  cartesian: rows('product'),
  /** The first items of all lists, the second ones, and so on. */
  together: rows('zip_longest'),
  subelements: { options: [], takes: 'list', run: (call) => subelements(call) },
  sequence: {
    options: SEQUENCE_OPTIONS,
    takes: 'text or mapping',
    run: (call) => {
      const given = new Map([...call.options].map(([name, value]) => [name, sequenceText(call.args, value)] as const));
      const terms = flattenTerms(call);
      const texts = terms.length === 0 && given.size > 0 ? [''] : terms.map((term) => sequenceText(call.args, term));
      return texts.flatMap((text) => sequence(text, given));
    },
  },
} satisfies Lookups;

function requireMapping(args: CallableArguments, value: Value): Mapping {
  const mapping = evaluateLazy(value);
  if (isMapping(mapping)) return mapping;
  throw args.error(`a mapping is needed, not ${describe(value)}`);
}

/** A lookup over lists whose results are rows with an item of each; an item that is a list takes several places. */
function rows(filter: 'product' | 'zip_longest'): LookupFunction {
  return {
    options: [],
    takes: 'list',
    run: ({ terms, args }) => {
      const [first, ...rest] = terms.map((term) =>
        isList(term) || isMapping(term) || term instanceof LazyMapping ? args.requireItems(term) : [term],
      );
      if (first === undefined) throw args.error('it needs at least one list');
      const found = args.call(filter, first, ...rest);
      return (isList(found) ? found : []).map((row) => (isList(row) ? row.flat() : row));
    },
  };
}

/**
 * Pairs of a mapping and each item of a list inside it: `users, "ssh.keys", {"skip_missing": true}`. As in Ansible, the mapping of
 * a pair lacks that list, and results of skipped tasks are treated as missing.
 */
function subelements({ terms: [outer = null, key = null, flags = null], terms, args }: LookupCall): readonly Value[] {
  if (terms.length < 2 || terms.length > 3 || typeof key !== 'string')
    throw args.error('it needs a list of mappings, the key of a list in them, and perhaps {"skip_missing": true}');
  const skip = isTrue(args.call('bool', step(flags, 'skip_missing') ?? false));
  const items = isList(outer) ? outer : Object.values(requireMapping(args, outer));
  const found = isSkipped(evaluateLazy(outer))
    ? []
    : items.map((item) => requireMapping(args, item)).filter((item) => !isSkipped(item));
  return found.flatMap((item) => {
    const list = readAttribute(item, key);
    if (list instanceof Undefined) {
      if (skip) return [];
      throw list.explain();
    }
    if (!isList(list)) throw args.error(`"${key}" must be a list, not ${describe(list)}`);
    const rest = without(item, key.split('.'));
    return list.map((one) => [rest, one]);
  });
}

function isSkipped(value: Value): boolean {
  return isTrue(step(value, 'skipped') ?? false);
}

function without(mapping: Mapping, [key = '', ...inside]: readonly string[]): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([name, value]): readonly [string, Value][] => {
      if (name !== key) return [[name, value]];
      return inside.length > 0 && isMapping(value) ? [[name, without(value, inside)]] : [];
    }),
  );
}

/** A list that contains only a list is that list. */
function flattened(terms: readonly Value[]): readonly Value[] {
  return terms.flatMap((term) => {
    let one = term;
    while (isList(one) && one.length === 1) one = one[0] ?? null;
    return isList(one) ? flattened(one) : [one];
  });
}

/** `start=1 end=4`, or a mapping of the same. */
function sequenceText(args: CallableArguments, term: Value): string {
  const plain = (value: Value): string => {
    if (typeof value === 'string' || isNumeric(value)) return String(value);
    throw args.error(`it needs a text such as "start=1 end=5", not ${describe(value)}`);
  };
  if (!isMapping(term)) return plain(term);
  return Object.entries(term)
    .map(([name, value]) => `${name}=${plain(value)}`)
    .join(' ');
}

/** `start=1 end=10 stride=2 format=lb%02d`; `end` is the last number. */
interface Sequence {
  readonly start: number;
  readonly end: number;
  readonly stride: number;
  readonly format: string;
}

const SHORTCUT = /^(?:((?:0x)?[0-9a-f]+)-)?((?:0x)?[0-9a-f]+)(?:\/((?:0x)?[0-9a-f]+))?(?::(.+))?$/i;

type Words = ReadonlyMap<string, string>;

/**
 * The texts of a term of `with_sequence` or of the lookup `sequence`: `5`, `2-10/2`, `4:host%02d`, or `start= end= count= stride=
 * format=`.
 *
 * @param given the same settings as options; those in the term are stronger
 */
export function sequence(term: string, given: Words = new Map()): readonly string[] {
  const { start, end, stride, format } = toSequence(new Map([...given, ...parseSequence(term.trim())]));
  if (stride === 0) return [];
  if (stride > 0 && end < start) throw new TemplateError('with_sequence: to count backwards make stride negative');
  if (stride < 0 && end > start) throw new TemplateError("with_sequence: to count forward don't make stride negative");
  const length = Math.floor((end - start) / stride) + 1;
  if (length > MOST_ITEMS) throw new TemplateError(`with_sequence: ${length} numbers are too many`);
  return Array.from({ length }, (_, index) => printf(format, start + index * stride));
}

function parseSequence(term: string): Words {
  if (term === '') return new Map();
  const match = SHORTCUT.exec(term);
  if (match === null) return new Map(term.split(/\s+/).map((word) => pair(word)));
  const [, start, end, stride, format] = match;
  const found = Object.entries({ start, end, stride, format });
  return new Map(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

function toSequence(words: Words): Sequence {
  const unknown = [...words.keys()].filter((name) => !SEQUENCE_OPTIONS.includes(name));
  if (unknown.length > 0) throw new TemplateError(`with_sequence does not know ${unknown.join(', ')}`);
  const [start = 1, end, count, stride = 1] = ['start', 'end', 'count', 'stride'].map((name) => {
    const text = words.get(name);
    return text === undefined ? undefined : integer(name, text);
  });
  const format = words.get('format') ?? '%d';
  if ((end === undefined) === (count === undefined)) throw new TemplateError('with_sequence needs either end or count');
  if (end !== undefined) return { start, end, stride, format };
  if (count === undefined || count === 0) return { start: 0, end: 0, stride: 0, format };
  return { start, end: start + count * stride - Math.sign(stride), stride, format };
}

function pair(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at < 1)
    throw new TemplateError(`with_sequence cannot read "${word}"`, { hint: 'write it as: start=1 end=10 stride=2' });
  return [word.slice(0, at), word.slice(at + 1).replace(/^(["'])(.*)\1$/, '$2')];
}

function integer(name: string, text: string): number {
  const number = /^[+-]?(?:0x[0-9a-f]+|0o?[0-7]+|\d+)$/i.test(text) ? parseInteger(text) : Number.NaN;
  if (Number.isNaN(number)) throw new TemplateError(`with_sequence: ${name} must be a whole number, not "${text}"`);
  return number;
}

/** Decimal, `0x` hexadecimal and `0o` octal. */
function parseInteger(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  return sign * Number(text.replace(/^[+-]/, '').toLowerCase());
}

/** One number in the style of printf: `%d %x %X %o %s`, with a width and zeros. */
function printf(format: string, value: number): string {
  if (/^[^%]*%[-0+ ]*\d*[dixXos][^%]*$/.test(format)) return formatText(format, [value], null);
  const hint = 'one of %d, %x, %o, such as "lb%02d"';
  throw new TemplateError(`with_sequence cannot use the format "${format}"`, { hint });
}
