import { orElse } from '../../core/model/source/diagnostic.js';
import { parseWholeNumber, type WholeNumber } from '../../core/model/values/json.js';
import type { Value } from '../../core/model/values/value.js';
import { readString } from './string.js';

const MOST_LITERAL_LEVELS = 100;
const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['True', true],
  ['False', false],
  ['None', null],
]);
/** Ansible accepts JSON's spelling too, where a template has produced a mapping or a list as text. */
const JSON_CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...CONSTANTS,
  ['true', true],
  ['false', false],
  ['null', null],
]);

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
  const tokens = new LiteralTokens(text.replace(/^[ \t]+/, ''));
  return orElse(
    undefined,
    () => ({ value: new LiteralParser(tokens, constants === 'of Python' ? CONSTANTS : JSON_CONSTANTS).parse() }),
    NotALiteral,
  );
}

/** Ends the parse from any depth; never leaves this file. */
class NotALiteral extends Error {}

class LiteralParser {
  #token: LiteralToken;
  #depth = 0;

  constructor(
    private readonly tokens: LiteralTokens,
    private readonly constants: ReadonlyMap<string, Value>,
  ) {
    this.#token = tokens.next();
  }

  parse(): Value {
    const first = this.#value();
    const value = this.#is(',') ? this.#items(first, 'end') : first;
    if (this.#token.type !== 'end') throw new NotALiteral();
    return value;
  }

  #value(): Value {
    const token = this.#token;
    switch (token.type) {
      case 'number':
        this.#advance();
        return token.value;
      case 'string':
        return this.#strings();
      case 'word':
        return this.#constant(token.text);
      case 'symbol':
        return this.#symbol(token.text);
      case 'end':
      case 'invalid':
        throw new NotALiteral();
    }
  }

  /** Adjacent strings are joined. */
  #strings(): string {
    let text = '';
    while (this.#token.type === 'string') {
      text += this.#token.value;
      this.#advance();
    }
    return text;
  }

  #constant(word: string): Value {
    const value = this.constants.get(word);
    if (value === undefined) throw new NotALiteral();
    this.#advance();
    return value;
  }

  #symbol(symbol: string): Value {
    this.#advance();
    if (symbol === '+' || symbol === '-') return this.#signed(symbol === '-');
    this.#depth += 1;
    if (this.#depth > MOST_LITERAL_LEVELS) throw new NotALiteral();
    const value = this.#collection(symbol);
    this.#depth -= 1;
    return value;
  }

  #signed(negative: boolean): Value {
    const token = this.#token;
    if (token.type !== 'number') throw new NotALiteral();
    this.#advance();
    return negative && token.value !== 0 ? -token.value : token.value;
  }

  #collection(opening: string): Value {
    if (opening === '[') return this.#closed(']', () => (this.#is(']') ? [] : this.#items(this.#value(), ']')));
    if (opening === '{') return this.#closed('}', () => this.#dict());
    if (opening === '(') return this.#closed(')', () => this.#parenthesised());
    throw new NotALiteral();
  }

  #closed(closing: string, content: () => Value): Value {
    const value = content();
    if (!this.#is(closing)) throw new NotALiteral();
    this.#advance();
    return value;
  }

  /** The rest of a sequence whose first item was read; a comma at its end is allowed. */
  #items(first: Value, closing: string): readonly Value[] {
    const items = [first];
    while (this.#is(',')) {
      this.#advance();
      if (this.#is(closing)) break;
      items.push(this.#value());
    }
    return items;
  }

  /** `(1)` is a number, `(1,)` a tuple. */
  #parenthesised(): Value {
    if (this.#is(')')) return [];
    const first = this.#value();
    return this.#is(',') ? this.#items(first, ')') : first;
  }

  #dict(): Value {
    const entries: [string, Value][] = [];
    while (!this.#is('}')) {
      const key = literalKey(this.#value());
      if (!this.#is(':')) throw new NotALiteral();
      this.#advance();
      entries.push([key, this.#value()]);
      if (!this.#is(',')) break;
      this.#advance();
    }
    return Object.fromEntries(entries);
  }

  #is(symbol: string): boolean {
    return symbol === 'end' ? this.#token.type === 'end' : this.#token.type === 'symbol' && this.#token.text === symbol;
  }

  #advance(): void {
    this.#token = this.tokens.next();
  }
}

/** Names of entries are text here, spelled as JSON spells them. */
function literalKey(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null) throw new NotALiteral();
  return String(value);
}

type LiteralToken =
  | { readonly type: 'number'; readonly value: WholeNumber }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'symbol'; readonly text: string }
  | { readonly type: 'end' }
  | { readonly type: 'invalid' };

const BLANK = /(?:[ \t\f\r\n]|#.*)*/y;
const NUMBER =
  /(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:[0-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?|[0-9](?:_?[0-9])*\.?(?:[eE][-+]?[0-9](?:_?[0-9])*)?)/y;
const STRING_START = /(?:[rR]|[uU])?(?=["'])/y;
const LEADING_ZERO = /^0[0-9_]*[1-9][0-9_]*$/;

/** Cuts the text of a Python literal into tokens. */
class LiteralTokens {
  #at = 0;

  constructor(private readonly text: string) {}

  next(): LiteralToken {
    this.#take(BLANK);
    if (this.#at >= this.text.length) return { type: 'end' };
    return this.#number() ?? this.#string() ?? this.#word() ?? this.#symbol();
  }

  #number(): LiteralToken | undefined {
    const text = this.#take(NUMBER);
    if (text === undefined) return undefined;
    // If a letter or digit follows, it is not a Python number: `1L`, `10_`, `2j`.
    return /[\p{L}\p{N}_.]/u.test(this.text.charAt(this.#at)) || LEADING_ZERO.test(text)
      ? { type: 'invalid' }
      : numberToken(text);
  }

  #string(): LiteralToken | undefined {
    const prefix = this.#take(STRING_START);
    if (prefix === undefined) return undefined;
    const read = readString(this.text, this.#at, prefix.toLowerCase() === 'r');
    if (read === undefined) return { type: 'invalid' };
    this.#at = read.end;
    return { type: 'string', value: read.text };
  }

  #word(): LiteralToken | undefined {
    const text = this.#take(/[\p{L}_][\p{L}\p{N}_]*/uy);
    return text === undefined ? undefined : { type: 'word', text };
  }

  #symbol(): LiteralToken {
    const text = this.text.charAt(this.#at);
    this.#at += 1;
    return '[](){},:+-'.includes(text) ? { type: 'symbol', text } : { type: 'invalid' };
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match[0];
  }
}

function numberToken(text: string): LiteralToken {
  const digits = text.replaceAll('_', '');
  const integer = !/[.eE]/.test(text) || /^0[xX]/.test(text);
  return { type: 'number', value: integer ? parseWholeNumber(digits) : Number(digits) };
}
