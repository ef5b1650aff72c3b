import { isList, isMapping, LazyMapping, type Value } from '../../core/model/values/value.js';
import { equals } from './comparison.js';
import { TemplateError } from './errors.js';
import type { LoopRounds, TemplateFrame } from './frame.js';
import { characters, describe, requireDefined, Undefined, type Result } from './result.js';

/** An item, and the names that are its own. */
type LoopRound = readonly [Result, Map<string, Result>];

/** The variable `loop` of `{% for %}`. One for all items: it shows the loop's current position. */
export class ForLoopState extends LazyMapping {
  index = 0;
  #seen: readonly Value[] | undefined;
  readonly #found: LoopRound[] = [];

  /** @param recurse of a recursive loop: the loop's text for other items */
  constructor(
    private readonly rest: Iterator<LoopRound>,
    readonly depth: number,
    readonly recurse: ((items: Value) => string) | undefined,
  ) {
    super();
  }

  /** A round, if there are so many. */
  at(index: number): LoopRound | undefined {
    while (this.#found.length <= index) {
      const next = this.rest.next();
      if (next.done === true) break;
      this.#found.push(next.value);
    }
    return this.#found[index];
  }

  get length(): number {
    this.at(Infinity);
    return this.#found.length;
  }

  override get(name: string): Value | undefined {
    return Object.hasOwn(LOOP_ENTRIES, name) ? LOOP_ENTRIES[name]?.(this) : undefined;
  }

  override keys(): Iterable<string> {
    return Object.keys(LOOP_ENTRIES).filter((name) => this.get(name) !== undefined);
  }

  /** Whether these values differ from those of the last call. */
  changed(values: readonly Value[]): boolean {
    const same = this.#seen !== undefined && equals(this.#seen, values);
    this.#seen = values;
    return !same;
  }
}

const LOOP_ENTRIES: Readonly<Record<string, (loop: ForLoopState) => Value | undefined>> = {
  index: ({ index }) => index + 1,
  index0: ({ index }) => index,
  revindex: ({ index, length }) => length - index,
  revindex0: ({ index, length }) => length - index - 1,
  first: ({ index }) => index === 0,
  last: (loop) => loop.at(loop.index + 1) === undefined,
  length: ({ length }) => length,
  depth: ({ depth }) => depth,
  depth0: ({ depth }) => depth - 1,
  previtem: (loop) => nativeValue(loop.at(loop.index - 1)?.[0]),
  nextitem: (loop) => nativeValue(loop.at(loop.index + 1)?.[0]),
};

function nativeValue(result: Result | undefined): Value | undefined {
  return result instanceof Undefined ? undefined : result;
}

/** The `loop` that a frame sees. */
export function currentLoop({ block }: TemplateFrame): ForLoopState | undefined {
  for (let one = block; one !== undefined; one = one.outer) {
    const loop = one.type === 'names' ? one.names.get('loop') : undefined;
    if (loop instanceof ForLoopState) return loop;
  }
  return undefined;
}

/** The items of a list, the keys of a mapping or the characters of a text, as Python iterates them. */
export function iteratedItems(result: Result, what: string): readonly Result[] {
  if (result instanceof Undefined && result.items !== undefined) return result.items;
  const value = requireDefined(result);
  if (isList(value)) return value;
  if (typeof value === 'string') return characters(value);
  if (value instanceof LazyMapping) return [...value.keys()];
  if (isMapping(value)) return Object.keys(value);
  throw new TemplateError(`${what} needs a list, a mapping or a text, not ${describe(value)}`);
}

/** Maximum number of rounds. As many take seconds, and block the run. */
const MOST_ROUNDS = 2_000_000;
const LONGEST_TEXT = 50_000_000;

class CountedRounds implements LoopRounds {
  #left = MOST_ROUNDS;

  next(text: string): void {
    this.#left -= 1;
    if (this.#left < 0) throw new TemplateError(`a loop and the loops in it run more than ${MOST_ROUNDS} times`);
    if (text.length > LONGEST_TEXT) throw new TemplateError(`a loop writes more than ${LONGEST_TEXT} characters`);
  }
}

/** The counter of the outermost loop, or a new one outside of any loop. */
export function roundsIn({ block }: TemplateFrame): LoopRounds {
  for (let one = block; one !== undefined; one = one.outer) if (one.rounds !== undefined) return one.rounds;
  return new CountedRounds();
}

/**
 * The result of `cycler("odd", "even")`: `next()` returns the items in turn, `current` the last one, `reset()` starts
 * again.
 */
export class Cycler extends LazyMapping {
  #index = 0;

  constructor(private readonly values: readonly Value[]) {
    super();
  }

  override get(name: string): Value | undefined {
    return name === 'current' ? this.values[this.#index] : undefined;
  }

  override keys(): Iterable<string> {
    return ['current'];
  }

  next(): Value {
    const value = this.values[this.#index] ?? null;
    this.#index = (this.#index + 1) % this.values.length;
    return value;
  }

  reset(): void {
    this.#index = 0;
  }
}

/** The result of `joiner(", ")`: the first call returns nothing, each later call the separator. */
export class Joiner extends LazyMapping {
  #used = false;

  constructor(private readonly separator: string) {
    super();
  }

  override get(): undefined {
    return undefined;
  }

  override keys(): Iterable<string> {
    return [];
  }

  next(): string {
    const text = this.#used ? this.separator : '';
    this.#used = true;
    return text;
  }
}

/** The value of `namespace()`: `{% set ns.name = value %}` works inside loops, too, and lasts after them. */
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
