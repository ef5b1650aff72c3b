import { escapeInvisible } from '../invisible.js';
import { halfCharacter } from '../values/uri.js';
import type { VariableLayer } from '../values/variables.js';

export interface Group {
  readonly name: string;
  /** Direct child groups and direct members, in the order of the inventory. */
  readonly children: readonly string[];
  readonly controllers: readonly string[];
  /** The group's own variables, weakest first. Shared by all its controllers, never copied. */
  readonly layers: readonly VariableLayer[];
  /** `ansible_group_priority`: decides the precedence among groups of equal depth. Absent: 1. */
  readonly priority?: number | undefined;
}

export interface Controller {
  readonly name: string;
  /** Every group that contains it, directly or not, except `all`; weakest first. */
  readonly groups: readonly string[];
  /** All inventory variables that apply to it, weakest first. Shares the layers of groups. */
  readonly layers: readonly VariableLayer[];
  /** True for the implicit `localhost`: it only runs actions, and is not part of `all`. */
  readonly implicit?: boolean | undefined;
  /** `inventory_file` and `inventory_dir`. */
  readonly file?: string | undefined;
  readonly directory?: string | undefined;
}

export type VariablesKind = 'group_vars' | 'host_vars';

/**
 * The loaded inventory. Both maps are in the order in which names first appear; `groups` includes `all` and
 * `ungrouped`.
 */
export interface Inventory {
  readonly controllers: ReadonlyMap<string, Controller>;
  readonly groups: ReadonlyMap<string, Group>;
  /**
   * Some sources are broken, or are programs that `--no-exec` does not run, so controllers and groups may be missing.
   */
  readonly partial?: boolean | undefined;
  /** `host_vars` for a `localhost` that is not in the inventory, by each of its names (`model/localhost.ts`). */
  readonly localhostLayers?: ReadonlyMap<string, readonly VariableLayer[]> | undefined;
  /**
   * `group_vars/NAME` or `host_vars/NAME` next to the sources, for a name that was added after they were read. Rejects
   * with a `LoadError` if a file is invalid.
   */
  readonly readAdjacent?: ((kind: VariablesKind, name: string) => Promise<readonly VariableLayer[]>) | undefined;
}

/**
 * Line breaks, escape sequences and characters that change the direction of text: a name must look the same in every
 * output.
 */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Why a name is invalid in an inventory; undefined if it is valid. */
export function nameRefusal(what: 'controller' | 'group', name: string): string | undefined {
  if (name === '') return `a ${what} needs a name`;
  const half = halfCharacter(name);
  if (half !== undefined) return `the name of a ${what} contains ${half}, which is half of a character`;
  return CONTROLS.test(name)
    ? `the name of a ${what} must not contain control characters: "${escapeInvisible(name)}"`
    : undefined;
}

/**
 * The controllers of a group and of all groups below it, without duplicates: the group's own first, then level by
 * level. This is the order in which Ansible runs `hosts: GROUP`. Empty if the group does not exist.
 */
export function findMembers(inventory: Inventory, group: string): readonly string[] {
  const members = new Set<string>();
  for (const name of findDescendants(inventory, group))
    for (const controller of inventory.groups.get(name)?.controllers ?? []) members.add(controller);
  return [...members];
}

/** The group and every group below it, level by level. */
export function findDescendants(inventory: Pick<Inventory, 'groups'>, group: string): ReadonlySet<string> {
  const found = new Set([group]);
  // Iterating over a set also visits the entries that the loop adds.
  for (const name of found) for (const child of inventory.groups.get(name)?.children ?? []) found.add(child);
  return found;
}

/** The names of the machine that runs Evenkeel, which playbooks can use without an inventory entry. */
export const LOCALHOST_NAMES: readonly string[] = ['localhost', '127.0.0.1', '::1'];

const LOCAL: VariableLayer = {
  level: 'inventory host vars',
  origin: 'the implicit localhost',
  values: { ansible_connection: 'local' },
};

/** The controller of that name, or the implicit `localhost` if it is one of its names. */
export function findController(inventory: Inventory, name: string): Controller | undefined {
  const written = inventory.controllers.get(name);
  if (written !== undefined || !LOCALHOST_NAMES.includes(name)) return written;
  return inventory.controllers.get(localName(inventory, name)) ?? implicitLocalhost(inventory, name);
}

/** Resolves a name of the local machine to the one that the inventory contains, if any. */
export function localName(inventory: Inventory, name: string): string {
  return LOCALHOST_NAMES.find((one) => inventory.controllers.has(one)) ?? name;
}

/**
 * Not a member of any group, not even `all`, but sees the variables of `all` and its own `host_vars` (as in Ansible).
 */
export function implicitLocalhost(inventory: Inventory, name: string): Controller {
  const shared = inventory.groups.get('all')?.layers ?? [];
  const own = inventory.localhostLayers?.get(name) ?? [];
  return { name, groups: [], layers: [...shared, LOCAL, ...own], implicit: true };
}

/** The magic variables of a controller that its inventory decides, and `more`. Nothing is stronger. */
export function magicLayer(
  { name, groups, file, directory }: Pick<Controller, 'name' | 'groups' | 'file' | 'directory'>,
  more: VariableLayer['values'] = {},
): VariableLayer {
  const values = {
    inventory_hostname: name,
    inventory_hostname_short: name.split('.')[0] ?? name,
    group_names: groups.toSorted(),
    ...(file !== undefined && { inventory_file: file }),
    ...(directory !== undefined && { inventory_dir: directory }),
    ...more,
  };
  return { level: 'magic', origin: 'magic variables', literal: true, values };
}
