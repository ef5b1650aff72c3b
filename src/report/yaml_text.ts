import { MASK } from '../model/secrets.js';
import { isList, isMapping, type Mapping, type Value } from '../model/value.js';
import { plain } from './plain.js';

const SIMPLE = /^[\p{L}\p{N}_/.‹][^\n]*$/u;
const MISLEADING = /: |:$| #/;
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n|~|\.inf|\.nan)$/i;

/** A value as readable YAML, a line an element. For reading: a text is quoted where it could be taken for something else. */
export function yamlLines(value: Value): readonly string[] {
  if (isList(value) && value.length > 0) return value.flatMap((one) => nested('- ', yamlLines(one)));
  if (isMapping(value) && Object.keys(value).length > 0) return mappingLines(value);
  return scalarLines(value);
}

/** A named value: `name: text`, or the name and its value's lines below. */
export function entryLines(name: string, value: Value): readonly string[] {
  const shown = plain(name);
  const [first = '', ...more] = yamlLines(value);
  if (isOpen(value)) return [`${shown}:`, ...[first, ...more].map((line) => `  ${line}`)];
  return [`${shown}: ${first}`, ...more];
}

function mappingLines(mapping: Mapping): readonly string[] {
  return Object.entries(mapping).flatMap(([name, value]) => entryLines(name, value));
}

function isOpen(value: Value): boolean {
  return (isList(value) && value.length > 0) || (isMapping(value) && Object.keys(value).length > 0);
}

function nested(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => (index === 0 ? mark : ' '.repeat(mark.length)) + line);
}

function scalarLines(value: Value): readonly string[] {
  if (typeof value === 'string') return textLines(plain(value));
  if (isList(value)) return ['[]'];
  return [typeof value === 'object' && value !== null ? '{}' : String(value)];
}

/** A text of several lines stands in a block, as people write it. */
function textLines(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.length === 1) return [isPlain(text) ? text : JSON.stringify(text)];
  const closed = lines.at(-1) === '';
  return [closed ? '|' : '|-', ...(closed ? lines.slice(0, -1) : lines).map((line) => `  ${line}`.trimEnd())];
}

function isPlain(text: string): boolean {
  if (text.startsWith(MASK)) return true;
  return SIMPLE.test(text) && text === text.trimEnd() && !MISLEADING.test(text) && !looksLikeOther(text);
}

function looksLikeOther(text: string): boolean {
  return NOT_TEXT.test(text) || !Number.isNaN(Number(text));
}
