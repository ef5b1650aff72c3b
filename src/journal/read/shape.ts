import { isStoredEntry } from '../../model/values/stored.js';
import { isList, isMapping } from '../../model/values/value.js';

/** Whether a field may have this value. */
export type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === 'string';
export const number: Check = (value) => typeof value === 'number';
export const flag: Check = (value) => typeof value === 'boolean';
export const mapping: Check = isMapping;
export const anything: Check = (value) => value !== undefined;
export const texts: Check = listOf(text);

export function listOf(check: Check): Check {
  return (value) => isList(value) && value.every(check);
}

export function oneOf(...choices: readonly string[]): Check {
  return (value) => typeof value === 'string' && choices.includes(value);
}

export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export type Fields = Readonly<Record<string, Check>>;

export function fields(checks: Fields): Check {
  const list = Object.entries(checks);
  return (value) => isMapping(value) && list.every(([name, check]) => isRight(value, name, check));
}

/** The first field that cannot be understood; undefined if all can. */
export function invalidField(value: object, checks: Fields): string | undefined {
  return Object.entries(checks).find(([name, check]) => !isRight(value, name, check))?.[0];
}

/** A stored value was checked before it was sealed, and is not read for this. */
function isRight(value: object, name: string, check: Check): boolean {
  return isStoredEntry(value, name) || check(own(value, name));
}

function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
