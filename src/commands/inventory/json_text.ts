import { isList, LazyMapping, Unsafe, type Mapping, type Value } from '../../model/value.js';
import { pythonNumber } from './python_number.js';
import { sortedNames } from './sorted_names.js';

const INDENT = '    ';

/** JSON as ansible-inventory lays it out: names sorted, four blanks a level. */
export function jsonText(value: Value): string {
  const parts: string[] = [];
  write(value, '\n', parts);
  return parts.join('');
}

/** `line` is a line break and the indentation of the current level. */
function write(value: Value, line: string, parts: string[]): void {
  if (value === null || typeof value === 'boolean') parts.push(String(value));
  else if (typeof value === 'string') parts.push(JSON.stringify(value));
  else if (typeof value === 'number') parts.push(numberText(value));
  else if (value instanceof Unsafe) write({ __ansible_unsafe: value.text }, line, parts);
  else if (value instanceof LazyMapping) parts.push('{}');
  else if (isList(value)) writeList(value, line, parts);
  else writeMapping(value, line, parts);
}

/** Python's JSON has these three names; YAML can hold the values. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return pythonNumber(value);
}

function writeList(items: readonly Value[], line: string, parts: string[]): void {
  const inner = line + INDENT;
  for (const [index, item] of items.entries()) {
    parts.push(index === 0 ? '[' : ',', inner);
    write(item, inner, parts);
  }
  parts.push(items.length === 0 ? '[]' : `${line}]`);
}

function writeMapping(mapping: Mapping, line: string, parts: string[]): void {
  const inner = line + INDENT;
  const names = sortedNames(mapping);
  for (const [index, name] of names.entries()) {
    parts.push(index === 0 ? '{' : ',', inner, JSON.stringify(name), ': ');
    write(mapping[name] ?? null, inner, parts);
  }
  parts.push(names.length === 0 ? '{}' : `${line}}`);
}
