import { didYouMean } from '../../core/model/source/suggestion.js';
import type { TemplateError } from '../runtime/errors.js';
import { stringEnd } from './expressions/tokens.js';
import { shortStatement, type TextLines } from './lines.js';

/** Which statements open, divide or end something. */
const STATEMENTS: ReadonlyMap<string, 'opens' | 'divides' | 'closes' | 'set' | 'raw'> = new Map([
  ['if', 'opens'],
  ['elif', 'divides'],
  ['else', 'divides'],
  ['endif', 'closes'],
  ['for', 'opens'],
  ['endfor', 'closes'],
  ['set', 'set'],
  ['endset', 'closes'],
  ['with', 'opens'],
  ['endwith', 'closes'],
  ['raw', 'raw'],
  ['endraw', 'closes'],
]);

const MACRO = 'keep the text in a variable and write {{ variable }} where it is needed';
const SHARED = 'keep what is shared in variables';
const ONE_FILE = 'write {{ lookup("template", "name") }} where another file belongs';
const LOOP_CONTROL = 'choose the items in the loop: {% for x in list if condition %}';

/** Jinja's statements that do not exist here, and what to write instead. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ['macro', MACRO],
  ['call', MACRO],
  ['filter', 'write {% set text %}…{% endset %}{{ text | filter }}'],
  ['include', 'write {{ lookup("template", "name") }}'],
  ['import', SHARED],
  ['from', SHARED],
  ['extends', ONE_FILE],
  ['block', ONE_FILE],
  ['break', LOOP_CONTROL],
  ['continue', LOOP_CONTROL],
  ['do', 'write {% set _ = expression %}'],
  ['autoescape', 'nothing is escaped here: leave it out'],
  ['trans', 'write the text itself'],
]);

/** How Jinja treats white space at statements. */
export interface Spacing {
  /** The line break right after a statement is dropped. */
  readonly trim: boolean;
  /** The white space before a statement is dropped if the line has nothing else before it. */
  readonly lstrip: boolean;
}

/** A statement or comment in a text: `{%- if x -%}`. */
interface Tag {
  readonly kind: 'opens' | 'divides' | 'closes' | 'alone';
  readonly word: string;
  /** The text after the keyword; for `{% raw %}`, the text up to `{% endraw %}`. */
  readonly rest: string;
  /** For messages. */
  readonly written: string;
  /** `-` drops the white space before it, `+` keeps it. */
  readonly sign: string;
  readonly end: number;
  readonly endSign: string;
}

/** Reads a tag that begins with `{%` or `{#`. Throws a TemplateError if it is unclosed or unknown. */
export function readTag(lines: TextLines, start: number, spacing: Spacing): Tag {
  const { text } = lines;
  if (text[start + 1] === '#') return readComment(text, start);
  const found = readInside(text, start + 2, '%}');
  if (found === undefined) throw unclosed(lines, start, 'write %} where it ends');
  const [inner, end] = found;
  const [sign, content, endSign] = signs(inner);
  const word = /^\w+/.exec(content)?.[0] ?? '';
  const kind = kindOfStatement(word);
  if (typeof kind !== 'string') throw lines.error(kind.message, start, kind.hint);
  const rest = content.slice(word.length).trim();
  const tag: Tag = { kind: 'alone', word, rest, written: shortStatement(`{% ${word} ${rest} %}`), sign, end, endSign };
  if (kind === 'raw') return readRaw(lines, start, tag, spacing);
  // `{% set x %}…{% endset %}` has no value.
  return { ...tag, kind: kind === 'set' ? (/^\w+\s*(?:\||$)/.test(rest) ? 'opens' : 'alone') : kind };
}

function readComment(text: string, start: number): Tag {
  const end = text.indexOf('#}', start + 2);
  const [sign, , endSign] = signs(text.slice(start + 2, end));
  return { kind: 'alone', word: 'comment', rest: '', written: '{# #}', sign, end: end + 2, endSign };
}

const END_OF_RAW = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g;

function readRaw(lines: TextLines, start: number, raw: Tag, spacing: Spacing): Tag {
  END_OF_RAW.lastIndex = raw.end;
  const close = END_OF_RAW.exec(lines.text);
  if (close === null) throw lines.error('{% raw %} is never closed', start, 'write {% endraw %} where it ends');
  const [, sign = '', endSign = ''] = close;
  let content = lines.text.slice(raw.end, textEnd(lines.text, raw.end, close.index, sign, spacing));
  if (raw.endSign === '-') content = content.trimStart();
  if (sign === '-') content = content.trimEnd();
  return { ...raw, rest: content, end: END_OF_RAW.lastIndex, endSign };
}

/** Splits the text between `{%` and `%}`: the white space signs at both ends, and the text between the signs. */
function signs(inner: string): readonly [sign: string, content: string, endSign: string] {
  const sign = /^[-+]/.exec(inner)?.[0] ?? '';
  const endSign = inner.length > sign.length ? (/[-+]$/.exec(inner)?.[0] ?? '') : '';
  return [sign, inner.slice(sign.length, inner.length - endSign.length).trim(), endSign];
}

/** Where the text between `from` and a statement ends: `lstrip` drops the white space at the beginning of a line. */
export function textEnd(text: string, from: number, start: number, sign: string, { lstrip }: Spacing): number {
  if (!lstrip || sign !== '') return start;
  const before = text.slice(from, start);
  const line = before.lastIndexOf('\n') + 1;
  const begins = line > 0 || from === 0 || text[from - 1] === '\n';
  return begins && before.slice(line).trim() === '' ? from + line : start;
}

export function unclosed(lines: TextLines, start: number, hint: string): TemplateError {
  const excerpt = lines.text.slice(start, start + 40).split('\n')[0] ?? '';
  return lines.error(`"${excerpt}" is never closed`, start, hint);
}

/** What the statement does, or a TemplateError's message and hint if there is no such statement. */
function kindOfStatement(word: string): 'opens' | 'divides' | 'closes' | 'set' | 'raw' | Foreign {
  const kind = STATEMENTS.get(word);
  if (kind !== undefined) return kind;
  const absent = ABSENT.get(word.replace(/^end/, ''));
  if (absent !== undefined) return { message: `{% ${word} %} does not exist here`, hint: absent };
  const known = [...STATEMENTS.keys()];
  return {
    message: `there is no statement {% ${word} %}`,
    hint: didYouMean(word, known) ?? `use one of ${known.join(', ')}`,
  };
}

interface Foreign {
  readonly message: string;
  readonly hint: string;
}

/** The text between braces, starting at `from`, and where `close` ends; braces inside texts and mappings are skipped. */
export function readInside(
  text: string,
  from: number,
  close: string,
): readonly [inner: string, end: number] | undefined {
  let depth = 0;
  let quotes = true;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (depth === 0 && text.startsWith(close, at)) return [text.slice(from, at), at + close.length];
    if (quotes && (character === '"' || character === "'")) {
      const end = stringEnd(text, at);
      // An unclosed quote does not begin a text. Ignore the others, because a search from each one takes quadratic time.
      if (end === at) quotes = false;
      at = end;
    }
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
  }
  return undefined;
}
