import { isList, isMapping, LazyMapping, type Value } from '../model/values/value.js';
import { characters } from './characters.js';
import { equals } from './comparison.js';
import { TemplateError } from './errors.js';
import type { Frame } from './frame.js';
import { describe } from './text.js';
import { demand, Undefined, type Result } from './undefined.js';

/** What can be looked up in `loop`. */
const NAMES = [
  'index',
  'index0',
  'revindex',
  'revindex0',
  'first',
  'last',
  'length',
  'depth',
  'depth0',
  'previtem',
  'nextitem',
] as const;

/** The variable `loop` of `{% for %}`. One for all items: it says where the loop is now. */
export class Loop extends LazyMapping {
  index = 0;
  #seen: readonly Value[] | undefined;

  /** @param recurse of a recursive loop: the loop's text for other items */
  constructor(
    readonly items: readonly Result[],
    readonly depth: number,
    readonly recurse: ((items: Value) => string) | undefined,
  ) {
    super();
  }

  override get(name: string): Value | undefined {
    const known = NAMES.find((one) => one === name);
    return known && this.#value(known);
  }

  override keys(): Iterable<string> {
    return NAMES.filter((name) => this.#value(name) !== undefined);
  }

  /** Whether these values are others than at the last call. */
  changed(values: readonly Value[]): boolean {
    const same = this.#seen !== undefined && equals(this.#seen, values);
    this.#seen = values;
    return !same;
  }

  #value(name: (typeof NAMES)[number]): Value | undefined {
    const { index, items, depth } = this;
    switch (name) {
      case 'index':
        return index + 1;
      case 'index0':
        return index;
      case 'revindex':
        return items.length - index;
      case 'revindex0':
        return items.length - index - 1;
      case 'first':
        return index === 0;
      case 'last':
        return index === items.length - 1;
      case 'length':
        return items.length;
      case 'depth':
        return depth;
      case 'depth0':
        return depth - 1;
      case 'previtem':
        return valueOf(items[index - 1]);
      case 'nextitem':
        return valueOf(items[index + 1]);
      default:
        return name satisfies never;
    }
  }
}

function valueOf(result: Result | undefined): Value | undefined {
  return result instanceof Undefined ? undefined : result;
}

/** The `loop` that a frame sees. */
export function currentLoop({ block }: Frame): Loop | undefined {
  for (let one = block; one !== undefined; one = one.outer) {
    const loop = one.type === 'names' ? one.names.get('loop') : undefined;
    if (loop instanceof Loop) return loop;
  }
  return undefined;
}

/** What Python can iterate: the items of a list, the keys of a mapping, the characters of a text. */
export function itemsOf(result: Result, what: string): readonly Result[] {
  if (result instanceof Undefined && result.items !== undefined) return result.items;
  const value = demand(result);
  if (isList(value)) return value;
  if (typeof value === 'string') return characters(value);
  if (value instanceof LazyMapping) return [...value.keys()];
  if (isMapping(value)) return Object.keys(value);
  throw new TemplateError(`${what} needs a list, a mapping or a text, not ${describe(value)}`);
}

/** What `namespace()` gives: `{% set ns.name = value %}` works inside loops too, and lasts. */
export class Namespace extends LazyMapping {
  readonly #entries: Map<string, Value>;

  constructor(entries: Iterable<readonly [string, Value]>) {
    super();
    this.#entries = new Map(entries);
  }

  override get(name: string): Value | undefined {
    return this.#entries.get(name);
  }

  override keys(): Iterable<string> {
    return this.#entries.keys();
  }

  set(name: string, value: Value): void {
    this.#entries.set(name, value);
  }
}
