import type { Family, Helper } from './helper.js';

/** Everything that templates may call, by name. */
export class HelperTable {
  constructor(
    private readonly helpers: ReadonlyMap<string, Helper>,
    private readonly tests: ReadonlyMap<string, Helper>,
    /** Variables that a template calls like helpers: `{% set comma = joiner() %}{{ comma() }}`. */
    readonly joiners: ReadonlySet<string> = new Set(),
  ) {}

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
    return new HelperTable(new Map([...this.helpers, ...own]), this.tests);
  }

  withJoiners(names: readonly string[]): HelperTable {
    return names.length === 0 ? this : new HelperTable(this.helpers, this.tests, new Set(names));
  }
}

export function table(families: readonly Family[]): ReadonlyMap<string, Helper> {
  return new Map(families.flatMap((family) => Object.entries(family)));
}

/** Collections whose filters, tests and lookups are built in here. */
const COLLECTION = /^(?:ansible\.(?:builtin|utils|netcommon|legacy)|community\.general)\./;

/** `ansible.utils.ipaddr` → `ipaddr` */
export function withoutCollection(name: string): string {
  return name.replace(COLLECTION, '');
}
