import { isNumeric, parseWholeNumber, type WholeNumber } from '../../core/model/values/json.js';
import { jsonText, isList, isMapping, parseFlag, type Mapping, type Value } from '../../core/model/values/value.js';
import { parseStructure } from '../arguments/coercion.js';
import { parseSize } from './size.js';

/** The types that an argument specification may name; Ansible's. */
export const TYPES = [
  'str',
  'int',
  'float',
  'bool',
  'list',
  'dict',
  'path',
  'raw',
  'jsonarg',
  'json',
  'bytes',
  'bits',
] as const;

export type TypeName = (typeof TYPES)[number];

export function isTypeName(name: unknown): name is TypeName {
  return TYPES.some((one) => one === name);
}

/** Undefined if the value cannot be converted. */
type Converter = (value: Value) => Value | undefined;

const CONVERTERS: Readonly<Record<TypeName, Converter>> = {
  str: argumentText,
  int: (value) => (typeof value === 'string' ? parseWhole(value) : Number.isInteger(Number(value)) ? value : undefined),
  float: (value) => (typeof value === 'string' ? parseNumber(value) : value),
  bool: (value) => parseFlag(typeof value === 'string' ? value.trim() : value),
  list: toList,
  dict: (value) => (typeof value === 'string' ? parseDictionary(value) : value),
  path: argumentText,
  raw: (value) => value,
  jsonarg: toJson,
  json: toJson,
  bytes: (value) => parseSize(argumentText(value), 'bytes'),
  bits: (value) => parseSize(argumentText(value), 'bits'),
};

/** The kinds of values that each type accepts. */
const TAKES: Readonly<Record<TypeName, readonly ArgumentKind[] | 'all'>> = {
  str: 'all',
  int: ['str', 'int', 'float', 'bool'],
  float: ['str', 'int', 'float', 'bool'],
  bool: ['str', 'int', 'float', 'bool'],
  list: ['str', 'int', 'float', 'bool', 'list'],
  dict: ['str', 'dict'],
  path: 'all',
  raw: 'all',
  jsonarg: ['str', 'list', 'dict'],
  json: ['str', 'list', 'dict'],
  bytes: ['str', 'int', 'float'],
  bits: ['str', 'int', 'float'],
};

/** Same rules as Ansible's `check_type_*`. Undefined if the value cannot be converted. */
export function convert(type: TypeName, value: Value): Value | undefined {
  const takes = TAKES[type];
  return takes === 'all' || takes.includes(kindName(value)) ? CONVERTERS[type](value) : undefined;
}

export type ArgumentKind = 'str' | 'int' | 'float' | 'bool' | 'list' | 'dict' | 'none';

/** The type of a value, in the words of argument specifications. */
export function kindName(value: Value): ArgumentKind {
  if (value === null) return 'none';
  if (isList(value)) return 'list';
  if (isMapping(value)) return 'dict';
  if (typeof value === 'boolean') return 'bool';
  if (isNumeric(value)) return typeof value === 'bigint' || Number.isInteger(value) ? 'int' : 'float';
  return 'str';
}

/** Converts to text as Ansible does: `True`, `None`. */
function argumentText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : isNumeric(value) ? String(value) : jsonText(value);
}

function parseWhole(text: string): WholeNumber | undefined {
  const digits = text.trim().replaceAll(/(?<=\d)_(?=\d)/g, '');
  return /^[+-]?\d+$/.test(digits) ? parseWholeNumber(digits) : undefined;
}

function parseNumber(text: string): number | undefined {
  const digits = text.trim().replaceAll(/(?<=\d)_(?=\d)/g, '');
  if (/^[+-]?(?:inf|infinity|nan)$/i.test(digits))
    return /nan/i.test(digits) ? NaN : digits.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(digits) ? Number(digits) : undefined;
}

function toList(value: Value): readonly Value[] {
  if (isList(value)) return value;
  return typeof value === 'string' ? value.split(',') : [argumentText(value)];
}

function toJson(value: Value): string {
  return typeof value === 'string' ? value.trim() : jsonText(value);
}

/** Parses a mapping: JSON, a Python literal, or `k=v` pairs separated by commas or spaces. Undefined for other texts. */
export function parseDictionary(text: string): Mapping | undefined {
  if (text.startsWith('{')) {
    const value = parseStructure(text);
    return isMapping(value) ? value : undefined;
  }
  const fields = splitFields(text.trim());
  if (fields.length === 0 || fields.some((field) => !field.includes('='))) return undefined;
  return Object.fromEntries(fields.map(pair));
}

/** Quotes and backslashes keep commas and spaces together, and are removed. */
function splitFields(text: string): readonly string[] {
  const fields = [...text.matchAll(/(?:\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s,\\"'])+/gs)];
  return fields.map(([field]) => unquoted(field));
}

function unquoted(field: string): string {
  return field.replaceAll(
    /\\(.)|["']((?:\\.|[^"'\\])*)["']/gs,
    (_all, escaped?: string, quoted = '') => escaped ?? String(quoted).replaceAll(/\\(.)/gs, '$1'),
  );
}

function pair(field: string): readonly [string, string] {
  const at = field.indexOf('=');
  return [field.slice(0, at), field.slice(at + 1)];
}
