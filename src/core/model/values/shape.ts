import { isStoredEntry } from './stored.js';
import { isList, isMapping, type Mapping, type Value } from './value.js';

/**
 * Checks for values that Evenkeel wrote and reads again. A check proves the type of a value, so callers need no casts.
 * It never reads a value that is stored in a file: a validator for JSON Schema would read them all.
 */
export type ShapeCheck<T> = (value: unknown) => value is T;
export type ShapeFields = Readonly<Record<string, ShapeCheck<unknown>>>;

type Checked<C> = C extends ShapeCheck<infer T> ? T : never;
type OptionalNames<F> = { [K in keyof F]: undefined extends Checked<F[K]> ? K : never }[keyof F];
/** The type of a mapping with these fields. */
export type FieldsOf<F extends ShapeFields> = { readonly [K in Exclude<keyof F, OptionalNames<F>>]: Checked<F[K]> } & {
  readonly [K in OptionalNames<F>]?: Checked<F[K]>;
};

export const text: ShapeCheck<string> = (value): value is string => typeof value === 'string';
export const number: ShapeCheck<number> = (value): value is number => typeof value === 'number';
export const flag: ShapeCheck<boolean> = (value): value is boolean => typeof value === 'boolean';
export const mapping: ShapeCheck<Mapping> = isMapping;
export const present: ShapeCheck<Value> = (value): value is Value => value !== undefined;
export const texts: ShapeCheck<readonly string[]> = listShape(text);

export function listShape<T>(check: ShapeCheck<T>): ShapeCheck<readonly T[]> {
  return (value): value is readonly T[] => isList(value) && value.every((item) => check(item));
}

export function choiceShape<const T extends string | number>(...choices: readonly T[]): ShapeCheck<T> {
  return (value): value is T => choices.some((choice) => choice === value);
}

export function optional<T>(check: ShapeCheck<T>): ShapeCheck<T | undefined> {
  return (value): value is T | undefined => value === undefined || check(value);
}

export function nullable<T>(check: ShapeCheck<T>): ShapeCheck<T | null> {
  return (value): value is T | null => value === null || check(value);
}

export function either<A, B>(first: ShapeCheck<A>, second: ShapeCheck<B>): ShapeCheck<A | B> {
  return (value): value is A | B => first(value) || second(value);
}

/**
 * Treats a value that passes the check as a `T`: for the parts of sealed records that are not checked field by field.
 */
export function trusted<T>(check: ShapeCheck<unknown>): ShapeCheck<T> {
  return (value): value is T => check(value);
}

export function fields<F extends ShapeFields>(checks: F): ShapeCheck<FieldsOf<F>> {
  return (value): value is FieldsOf<F> => isMapping(value) && hasFields(value, checks);
}

export function hasFields<F extends ShapeFields>(value: object, checks: F): value is FieldsOf<F> {
  return invalidField(value, checks) === undefined;
}

/** The first field that is invalid; undefined if all are valid. */
export function invalidField(value: object, checks: ShapeFields): string | undefined {
  for (const name in checks) {
    const check = checks[name];
    if (check !== undefined && !isValid(value, name, check)) return name;
  }
  return undefined;
}

/** A stored value was checked before it was sealed, so the check does not read it. */
function isValid(value: object, name: string, check: ShapeCheck<unknown>): boolean {
  return isStoredEntry(value, name) || check(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined);
}
