import type { Source } from '../model/source.js';
import type { Palette } from './palette.js';
import { plain } from './plain.js';
import { withoutSecrets } from './secret_scalar.js';
import { displayWidth } from './width.js';

const CONTEXT = 2;
const WIDEST = 120;

/**
 * The lines around a place with a caret under it, as compilers show them; empty if the file has no such line. What stands
 * after the name of a secret is masked, since frames of variable files show passwords otherwise.
 */
export function codeFrame(lines: readonly string[], source: Source, palette: Palette): readonly string[] {
  const marked = lines[source.line - 1];
  if (marked === undefined) return [];
  const first = Math.max(1, source.line - CONTEXT);
  const last = Math.min(lastLine(lines, source.line), source.line + CONTEXT);
  const gutter = String(last).length;
  const frame = [bar(gutter, palette)];
  for (let number = first; number <= last; number++) {
    frame.push(numbered(number, gutter, shownLine(withoutSecrets(lines, number)), palette));
    if (number === source.line)
      frame.push(`${bar(gutter, palette)} ${caret(withoutSecrets(lines, number), marked, source.column, palette)}`);
  }
  return frame;
}

/** Blank lines at the end of a frame say nothing. */
function lastLine(lines: readonly string[], from: number): number {
  let last = Math.min(lines.length, from + CONTEXT);
  while (last > from && (lines[last - 1] ?? '').trim() === '') last--;
  return last;
}

function bar(gutter: number, palette: Palette): string {
  return palette.place(`${' '.repeat(gutter)} |`);
}

function numbered(number: number, gutter: number, text: string, palette: Palette): string {
  return `${palette.place(`${String(number).padStart(gutter)} |`)} ${text}`.trimEnd();
}

function shownLine(line: string): string {
  const text = plain(line).replaceAll('\t', '  ');
  return text.length > WIDEST ? `${text.slice(0, WIDEST)}…` : text;
}

function caret(shown: string, line: string, column: number, palette: Palette): string {
  const before = plain(line.slice(0, column - 1)).replaceAll('\t', '  ');
  const indent = Math.min(displayWidth(before), WIDEST);
  const length = Math.max(1, Math.min(displayWidth(tokenAt(shown, column)), WIDEST - indent));
  return ' '.repeat(indent) + palette.bad('^'.repeat(length));
}

/** What the caret underlines: the quoted text or the word that begins there. */
function tokenAt(line: string, column: number): string {
  return /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:,[\]{}"']+)/.exec(line.slice(column - 1))?.[0] ?? ' ';
}
