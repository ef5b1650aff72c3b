import { wholeNumber, type WholeNumber } from '../../core/model/values/whole_number.js';
import { readString } from './string.js';

export type LiteralToken =
  | { readonly type: 'number'; readonly value: WholeNumber }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'symbol'; readonly text: string }
  | { readonly type: 'end' }
  | { readonly type: 'invalid' };

const BLANK = /(?:[ \t\f\r\n]|#.*)*/y;
const NUMBER =
  /(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:[0-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?|[0-9](?:_?[0-9])*\.?(?:[eE][-+]?[0-9](?:_?[0-9])*)?)/y;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const STRING_START = /(?:[rR]|[uU])?(?=["'])/y;
const LEADING_ZERO = /^0[0-9_]*[1-9][0-9_]*$/;

/** Cuts the text of a Python literal into tokens. */
export class LiteralTokens {
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
    const text = this.#take(WORD);
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
  return { type: 'number', value: integer ? wholeNumber(digits) : Number(digits) };
}
