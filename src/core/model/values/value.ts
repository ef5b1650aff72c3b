import { isDeepStrictEqual } from 'node:util';
import type { FieldPath, Source } from '../source/diagnostic.js';

/**
 * The values of variables, arguments and results: JSON, text that must not be rendered, and mappings that are computed
 * on access. A bigint is a whole number whose digits a number would change (`WholeNumber`).
 */
export type Value = null | boolean | number | bigint | string | readonly Value[] | Mapping | Unsafe | LazyMapping;

export interface Mapping {
  readonly [key: string]: Value;
}

/** Text that is data, never a template: YAML's `!unsafe`. `language` returns it as a plain string. */
export class Unsafe {
  constructor(private readonly content: string) {}

  get text(): string {
    return this.content;
  }
}

/** Text that is decrypted on access: YAML's `!vault`. Like `!unsafe`, it is data, never a template. */
export class Vaulted extends Unsafe {
  /**
   * @param envelope as in the file, without indentation
   * @param source of the value; costs a second parse of the file
   * @param decrypt throws a `LoadError` if no password fits
   */
  constructor(
    readonly envelope: string,
    readonly source: () => Source,
    private readonly decrypt: (value: Vaulted) => string,
  ) {
    super('');
  }

  override get text(): string {
    return this.decrypt(this);
  }
}

/** A mapping whose entries are computed when read, such as `hostvars`: unused entries are never rendered. */
export abstract class LazyMapping {
  /** The entry, or undefined if there is none. */
  abstract get(key: string): Value | undefined;
  abstract keys(): Iterable<string>;

  /** The same mapping, but reports the names of variables that are looked up through it. Absent: it looks up none. */
  traced?(onName: (name: string) => void): LazyMapping;
}

/** All entries, as they are now. */
export function lazyEntries(lazy: LazyMapping): readonly (readonly [string, Value])[] {
  return [...lazy.keys()].map((key) => [key, lazy.get(key) ?? null]);
}

export function isMapping(value: unknown): value is Mapping {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unsafe) &&
    !(value instanceof LazyMapping)
  );
}

export const isList: (value: unknown) => value is readonly Value[] = Array.isArray;

/** The mapping's own entry of that name: inherited names such as `constructor` and `__proto__` find nothing. */
export function entry(mapping: Mapping, key: string): Value | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

/**
 * The value at a path of names, and of places in lists; undefined if there is none.
 * @param path a text has dots between the names: `dns_configuration.server_list`
 */
export function valueAt(value: Value | undefined, path: string | readonly (string | number)[]): Value | undefined {
  let found = value;
  for (const part of typeof path === 'string' ? path.split('.') : path) {
    if (isList(found)) found = found[Number(part)];
    else found = isMapping(found) ? entry(found, String(part)) : undefined;
  }
  return found;
}

const BOOLEANS = new Map(Object.entries({ true: true, yes: true, false: false, no: false }));

/** Converts the texts that Ansible reads as booleans (`true`, `yes`, `false`, `no`, in any case) to booleans. */
export function readBoolean(value: Value): Value {
  return typeof value === 'string' ? (BOOLEANS.get(value.toLowerCase()) ?? value) : value;
}

const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', '1', 'y', 't'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0', 'n', 'f'].map((word) => [word, false] as const),
]);

/** The meaning of a boolean in any of Ansible's spellings, in any case; undefined for other values. */
export function parseFlag(value: Value): boolean | undefined {
  return typeof value === 'object' ? undefined : TRUTH.get(String(value).toLowerCase());
}

/**
 * Deep equality of data: lists in order, mappings in any key order. Templates compare differently, because 1 equals
 * true there, and so do modules, because a controller shows references and placeholders in its own way.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => isEqual(item, b[at]));
  if (!isMapping(a)) return isDeepStrictEqual(a, b);
  if (!isMapping(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

/** The mappings in a list; of anything else, none. */
export function mappingsIn(value: Value | undefined): readonly Mapping[] {
  return isList(value) ? value.filter(isMapping) : [];
}

/** The same names with other values. */
export function mapValues<From, To>(
  mapping: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(mapping).map(([name, value]) => [name, change(value, name)]));
}

/** @param field the name under which the leaf is, also as an element of a list */
type ChangeLeaf = (leaf: Value, field: string) => Value;

/** The same lists and mappings with other values in them. */
export function mapLeaves(value: Mapping, change: ChangeLeaf): Mapping;
export function mapLeaves(value: Value, change: ChangeLeaf, field?: string): Value;
export function mapLeaves(value: Value, change: ChangeLeaf, field = ''): Value {
  if (isList(value)) return value.map((item) => mapLeaves(item, change, field));
  return isMapping(value) ? mapValues(value, (item, name) => mapLeaves(item, change, name)) : change(value, field);
}

/** What is neither a list nor a mapping in a value, with its path. */
export function* leavesIn(value: Value, path: FieldPath = []): Generator<readonly [leaf: Value, path: FieldPath]> {
  if (isList(value)) for (const [at, item] of value.entries()) yield* leavesIn(item, [...path, at]);
  else if (isMapping(value)) for (const [name, item] of Object.entries(value)) yield* leavesIn(item, [...path, name]);
  else yield [value, path];
}

/** Random, so that no text of others begins with it. It is shown nowhere, and `node:crypto` would cost each start 5 ms. */
export const DIGITS_MARK = `\u0000${Math.random()}${Math.random()} `;
const MARKED = new RegExp(String.raw`"\\u0000${DIGITS_MARK.slice(1)}(-?\d+)"`, 'g');

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
      return typeof replaced === 'bigint' ? DIGITS_MARK + String(replaced) : replaced;
    },
    space,
  );
  return text.replaceAll(MARKED, '$1');
}

/** What a controller shows in place of a secret. */
export const HIDDEN = '<sensitive>';

/** Replaces a value in a check that is known only after a write. */
export const LATER = '(known after apply)';

/** Whether a part of it is known only later. */
export function hasLater(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(LATER);
  if (Array.isArray(value)) return value.some(hasLater);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLater);
}

/** A value with its name, as `debug` shows a variable. */
export function displayNamed(name: string, value: Value): string {
  return `${name}: ${display(value)}`;
}

/** A value for display: text unchanged, anything else as JSON. */
export function display(value: Value): string {
  return typeof value === 'string' ? value : jsonText(value, plain, 2);
}

function plain(_key: string, value: unknown): unknown {
  if (value instanceof Unsafe) return value.text;
  return value instanceof LazyMapping ? Object.fromEntries(lazyEntries(value)) : value;
}
