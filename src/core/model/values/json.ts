import { pathText } from '../source/diagnostic.js';
import { DIGITS_MARK, isList, isMapping, leavesIn, mapLeaves, type Value } from './value.js';

/** A cheap first test: whole numbers with many digits, and numbers with an exponent. */
const SUSPICIOUS = /(?:^|[[:,\s])-?(?:\d{16}|[\d.]+[eE])/;
/** Without alternatives inside the repetition, which would use stack for each character of a long text. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

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
    if (token === '-0' || typeof parseWholeNumber(token) === 'number') return token;
    return JSON.stringify(DIGITS_MARK + token);
  });
  return marked === text ? parsed(text) : unmarked(parsed(marked));
}

function parsed(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of `JSON.parse` has no type, but is a value by definition
  return JSON.parse(text) as Value;
}

function unmarked(value: Value): Value {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' && leaf.startsWith(DIGITS_MARK) ? parseWholeNumber(leaf.slice(DIGITS_MARK.length)) : leaf,
  );
}

const INEXACT = '\u0000inexact ';
/** Whether any number was marked. Hardly ever, so that most values need not be searched. */
let hasMarked = false;

/** Parses JSON; throws if the text is invalid. Numbers that are too large become texts that `inexactIn` finds. */
export function parseMarked(text: string): Value {
  return parseJson(text, (token) => {
    hasMarked = true;
    return JSON.stringify(INEXACT + token);
  });
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
  if (!hasMarked || !holdsMarked(value)) return undefined;
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
  if (!hasMarked || !holdsMarked(value)) return value;
  return mapLeaves(value, (leaf) => (isMarked(leaf) ? leaf.slice(INEXACT.length) : leaf));
}

/**
 * A whole number. It is a bigint exactly if a number cannot hold it (2⁵³ + 1), or would change its digits when JSON is
 * written: 2⁶⁴ would become 18446744073709552000. So equal whole numbers are identical values.
 */
export type WholeNumber = number | bigint;

/** @param text decimal digits with a sign at most, or digits after `0x`, `0o` or `0b` */
export function parseWholeNumber(text: string): WholeNumber {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : toWholeNumber(BigInt(text));
}

export function toWholeNumber(value: bigint): WholeNumber {
  const number = Number(value);
  return isWhole(number) && BigInt(number) === value ? number : value;
}

/** Numbers from here on were written as fractions: `1e20`. */
const END_OF_WHOLE = 2 ** 64;

/** Whether it is computed with all its digits. Other large numbers were written as fractions: `6.161843400996529e16`. */
export function isWhole(value: unknown): value is WholeNumber {
  if (typeof value !== 'number') return typeof value === 'bigint';
  if (Number.isSafeInteger(value)) return true;
  return Number.isInteger(value) && Math.abs(value) < END_OF_WHOLE && String(value) === String(BigInt(value));
}

/** Whether it is read back from its digits. -0 is not, nor is a fraction such as `1e20`, whose digits are a whole number. */
export function isReadBack(number: number): boolean {
  if (Number.isSafeInteger(number)) return !Object.is(number, -0);
  return Number.isFinite(number) && (isWhole(number) || /[.e]/.test(String(number)));
}

/** Whether it is a number, of either type. */
export function isNumeric(value: unknown): value is WholeNumber {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Negative, zero or positive. Exact, even for infinite numbers and for those of both types; NaN differs from every number. */
export function compareNumbers(a: WholeNumber, b: WholeNumber): number {
  return a < b ? -1 : a > b ? 1 : Number.isNaN(a) || Number.isNaN(b) ? NaN : 0;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
