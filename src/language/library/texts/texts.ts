import { isNumeric } from '../../../core/model/values/json.js';
import { isList, type Value } from '../../../core/model/values/value.js';
import { splitLines } from '../../python/string.js';
import { MOST_ITEMS, type CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { TemplateError } from '../../runtime/errors.js';
import { asString, asText, describe, step } from '../../runtime/result.js';
import { formatText } from './format.js';

/** Filters over texts. */
export const texts = {
  string: callable('value', (args) => args.string(0)),
  upper: callable('text', (args) => args.string(0).toUpperCase()),
  lower: callable('text', (args) => args.string(0).toLowerCase()),
  capitalize: callable('text', (args) => capitalize(args.string(0))),
  title: callable('text', (args) => args.string(0).replaceAll(/[^-\s({[<]+/g, capitalize)),
  trim: callable('text, characters|chars?', (args) => strip(args, true, true)),
  lstrip: callable('text, characters?', (args) => strip(args, true, false)),
  rstrip: callable('text, characters?', (args) => strip(args, false, true)),
  replace: callable('text, old, new, count?', replace),
  indent: callable('text, width?, first?, blank?', indent),
  split: callable('text, separator|sep?, maxsplit?', split),
  splitlines: callable('text', (args) => splitLines(args.text(0), 'text')),
  /** Any of several starts, if it is a list. */
  startswith: callable('text, start', (args) => affixes(args).some((start) => args.text(0).startsWith(start))),
  endswith: callable('text, end', (args) => affixes(args).some((end) => args.text(0).endsWith(end))),
  find: callable('text, part', (args) => args.text(0).indexOf(args.text(1))),
  index: callable('value, part', (args) => findText(args)),
  occurrences: callable('value, part', (args) => {
    const value = args.value(0);
    if (typeof value === 'string') return value.split(args.text(1)).length - 1;
    return args.list(0).filter((item) => args.test('eq', item, args.value(1))).length;
  }),
  truncate: callable('text, length?, killwords?, end?, leeway?', truncate),
  center: callable('text, width?', (args) => center(args.string(0), args.amount(1, 80))),
  wordcount: callable('text', (args) => args.string(0).match(/\w+/g)?.length ?? 0),
  /** `"%s:%d" | format(host, port)` */
  format: callable('format, ...values, **', (args) => {
    const { rest, named } = args;
    if (named.size === 0) return formatText(args.text(0), rest, null);
    if (rest.length > 0) throw new TemplateError('format takes values or named values, not both');
    const mapping = Object.fromEntries(named);
    return formatText(args.text(0), [mapping], mapping);
  }),
  /** `"{}:{}" | fill(host, port)`: Python's method `format`. */
  fill: callable('format, ...values, **', (args) => fillText(args.text(0), args.rest, Object.fromEntries(args.named))),
} satisfies Family;

function affixes(args: CallableArguments): readonly string[] {
  return isList(args.value(1)) ? args.list(1).map(asText) : [args.text(1)];
}

/** The first letter in upper case, the others in lower case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

function strip(args: CallableArguments, start: boolean, end: boolean): Value {
  const text = args.string(0);
  const characters = args.value(1) === null ? undefined : new Set(args.text(1));
  const strips = (character: string): boolean => (characters ? characters.has(character) : character.trim() === '');
  let from = 0;
  let to = text.length;
  while (start && from < to && strips(text.charAt(from))) from += 1;
  while (end && to > from && strips(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function replace(args: CallableArguments): Value {
  const old = args.text(1);
  const count = args.number(3, -1);
  if (count < 0) return args.string(0).replaceAll(old, () => args.text(2));
  const parts = args.string(0).split(old);
  return [parts.slice(0, count + 1).join(args.text(2)), ...parts.slice(count + 1)].join(old);
}

/** All lines but the first by default, and no blank ones, as in Jinja. */
function indent(args: CallableArguments): Value {
  const width = args.optional(1);
  const padding = typeof width === 'string' ? width : ' '.repeat(args.amount(1, 4));
  const [first = '', ...others] = args.text(0).split('\n');
  const pad = (line: string): string => (line === '' && !args.flag(3) ? line : padding + line);
  return [args.flag(2) ? pad(first) : first, ...others.map(pad)].join('\n');
}

/** Without a separator, at white space; `maxsplit` counts the cuts. */
function split(args: CallableArguments): Value {
  const text = args.text(0);
  const most = args.number(2, -1);
  if (args.optional(1) === undefined || args.value(1) === null) return splitWords(text, most);
  const separator = args.text(1);
  if (separator === '') throw args.error('the separator is empty', 'write text | list for its characters');
  const parts = text.split(separator);
  return most < 0 || parts.length <= most ? parts : [...parts.slice(0, most), parts.slice(most).join(separator)];
}

function splitWords(text: string, most: number): readonly string[] {
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== '' && (most < 0 || words.length < most)) {
    const [word = ''] = /^\S+/.exec(rest) ?? [];
    words.push(word);
    rest = rest.slice(word.length).trimStart();
  }
  return rest === '' ? words : [...words, rest];
}

function findText(args: CallableArguments): Value {
  const value = args.value(0);
  const found =
    typeof value === 'string'
      ? value.indexOf(args.text(1))
      : args.list(0).findIndex((item) => args.test('eq', item, args.value(1)));
  if (found < 0)
    throw args.error(`the ${typeof value === 'string' ? 'text' : 'list'} does not contain "${asText(args.value(1))}"`);
  return found;
}

/** At a word's end unless `killwords`; a text that is too long by no more than `leeway` stays whole. */
function truncate(args: CallableArguments): Value {
  const text = args.text(0);
  const length = args.number(1, 255);
  const end = args.text(3, '...');
  if (text.length <= length + args.number(4, 5)) return text;
  const cut = text.slice(0, Math.max(0, length - end.length));
  return (args.flag(2) ? cut : cut.replace(/ [^ ]*$/, '')) + end;
}

function center(text: string, width: number): string {
  const space = Math.max(0, width - text.length);
  const left = Math.floor(space / 2) + (space & width & 1);
  return ' '.repeat(left) + text + ' '.repeat(space - left);
}

const ENTITIES = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }));

