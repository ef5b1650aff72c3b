import type { Value } from '../../core/model/values/value.js';
import { plainScalar } from './scalars.js';

const BLANKS = / */y;
/** An unquoted scalar that has the same end inside and outside of brackets. */
const PLAIN = /(?:[A-Za-z0-9_./~+]|-(?=[0-9]))(?:[^\s:#,[\]{}'"\\]|:(?=[^\s,[\]{}])| +(?=[^\s:#,[\]{}'"\\]))*/y;
const QUOTED = /'([^']*)'|"([^"\\]*)"/y;
const LONGEST_KEY = 1000;
const DEEPEST = 20;

/**
 * Reads `[a, b]` and `{ a: 1, b: [2] }` on one line, with simple scalars; a comment may follow. Undefined for anything else
 * and for mistakes: the library then reads the whole text.
 */
export function plainFlow(text: string): Value | undefined {
  const reader = new FlowReader(text);
  const value = reader.value(0);
  return value !== undefined && reader.atEnd() ? value : undefined;
}

class FlowReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    return this.#at === this.#text.length || /^ +#/.test(this.#text.slice(this.#at));
  }

  value(depth: number): Value | undefined {
    this.#take(BLANKS);
    if (this.#text[this.#at] === '[') return depth < DEEPEST ? this.#list(depth + 1) : undefined;
    if (this.#text[this.#at] === '{') return depth < DEEPEST ? this.#mapping(depth + 1) : undefined;
    return this.#quoted() ?? this.#scalar();
  }

  #list(depth: number): Value | undefined {
    const items: Value[] = [];
    return this.#each(']', () => {
      const value = this.value(depth);
      if (value !== undefined) items.push(value);
      return value !== undefined;
    })
      ? items
      : undefined;
  }

  #mapping(depth: number): Value | undefined {
    const entries: Record<string, Value> = {};
    return this.#each('}', () => {
      this.#take(BLANKS);
      const key = this.#quoted() ?? this.#take(PLAIN)?.[0];
      if (key === undefined || key.length > LONGEST_KEY || key === '__proto__' || Object.hasOwn(entries, key))
        return false;
      if (!this.#text.startsWith(': ', this.#at)) return false;
      this.#at += 2;
      const value = this.value(depth);
      if (value !== undefined) entries[key] = value;
      return value !== undefined;
    })
      ? entries
      : undefined;
  }

  /** Reads the parts between brackets, separated by commas. Rejects a comma after the last part. */
  #each(closing: string, part: () => boolean): boolean {
    this.#at += 1;
    this.#take(BLANKS);
    if (this.#skip(closing)) return true;
    for (;;) {
      if (!part()) return false;
      this.#take(BLANKS);
      if (this.#skip(closing)) return true;
      if (!this.#skip(',')) return false;
    }
  }

  #scalar(): Value | undefined {
    const text = this.#take(PLAIN)?.[0];
    if (text === undefined) return undefined;
    return plainScalar(text);
  }

  #quoted(): string | undefined {
    const match = this.#take(QUOTED);
    return match?.[1] ?? match?.[2];
  }

  #skip(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }
}
