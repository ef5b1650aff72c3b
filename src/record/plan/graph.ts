import type { Source } from '../../core/model/source/source.js';
import { fields, number, text, type ShapeCheck } from '../../core/model/values/shape.js';
import { lazyEntries, LazyMapping, Unsafe, Vaulted } from '../../core/model/values/value.js';

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
export function toJson(root: unknown, extra: Extra = () => []): Graph {
  return new Encoder(root, extra).json;
}

/** @throws Error if it is not from `toJson` */
export function fromJson(json: unknown, options: DecodeOptions): unknown {
  return new Decoder(graphIn(json), options).root;
}

export interface Graph {
  /** Objects that others refer to by their place in this list. */
  readonly shared: readonly unknown[];
  readonly root: unknown;
}

/** @throws Error if it is not from `toJson` */
function graphIn(json: unknown): Graph {
  if (typeof json === 'object' && json !== null && 'shared' in json && 'root' in json && Array.isArray(json.shared))
    return { shared: json.shared, root: json.root };
  throw new Error('this is not the content of a plan');
}

class Encoder {
  readonly #ids = new Map<object, number>();
  readonly #shared: unknown[] = [];
  readonly json: Graph;

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
    for (const part of this.#referredValues(value)) this.#count(part, seen);
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
    const fields = this.#ownFields(object).map(([name, value]) => [name, this.#encoded(value)] as const);
    return fields.some(([name]) => name === TAG || name === '__proto__')
      ? { [TAG]: ['mapping', fields] }
      : Object.fromEntries(fields);
  }

  #referredValues(object: object): Iterable<unknown> {
    if (Array.isArray(object) || object instanceof Set) return object;
    if (object instanceof Unsafe) return [];
    if (isMap(object)) return [...object.keys(), ...object.values()];
    return this.#ownFields(object).map(([, value]) => value);
  }

  #ownFields(object: object): readonly (readonly [string, unknown])[] {
    const own: readonly (readonly [string, unknown])[] =
      object instanceof LazyMapping ? lazyEntries(object) : Object.entries(object);
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
    private readonly json: Graph,
    private readonly options: DecodeOptions,
  ) {
    this.root = this.#decoded(json.root);
  }

  #decoded(json: unknown): unknown {
    if (typeof json !== 'object' || json === null) return json;
    if (Array.isArray(json)) return this.#filled([], json);
    if (!Object.hasOwn(json, TAG)) return this.#object({}, Object.entries(json));
    const [tag, ...rest] = listIn(Reflect.get(json, TAG));
    return this.#tagged(String(tag), rest);
  }

  #tagged(tag: string, [first, second]: readonly unknown[]): unknown {
    switch (tag) {
      case 'number':
        return Number(first);
      case 'shared':
        return this.#sharedAt(Number(first));
      case 'vault':
        return this.options.vaulted(String(first), () => sourceIn(this.#decoded(second)));
      case 'unsafe':
        return new Unsafe(String(first));
      case 'map':
        return new Map(pairsIn(first).map(([key, value]) => [this.#decoded(key), this.#decoded(value)]));
      case 'set':
        return new Set(listIn(first).map((item) => this.#decoded(item)));
      case 'mapping':
        return this.#object({}, pairsIn(first));
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
    if (Array.isArray(json)) {
      const list: unknown[] = [];
      this.#made[id] = list;
      return this.#filled(list, json);
    }
    if (!Object.hasOwn(json, TAG)) {
      const object = {};
      this.#made[id] = object;
      return this.#object(object, Object.entries(json));
    }
    const made = this.#decoded(json);
    this.#made[id] = made;
    return made;
  }

  #filled(list: unknown[], items: readonly unknown[]): unknown {
    for (const item of items) list.push(this.#decoded(item));
    return list;
  }

  #object(made: Record<string, unknown>, fields: readonly (readonly [unknown, unknown])[]): unknown {
    for (const [name, value] of fields)
      Object.defineProperty(made, String(name), {
        value: this.#decoded(value),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    this.options.completed(made);
    return made;
  }
}

function listIn(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}

function pairsIn(json: unknown): readonly (readonly [unknown, unknown])[] {
  return listIn(json).map((pair) => {
    const [first, second] = listIn(pair);
    return [first, second];
  });
}

export function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return value instanceof Map;
}

export const isSource: ShapeCheck<Source> = fields({ file: text, line: number, column: number });

function sourceIn(value: unknown): Source {
  if (isSource(value)) return value;
  throw new Error('a plan has an encrypted value without a place');
}
