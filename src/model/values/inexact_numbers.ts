import { isList, isMapping, type Value, parseJson } from './value.js';

/** A cheap first test: whole numbers with many digits, and numbers with an exponent. */
const SUSPICIOUS = /[[:,\s]-?(?:\d{16}|[\d.]+[eE])/;
/** Without alternatives inside the repetition, which would use stack for each character of a long text. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARK = '\u0000inexact ';

/**
 * Parses JSON; throws if the text is invalid. Whole numbers beyond 2⁵³ would be written back as other numbers, so each
 * becomes a text that `inexactIn` finds.
 */
export function parseMarked(text: string): Value {
  return parseInstead(text, (token) => JSON.stringify(MARK + token));
}

/** Like `parseMarked`, with the digits of such numbers as text. */
export function parseWithDigits(text: string): Value {
  return parseInstead(text, (token) => `"${token}"`);
}

export interface InexactNumber {
  /** `a.list[0].id`. */
  readonly path: string;
  readonly digits: string;
}

/** The first number in a value from `parseMarked` that is marked. */
export function inexactIn(value: unknown): InexactNumber | undefined {
  return isMarked(value) ? markedIn(value, '') : undefined;
}

/** Whether the value contains a marked number. This is rare, so the check builds no paths. */
function isMarked(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith(MARK);
  if (isList(value)) return value.some(isMarked);
  return isMapping(value) && Object.keys(value).some((name) => isMarked(value[name]));
}

function markedIn(value: unknown, path: string): InexactNumber | undefined {
  if (typeof value === 'string') return value.startsWith(MARK) ? { path, digits: value.slice(MARK.length) } : undefined;
  for (const [inside, item] of itemsOf(value, path)) {
    const found = markedIn(item, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same value with the digits of marked numbers as text. */
export function withDigits(value: Value): Value {
  if (typeof value === 'string') return value.startsWith(MARK) ? value.slice(MARK.length) : value;
  if (inexactIn(value) === undefined) return value;
  if (isList(value)) return value.map(withDigits);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withDigits(inner)]));
}

function itemsOf(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (isList(value)) return value.map((item, at) => [`${path}[${at}]`, item] as const);
  if (!isMapping(value)) return [];
  return Object.entries(value).map(([name, item]) => [path === '' ? name : `${path}.${name}`, item] as const);
}

function parseInstead(text: string, replacement: (token: string) => string): Value {
  if (!SUSPICIOUS.test(text)) return parseJson(text);
  return parseJson(text.replace(TEXT_OR_NUMBER, (token) => (isInexact(token) ? replacement(token) : token)));
}

/** Whether a JSON number would be written back as a different one. Fractions are rounded everywhere. */
function isInexact(token: string): boolean {
  if (token.startsWith('"')) return false;
  const number = Number(token);
  return /^-?\d+$/.test(token) ? token !== '-0' && String(number) !== token : !Number.isFinite(number);
}
