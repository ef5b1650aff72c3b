/** Shorter texts match too much by chance. */
export const SHORTEST = 4;
const LONG = 8;
const SHORT_BITS = 16;
const LONG_BITS = 21;
const [PLUS, MINUS, SLASH, UNDERSCORE] = [0x2b, 0x2d, 0x2f, 0x5f];
/** The bit that differs between a lower case ASCII letter and its capital. */
const LOWER = 0x20;

/**
 * Finds many texts in another, in one pass over it: only where the first characters begin one of them
 * (their hash is marked) are the texts compared. A fleet may have a password for each of ten thousand controllers,
 * and every line of output is searched for all of them. Texts of eight or more characters are looked up by their
 * first eight, which few others share.
 */
export class SecretIndex {
  readonly #texts = new Set<string>();
  #tables: { readonly short: Beginnings; readonly long: Beginnings } | undefined;

  get isEmpty(): boolean {
    return this.#tables === undefined;
  }

  add(text: string): void {
    if (text.length < SHORTEST) return;
    const folded = fold(text);
    this.#texts.add(folded);
    const first = four(text, 0);
    this.#tables ??= { short: new Beginnings(SHORT_BITS), long: new Beginnings(LONG_BITS) };
    const { short, long } = this.#tables;
    if (text.length < LONG) short.add(shortHash(first), text.length);
    else long.add(longHash(first, four(text, SHORTEST)), text.length);
  }

  /** Reports every match from left to right, the longest at each position, and none inside another. */
  search(text: string, found: (from: number, to: number) => void): void {
    if (this.#tables === undefined) return;
    const { short, long } = this.#tables;
    const last = text.length - SHORTEST;
    let folded: string | undefined;
    let reached = 0;
    let first = four(text, 0) >>> 8;
    let second = four(text, SHORTEST - 1);
    for (let at = 0; at <= last; at++) {
      first = (first << 8) | (second >>> 24);
      second = (second << 8) | codeAt(text, at + 7);
      const byEight = longHash(first, second);
      const byFour = shortHash(first);
      if (!isMarked(long.marks, byEight) && !isMarked(short.marks, byFour)) continue;
      folded ??= fold(text);
      const least = Math.max(reached - at, 0);
      const length =
        this.#lengthAt(folded, at, long.lengths(byEight), least) ||
        this.#lengthAt(folded, at, short.lengths(byFour), least);
      if (length === 0) continue;
      reached = at + length;
      found(at, reached);
    }
  }

  /** The length of the longest text that begins at `at`, if it is more than `shortest`; else 0. */
  #lengthAt(folded: string, at: number, lengths: readonly number[], shortest: number): number {
    for (const length of lengths) {
      if (length <= shortest) return 0;
      if (at + length <= folded.length && this.#texts.has(folded.slice(at, at + length))) return length;
    }
    return 0;
  }
}

const NONE: readonly number[] = [];

/** By hash of the first characters, the lengths of the texts that begin so, longest first. */
class Beginnings {
  /** A bit a hash: whether any text begins so. */
  readonly marks: Uint8Array;
  readonly #lengths = new Map<number, readonly number[]>();
  /** The same few lists of lengths occur many times. */
  readonly #lists = new Map<string, readonly number[]>();

  constructor(bits: number) {
    this.marks = new Uint8Array(1 << (bits - 3));
  }

  add(hash: number, length: number): void {
    this.marks[hash >>> 3] = (this.marks[hash >>> 3] ?? 0) | (1 << (hash & 7));
    const lengths = this.#lengths.get(hash) ?? NONE;
    if (lengths.includes(length)) return;
    const more = [...lengths, length].sort((a, b) => b - a);
    const name = more.join(' ');
    const list = this.#lists.get(name) ?? more;
    this.#lists.set(name, list);
    this.#lengths.set(hash, list);
  }

  lengths(hash: number): readonly number[] {
    return this.#lengths.get(hash) ?? NONE;
  }
}

function isMarked(marks: Uint8Array, hash: number): boolean {
  return ((marks[hash >>> 3] ?? 0) & (1 << (hash & 7))) !== 0;
}

/** Four characters as a number; characters beyond the end are 0. */
function four(text: string, from: number): number {
  let number = 0;
  for (let at = from; at < from + SHORTEST; at++) number = (number << 8) | codeAt(text, at);
  return number;
}

/** A hash of a character: equal for both cases of an ASCII letter, and for both alphabets of Base64. */
function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code === MINUS ? PLUS : code === UNDERSCORE ? SLASH : (code & 0xff) | LOWER;
}

function shortHash(first: number): number {
  return Math.imul(first, 0x9e3779b1) >>> (32 - SHORT_BITS);
}

function longHash(first: number, second: number): number {
  return Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca77) >>> (32 - LONG_BITS);
}

/**
 * Removes the differences between letter cases, and between the two alphabets of Base64. Never changes the number of
 * characters.
 */
function fold(text: string): string {
  // The only capital whose lower case has two characters, and the only letter with a special lower case at the end of a
  // word.
  const lower = text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
  return lower.replaceAll('-', '+').replaceAll('_', '/');
}
