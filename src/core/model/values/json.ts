import { pathText } from '../source/diagnostic.js';
import { isList, isMapping, leavesIn, mapLeaves, type Value } from './value.js';
import { wholeNumber } from './whole_number.js';

/** A cheap first test: whole numbers with many digits, and numbers with an exponent. */
const SUSPICIOUS = /(?:^|[[:,\s])-?(?:\d{16}|[\d.]+[eE])/;
/** Without alternatives inside the repetition, which would use stack for each character of a long text. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Random, so that no text of others begins with it. It is shown nowhere, and `node:crypto` would cost each start 5 ms. */
const MARK = `\u0000${Math.random()}${Math.random()} `;
const MARKED = new RegExp(String.raw`"\\u0000${MARK.slice(1)}(-?\d+)"`, 'g');

/**
 * Parses JSON. Whole numbers keep all their digits.
 *
 * @param infinite what to parse instead of a number that is too large, such as `1e400`
 * @throws SyntaxError if the text is not JSON
 */
export function parseJson(text: string, infinite: (token: string) => string = (token) => token): Value {
  if (!SUSPICIOUS.test(text)) return parsed(text);
  const marked = text.replace(TEXT_OR_NUMBER, (token) => {
    if (token.startsWith('"')) return token;
    if (!/^-?\d+$/.test(token)) return Number.isFinite(Number(token)) ? token : infinite(token);
    if (token === '-0' || typeof wholeNumber(token) === 'number') return token;
    return JSON.stringify(MARK + token);
  });
  return marked === text ? parsed(text) : unmarked(parsed(marked));
}

/** A value as JSON text. Whole numbers keep all their digits. */
export function jsonText(
  value: unknown,
  replacer?: ((key: string, value: unknown) => unknown) | null,
  space?: number,
): string {
  try {
    return JSON.stringify(value, replacer ?? undefined, space);
  } catch (error) {
    // `JSON.stringify` refuses a bigint. Hardly any value has one, and a replacer makes it many times slower.
    if (!(error instanceof TypeError) || !error.message.includes('BigInt')) throw error;
  }
  const text = JSON.stringify(
    value,
    (key, one: unknown) => {
      const replaced = replacer == null ? one : replacer(key, one);
      return typeof replaced === 'bigint' ? MARK + String(replaced) : replaced;
    },
    space,
  );
  return text.replaceAll(MARKED, '$1');
}

function parsed(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of `JSON.parse` has no type, but is a value by definition
  return JSON.parse(text) as Value;
}

function unmarked(value: Value): Value {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' && leaf.startsWith(MARK) ? wholeNumber(leaf.slice(MARK.length)) : leaf,
  );
}

const INEXACT = '\u0000inexact ';

/** Parses JSON; throws if the text is invalid. Numbers that are too large become texts that `inexactIn` finds. */
export function parseMarked(text: string): Value {
  return parseJson(text, (token) => JSON.stringify(INEXACT + token));
}

/** Like `parseMarked`, with the digits of such numbers as text. */
export function parseWithDigits(text: string): Value {
  return parseJson(text, (token) => `"${token}"`);
}

export interface InexactNumber {
  /** `a.list[0].id`. */
  readonly path: string;
  readonly digits: string;
}

/** The first number in a value from `parseMarked` that is marked. */
export function inexactIn(value: Value): InexactNumber | undefined {
  if (!holdsMarked(value)) return undefined;
  for (const [leaf, path] of leavesIn(value))
    if (isMarked(leaf)) return { path: pathText(path), digits: leaf.slice(INEXACT.length) };
  return undefined;
}

/** Whether the value contains a marked number. This is rare, so the check builds no paths. */
function holdsMarked(value: Value): boolean {
  if (isList(value)) return value.some(holdsMarked);
  return isMapping(value) ? Object.values(value).some(holdsMarked) : isMarked(value);
}

function isMarked(value: Value): value is string {
  return typeof value === 'string' && value.startsWith(INEXACT);
}

/** The same value with the digits of marked numbers as text. */
export function withDigits(value: Value): Value {
  if (!holdsMarked(value)) return value;
  return mapLeaves(value, (leaf) => (isMarked(leaf) ? leaf.slice(INEXACT.length) : leaf));
}
