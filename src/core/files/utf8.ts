import { isUtf8 } from 'node:buffer';

const NEWLINE = 0x0a;

/** Where a text is not UTF-8; from 1. */
export interface BadByte {
  readonly line: number;
  readonly column: number;
  /** `0xE4`. */
  readonly byte: string;
}

/** The text, without a byte order mark; or the first place that is no UTF-8. */
export function decodeUtf8(bytes: Buffer): { readonly text: string } | { readonly bad: BadByte } {
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes) };
  let start = 0;
  for (let line = 1; start <= bytes.length; line += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    const content = bytes.subarray(start, end === -1 ? undefined : end);
    if (!isUtf8(content)) return { bad: { line, ...firstBad(content) } };
    if (end === -1) break;
    start = end + 1;
  }
  throw new Error('a text of lines that are UTF-8 is UTF-8');
}

/** A character that is cut off counts from its first byte. */
function firstBad(line: Buffer): Omit<BadByte, 'line'> {
  let good = 0;
  for (let at = 0; at < line.length;) {
    const length = sequenceLength(line[at] ?? 0);
    if (!isUtf8(line.subarray(at, at + length))) break;
    at += length;
    good = at;
  }
  const before = line.subarray(0, good).toString();
  return { column: before.length + 1, byte: `0x${(line[good] ?? 0).toString(16).toUpperCase().padStart(2, '0')}` };
}

/** How many bytes a character has, by its first. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
