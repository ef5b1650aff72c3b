import { isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { MASK } from '../../core/secrets/secrets.js';
import { plain } from './plain.js';
import { shorten, lineStart } from './shorten.js';

/** In characters. */
const LONGEST_TEXT = 10_000;
const MISLEADING = /: |:$| #/;
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n|~|\.inf|\.nan)$/i;

/**
 * A value as readable YAML, one element a line. For people: text is quoted where it is ambiguous and cut where it is very long. A generator,
 * because callers stop after the first lines of a large value.
 */
export function* yamlLines(value: Value): Iterable<string> {
  if (isList(value) && value.length > 0) for (const one of value) yield* nested('- ', yamlLines(one));
  else if (isOpen(value)) for (const [name, one] of Object.entries(value)) yield* entryLines(name, one);
  else yield* scalarLines(value);
}

/** A named value: `name: text`, or the name and its value's lines below. */
export function* entryLines(name: string, value: Value): Iterable<string> {
  const shown = plain(name.includes('\n') ? JSON.stringify(name) : name);
  if (isOpen(value) || (isList(value) && value.length > 0)) {
    yield `${shown}:`;
    yield* nested('  ', yamlLines(value));
  } else {
    const [first = '', ...more] = scalarLines(value);
    yield `${shown}: ${first}`;
    yield* more;
  }
}

function isOpen(value: Value): value is Mapping {
  return isMapping(value) && Object.keys(value).length > 0;
}

function* nested(mark: string, lines: Iterable<string>): Iterable<string> {
  let before = mark;
  for (const line of lines) {
    yield before + line;
    before = ' '.repeat(mark.length);
  }
}

function scalarLines(value: Value): readonly string[] {
  if (typeof value === 'string') {
    const shown = value.length > LONGEST_TEXT ? shorten(value, lineStart(value, LONGEST_TEXT)) : value;
    return textLines(plain(shown));
  }
  if (isList(value)) return ['[]'];
  return [typeof value === 'object' && value !== null ? '{}' : String(value)];
}

/** Text of several lines becomes a block, as people write it. */
function textLines(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.length === 1) return [isPlain(text) ? text : JSON.stringify(text)];
  const closed = lines.at(-1) === '';
  return [closed ? '|' : '|-', ...(closed ? lines.slice(0, -1) : lines).map((line) => `  ${line}`.trimEnd())];
}

function isPlain(text: string): boolean {
  if (text.startsWith(MASK)) return true;
  return (
    /^[\p{L}\p{N}_/.\u2039][^\n]*$/u.test(text) &&
    text === text.trimEnd() &&
    !MISLEADING.test(text) &&
    !NOT_TEXT.test(text) &&
    Number.isNaN(Number(text))
  );
}
