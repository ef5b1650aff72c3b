import { form, type Bound, type Family, type FormCallable, type Callable } from './callable.js';
import type { TemplateFrame } from './frame.js';
import type { Plugin, Plugins } from './plugins.js';
import type { Result } from './undefined.js';

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
  const run = ({ slots, rest, named }: Bound, frame: TemplateFrame): Result =>
    plugin.call({
      args: [...slots, ...rest].flatMap((one) => (one === undefined ? [] : [one(frame)])),
      named: new Map(named.map(([name, one]) => [name, one(frame)])),
      frame,
    });
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
