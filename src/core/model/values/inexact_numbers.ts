import { parseJson } from './json.js';
import { mapValues, isList, isMapping, type Value } from './value.js';

const MARK = '\u0000inexact ';

/** Parses JSON; throws if the text is invalid. Numbers that are too large become texts that `inexactIn` finds. */
export function parseMarked(text: string): Value {
  return parseJson(text, (token) => JSON.stringify(MARK + token));
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
  for (const [inside, item] of childrenWithPaths(value, path)) {
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
  return mapValues(value, (inner) => withDigits(inner));
}

function childrenWithPaths(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (isList(value)) return value.map((item, at) => [`${path}[${at}]`, item] as const);
  if (!isMapping(value)) return [];
  return Object.entries(value).map(([name, item]) => [path === '' ? name : `${path}.${name}`, item] as const);
}
