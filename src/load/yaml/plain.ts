import { DEEPEST } from '../../model/values/nesting.js';
import type { Value } from '../../model/values/value.js';
import { plainFlow } from './plain_flow.js';
import { losesDigits, plainScalar } from './scalars.js';

type Draft = Record<string, Value>;

/** A block that is open, and the key in it whose value comes on the lines below. */
type Block =
  | { readonly type: 'mapping'; readonly indent: number; readonly entries: Draft; pending: string | undefined }
  | { readonly type: 'list'; readonly indent: number; readonly items: Value[] };

/** Besides line ends, only characters that the whole of YAML takes for nothing but themselves. */
const UNUSUAL = /[^\n\x20-\x7e\u00a1-\u1fff]/;
const KEY = /([A-Za-z0-9_](?:[^\s:#"'\\]|:(?=[^\s]))*):(?=[ \n]|$)/y;
const PLAIN_START = /^(?:[A-Za-z0-9_./~+]|-[0-9])/;
const QUOTED = /^(?:'[^']*'|"[^"\\]*")$/;
const LONGEST_KEY = 1000;

/**
 * Reads the plain part of YAML that big inventories are written in: block mappings, lists of scalars, scalars and
 * collections of one line, comments. It takes a tenth of the library's time. Undefined at the first thing that is anything else, or wrong: the
 * library then reads the whole text, and says what is wrong with it.
 */
export function parsePlain(text: string): Value | undefined {
  return UNUSUAL.test(text) ? undefined : new PlainReader(text).read();
}

class PlainReader {
  readonly #text: string;
  readonly #open: Block[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): Value | undefined {
    const text = this.#text;
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
    while (at < end && this.#text[at] === ' ') at += 1;
    if (at === end || this.#text[at] === '#') return true;
    const indent = at - start;
    return this.#text.startsWith('- ', at) ? this.#item(indent, at, end) : this.#entry(indent, at, end);
  }

  #entry(indent: number, at: number, end: number): boolean {
    KEY.lastIndex = at;
    const key = KEY.exec(this.#text)?.[1];
    if (key === undefined || key.length > LONGEST_KEY || key === '__proto__' || KEY.lastIndex > end) return false;
    const block = this.#blockAt(indent, 'mapping');
    if (block?.type !== 'mapping' || Object.hasOwn(block.entries, key)) return false;
    const written = this.#text.slice(KEY.lastIndex, end).trim();
    const absent = written === '' || written.startsWith('#');
    const value = absent ? null : scalar(written);
    if (value === undefined) return false;
    block.entries[key] = value;
    block.pending = absent ? key : undefined;
    return true;
  }

  #item(indent: number, at: number, end: number): boolean {
    const value = scalar(this.#text.slice(at + 2, end).trim());
    const block = value === undefined ? undefined : this.#blockAt(indent, 'list');
    if (value === undefined || block?.type !== 'list') return false;
    block.items.push(value);
    return true;
  }

  /** The block that a line of this indentation belongs to; opens it below a key that waits for its value. */
  #blockAt(indent: number, type: Block['type']): Block | undefined {
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

  #openBlock(indent: number, type: Block['type'], around: Block | undefined): Block | undefined {
    if (around === undefined ? indent > 0 || type === 'list' : around.type === 'list' || around.pending === undefined) {
      return undefined;
    }
    const block: Block =
      type === 'mapping' ? { type, indent, entries: {}, pending: undefined } : { type, indent, items: [] };
    if (around?.type === 'mapping' && around.pending !== undefined) {
      around.entries[around.pending] = block.type === 'mapping' ? block.entries : block.items;
      around.pending = undefined;
    }
    // The caller's parser then reports the position.
    if (this.#open.length >= DEEPEST) return undefined;
    this.#open.push(block);
    return block;
  }
}

/** A scalar, or a collection on one line; undefined if it is more than that. */
function scalar(written: string): Value | undefined {
  if (QUOTED.test(written)) return written.slice(1, -1);
  if (written.startsWith('{') || written.startsWith('[')) return plainFlow(written);
  const comment = written.indexOf(' #');
  const text = comment === -1 ? written : written.slice(0, comment).trimEnd();
  if (!PLAIN_START.test(text) || text.includes(': ') || text.endsWith(':')) return undefined;
  const value = plainScalar(text);
  return losesDigits(text, value) ? undefined : value;
}