const escape = callable('text', (args) => escaped(args.string(0)));

/** For HTML. Nothing is escaped automatically. */
export const markup = {
  escape,
  e: escape,
  forceescape: escape,
  safe: callable('text', (args) => args.value(0)),
  xmlattr: callable('mapping, autospace?', xmlAttributes),
} satisfies Family;

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => ENTITIES.get(one) ?? one);
}

/** ` name="value"` for each entry that is not null. */
function xmlAttributes(args: CallableArguments): Value {
  const pairs = Object.entries(args.mapping(0)).filter(([, value]) => value !== null);
  const invalid = pairs.find(([name]) => /[\s/>=]/.test(name));
  if (invalid !== undefined) throw args.error(`"${invalid[0]}" is not a valid attribute name`);
  const text = pairs.map(([name, value]) => `${escaped(name)}="${escaped(asString(value))}"`).join(' ');
  return text !== '' && (args.optional(1) === undefined || args.flag(1)) ? ` ${text}` : text;
}

const FIELD = /\{\{|\}\}|\{([^{}:!]*)(?:!([^{}:]*))?(?::([^{}]*))?\}/g;

/** `[[fill]align][sign][0][width][grouping][.precision][type]` */
const SPECIFICATION = /^(?:(.)?([<>^=]))?([-+ ]?)(0?)(\d*)([,_]?)((?:\.\d+)?)([sdfxXoeEgG%]?)$/;

/** Python's `"{} and {name:>5}".format(…)`: fields by order, number or name, with lookups inside them. */
function fillText(format: string, values: readonly Value[], named: Value): string {
  let next = 0;
  return format.replaceAll(FIELD, (all: string, ...groups: readonly (string | undefined)[]) => {
    const [field, conversion = '', specification = ''] = groups;
    if (field === undefined) return all.charAt(0);
    const [name = '', ...inside] = field.split(/[.[\]]+/).filter((part, index) => index === 0 || part !== '');
    const start = /^\d*$/.test(name) ? values[name === '' ? next++ : Number(name)] : step(named, name);
    const value = inside.reduce<Value | undefined>((one, part) => (one === undefined ? one : step(one, part)), start);
    if (value === undefined) throw new TemplateError(`the format "${format}" has no value for "${all}"`);
    if (!/^[rsa]?$/.test(conversion)) throw new TemplateError(`there is no conversion !${conversion}`);
    const converted = conversion === '' ? value : formatText(`%${conversion}`, [value], null);
    return specification === '' ? asString(converted) : shape(converted, specification);
  });
}

function shape(value: Value, specification: string): string {
  const match = SPECIFICATION.exec(specification);
  const [, fill = ' ', align, sign = '', zero = '', width = '', grouping = '', precision = '', type = ''] = match ?? [];
  const numeric = isNumeric(value);
  // Digits are grouped in decimal numbers without leading zeros only.
  if (match === null || (grouping !== '' && (!numeric || zero !== '' || /[sxXo]/.test(type))))
    throw new TemplateError(`"${specification}" is not a format`, { hint: 'write it like :>10 or :.2f' });
  if (Number(width) > MOST_ITEMS)
    throw new TemplateError(`"${specification}" makes a text of more than ${MOST_ITEMS} characters`);
  const isCut = type === '' && precision !== '';
  if (isCut && !numeric && typeof value !== 'string')
    throw new TemplateError(`"${specification}" is not a format for ${describe(value)}`);
  const shown = isCut ? (numeric ? 'g' : 's') : type;
  const text = grouped(write(value, sign === '-' ? '' : sign, precision, shown), grouping);
  return pad(text, Number(width), zero === '' ? fill : '0', align ?? (zero !== '' ? '=' : numeric ? '>' : '<'));
}

function write(value: Value, sign: string, precision: string, type: string): string {
  if (type === '') return (isNumeric(value) && value >= 0 ? sign : '') + asString(value);
  if (type === '%') return `${formatText(`%${sign}${precision}f`, [Number(value) * 100], null)}%`;
  return formatText(`%${sign}${precision}${type}`, [value], null);
}

/** `1234567.5` as `1,234,567.5`. */
function grouped(text: string, separator: string): string {
  return separator === '' ? text : text.replace(/\d+/, (whole) => whole.replaceAll(/\B(?=(?:\d{3})+$)/g, separator));
}

function pad(text: string, width: number, fill: string, align: string): string {
  const space = Math.max(0, width - text.length);
  if (align === '<') return text + fill.repeat(space);
  if (align === '^') return fill.repeat(Math.floor(space / 2)) + text + fill.repeat(Math.ceil(space / 2));
  const signed = align === '=' && /^[-+ ]/.test(text) ? 1 : 0;
  return text.slice(0, signed) + fill.repeat(space) + text.slice(signed);
}
