import { nameRefusal } from '../../core/model/inventory/inventory.js';
import type { Diagnostics, Source } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { entry, type Mapping } from '../../core/model/values/value.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import { checkTemplates } from '../../language/check.js';
import type { FileServices } from '../document/read_file_text.js';

/** What a group has in an inventory. */
export const GROUP_SECTIONS = ['hosts', 'vars', 'children'] as const;

const NOWHERE: LocateLazily = () => undefined;

/** Collects groups, controllers and their variables from the sources in order: later ones are stronger. */
export class InventoryBuilder {
  /** In the order of their first occurrence; always includes `all` and `ungrouped`. */
  readonly groups = new Map<string, GroupDraft>();
  readonly controllers = new Map<string, ControllerDraft>();
  readonly #names: VariableNames;

  constructor(
    readonly diagnostics: Diagnostics,
    readonly services: FileServices = {},
  ) {
    this.#names = new VariableNames(diagnostics);
    this.addGroup('all', NOWHERE);
    this.addGroup('ungrouped', NOWHERE);
    this.addChild('all', 'ungrouped', NOWHERE);
  }

  addGroup(name: string, place: LocateLazily): GroupDraft {
    return getOrAdd(this.groups, name, () => {
      checkGroupName(name, place, this.diagnostics);
      const members = { children: new Set<string>(), parents: new Set<string>(), controllers: new Set<string>() };
      return { name, ...members, layers: [], priority: 1, place };
    });
  }

  /**
   * The port of the first occurrence becomes `ansible_port`, the weakest of its variables. Without a group, it is
   * `ungrouped` when all sources are read.
   */
  addController(
    name: string,
    group: string | undefined,
    origin: InventoryOrigin,
    place: LocateLazily,
    port?: number,
  ): void {
    const known = this.controllers.get(name);
    const controller = known ?? { name, groups: new Set(), layers: [], origin, place };
    if (known === undefined) {
      checkControllerName(name, place, this.diagnostics);
      this.controllers.set(name, controller);
      if (port !== undefined)
        controller.layers.push(layer('inventory host vars', origin, { values: { ansible_port: port } }));
    }
    if (group === undefined) return;
    controller.groups.add(group);
    this.addGroup(group, place).controllers.add(name);
  }

  /** Creates missing groups. Reports a group that would contain itself as an error at `place`. */
  addChild(parent: string, child: string, place: LocateLazily): void {
    const above = this.addGroup(parent, place);
    const below = this.addGroup(child, place);
    if (above.children.has(child)) return;
    if (child === 'all')
      return this.diagnostics.error(`"all" contains every group; it cannot be a child of "${parent}"`, place());
    const way = pathToDescendant(this.groups, child, parent);
    if (way !== undefined) {
      const circle = [parent, ...way].map((name) => `"${name}"`).join(' → ');
      const message = `group "${child}" cannot be a child of "${parent}": they would contain each other (${circle})`;
      return this.diagnostics.error(message, place());
    }
    above.children.add(child);
    below.parents.add(parent);
  }

  addGroupVariables(name: string, given: GivenVariables, origin: InventoryOrigin): void {
    const group = this.groups.get(name);
    if (group === undefined) return;
    this.#check(given);
    const { values, priority } = splitPriority(given, name, this.diagnostics);
    if (priority !== undefined) group.priority = priority;
    if (Object.keys(values).length > 0) group.layers.push(layer('inventory group vars', origin, { ...given, values }));
  }

  /** Adds one layer, which all of them share. */
  addControllerVariables(names: readonly string[], given: GivenVariables, origin: InventoryOrigin): void {
    if (Object.keys(given.values).length === 0) return;
    this.#check(given);
    const shared = layer('inventory host vars', origin, given);
    for (const name of names) this.controllers.get(name)?.layers.push(shared);
  }

  /**
   * Templates are checked only where messages can show a position. Invalid templates from an executable are reported
   * when they are used.
   */
  #check(given: GivenVariables): void {
    this.#names.check(given);
    if (given.locate !== undefined)
      this.diagnostics.add(checkTemplates(given.values, given.locate, this.services.library));
  }
}

function layer(
  level: VariableLevel,
  origin: InventoryOrigin,
  { values, locate, literal }: GivenVariables,
): VariableLayer {
  const shown = {
    level,
    values,
    origin: origin.shown,
    ...(locate !== undefined && { locate }),
    ...(literal === true && { literal }),
  };
  return origin.encrypted === true ? { ...shown, secret: true } : shown;
}

