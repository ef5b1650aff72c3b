import { decodeUtf8 } from '../../core/files/read_bytes.js';
import { isNumeric, type WholeNumber } from '../../core/model/values/json.js';
import { isList, isMapping, LazyMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { programs, type WebAnswer, type WebRequest } from '../../core/programs/programs.js';
import { isTrue } from './comparison.js';
import { TemplateError } from './errors.js';
import type { Evaluate, EvaluationScope, LookupServices, Preview, TemplateFrame } from './frame.js';
import type { Plugins } from './plugins.js';
import { asKey, asString, asText, describe, evaluateLazy, requireDefined, Undefined, type Result } from './result.js';

/**
 * What filters need besides their arguments: other filters by name (`map("upper")`, `select("match", "x")`), and the library's
 * functions.
 */
export interface Invoke {
  readonly services: LookupServices;
  /** Binds a filter to what follows its first argument, once for any number of items. */
  filter(name: string, given: FurtherArguments, frame: TemplateFrame): (first: Result) => Result;
  test(name: string, given: FurtherArguments, frame: TemplateFrame): (first: Result) => boolean;
  /** The text of a file as a function, for the lookup `template`; `settings` are those of a `#jinja2:` header. */
  template(text: string, settings: ReadonlyMap<string, Value>): Evaluate;
  readonly commands: CommandOutputs;
  readonly plugins?: Plugins | undefined;
  /** Contents of password files that check mode does not write, by path. */
  readonly unsavedPasswords: Map<string, string>;
  /** Present before a run only. */
  readonly preview?: Preview | undefined;
}

/** The arguments of a filter or test that another one calls, without the first. */
export interface FurtherArguments {
  readonly rest: readonly Result[];
  readonly named?: ReadonlyMap<string, Value> | undefined;
}

/** Maximum length of texts and lists. Without it, a short template such as `"a" * 1e9` would fill the memory. */
export const MOST_ITEMS = 1_000_000;

/**
 * The arguments of one call, in the order of the filter's parameters. Each reader checks the type and throws a
 * TemplateError that names the filter; with a fallback it takes a missing argument.
 */
export class CallableArguments {
  constructor(
    readonly called: string,
    private readonly values: readonly (Value | undefined)[],
    readonly rest: readonly Value[],
    readonly named: ReadonlyMap<string, Value>,
    readonly frame: TemplateFrame,
    readonly invoke: Invoke,
    private readonly itemsOrUndefined?: readonly Result[],
  ) {}

  get scope(): EvaluationScope {
    return this.frame.scope;
  }

  /** All arguments in order; undefined for omitted ones. */
  given(): readonly (Value | undefined)[] {
    return [...this.values, ...this.rest];
  }

  optional(index: number): Value | undefined {
    return this.values[index];
  }

  value(index: number): Value {
    return this.values[index] ?? null;
  }

  /** Numbers and booleans are converted to text. */
  text(index: number, fallback?: string): string {
    const value = this.values[index];
    if (value === undefined && fallback !== undefined) return fallback;
    if (typeof value === 'string') return value;
    if (isNumeric(value) || typeof value === 'boolean') return asText(value);
    throw this.wrong(index, 'a text');
  }

  /** For filters of collections that convert nothing. */
  plainText(index: number): string {
    const value = this.values[index];
    if (typeof value === 'string') return value;
    throw this.wrong(index, 'a text');
  }

  /** Any value as text, as Python's `str()` returns it, for filters that accept any value. */
  string(index: number): string {
    return asString(this.value(index));
  }

  /** Texts that read as numbers are converted. */
  number(index: number, fallback?: number): number {
    const value = this.values[index] ?? fallback;
    if (isNumeric(value) || typeof value === 'boolean') return Number(value);
    const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
    if (Number.isNaN(read)) throw this.wrong(index, 'a number');
    return read;
  }

  /** As `number`, with all digits of a whole number. */
  whole(index: number): WholeNumber {
    const value = this.values[index];
    return typeof value === 'bigint' ? value : this.number(index);
  }

  /** A width, or a number of items or characters. */
  amount(index: number, fallback?: number): number {
    const amount = this.number(index, fallback);
    if (amount > MOST_ITEMS) throw this.error(`${amount} are too many`, `at most ${MOST_ITEMS}`);
    return amount;
  }

  flag(index: number): boolean {
    return isTrue(this.values[index] ?? false);
  }

  list(index: number): readonly Value[] {
    const value = this.values[index];
    if (value !== undefined && isList(value)) return value;
    throw this.wrong(index, 'a list');
  }

  /** The items of a list, the keys of a mapping or the characters of a text, as Python iterates them. */
  items(index: number): readonly Value[] {
    const value = this.values[index];
    return value === undefined ? [] : this.requireItems(value);
  }

  requireItems(value: Value): readonly Value[] {
    if (isList(value)) return value;
    if (typeof value === 'string') return Array.from(value);
    if (value instanceof LazyMapping) return [...value.keys()];
    if (isMapping(value)) return Object.keys(value);
    throw this.error(`a list is needed, not ${describe(value)}`);
  }

  /** The items of the first argument, including undefined ones. */
  results(): readonly Result[] {
    return this.itemsOrUndefined ?? this.items(0);
  }

  mapping(index: number): Mapping {
    const value = evaluateLazy(this.values[index] ?? null);
    if (isMapping(value)) return value;
    throw this.wrong(index, 'a mapping');
  }

  /** The name of a key; Python has no key that is a list or a mapping. */
  key(value: Value): string {
    if (isList(value) || isMapping(value)) throw this.error(`a key cannot be ${describe(value)}`);
    return asKey(value);
  }

  call(name: string, first: Result, ...rest: readonly Result[]): Value {
    return requireDefined(this.invoke.filter(name, { rest }, this.frame)(first));
  }

  test(name: string, first: Result, ...rest: readonly Result[]): boolean {
    return this.invoke.test(name, { rest }, this.frame)(first);
  }

  /** The filter that an argument names, with the arguments that follow. Bound by the first item: without items, anything may be named. */
  filterNamed(name: Value): (item: Result) => Result {
    let bound: ((item: Result) => Result) | undefined;
    return (item) => (bound ??= this.invoke.filter(asText(name), this, this.frame))(item);
  }

  /** The same for a test. */
  testNamed(name: Value): (item: Result) => boolean {
    let bound: ((item: Result) => boolean) | undefined;
    return (item) => (bound ??= this.invoke.test(asText(name), this, this.frame))(item);
  }

  error(message: string, hint?: string): TemplateError {
    return new TemplateError(`${this.called}: ${message}`, { hint });
  }

  /** What `default` replaces, and what is not `defined`, also through a variable. */
  missing(message: string, hint?: string): Undefined {
    const undefinedName = `${this.called}()`;
    return new Undefined(() => new TemplateError(`${this.called}: ${message}`, { hint, undefinedName }));
  }

  private wrong(index: number, wanted: string): TemplateError {
    return this.error(`${wanted} is needed, not ${describe(this.values[index] ?? null)}`);
  }
}

/** Milliseconds. Shorter than the delay of `until`, so that a loop that waits sees each new output. */
const FRESH = 2000;

/**
 * Values created within the last two seconds, by key. A run over many controllers needs the same secret for each of them, and each
 * command or request blocks everything else while it runs.
 */
class Recent<T> {
  /** `at`: milliseconds of a monotonic clock. */
  readonly #known = new Map<string, { readonly made: T; readonly at: number }>();

  get(key: string, make: () => T): T {
    const known = this.#known.get(key);
    if (known !== undefined && performance.now() - known.at < FRESH) return known.made;
    const made = make();
    for (const [old, { at }] of this.#known) if (performance.now() - at >= FRESH) this.#known.delete(old);
    this.#known.set(key, { made, at: performance.now() });
    return made;
  }
}

/** The result of a URL, after redirects. */
export type OutputPage =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'failure'; readonly message: string; readonly hint?: string | undefined };

/** The output of shell commands and the answers of web servers; each is reused for two seconds. */
export class CommandOutputs {
  readonly #outputs = new Recent<string>();
  /** Includes failures: a thousand controllers must not wait for the same dead server one after the other. */
  readonly #pages = new Recent<OutputPage>();
  /** Sign-ins that a controller has refused: after a few more it would lock the account. */
  readonly refusedSignIns = new Set<string>();

  constructor(
    /** Whether anything may be executed. */
    readonly allowed: boolean,
  ) {}

  /** Throws what `shellOutput` throws, and if the output is not text. */
  run(command: string, cwd: string): string {
    return this.#outputs.get(`${cwd}\0${command}`, () => {
      const decoded = decodeUtf8(Buffer.from(programs(this.allowed).shellOutput(command, cwd)));
      if ('bad' in decoded) throw new Error(`line ${decoded.bad.line} of its output is not UTF-8 text`);
      return decoded.text;
    });
  }

  /** `fetch` gets a function that sends requests. The key names everything that the requests depend on. */
  page(key: string, fetch: (send: (request: WebRequest) => WebAnswer) => OutputPage): OutputPage {
    return this.#pages.get(key, () => fetch(programs(this.allowed).webAnswer));
  }
}
