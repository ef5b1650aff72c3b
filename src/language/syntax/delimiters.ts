import type { TextLines } from './lines.js';
import { readInside, unclosed } from './tags.js';

type DelimiterPair = readonly [start: string, end: string];

/** The delimiters of expressions, statements and comments. */
export interface Delimiters {
  readonly variable: DelimiterPair;
  readonly block: DelimiterPair;
  readonly comment: DelimiterPair;
}

export const JINJA_DELIMITERS: Delimiters = { variable: ['{{', '}}'], block: ['{%', '%}'], comment: ['{#', '#}'] };

/** The same template with Jinja's standard delimiters, line by line. Throws a TemplateError if something is not closed. */
export function withStandardDelimiters(lines: TextLines, delimiters: Delimiters): string {
  const { text } = lines;
  const openings = Object.values(delimiters).map(([start]: DelimiterPair) => start);
  // If several match, use the longest.
  const opening = new RegExp(
    openings
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
      .join('|'),
    'g',
  );
  let result = '';
  let position = 0;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const { written, end } = readTag(lines, found.index, found[0], delimiters);
    result += plainText(text.slice(position, found.index)) + written;
    position = end;
    opening.lastIndex = end;
  }
  return result + plainText(text.slice(position));
}

interface Tag {
  readonly written: string;
  readonly end: number;
}

function readTag(lines: TextLines, start: number, opening: string, delimiters: Delimiters): Tag {
  const { variable, block, comment } = delimiters;
  const from = start + opening.length;
  if (opening === comment[0]) return readComment(lines, start, from, comment[1]);
  const isBlock = opening === block[0];
  const [, close] = isBlock ? block : variable;
  const found = readInside(lines.text, from, close);
  if (found === undefined) throw unclosed(lines, start, `write ${close} where it ends`);
  const [inner, end] = found;
  if (!isBlock) return { written: expression(inner), end };
  return /^[-+]?\s*raw\s*[-+]?$/.test(inner)
    ? readRaw(lines, start, end, block, inner)
    : { written: `{%${inner}%}`, end };
}

/** The blanks keep an inner brace or sign from being read as part of the delimiter. */
function expression(inner: string): string {
  const sign = inner.startsWith('-') ? '-' : '';
  return `{{${sign} ${inner.slice(sign.length)}${inner.endsWith('-') ? '' : ' '}}}`;
}

/** Keeps only the line breaks of a comment. */
function readComment(lines: TextLines, start: number, from: number, close: string): Tag {
  const end = lines.text.indexOf(close, from);
  if (end < 0) throw unclosed(lines, start, `write ${close} where it ends`);
  const inner = lines.text.slice(from, end);
  const [sign = ''] = /^[-+]/.exec(inner) ?? [];
  const [endSign = ''] = /(?<=.)[-+]$/.exec(inner) ?? [];
  const written = `{#${sign}${inner.replaceAll(/[^\n]/g, '')} ${endSign}#}`;
  return { written, end: end + close.length };
}

function readRaw(lines: TextLines, start: number, from: number, [open, close]: DelimiterPair, inner: string): Tag {
  const closing = new RegExp(`${escaped(open)}([-+]?)\\s*endraw\\s*([-+]?)${escaped(close)}`, 'g');
  closing.lastIndex = from;
  const found = closing.exec(lines.text);
  if (found === null) throw unclosed(lines, start, `write ${open} endraw ${close} where it ends`);
  const [, sign = '', endSign = ''] = found;
  const content = lines.text.slice(from, found.index);
  return { written: `{%${inner}%}${content}{%${sign} endraw ${endSign}%}`, end: closing.lastIndex };
}

/** Text between tags; braces in it that would now be delimiters are written as expressions. */
function plainText(text: string): string {
  return text.replaceAll(/\{(?=[{%#]|$)/g, '{{ "{" }}');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
