import { isList, LazyMapping, Unsafe, type Value } from '../model/values/value.js';
import { pythonNumber } from './number.js';

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\\': '\\\\',
};
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}|\\/gu;

/** A value as Python's `str()` shows it, which is how `ansible-inventory --graph --vars` does. */
export function pythonText(value: Value): string {
  return typeof value === 'string' ? value : value instanceof Unsafe ? value.text : representation(value);
}

function representation(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return pythonNumber(value);
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
  const escaped = text.replaceAll(UNPRINTABLE, escape);
  return quote + (quote === "'" ? escaped.replaceAll("'", String.raw`\'`) : escaped) + quote;
}

function escape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const known = NAMED_ESCAPES[char];
  if (known !== undefined) return known;
  const hex = code.toString(16);
  if (code <= 0xff) return String.raw`\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? String.raw`\u${hex.padStart(4, '0')}` : String.raw`\U${hex.padStart(8, '0')}`;
}
