import { MOST_TEXT_LEVELS } from '../../core/model/values/nesting.js';
import type { Value } from '../../core/model/values/value.js';
import { isDamagedSecret, plainScalar } from './values.js';

type Draft = Record<string, Value>;

/** An open block, and the key in it whose value is on the lines below. */
type OpenBlock =
  | { readonly type: 'mapping'; readonly indent: number; readonly entries: Draft; pending: string | undefined }
  | { readonly type: 'list'; readonly indent: number; readonly items: Value[] };

/** Characters that may have a special meaning in YAML, such as tabs and other line breaks. */
const UNUSUAL = /[^\n\x20-\x7e\u00a1-\u1fff]/;
const KEY = /(?:"([^"\\\n]*)"|'([^'\n]*)'|([A-Za-z0-9_](?:[^\s:#"'\\]|:(?=[^\s]))*)):(?=[ \n]|$)/y;
const PLAIN_START = /^(?:[A-Za-z0-9_./~+]|-[0-9])/;
const QUOTED = /^(?:'[^']*'|"[^"\\]*")$/;
const LONGEST_KEY = 1000;

/**
 * Reads the simple part of YAML in which large inventories are written: block mappings, lists of scalars, scalars and
 * collections on one line, comments. Takes a tenth of the library's time. Undefined if the text has anything else or a mistake:
 * the library then reads the whole text and reports the mistakes.
 */
export function parsePlain(text: string): Value | undefined {
  return UNUSUAL.test(text) ? undefined : new PlainReader(text).read();
}

class PlainReader {
  readonly #open: OpenBlock[] = [];

  constructor(private readonly text: string) {}

  read(): Value | undefined {
    const text = this.text;
    let start = text.startsWith('---\n') ? 4 : 0;
    while (start < text.length) {
      let end = text.indexOf('\n', start);
      if (end === -1) end = text.length;
      if (!this.#line(start, end)) return undefined;
      start = end + 1;
    }
    const [root] = this.#open;
    return root?.type === 'mapping' ? root.entries : undefined;
  }

  #line(start: number, end: number): boolean {
    let at = start;
    while (at < end && this.text[at] === ' ') at += 1;
    if (at === end || this.text[at] === '#') return true;
    const indent = at - start;
    return this.text.startsWith('- ', at) ? this.#item(indent, at, end) : this.#entry(indent, at, end);
  }

  #entry(indent: number, at: number, end: number): boolean {
    KEY.lastIndex = at;
    const [, double, single, bare] = KEY.exec(this.text) ?? [];
    const key = double ?? single ?? bare;
    if (key === undefined || key.length > LONGEST_KEY || key === '__proto__' || KEY.lastIndex > end) return false;
    const block = this.#blockAt(indent, 'mapping');
    if (block?.type !== 'mapping' || Object.hasOwn(block.entries, key)) return false;
    const written = this.text.slice(KEY.lastIndex, end).trim();
    const absent = written === '' || written.startsWith('#');
    const value = absent ? null : scalar(written);
    if (value === undefined || isDamagedSecret(key, written, value)) return false;
    block.entries[key] = value;
    block.pending = absent ? key : undefined;
    return true;
  }

  #item(indent: number, at: number, end: number): boolean {
    const value = scalar(this.text.slice(at + 2, end).trim());
    const block = value === undefined ? undefined : this.#blockAt(indent, 'list');
    if (value === undefined || block?.type !== 'list') return false;
    block.items.push(value);
    return true;
  }

  /** The block of a line with this indentation. Opens a new block below a key that has no value yet. */
  #blockAt(indent: number, type: OpenBlock['type']): OpenBlock | undefined {
    const open = this.#open;
    let deeper = true;
    while ((open.at(-1)?.indent ?? -1) > indent) {
      open.pop();
      deeper = false;
    }
    const around = open.at(-1);
    if (around?.indent === indent) return around.type === type ? around : undefined;
    return deeper ? this.#openBlock(indent, type, around) : undefined;
  }

  #openBlock(indent: number, type: OpenBlock['type'], around: OpenBlock | undefined): OpenBlock | undefined {
    if (around === undefined ? indent > 0 || type === 'list' : around.type === 'list' || around.pending === undefined)
      return undefined;
    const block: OpenBlock =
      type === 'mapping' ? { type, indent, entries: {}, pending: undefined } : { type, indent, items: [] };
    if (around?.type === 'mapping' && around.pending !== undefined) {
      around.entries[around.pending] = block.type === 'mapping' ? block.entries : block.items;
      around.pending = undefined;
    }
    // The library then reports the position.
    if (this.#open.length >= MOST_TEXT_LEVELS) return undefined;
    this.#open.push(block);
    return block;
  }
}

/** A scalar, or a collection on one line; undefined for anything else. */
function scalar(written: string): Value | undefined {
  if (QUOTED.test(written)) return written.slice(1, -1);
  if (written.startsWith('{') || written.startsWith('[')) return plainFlow(written);
  const comment = written.indexOf(' #');
  const text = comment === -1 ? written : written.slice(0, comment).trimEnd();
  if (!PLAIN_START.test(text) || text.includes(': ') || text.endsWith(':')) return undefined;
  return plainScalar(text);
}

const BLANKS = / */y;
/** An unquoted scalar that has the same end inside and outside of brackets. */
const PLAIN = /(?:[A-Za-z0-9_./~+]|-(?=[0-9]))(?:[^\s:#,[\]{}'"\\]|:(?=[^\s,[\]{}])| +(?=[^\s:#,[\]{}'"\\]))*/y;
const QUOTED_PART = /'([^']*)'|"([^"\\]*)"/y;
const MOST_BRACKETS = 20;

/**
 * Reads `[a, b]` and `{ a: 1, b: [2] }` on one line, with simple scalars; a comment may follow. Undefined for anything else
 * and for mistakes: the library then reads the whole text.
 */
function plainFlow(text: string): Value | undefined {
  const reader = new FlowReader(text);
  const value = reader.value(0);
  return value !== undefined && reader.atEnd() ? value : undefined;
}

class FlowReader {
  #at = 0;

  constructor(private readonly text: string) {}

  atEnd(): boolean {
    return this.#at === this.text.length || /^ +#/.test(this.text.slice(this.#at));
  }

  value(depth: number): Value | undefined {
    this.#take(BLANKS);
    if (this.text[this.#at] === '[') return depth < MOST_BRACKETS ? this.#list(depth + 1) : undefined;
    if (this.text[this.#at] === '{') return depth < MOST_BRACKETS ? this.#mapping(depth + 1) : undefined;
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
      if (!this.text.startsWith(': ', this.#at)) return false;
      this.#at += 2;
      const start = this.#at;
      const value = this.value(depth);
      if (value === undefined || isDamagedSecret(key, this.text.slice(start, this.#at).trim(), value)) return false;
      entries[key] = value;
      return true;
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
    const match = this.#take(QUOTED_PART);
    return match?.[1] ?? match?.[2];
  }

  #skip(char: string): boolean {
    if (this.text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }
}
