import { isNumeric, isWhole, type WholeNumber } from '../../core/model/values/json.js';
import { jsonText, isList, isMapping, LazyMapping, Unsafe } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\\': '\\\\',
};

/** A value as Python's `str()` shows it, which is how `ansible-inventory --graph --vars` does. */
export function pythonText(value: Value): string {
  return typeof value === 'string' ? value : value instanceof Unsafe ? value.text : representation(value);
}

/** As Python's `repr()` shows it. */
export function representation(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (isNumeric(value)) return pythonNumber(value);
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Unsafe) return quoted(value.text);
  if (value instanceof LazyMapping) return '{}';
  if (isList(value)) return `[${value.map(representation).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([name, one]) => `${quoted(name)}: ${representation(one)}`)
    .join(', ')}}`;
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escape = (char: string): string => NAMED_ESCAPES[char] ?? pythonEscape(char);
  const escaped = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}|\\/gu, escape);
  return quote + (quote === "'" ? escaped.replaceAll("'", String.raw`\'`) : escaped) + quote;
}

/** A character as an escape of Python: `\xa0`, `\u2028`, `\U0001f600`. */
export function pythonEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return String.raw`\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? String.raw`\u${hex.padStart(4, '0')}` : String.raw`\U${hex.padStart(8, '0')}`;
}

const SURROGATE = /[\ud800-\udfff]/;

/** The names of a mapping in Python's order, by code point; JavaScript's own differs beyond U+FFFF. */
export function sortedNames(mapping: Mapping): readonly string[] {
  const names = Object.keys(mapping).sort();
  if (!names.some((name) => SURROGATE.test(name))) return names;
  return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** A number as Python writes it: fractions with exponents from 1e+16 on and below 1e-04, with two digits at least. */
export function pythonNumber(value: WholeNumber): string {
  if (isWhole(value)) return String(value);
  const fraction = Number(value);
  if (Number.isNaN(fraction)) return 'nan';
  if (!Number.isFinite(fraction)) return fraction > 0 ? 'inf' : '-inf';
  const size = Math.abs(fraction);
  if (size >= 1e-4 && size < 1e16) return String(fraction);
  return fraction.toExponential().replace(/(?<=[-+])\d$/, '0$&');
}

interface JsonStyle {
  /** Spaces per level. Absent: everything on one line. */
  readonly indent?: number | undefined;
  readonly sortKeys: boolean;
  /** Between items, and after keys. */
  readonly separators?: readonly [string, string] | undefined;
  /** Whether to escape all characters beyond ASCII. */
  readonly ascii: boolean;
  /** Python's names for the numbers that JSON does not have. Absent: they are null. */
  readonly hasNaN?: true;
}

/** JSON spaced as Python writes it, so that texts made by Ansible and ours are equal. @param newline with the indentation of the level */
export function pythonJson(value: Value, style: JsonStyle, newline = '\n'): string {
  const inner = style.indent === undefined ? '' : newline + ' '.repeat(style.indent);
  const [between, colon] = style.separators ?? [style.indent === undefined ? ', ' : ',', ': '];
  const enclose = (open: string, items: readonly string[], close: string): string => {
    if (items.length === 0) return open + close;
    if (style.indent === undefined) return `${open}${items.join(between)}${close}`;
    return `${open}${inner}${items.join(`${between}${inner}`)}${newline}${close}`;
  };
  const write = (one: Value = null): string => pythonJson(one, style, inner);
  if (isList(value)) return enclose('[', value.map(write), ']');
  if (!isMapping(value)) return scalar(value, style);
  const names = style.sortKeys ? sortedNames(value) : Object.keys(value);
  const items = names.map((name) => `${scalar(name, style)}${colon}${write(value[name])}`);
  return enclose('{', items, '}');
}

function scalar(value: Value, { ascii, hasNaN }: JsonStyle): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return hasNaN === true ? String(value) : 'null';
  const text = isNumeric(value) ? pythonNumber(value) : jsonText(value);
  if (!ascii) return text;
  return text.replaceAll(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
