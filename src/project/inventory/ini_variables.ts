import type { Source } from '../../core/model/source/source.js';
import type { Value } from '../../core/model/values/value.js';
import { parseLiteral } from '../../language/python/literal.js';
import type { Given } from './draft.js';
import type { Word } from './shell_words.js';

export type Assignment =
  | { readonly type: 'variable'; readonly name: string; readonly value: Value; readonly place: () => Source }
  | { readonly type: 'problem'; readonly message: string; readonly hint?: string; readonly place: () => Source };

/** `name=value` after a host name. Shell quotes are already removed. */
export function readAssignment(word: Word, line: IniLine): Assignment {
  const place = (): Source => line.at(word.offset);
  const at = word.text.indexOf('=');
  if (at > 0) return { type: 'variable', name: word.text.slice(0, at), value: valueOf(word.text.slice(at + 1)), place };
  const message = `expected name=value after the controller, got: ${word.text}`;
  return {
    type: 'problem',
    message,
    hint: 'no spaces around "="; quote values that contain spaces',
    place,
  };
}

/** A line of a `[group:vars]` section: the value is everything after the first `=`. */
export function readVariable(line: IniLine): Assignment {
  const place = (): Source => line.at(0);
  const at = line.text.indexOf('=');
  const name = line.text.slice(0, Math.max(0, at)).trim();
  if (name !== '') return { type: 'variable', name, value: valueOf(line.text.slice(at + 1).trim()), place };
  return { type: 'problem', message: `expected name=value, got: ${line.text}`, place };
}

/** Collects variables; the last assignment of a name counts. */
export function gather(assignments: readonly Assignment[]): Given {
  const entries: [string, Value][] = [];
  const places = new Map<string, () => Source>();
  let first: () => Source = () => ({ file: '', line: 1, column: 1 });
  for (const one of assignments) {
    if (one.type !== 'variable') continue;
    if (places.size === 0) first = one.place;
    entries.push([one.name, one.value]);
    places.set(one.name, one.place);
  }
  return { values: Object.fromEntries(entries), locate: (path) => (places.get(String(path[0])) ?? first)() };
}

function valueOf(text: string): Value {
  const literal = parseLiteral(text);
  return literal === undefined ? text : literal.value;
}

/** A line with content, without surrounding blanks. */
export interface IniLine {
  readonly text: string;
  /** The position of a character of `text`, counted from 0. */
  at(offset: number): Source;
}

/** The lines of an INI inventory, except empty ones and those that begin with `#` or `;`. */
export function* readLines(text: string, file: string): Generator<IniLine> {
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const indent = raw.length - raw.trimStart().length;
    yield { text: line, at: (offset) => ({ file, line: index + 1, column: indent + offset + 1 }) };
  }
}
