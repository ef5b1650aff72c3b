import type { TemplateFrame } from './frame.js';
import { form, type Bound, type Family, type FormHelper, type Helper } from './helper.js';
import type { Plugin, Plugins } from './plugins.js';
import type { Result } from './undefined.js';

/** More of them are a circle. */
export const MOST_REDIRECTS = 10;

/** Everything that templates may call, by name. */
export class HelperTable {
  constructor(
    private readonly helpers: ReadonlyMap<string, Helper>,
    private readonly tests: ReadonlyMap<string, Helper>,
    /** Variables that a template calls like helpers: `{% set comma = joiner() %}{{ comma() }}`. */
    readonly joiners: ReadonlySet<string> = new Set(),
    /** Absent: nothing but these helpers. */
    readonly plugins?: Plugins,
  ) {}

  /** What a call means. As in Ansible, a plugin of the project replaces a built-in helper. */
  called(
    { name, test }: { readonly name: string; readonly test?: boolean | undefined },
    redirects = 0,
  ): Helper | undefined {
    const short = this.plain(name);
    const known = test === true ? this.test(short) : this.helper(short);
    const type = test === true ? 'test' : 'filter';
    const plugin = this.plugins?.find(type, name, known !== undefined);
    if (plugin !== undefined) return pluginHelper(plugin);
    const other = known === undefined && redirects < MOST_REDIRECTS ? this.plugins?.redirect(type, name) : undefined;
    return other === undefined ? known : this.called({ name: other, test }, redirects + 1);
  }

  /** The name of a built-in helper without its collection. Any other name as it is, and that of a collection which the project ships. */
  plain(name: string): string {
    const short = withoutCollection(name);
    return short !== name && !this.has(name) && this.has(short) && !this.#isShipped(name) ? short : name;
  }

  #isShipped(name: string): boolean {
    const { plugins } = this;
    return plugins?.find('filter', name, true) !== undefined || plugins?.find('test', name, true) !== undefined;
  }

  /** A test may be called like a helper: `(changed result)`. */
  helper(name: string): Helper | undefined {
    return this.helpers.get(name) ?? this.tests.get(name);
  }

  /** Helpers that return booleans are tests, too: `is eq 3`, `is startswith "lb"`. */
  test(name: string): Helper | undefined {
    return this.tests.get(name) ?? this.helpers.get(name);
  }

  has(name: string): boolean {
    return this.helpers.has(name) || this.tests.has(name);
  }

  helperNames(): readonly string[] {
    return [...this.helpers.keys()];
  }

  testNames(): readonly string[] {
    return [...this.tests.keys()];
  }

  /** A table with these helpers added. */
  with(own: ReadonlyMap<string, Helper>): HelperTable {
    return new HelperTable(new Map([...this.helpers, ...own]), this.tests, this.joiners, this.plugins);
  }

  withPlugins(plugins: Plugins | undefined): HelperTable {
    return new HelperTable(this.helpers, this.tests, this.joiners, plugins);
  }

  withJoiners(names: readonly string[]): HelperTable {
    return names.length === 0 ? this : new HelperTable(this.helpers, this.tests, new Set(names), this.plugins);
  }
}

/** The helper that templates call. It accepts undefined arguments, as in Ansible. */
function pluginHelper(plugin: Plugin): FormHelper {
  const run = ({ slots, rest, named }: Bound, frame: TemplateFrame): Result =>
    plugin.call({
      args: [...slots, ...rest].flatMap((one) => (one === undefined ? [] : [one(frame)])),
      named: new Map(named.map(([name, one]) => [name, one(frame)])),
      frame,
    });
  return { ...form('...arguments, **', run), isPlugin: true };
}

export function table(families: readonly Family[]): ReadonlyMap<string, Helper> {
  return new Map(families.flatMap((family) => Object.entries(family)));
}

/** Collections whose filters, tests and lookups are built in here. */
const COLLECTION = /^(?:ansible\.(?:builtin|utils|netcommon|legacy)|community\.general(?!\.to_(?:nice_)?yaml$))\./;

/** `ansible.utils.ipaddr` → `ipaddr` */
export function withoutCollection(name: string): string {
  return name.replace(COLLECTION, '');
}
