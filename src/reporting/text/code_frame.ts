import type { Source } from '../../core/model/source/diagnostic.js';
import { maskedSourceLine } from '../../core/secrets/mask_source.js';
import type { Palette } from './palette.js';
import { plain } from './plain.js';
import { displayWidth } from './width.js';

export interface FrameWriter {
  readonly palette: Palette;
  /** Masks known secrets: of failures those, too, that were learned after the event. */
  readonly mask: (text: string) => string;
  /** Of the terminal. Absent: unknown. */
  readonly columns?: number | undefined;
  /** Show only the line, without a caret. */
  readonly brief?: boolean | undefined;
}

const CONTEXT = 2;
const WIDEST = 120;
const NARROWEST = 40;
/** Before the lines of a frame: an indentation, the bar and the spaces around it, and room for ellipses. */
const MARGIN = 8;

/**
 * The lines around a position with a caret under it, as compilers show them. Empty if the file has no such line. Values after the name of a
 * secret are masked, because a frame of a variables file could show a password.
 * @param from the first line to show, if it is above the usual one.
 */
export function codeFrame(
  lines: readonly string[],
  source: Source,
  { palette, mask, columns = Infinity, brief = false }: FrameWriter,
  from = source.line,
): readonly string[] {
  if (lines[source.line - 1] === undefined) return [];
  const context = brief ? 0 : CONTEXT;
  const first = Math.max(1, Math.min(from, source.line - context));
  const last = Math.min(lastLine(lines, source.line), source.line + context);
  const gutter = String(last).length;
  const widest = Math.max(NARROWEST, Math.min(WIDEST, columns - gutter - MARGIN));
  const frame = brief ? [] : [bar(gutter, palette)];
  for (let number = first; number <= last; number++) {
    // Mask before cutting: half of a secret would not be recognised.
    const line = mask(maskedSourceLine(lines, number));
    const column = number === source.line ? columnIn(line, lines[number - 1] ?? '', source.column) : undefined;
    const start = column === undefined ? 0 : windowStart(line, column, widest);
    frame.push(`${palette.place(`${String(number).padStart(gutter)} |`)} ${shownLine(line, start, widest)}`.trimEnd());
    if (column !== undefined && !brief)
      frame.push(`${bar(gutter, palette)} ${caret(line, column, { start, widest }, palette)}`);
  }
  return frame;
}

/** The column in the masked line: a masked secret before it has another length. */
function columnIn(masked: string, line: string, column: number): number {
  const token = tokenAt(line, column);
  if (masked === line || token === '') return column;
  let [best, context] = [column, -1];
  for (let at = masked.indexOf(token); at >= 0; at = masked.indexOf(token, at + 1)) {
    const before = sharedLength(masked.slice(0, at), line.slice(0, column - 1), -1);
    const both = before + sharedLength(masked.slice(at), line.slice(column - 1), 1);
    if (both > context) [best, context] = [at + 1, both];
  }
  return best;
}

/** How many characters two texts share at their beginning (1) or at their end (-1). */
function sharedLength(one: string, other: string, step: 1 | -1): number {
  const first = step === 1 ? 0 : -1;
  let length = 0;
  while (one.at(first + step * length) === other.at(first + step * length) && length < one.length) length++;
  return length;
}

/** The first shown column. Of a long line, only the part around the position is shown. */
function windowStart(line: string, column: number, widest: number): number {
  return line.length > widest && column > widest - 20 ? Math.min(column, line.length) - Math.floor(widest / 2) : 0;
}

/** Drops blank lines at the end of a frame. */
function lastLine(lines: readonly string[], from: number): number {
  let last = Math.min(lines.length, from + CONTEXT);
  while (last > from && (lines[last - 1] ?? '').trim() === '') last--;
  return last;
}

function bar(gutter: number, palette: Palette): string {
  return palette.place(`${' '.repeat(gutter)} |`);
}

function shownLine(line: string, start: number, widest: number): string {
  const text = shown(line.slice(start, start + widest));
  return `${start > 0 ? '…' : ''}${text}${line.length > start + widest ? '…' : ''}`;
}

function caret(
  line: string,
  column: number,
  { start, widest }: { readonly start: number; readonly widest: number },
  palette: Palette,
): string {
  const indent = (start > 0 ? 1 : 0) + displayWidth(shown(line.slice(start, column - 1)));
  const token = displayWidth(shown(tokenAt(line, column).slice(0, start + widest - column + 1)));
  return ' '.repeat(indent) + palette.bad('^'.repeat(Math.max(1, token)));
}

function shown(text: string): string {
  return plain(text).replaceAll('\t', '  ');
}

/** What to underline: the quoted text, the template or the word at the position. */
function tokenAt(line: string, column: number): string {
  return (
    /^(?:\{(?:\{.*?\}|%.*?%)\}|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:,[\]{}"']+)/.exec(line.slice(column - 1))?.[0] ??
    ' '
  );
}
