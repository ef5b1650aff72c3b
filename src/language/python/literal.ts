import { orElse } from '../../core/model/source/diagnostic.js';
import { parseWholeNumber, type WholeNumber } from '../../core/model/values/json.js';
import type { Value } from '../../core/model/values/value.js';
import { readString } from './string.js';

const MOST_LITERAL_LEVELS = 100;
const CONSTANTS: ReadonlyMap<string, Value> = new Map(Object.entries({ True: true, False: false, None: null }));
/** Ansible accepts JSON's spelling too, where a template has produced a mapping or a list as text. */
const JSON_CONSTANTS = new Map([...CONSTANTS, ...Object.entries({ true: true, false: false, null: null })]);

/**
 * The value of a Python literal (`ast.literal_eval`). Ansible reads the values of INI inventories this way:
 * numbers, quoted text, `True`, `False`, `None`, and lists, tuples (as lists) and dicts of them. Undefined for
 * everything else, which stays text; so do sets, bytes, complex numbers, and integers with more digits than a number
 * can hold.
 */
export function parseLiteral(
  text: string,
  constants: 'of Python' | 'of JSON too' = 'of Python',
): { readonly value: Value } | undefined {
  const known = constants === 'of Python' ? CONSTANTS : JSON_CONSTANTS;
  return orElse(undefined, () => ({ value: new LiteralReader(text, known).whole() }), NotALiteral);
}

/** Ends the parse from any depth; never leaves this file. */
class NotALiteral extends Error {}

const BLANK = /(?:[ \t\f\r\n]|#.*)*/y;
const SIGN = /[-+]/y;
const NUMBER =
  /(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:[0-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?|[0-9](?:_?[0-9])*\.?(?:[eE][-+]?[0-9](?:_?[0-9])*)?)/y;
const STRING_START = /(?:[rR]|[uU])?(?=["'])/y;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const LEADING_ZERO = /^0[0-9_]*[1-9][0-9_]*$/;
/** Behind the text. */
const END = '\0';

class LiteralReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(
    text: string,
    private readonly constants: ReadonlyMap<string, Value>,
  ) {
    this.#text = `${text}\n${END}`;
  }

  /** Here, a tuple needs no parentheses. */
  whole(): Value {
    if (this.#skip(END)) throw new NotALiteral();
    const value = this.#tuple(END);
    if (this.#at < this.#text.length) throw new NotALiteral();
    return value;
  }

  #value(): Value {
    const opening = ['[', '{', '('].find((one) => this.#skip(one));
    if (opening !== undefined) return this.#collection(opening);
    const sign = this.#take(SIGN);
    const number = this.#number();
    if (number !== undefined) return sign === '-' && number !== 0 ? -number : number;
    if (sign !== undefined) throw new NotALiteral();
    return this.#strings() ?? this.#constant();
  }

  #collection(opening: string): Value {
    this.#depth += 1;
    if (this.#depth > MOST_LITERAL_LEVELS) throw new NotALiteral();
    const value = opening === '{' ? this.#dict() : opening === '[' ? this.#list() : this.#tuple(')');
    this.#depth -= 1;
    return value;
  }

  #list(): Value {
    const items: Value[] = [];
    this.#upTo(']', () => items.push(this.#value()));
    return items;
  }

  /** `(1)` is a number, `(1,)` a tuple. */
  #tuple(closing: string): Value {
    const items: Value[] = [];
    const endsInComma = this.#upTo(closing, () => items.push(this.#value()));
    const [first] = items;
    return first === undefined || items.length > 1 || endsInComma ? items : first;
  }

  #dict(): Value {
    const entries: [string, Value][] = [];
    this.#upTo('}', () => {
      const key = literalKey(this.#value());
      this.#expect(':');
      entries.push([key, this.#value()]);
    });
    return Object.fromEntries(entries);
  }

  /** Reads what is between commas. Returns whether a comma is at the end, which is allowed. */
  #upTo(closing: string, read: () => unknown): boolean {
    if (this.#skip(closing)) return false;
    do {
      read();
      if (!this.#skip(',')) {
        this.#expect(closing);
        return false;
      }
    } while (!this.#skip(closing));
    return true;
  }

  #number(): WholeNumber | undefined {
    const text = this.#take(NUMBER);
    if (text === undefined) return undefined;
    // If a letter or digit follows, it is not a Python number: `1L`, `10_`, `2j`.
    if (/[\p{L}\p{N}_.]/u.test(this.#text.charAt(this.#at)) || LEADING_ZERO.test(text)) throw new NotALiteral();
    const digits = text.replaceAll('_', '');
    const integer = !/[.eE]/.test(text) || /^0[xX]/.test(text);
    return integer ? parseWholeNumber(digits) : Number(digits);
  }

  /** Adjacent strings are joined. */
  #strings(): string | undefined {
    let text: string | undefined;
    for (let start = this.#take(STRING_START); start !== undefined; start = this.#take(STRING_START)) {
      const read = readString(this.#text, this.#at, start.toLowerCase() === 'r');
      if (read === undefined) throw new NotALiteral();
      this.#at = read.end;
      text = (text ?? '') + read.text;
    }
    return text;
  }

  #constant(): Value {
    const value = this.constants.get(this.#take(WORD) ?? '');
    if (value === undefined) throw new NotALiteral();
    return value;
  }

  #expect(symbol: string): void {
    if (!this.#skip(symbol)) throw new NotALiteral();
  }

  #skip(symbol: string): boolean {
    BLANK.lastIndex = this.#at;
    BLANK.test(this.#text);
    const isNext = this.#text.startsWith(symbol, BLANK.lastIndex);
    if (isNext) this.#at = BLANK.lastIndex + symbol.length;
    return isNext;
  }

  /** After blanks. */
  #take(pattern: RegExp): string | undefined {
    this.#skip('');
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match[0];
  }
}

/** Names of entries are text here, spelled as JSON spells them. */
function literalKey(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null) throw new NotALiteral();
  return String(value);
}
