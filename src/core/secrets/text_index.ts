import { getOrAdd } from '../model/values/groups.js';

/** Shorter texts match too much by chance. */
export const SHORTEST = 4;
const LONG = 8;
const FIRST_BITS = 20;
const [PLUS, MINUS, SLASH, UNDERSCORE] = [0x2b, 0x2d, 0x2f, 0x5f];
/** The bit that differs between a lower case ASCII letter and its capital. */
const LOWER = 0x20;
/** Equal for both cases of an ASCII letter, and for both alphabets of Base64; by the last byte of a character. */
const CODES = Uint8Array.from({ length: 256 }, (_, code) =>
  code === MINUS ? PLUS : code === UNDERSCORE ? SLASH : code | LOWER,
);

/**
 * Finds many texts in another, in one pass over it: only where the first four characters may begin one of them (their
 * hash is marked) are the texts compared. A fleet may have a password for each of ten thousand controllers, and every
 * line of output is searched for all of them. Texts of eight or more characters are looked up by their first eight,
 * which few others share.
 */
export class SecretIndex {
  readonly #texts = new Set<string>();
  /** A bit for each hash of four characters: whether any text begins so. */
  #marks: Uint8Array | undefined;
  readonly #short = new Map<number, readonly number[]>();
  readonly #long = new Map<number, readonly number[]>();
  /** The same few lists of lengths occur many times. */
  readonly #lists = new Map<string, readonly number[]>();

  get isEmpty(): boolean {
    return this.#marks === undefined;
  }

  add(text: string): void {
    if (text.length < SHORTEST) return;
    this.#texts.add(fold(text));
    this.#marks ??= new Uint8Array(1 << (FIRST_BITS - 3));
    const first = four(text, 0);
    const hash = Math.imul(first, SPREAD) >>> (32 - FIRST_BITS);
    this.#marks[hash >>> 3] = (this.#marks[hash >>> 3] ?? 0) | (1 << (hash & 7));
    if (text.length < LONG) this.#addLength(this.#short, first, text.length);
    else this.#addLength(this.#long, longHash(first, four(text, SHORTEST)), text.length);
  }

  /** Reports every match from left to right, the longest at each position, and none inside another. */
  search(text: string, found: (from: number, to: number) => void): void {
    const marks = this.#marks;
    if (marks === undefined) return;
    const last = text.length - SHORTEST;
    let folded: string | undefined;
    let reached = 0;
    let first = four(text, 0) >>> 8;
    for (let at = 0; at <= last; at++) {
      // Without a call: this is done for every character.
      first = (first << 8) | (CODES[text.charCodeAt(at + SHORTEST - 1) & 0xff] ?? 0);
      const hash = Math.imul(first, SPREAD) >>> (32 - FIRST_BITS);
      if (((marks[hash >>> 3] ?? 0) & (1 << (hash & 7))) === 0) continue;
      folded ??= fold(text);
      const least = Math.max(reached - at, 0);
      const length =
        this.#lengthAt(folded, at, this.#long.get(longHash(first, four(text, at + SHORTEST))), least) ||
        this.#lengthAt(folded, at, this.#short.get(first), least);
      if (length === 0) continue;
      reached = at + length;
      found(at, reached);
    }
  }

  /** The length of the longest text that begins at `at`, if it is more than `shortest`; else 0. */
  #lengthAt(folded: string, at: number, lengths: readonly number[] | undefined, shortest: number): number {
    for (const length of lengths ?? NONE) {
      if (length <= shortest) return 0;
      if (at + length <= folded.length && this.#texts.has(folded.slice(at, at + length))) return length;
    }
    return 0;
  }

  /** Keeps the lengths of the texts that begin so, longest first. */
  #addLength(known: Map<number, readonly number[]>, beginning: number, length: number): void {
    const lengths = known.get(beginning) ?? NONE;
    if (lengths.includes(length)) return;
    const more = [...lengths, length].sort((a, b) => b - a);
    const shared = getOrAdd(this.#lists, more.join(' '), () => more);
    known.set(beginning, shared);
  }
}

const NONE: readonly number[] = [];

/** Four characters as a number. */
function four(text: string, from: number): number {
  let number = 0;
  for (let at = from; at < from + SHORTEST; at++) number = (number << 8) | (CODES[text.charCodeAt(at) & 0xff] ?? 0);
  return number;
}

/** Of a multiplicative hash. */
const SPREAD = 0x9e3779b1;

function longHash(first: number, second: number): number {
  return Math.imul(Math.imul(first, SPREAD) ^ second, 0x85ebca77);
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