/** Characters with a special meaning in patterns. */
const MEANT_IN_PATTERNS = /^[!&~@]|[,:\s[\]*?]/;

/** Warns of variables that no template can name; once per name, since thousands of controllers may share it. */
class VariableNames {
  readonly #seen = new Set<string>();

  constructor(private readonly diagnostics: Diagnostics) {}

  check({ values, locate }: GivenVariables): void {
    for (const name of Object.keys(values)) {
      if (this.#seen.has(name)) continue;
      this.#seen.add(name);
      if (/^[a-z_]\w*$/i.test(name) || /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) continue;
      const hint = 'use letters, digits and "_", and do not start with a digit';
      this.diagnostics.warn(`templates cannot refer to the variable "${name}"`, locate?.([name]), hint);
    }
  }
}

function checkControllerName(name: string, place: LocateLazily, diagnostics: Diagnostics): void {
  const refusal = nameRefusal('controller', name);
  if (refusal !== undefined) diagnostics.error(refusal, place());
}

function checkGroupName(name: string, place: LocateLazily, diagnostics: Diagnostics): void {
  const refusal = nameRefusal('group', name);
  if (refusal !== undefined) diagnostics.error(refusal, place());
  else if (MEANT_IN_PATTERNS.test(name)) diagnostics.warn(`patterns cannot refer to the group "${name}"`, place());
}

const GROUP_PRIORITY = 'ansible_group_priority';

/**
 * Removes `ansible_group_priority` from a group's variables: it sets their precedence, and is not a variable (as in
 * Ansible).
 */
function splitPriority(
  { values, locate }: GivenVariables,
  group: string,
  diagnostics: Diagnostics,
): { values: Mapping; priority?: number } {
  const given = entry(values, GROUP_PRIORITY);
  if (given === undefined) return { values };
  const rest = Object.fromEntries(Object.entries(values).filter(([name]) => name !== GROUP_PRIORITY));
  const priority = typeof given === 'string' && /^\s*[-+]?[0-9]+\s*$/.test(given) ? Number(given) : given;
  if (typeof priority === 'number' && Number.isFinite(priority))
    return { values: rest, priority: Math.trunc(priority) };
  diagnostics.error(`${GROUP_PRIORITY} of group "${group}" must be a whole number`, locate?.([GROUP_PRIORITY]));
  return { values: rest };
}

/** The groups from one down to a descendant, both included; undefined if the second is not a descendant. */
function pathToDescendant(
  groups: ReadonlyMap<string, GroupDraft>,
  from: string,
  to: string,
): readonly string[] | undefined {
  const visited = new Set<string>();
  const walk = (name: string): readonly string[] | undefined => {
    if (name === to) return [name];
    if (visited.has(name)) return undefined;
    visited.add(name);
    for (const child of groups.get(name)?.children ?? []) {
      const rest = walk(child);
      if (rest !== undefined) return [name, ...rest];
    }
    return undefined;
  };
  return walk(from);
}

/** The position of a value, computed only if a message needs it; undefined for values without a file. */
export type LocateLazily = () => Source | undefined;

export interface GroupDraft {
  readonly name: string;
  readonly children: Set<string>;
  readonly parents: Set<string>;
  readonly controllers: Set<string>;
  /** The layers from inventory sources, weakest first; `group_vars` are added at the end. */
  readonly layers: VariableLayer[];
  priority: number;
  readonly place: LocateLazily;
}

export interface ControllerDraft {
  readonly name: string;
  /** Direct membership. */
  readonly groups: Set<string>;
  readonly layers: VariableLayer[];
  readonly origin: InventoryOrigin;
  readonly place: LocateLazily;
}

/** The inventory source that is being read. */
export interface InventoryOrigin {
  /** Its name in messages. */
  readonly shown: string;
  /** Absolute: `inventory_file`. For names on the command line, the text of the option. */
  readonly file: string;
  /** Absolute: `inventory_dir`; absent for names on the command line. */
  readonly directory: string | undefined;
  /** Whether the source was encrypted: its variables are secrets then. */
  readonly encrypted?: boolean;
}

/** The variables that one source sets for one group or controller. */
export type GivenVariables = Pick<VariableLayer, 'values' | 'locate' | 'literal'>;
