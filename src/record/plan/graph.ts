import type { Source } from '../../core/model/source/source.js';
import { fields, number, text, type ShapeCheck } from '../../core/model/values/shape.js';
import { lazyEntries, LazyMapping, Unsafe, Vaulted } from '../../core/model/values/value.js';

/** What `fromJson` needs to create objects with behaviour. */
export interface DecodeOptions {
  /** A value that is decrypted when it is used. */
  readonly vaulted: (envelope: string, source: () => Source) => Vaulted;
  /** Adds functions to an object that was read: `Include.read`, `Task.locate`. */
  readonly completed: (object: Record<string, unknown>) => void;
}

type Extra = (object: object) => readonly (readonly [string, unknown])[];

/** All parts of some data, each once; the root first. Parts refer to others by their index. */
export type Graph = readonly unknown[];

/**
 * Plain data as JSON from which `fromJson` restores it: maps, sets, numbers such as NaN, `!unsafe` and `!vault` values.
 * Writes an object once, even if others refer to it several times or in a cycle. Leaves out functions and undefined
 * fields.
 *
 * @param extra further fields of an object
 */
export function toJson(root: unknown, extra: Extra = () => []): Graph {
  const parts: unknown[] = [];
  const indexes = new Map<unknown, number>();
  const add = (value: unknown): number => {
    const key = Object.is(value, -0) ? NEGATIVE_ZERO : value;
    const known = indexes.get(key);
    if (known !== undefined) return known;
    // Before its content, because it may contain itself.
    const index = parts.push(null) - 1;
    indexes.set(key, index);
    parts[index] = encoded(value);
    return index;
  };
  const pairs = (entries: readonly (readonly [unknown, unknown])[]): readonly unknown[] =>
    entries.map(([key, value]) => [add(key), add(value)]);
  const encoded = (value: unknown): unknown => {
    if (typeof value === 'number' && !isPlain(value)) return ['number', Object.is(value, -0) ? '-0' : String(value)];
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return ['list', ...value.map((item: unknown) => add(item ?? null))];
    if (value instanceof Vaulted) return ['vault', value.envelope, add(value.source())];
    if (value instanceof Unsafe) return ['unsafe', value.text];
    if (isMap(value)) return ['map', ...pairs([...value])];
    if (value instanceof Set) return ['set', ...[...value].map(add)];
    return ['mapping', ...pairs([...ownFields(value), ...extra(value)].filter(([, field]) => isData(field)))];
  };
  add(root);
  return parts;
}

/** A map takes -0 for 0. */
const NEGATIVE_ZERO = Symbol('-0');

function isPlain(number: number): boolean {
  return Number.isFinite(number) && !Object.is(number, -0);
}

function isData(field: unknown): boolean {
  return field !== undefined && typeof field !== 'function';
}

function ownFields(object: object): readonly (readonly [string, unknown])[] {
  return object instanceof LazyMapping ? lazyEntries(object) : Object.entries(object);
}

/** @throws Error if it is not from `toJson` */
export function fromJson(json: unknown, options: DecodeOptions): unknown {
  if (!Array.isArray(json)) throw new Error('this is not the content of a plan');
  return new Decoder(json, options).at(0);
}

class Decoder {
  readonly #made: unknown[] = [];

  constructor(
    private readonly parts: Graph,
    private readonly options: DecodeOptions,
  ) {}

  at(index: unknown): unknown {
    const number = Number(index);
    if (number in this.#made) return this.#made[number];
    if (!(number in this.parts)) throw new Error(`a plan refers to its part ${number}, which it does not have`);
    const part = this.parts[number];
    const tagged: readonly unknown[] = Array.isArray(part) ? part : [undefined, part];
    const [tag, ...content] = tagged;
    return this.#make(number, tag, content);
  }

  /** Registers an object before it is filled, because it may contain itself. */
  #make(index: number, tag: unknown, content: readonly unknown[]): unknown {
    const object: Record<string, unknown> = {};
    const made = tag === 'mapping' ? object : this.#empty(tag, content);
    this.#made[index] = made;
    if (Array.isArray(made)) for (const item of content) made.push(this.at(item));
    else if (made instanceof Set) for (const item of content) made.add(this.at(item));
    else if (made instanceof Map) for (const [key, value] of this.#pairs(content)) made.set(key, value);
    else if (made === object) this.#fill(object, content);
    return made;
  }

  #empty(tag: unknown, [first, second]: readonly unknown[]): unknown {
    switch (tag) {
      case undefined:
        return first;
      case 'number':
        return Number(first);
      case 'vault':
        return this.options.vaulted(String(first), () => sourceIn(this.at(second)));
      case 'unsafe':
        return new Unsafe(String(first));
      case 'list':
        return [];
      case 'map':
        return new Map();
      case 'set':
        return new Set();
      default:
        throw new Error(`a plan has no values of the kind "${String(tag)}"`);
    }
  }

  *#pairs(content: readonly unknown[]): Iterable<readonly [unknown, unknown]> {
    for (const pair of content) if (Array.isArray(pair)) yield [this.at(pair[0]), this.at(pair[1])];
  }

  #fill(made: Record<string, unknown>, content: readonly unknown[]): void {
    for (const [name, value] of this.#pairs(content))
      Object.defineProperty(made, String(name), { value, enumerable: true, writable: true, configurable: true });
    this.options.completed(made);
  }
}

export function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return value instanceof Map;
}

export const isSource: ShapeCheck<Source> = fields({ file: text, line: number, column: number });

function sourceIn(value: unknown): Source {
  if (isSource(value)) return value;
  throw new Error('a plan has an encrypted value without a place');
}
