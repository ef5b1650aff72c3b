import { isList, isMapping, lazyEntries, LazyMapping, Unsafe, type Mapping, type Value } from './value.js';

/** A large value stored in a file. */
export class StoredValue {
  constructor(
    /** The name of the file. */
    readonly digest: string,
    /** Size of its JSON text, in bytes. */
    readonly size: number,
    /** Reads the file. @throws LoadError if that fails */
    readonly read: () => Value,
  ) {}
}

/** Reads some entries from files on each access, so that memory does not hold them. Readers see an ordinary mapping. */
class StoringMapping {
  readonly [name: string]: Value;
  readonly #stored: ReadonlyMap<string, StoredValue>;

  constructor(entries: Iterable<readonly [string, Value | StoredValue]>) {
    const stored = new Map<string, StoredValue>();
    for (const [name, value] of entries) {
      const isStored = value instanceof StoredValue;
      if (isStored) stored.set(name, value);
      else stored.delete(name);
      const content = isStored ? { get: value.read } : { value, writable: true };
      Object.defineProperty(this, name, { ...content, enumerable: true, configurable: true });
    }
    this.#stored = stored;
  }

  static readonly is = (mapping: unknown): mapping is StoringMapping =>
    typeof mapping === 'object' && mapping !== null && #stored in mapping;

  static storedIn(mapping: unknown): ReadonlyMap<string, StoredValue> | undefined {
    return StoringMapping.is(mapping) ? mapping.#stored : undefined;
  }
}

/** A mapping of values, some of which are stored. */
export function storing(entries: readonly (readonly [string, Value | StoredValue])[]): Mapping {
  return isInMemory(entries) ? Object.fromEntries(entries) : new StoringMapping(entries);
}

type Entries<T> = readonly (readonly [string, T])[];

function isInMemory(entries: Entries<Value | StoredValue>): entries is Entries<Value> {
  return !entries.some(([, value]) => value instanceof StoredValue);
}

/** Its entries, without reading the stored ones. */
export function entriesUnread(mapping: Mapping): readonly (readonly [string, Value | StoredValue])[] {
  const stored = StoringMapping.storedIn(mapping);
  if (stored === undefined) return Object.entries(mapping);
  return Object.keys(mapping).map((name) => [name, stored.get(name) ?? mapping[name] ?? null]);
}

/** The part of the mapping that is in memory: without its stored entries. */
export function loadResident(mapping: Mapping): Mapping {
  if (!isStoring(mapping)) return mapping;
  return storing(entriesUnread(mapping).filter(([, value]) => !(value instanceof StoredValue)));
}

/** A copy of the mapping with an entry of another one, without reading it. */
export function withEntry(mapping: Mapping, name: string, from: Mapping, entryName: string): Mapping {
  const found = entriesUnread(from).find(([one]) => one === entryName)?.[1];
  return storing([...entriesUnread(mapping), [name, found ?? null]]);
}

/** Merges two mappings without reading stored entries; the second is stronger. */
export function joined(first: Mapping, second: Mapping): Mapping {
  if (!isStoring(first) && !isStoring(second)) return { ...first, ...second };
  return storing([...entriesUnread(first), ...entriesUnread(second)]);
}

/** Whether that entry of the mapping is stored in a file. */
export function isStoredEntry(mapping: object, name: string): boolean {
  return StoringMapping.storedIn(mapping)?.has(name) === true;
}

/** Whether some of its entries are stored. */
export const isStoring: (mapping: unknown) => boolean = StoringMapping.is;

/** Values whose JSON text has more bytes than this are stored in files. */
export const LARGE = 64 * 2 ** 10;

/**
 * Whether the part of the value in memory is large enough for a file. Stops counting as soon as the answer is known.
 */
export function isLarge(value: unknown): boolean {
  return measureSize(value, LARGE, false) > LARGE;
}

/**
 * Approximate number of bytes of its JSON text.
 *
 * @param enough stops counting above this number
 * @param whole whether stored values count
 */
export function measureSize(value: unknown, enough = Infinity, whole = true): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  if (value instanceof StoredValue) return whole ? value.size : 0;
  if (value instanceof Unsafe) return value.text.length + 2;
  let size = 2;
  if (isList(value)) {
    for (const item of value) {
      size += measureSize(item, enough - size, whole) + 1;
      if (size > enough) break;
    }
    return size;
  }
  if (value instanceof LazyMapping) return size + sizeOfEntries(lazyEntries(value), enough, whole);
  if (!isMapping(value)) return size;
  if (isStoring(value)) return size + sizeOfEntries(entriesUnread(value), enough, whole);
  // `Object.entries` would allocate, and this runs for everything that is written: most entries cost no call.
  for (const name of Object.keys(value)) {
    const item = value[name];
    size += name.length + 4;
    if (typeof item === 'string') size += item.length + 2;
    else size += typeof item === 'object' ? measureSize(item, enough - size, whole) : 5;
    if (size > enough) break;
  }
  return size;
}

function sizeOfEntries(entries: readonly (readonly [string, unknown])[], enough: number, whole: boolean): number {
  let size = 0;
  for (const [name, item] of entries) {
    size += name.length + 4 + measureSize(item, enough - size, whole);
    if (size > enough) break;
  }
  return size;
}

/**
 * Checks for values that Evenkeel wrote and reads again. A check proves the type of a value, so callers need no casts.
 * It never reads a value that is stored in a file: a validator for JSON Schema would read them all.
 */
export type ShapeCheck<T> = (value: unknown) => value is T;
export type ShapeFields = Readonly<Record<string, ShapeCheck<unknown>>>;

/** The type that a check proves. */
export type CheckedType<C> = C extends ShapeCheck<infer T> ? T : never;
type OptionalNames<F> = { [K in keyof F]: undefined extends CheckedType<F[K]> ? K : never }[keyof F];
/** The type of a mapping with these fields. */
export type FieldsOf<F extends ShapeFields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: CheckedType<F[K]>;
} & {
  readonly [K in OptionalNames<F>]?: CheckedType<F[K]>;
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
