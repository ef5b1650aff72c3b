import { isList, LazyMapping, Unsafe, Vaulted, type Mapping, type Value } from '../../model/values/value.js';
import { pythonNumber } from '../../python/number.js';
import { sortedNames } from '../../python/sorted_names.js';

const INDENT = '    ';

/** JSON as ansible-inventory lays it out: names sorted, four blanks a level. */
export function jsonText(value: Value): string {
  return textOf(value, '\n');
}

/** `line` is a line break and the indentation of the current level. */
function textOf(value: Value, line: string): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return numberText(value);
  if (value instanceof Vaulted) return textOf({ __ansible_vault: value.envelope }, line);
  if (value instanceof Unsafe) return textOf({ __ansible_unsafe: value.text }, line);
  if (value instanceof LazyMapping) return '{}';
  return isList(value) ? listText(value, line) : mappingText(value, line);
}

/** Python's JSON has these three names; YAML can hold the values. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return pythonNumber(value);
}

function listText(items: readonly Value[], line: string): string {
  const inner = line + INDENT;
  let text = '';
  for (const item of items) text += (text === '' ? '[' : ',') + inner + textOf(item, inner);
  return text === '' ? '[]' : `${text}${line}]`;
}

function mappingText(mapping: Mapping, line: string): string {
  const inner = line + INDENT;
  let text = '';
  for (const name of sortedNames(mapping)) {
    text += `${text === '' ? '{' : ','}${inner}${JSON.stringify(name)}: ${textOf(mapping[name] ?? null, inner)}`;
  }
  return text === '' ? '{}' : `${text}${line}}`;
}
