import { inexactIn, isNumeric, isWhole, parseMarked, parseWholeNumber } from '../../core/model/values/json.js';
import type { WholeNumber } from '../../core/model/values/json.js';
import { TOO_DEEP, tooDeepAt } from '../../core/model/values/nesting.js';
import { jsonText, isList, isMapping, parseFlag, type Mapping, type Value } from '../../core/model/values/value.js';
import { parseLiteral } from '../../language/python/literal.js';
import { isNullMissing, isTemplate, itemSchema, property, schemaTypes, type Schema } from '../schema.js';

/**
 * Converts values to the declared types, as Ansible does: texts to numbers and booleans, and to objects and lists from JSON and Python
 * literals; whole numbers to text; one text or whole number to a list, a text at its commas. Keeps values that cannot be converted,
 * so that validation reports them, and undeclared values. Returns the same value if nothing changed.
 *
 * @param rendered fractions that a template produced become text where text is declared (`name: "{{ id }}"`)
 */
export function coerce(schema: Schema, value: Value, rendered = false): Value {
  if (typeof value === 'string') {
    const read = fromText(schema, value, rendered);
    return typeof read === 'object' ? coerce(schema, read, rendered) : read;
  }
  if (schema.prose === true && !isStructure(schema, value)) return toProse(schema, value);
  if (isNumeric(value)) return fromNumber(schema, value, rendered);
  if (isMapping(value)) return convertMapping(schema, value, rendered);
  const items = itemSchema(schema);
  if (isList(value) && items !== undefined) return convertList(items, value, rendered);
  return value;
}

/** Whether it is null, or a list or a mapping where one is declared. */
function isStructure(schema: Schema, value: Value): boolean {
  if (value === null) return true;
  const type = isList(value) ? 'array' : 'object';
  return typeof value === 'object' && schemaTypes(schema).includes(type);
}

/** Converts to text as Ansible does: `msg: no` becomes `False`. */
function toProse(schema: Schema, value: Value): Value {
  if (!schemaTypes(schema).includes('string')) return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return isNumeric(value) ? String(value) : jsonText(value);
}

/** A fraction as written is no text, because its spelling is lost: `1.10` is 1.1. */
function fromNumber(schema: Schema, number: WholeNumber, rendered: boolean): Value {
  const types = schemaTypes(schema);
  if (types.includes('integer') || types.includes('number') || !(rendered || isWhole(number))) return number;
  if (types.includes('string')) return String(number);
  return isWhole(number) && takesScalars(schema) ? coerce(schema, [number], rendered) : number;
}

function fromText(schema: Schema, written: string, rendered: boolean): Value {
  const types = schemaTypes(schema);
  if (types.length === 0 || types.includes('string')) return written;
  const text = written.trim();
  if ((types.includes('integer') || types.includes('number')) && /^[+-]?\d+$/.test(text)) return parseWholeNumber(text);
  if (types.includes('number') && /^[+-]?\d+\.\d+$/.test(text)) return Number(text);
  if (types.includes('boolean')) return parseFlag(text) ?? written;
  const opening = text[0];
  const structured = (opening === '{' && types.includes('object')) || (opening === '[' && types.includes('array'));
  if (structured) return parseStructure(text) ?? written;
  return rendered || !isTemplate(written) ? split(itemSchema(schema), written) : written;
}

/** A list written as one text, with commas between its elements; the text itself if it is not a list. */
function split(items: Schema | undefined, text: string): Value {
  const types = items === undefined ? [] : schemaTypes(items);
  if (items === undefined || !/^\s*[^\s[{]/.test(text)) return text;
  const parts = text.split(',');
  if (types.includes('string')) return parts;
  const areNumbers = types.length > 0 && parts.every((part) => isNumeric(fromText(items, part, true)));
  return areNumbers ? parts : text;
}

/** Whether it takes a list of texts or numbers, which may be written without the list. */
export function takesScalars(schema: Schema): boolean {
  const items = itemSchema(schema);
  return items !== undefined && schemaTypes(items).some((type) => ['string', 'integer', 'number'].includes(type));
}

/**
 * Parses JSON or a Python literal, because templates write booleans in texts as `True` and `False`. Undefined if the text is neither,
 * is nested too deeply, or has a number that is too large.
 */
export function parseStructure(text: string): Value | undefined {
  if (tooDeepAt(text) !== undefined) return undefined;
  try {
    const value = parseMarked(text);
    return inexactIn(value) === undefined ? value : undefined;
  } catch {
    return parseLiteral(text, 'of JSON too')?.value;
  }
}

/** Why a text that looks like a mapping or a list could not be parsed. */
export function whyNoStructure(schema: Schema, text: string): string | undefined {
  const types = schemaTypes(schema);
  if (!/^\s*[[{]/.test(text) || types.includes('string') || !(types.includes('object') || types.includes('array')))
    return undefined;
  if (tooDeepAt(text) !== undefined) return TOO_DEEP;
  try {
    const inexact = inexactIn(parseMarked(text));
    return inexact === undefined ? undefined : `the number at "${inexact.path}" is too large`;
  } catch (error) {
    return error instanceof SyntaxError ? 'the text is not valid JSON' : undefined;
  }
}

/**
 * Leaves out optional arguments that are null, because that means missing.
 *
 * @param fields whether null stays in fields of the object, which it may clear
 */
export function withoutNulls(schema: Schema, value: Value, fields: 'kept' | 'left out'): Value {
  const items = itemSchema(schema);
  if (isList(value)) return items === undefined ? value : value.map((item) => withoutNulls(items, item, fields));
  if (!isMapping(value) || schema.properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const declared = property(schema, name);
      if (declared === undefined || (declared.field === true && fields === 'kept')) return [[name, item]];
      return item === null && isNullMissing(schema, name) ? [] : [[name, withoutNulls(declared, item, fields)]];
    }),
  );
}

function convertMapping(schema: Schema, value: Mapping, rendered: boolean): Mapping {
  if (schema.properties === undefined) return value;
  let changed: Map<string, Value> | undefined;
  for (const name of Object.keys(value)) {
    const declared = property(schema, name);
    if (declared === undefined) continue;
    const item = value[name] ?? null;
    const next = coerce(declared, item, rendered);
    if (next !== item) changed = (changed ?? new Map(Object.entries(value))).set(name, next);
  }
  // Built from entries, so that a key named `__proto__` is an ordinary key.
  return changed === undefined ? value : Object.fromEntries(changed);
}

function convertList(items: Schema, list: readonly Value[], rendered: boolean): readonly Value[] {
  const coerced = list.map((item) => coerce(items, item, rendered));
  return coerced.some((item, index) => item !== list[index]) ? coerced : list;
}
