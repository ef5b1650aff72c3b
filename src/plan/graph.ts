import type { Source } from '../model/source/source.js';
import { entriesOf, LazyMapping, Unsafe, Vaulted } from '../model/values/value.js';

/** A mapping with only this key encodes what JSON cannot express. */
const TAG = '$';

/** What `fromJson` needs to create objects with behaviour. */
export interface DecodeOptions {
  /** A value that is decrypted when it is used. */
  readonly vaulted: (envelope: string, source: () => Source) => Vaulted;
  /** Adds functions to an object that was read: `Include.read`, `Task.locate`. */
  readonly completed: (object: Record<string, unknown>) => void;
}

type Extra = (object: object) => readonly (readonly [string, unknown])[];

/**
 * Plain data as JSON from which `fromJson` restores it: maps, sets, numbers such as NaN, `!unsafe` and `!vault` values.
 * Writes an object once, even if others refer to it several times or in a cycle. Leaves out functions and undefined
 * fields.
 *
 * @param extra further fields of an object
 */
export function toJson(root: unknown, extra: Extra = () => []): unknown {
  return new Encoder(root, extra).json;
}

export function fromJson(json: unknown, options: DecodeOptions): unknown {
  return new Decoder(json as { readonly shared: readonly unknown[]; readonly root: unknown }, options).root;
}

class Encoder {
  readonly #ids = new Map<object, number>();
  readonly #shared: unknown[] = [];
  readonly json: { readonly shared: readonly unknown[]; readonly root: unknown };

  constructor(
    root: unknown,
    private readonly extra: Extra,
  ) {
    const seen = new Set<object>();
    this.#count(root, seen);
    const encoded = this.#encoded(root);
    // Encoding one shared object may reach the next one.
    for (const [object, id] of this.#ids) this.#shared[id] = this.#body(object);
    this.json = { shared: this.#shared, root: encoded };
  }

  /** Finds the objects that are reached twice. */
  #count(value: unknown, seen: Set<object>): void {
    if (typeof value !== 'object' || value === null) return;
    if (seen.has(value)) {
      if (!this.#ids.has(value)) this.#ids.set(value, this.#ids.size);
      return;
    }
    seen.add(value);
    for (const part of this.#partsOf(value)) this.#count(part, seen);
  }

  #encoded(value: unknown): unknown {
    if (typeof value === 'number')
      return isPlain(value) ? value : { [TAG]: ['number', Object.is(value, -0) ? '-0' : String(value)] };
    if (typeof value !== 'object' || value === null) return value;
    const id = this.#ids.get(value);
    return id === undefined ? this.#body(value) : { [TAG]: ['shared', id] };
  }

  #body(object: object): unknown {
    if (Array.isArray(object)) return object.map((item: unknown) => this.#encoded(item) ?? null);
    if (object instanceof Vaulted) return { [TAG]: ['vault', object.envelope, this.#body(object.source())] };
    if (object instanceof Unsafe) return { [TAG]: ['unsafe', object.text] };
    if (object instanceof Map)
      return { [TAG]: ['map', [...object].map(([key, value]) => [this.#encoded(key), this.#encoded(value)])] };
    if (object instanceof Set) return { [TAG]: ['set', [...object].map((item) => this.#encoded(item))] };
    const fields = this.#fieldsOf(object).map(([name, value]) => [name, this.#encoded(value)] as const);
    return fields.some(([name]) => name === TAG || name === '__proto__')
      ? { [TAG]: ['mapping', fields] }
      : Object.fromEntries(fields);
  }

  #partsOf(object: object): Iterable<unknown> {
    if (Array.isArray(object)) return object as readonly unknown[];
    if (object instanceof Unsafe) return [];
    if (object instanceof Map) return [...(object as ReadonlyMap<unknown, unknown>)].flat();
    if (object instanceof Set) return object;
    return this.#fieldsOf(object).map(([, value]) => value);
  }

  #fieldsOf(object: object): readonly (readonly [string, unknown])[] {
    const own: readonly (readonly [string, unknown])[] =
      object instanceof LazyMapping ? entriesOf(object) : Object.entries(object);
    const all = [...own, ...this.extra(object)];
    return all.filter(([, value]) => value !== undefined && typeof value !== 'function');
  }
}

function isPlain(number: number): boolean {
  return Number.isFinite(number) && !Object.is(number, -0);
}

class Decoder {
  readonly #made: unknown[] = [];
  readonly root: unknown;

  constructor(
    private readonly json: { readonly shared: readonly unknown[]; readonly root: unknown },
    private readonly options: DecodeOptions,
  ) {
    this.root = this.#decoded(json.root);
  }

  #decoded(json: unknown): unknown {
    if (typeof json !== 'object' || json === null) return json;
    if (Array.isArray(json)) return this.#filled([], json as readonly unknown[]);
    if (!Object.hasOwn(json, TAG)) return this.#object({}, Object.entries(json));
    const [tag, ...rest] = (json as Record<string, readonly unknown[]>)[TAG] ?? [];
    return this.#tagged(String(tag), rest);
  }

  #tagged(tag: string, [first, second]: readonly unknown[]): unknown {
    switch (tag) {
      case 'number':
        return Number(first);
      case 'shared':
        return this.#sharedAt(Number(first));
      case 'vault':
        return this.options.vaulted(String(first), () => this.#decoded(second) as Source);
      case 'unsafe':
        return new Unsafe(String(first));
      case 'map':
        return new Map(
          (first as [unknown, unknown][]).map(([key, value]) => [this.#decoded(key), this.#decoded(value)]),
        );
      case 'set':
        return new Set((first as unknown[]).map((item) => this.#decoded(item)));
      case 'mapping':
        return this.#object({}, first as [string, unknown][]);
      default:
        throw new Error(`a plan has no values of the kind "${tag}"`);
    }
  }

  /** Registers an object before it is filled, because it may contain itself. */
  #sharedAt(id: number): unknown {
    if (id in this.#made) return this.#made[id];
    const json = this.json.shared[id];
    if (typeof json !== 'object' || json === null)
      throw new Error(`a plan refers to its part ${id}, which it does not have`);
    if (Array.isArray(json)) return this.#filled((this.#made[id] = []), json as readonly unknown[]);
    if (!Object.hasOwn(json, TAG)) return this.#object((this.#made[id] = {}), Object.entries(json));
    const made = this.#decoded(json);
    this.#made[id] = made;
    return made;
  }

  #filled(list: unknown, items: readonly unknown[]): unknown {
    for (const item of items) (list as unknown[]).push(this.#decoded(item));
    return list;
  }

  #object(object: unknown, fields: readonly (readonly [string, unknown])[]): unknown {
    const made = object as Record<string, unknown>;
    for (const [name, value] of fields)
      Object.defineProperty(made, name, {
        value: this.#decoded(value),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    this.options.completed(made);
    return made;
  }
}
