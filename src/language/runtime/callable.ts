import type { CallableArguments } from './arguments.js';
import type { Evaluate, TemplateFrame } from './frame.js';
import type { Plugin, Plugins } from './plugins.js';
import type { Result } from './result.js';

/** What a template can call. */
export type Callable = FunctionCallable | FormCallable;

export interface FunctionCallable extends WithSignature {
  readonly type: 'function';
  /** Accepts a list with undefined items as its first argument; `args.results()` returns them. */
  readonly acceptsUndefined: boolean;
  run(args: CallableArguments): Result;
}

/** Decides itself which of its arguments are evaluated, and may accept undefined ones: `default`, `and`, `ternary`. */
export interface FormCallable extends WithSignature {
  readonly type: 'form';
  /** Whether it runs code in Python. */
  readonly isPlugin?: boolean;
  run(args: Bound, frame: TemplateFrame): Result;
}

/** Arguments in the order of the parameters, not evaluated. */
export interface Bound {
  readonly slots: readonly (Evaluate | undefined)[];
  readonly rest: readonly Evaluate[];
  /** Only for a callable that takes any names. */
  readonly named: readonly (readonly [string, Evaluate])[];
}

interface WithSignature {
  /** Read when it is first asked for: a run uses few of the hundreds of callables. */
  signature(): Signature;
}

export interface Signature {
  /** As in the documentation: `list, separator?, ...others`. */
  readonly text: string;
  readonly parameters: readonly string[];
  /** Ansible's names of parameters that have another one here. */
  readonly aliases: ReadonlyMap<string, string>;
  /** How many of the parameters take an argument without a name; the others need theirs. */
  readonly positional: number;
  /** How many of the parameters must be given. */
  readonly required: number;
  /** Takes any number of further arguments. */
  readonly variadic: boolean;
  /** Takes named arguments of any name. */
  readonly open: boolean;
}

export type Family = Readonly<Record<string, Callable>>;

/**
 * Declares a callable: parameters in order, `?` for optional ones, `...rest` for any number, `fill=` for one that must be named, `**` for any
 * named ones; `by|num` if Ansible calls it `num`.
 */
export function callable(signature: string, run: (args: CallableArguments) => Result): FunctionCallable {
  return { type: 'function', acceptsUndefined: false, signature: once(signature), run };
}

/** The same for one that accepts a list with undefined items. */
export function callableForUndefined(signature: string, run: (args: CallableArguments) => Result): FunctionCallable {
  return { ...callable(signature, run), acceptsUndefined: true };
}

export function form(signature: string, run: FormCallable['run']): FormCallable {
  return { type: 'form', signature: once(signature), run };
}

function once(signature: string): () => Signature {
  let parsed: Signature | undefined;
  return () => (parsed ??= parseSignature(signature));
}

function parseSignature(signature: string): Signature {
  const words = signature === '' ? [] : signature.split(', ');
  const plain = words.filter((word) => !word.startsWith('...') && word !== '**');
  const names = plain.map((word) => word.replace(/[?=]/, '').split('|'));
  return {
    text: signature.replaceAll(/\|\w+/g, ''),
    parameters: names.map(([name = '']) => name),
    aliases: new Map(names.flatMap(([name = '', ...others]) => others.map((other) => [other, name]))),
    positional: plain.filter((word) => !word.endsWith('=')).length,
    required: plain.filter((word) => !/[?=]$/.test(word)).length,
    variadic: words.some((word) => word.startsWith('...')),
    open: words.includes('**'),
  };
}

/** More of them are a circle. */
export const MOST_REDIRECTS = 10;

/** Everything that templates may call, by name. */
export class CallableTable {
  constructor(
    private readonly filters: ReadonlyMap<string, Callable>,
    private readonly tests: ReadonlyMap<string, Callable>,
    /** Variables that a template calls like filters: `{% set comma = joiner() %}{{ comma() }}`. */
    readonly joiners: ReadonlySet<string> = new Set(),
    /** Absent: nothing but these filters. */
    readonly plugins?: Plugins,
  ) {}

  /** What a call means. As in Ansible, a plugin of the project replaces a built-in filter. */
  called(
    { name, test }: { readonly name: string; readonly test?: boolean | undefined },
    redirects = 0,
  ): Callable | undefined {
    const short = this.plain(name);
    const known = test === true ? this.test(short) : this.filter(short);
    const type = test === true ? 'test' : 'filter';
    const plugin = this.plugins?.find(type, name, known !== undefined);
    if (plugin !== undefined) return pluginCallable(plugin);
    const other = known === undefined && redirects < MOST_REDIRECTS ? this.plugins?.redirect(type, name) : undefined;
    return other === undefined ? known : this.called({ name: other, test }, redirects + 1);
  }

  /** The name of a built-in filter without its collection. Any other name as it is, and that of a collection which the project ships. */
  plain(name: string): string {
    const short = withoutCollection(name);
    return short !== name && !this.has(name) && this.has(short) && !this.#isShipped(name) ? short : name;
  }

  #isShipped(name: string): boolean {
    const { plugins } = this;
    return plugins?.find('filter', name, true) !== undefined || plugins?.find('test', name, true) !== undefined;
  }

  /** A test may be called like a filter: `(changed result)`. */
  filter(name: string): Callable | undefined {
    return this.filters.get(name) ?? this.tests.get(name);
  }

  /** Filters that return booleans are tests, too: `is eq 3`, `is startswith "lb"`. */
  test(name: string): Callable | undefined {
    return this.tests.get(name) ?? this.filters.get(name);
  }

  has(name: string): boolean {
    return this.filters.has(name) || this.tests.has(name);
  }

  filterNames(): readonly string[] {
    return [...this.filters.keys()];
  }

  testNames(): readonly string[] {
    return [...this.tests.keys()];
  }

  /** A table with these filters added. */
  with(own: ReadonlyMap<string, Callable>): CallableTable {
    return new CallableTable(new Map([...this.filters, ...own]), this.tests, this.joiners, this.plugins);
  }

  withPlugins(plugins: Plugins | undefined): CallableTable {
    return new CallableTable(this.filters, this.tests, this.joiners, plugins);
  }

  withJoiners(names: readonly string[]): CallableTable {
    return names.length === 0 ? this : new CallableTable(this.filters, this.tests, new Set(names), this.plugins);
  }
}

/** The filter that templates call. It accepts undefined arguments, as in Ansible. */
function pluginCallable(plugin: Plugin): FormCallable {
  const run = ({ slots, rest, named }: Bound, frame: TemplateFrame): Result => {
    const args = [...slots, ...rest].flatMap((one) => (one === undefined ? [] : [one(frame)]));
    return plugin.call({ args, named: new Map(named.map(([name, one]) => [name, one(frame)])), frame });
  };
  return { ...form('...arguments, **', run), isPlugin: true };
}

export function table(families: readonly Family[]): ReadonlyMap<string, Callable> {
  return new Map(families.flatMap((family) => Object.entries(family)));
}

/** Collections whose filters, tests and lookups are built in here. */
const COLLECTION = /^(?:ansible\.(?:builtin|utils|netcommon|legacy)|community\.general(?!\.to_(?:nice_)?yaml$))\./;

/** `ansible.utils.ipaddr` → `ipaddr` */
export function withoutCollection(name: string): string {
  return name.replace(COLLECTION, '');
}
