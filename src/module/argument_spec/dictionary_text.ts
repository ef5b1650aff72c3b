import { isMapping, type Mapping } from '../../model/values/value.js';
import { parseStructure } from '../arguments/coercion.js';

/** A mapping written as text: JSON, a Python literal, or `k=v` pairs between commas or spaces. Undefined if it is none. */
export function parseDictionary(text: string): Mapping | undefined {
  if (text.startsWith('{')) {
    const value = parseStructure(text);
    return isMapping(value) ? value : undefined;
  }
  const fields = text.includes('=') ? fieldsOf(text.trim()) : [];
  if (fields.length === 0 || fields.some((field) => !field.includes('='))) return undefined;
  return Object.fromEntries(fields.map(pair));
}

/** Quotes and backslashes keep commas and spaces together, and are removed. */
function fieldsOf(text: string): readonly string[] {
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
