import type { Mapping, Value } from './value.js';

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

  static storedIn(mapping: unknown): ReadonlyMap<string, StoredValue> | undefined {
    return typeof mapping === 'object' && mapping !== null && #stored in mapping ? mapping.#stored : undefined;
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
export function isStoring(mapping: unknown): boolean {
  return StoringMapping.storedIn(mapping) !== undefined;
}
