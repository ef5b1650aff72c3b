import type { VariableLayer } from '../values/variables.js';

export interface Group {
  readonly name: string;
  /** Direct child groups and direct members, in the order of the inventory. */
  readonly children: readonly string[];
  readonly controllers: readonly string[];
  /** The group's own variables, weakest first. Shared by all its controllers, never copied. */
  readonly layers: readonly VariableLayer[];
  /** `ansible_group_priority`: settles who wins among groups of one depth. Absent: 1. */
  readonly priority?: number | undefined;
}

export interface Controller {
  readonly name: string;
  /** Every group it belongs to, parents included, `all` left out; sorted by precedence, weakest first. */
  readonly groups: readonly string[];
  /** All inventory variables that it sees, weakest first. The layers of groups are the groups' own objects. */
  readonly layers: readonly VariableLayer[];
  /** True for the implicit `localhost`: for actions only, not part of `all`. */
  readonly implicit?: boolean | undefined;
  /** `inventory_file` and `inventory_dir`. */
  readonly file?: string | undefined;
  readonly directory?: string | undefined;
}

/** The loaded inventory. Both maps are in the order in which names first came up; `groups` holds `all` and `ungrouped` too. */
export interface Inventory {
  readonly controllers: ReadonlyMap<string, Controller>;
  readonly groups: ReadonlyMap<string, Group>;
  /** Some sources are broken, or programs that `--no-exec` does not run: there may be more controllers and groups. */
  readonly partial?: boolean | undefined;
  /** `host_vars` for a `localhost` that the inventory does not name, by the name it may be called (`model/localhost.ts`). */
  readonly localhostLayers?: ReadonlyMap<string, readonly VariableLayer[]> | undefined;
  /**
   * `group_vars/NAME` or `host_vars/NAME` next to the sources, for a name that was added after they were read.
   * Rejects with a `LoadError` if one cannot be understood.
   */
  readonly readBeside?:
    ((folder: 'group_vars' | 'host_vars', name: string) => Promise<readonly VariableLayer[]>) | undefined;
}
