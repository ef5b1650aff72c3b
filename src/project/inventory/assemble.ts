import { type Controller, type Group, type Inventory, LOCALHOST_NAMES } from '../../core/model/inventory/inventory.js';
import { GroupPrecedence } from '../../core/model/inventory/inventory_draft.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { GroupVars } from '../variables/group_vars.js';
import type { InventoryBuilder, ControllerDraft, GroupDraft } from './builder.js';

/** The values that all controllers of the same groups share. */
interface GroupLayers {
  readonly groups: readonly string[];
  readonly layers: readonly VariableLayer[];
}

/**
 * Builds the inventory for the rest of the program, with the layers of each controller in order of precedence.
 *
 * @param adjacent `group_vars` and `host_vars`, in the order of the sources
 */
export function assembleInventory(builder: InventoryBuilder, adjacent: readonly GroupVars[]): Inventory {
  const groups = new Map([...builder.groups.values()].map((group) => [group.name, finishedGroup(group, adjacent)]));
  const shared = new SharedLayers(builder.groups, adjacent);
  const controllers = new Map<string, Controller>();
  for (const [name, controller] of builder.controllers)
    controllers.set(name, finishedController(controller, shared, adjacent));
  return { groups, controllers, localhostLayers: new Map(LOCALHOST_NAMES.map((name) => [name, own(name, adjacent)])) };
}

function finishedGroup(group: GroupDraft, adjacent: readonly GroupVars[]): Group {
  return {
    name: group.name,
    children: [...group.children],
    controllers: [...group.controllers],
    layers: [...group.layers, ...adjacent.flatMap(({ groups }) => groups.get(group.name) ?? [])],
    ...(group.priority === 1 ? {} : { priority: group.priority }),
  };
}

function finishedController(
  controller: ControllerDraft,
  shared: SharedLayers,
  adjacent: readonly GroupVars[],
): Controller {
  const { name, origin } = controller;
  const common = shared.layers(controller.groups);
  return {
    name,
    groups: common.groups,
    layers: [...common.layers, ...controller.layers, ...own(name, adjacent)],
    file: origin.file,
    directory: origin.directory,
  };
}

function own(name: string, adjacent: readonly GroupVars[]): readonly VariableLayer[] {
  return adjacent.flatMap(({ controllers }) => controllers.get(name) ?? []);
}

/** Computed once for each distinct set of groups, which thousands of controllers may share. */
class SharedLayers {
  readonly #precedence: GroupPrecedence<GroupDraft>;
  readonly #known = new Map<string, GroupLayers>();

  constructor(
    private readonly groups: ReadonlyMap<string, GroupDraft>,
    private readonly adjacent: readonly GroupVars[],
  ) {
    this.#precedence = new GroupPrecedence(groups);
  }

  layers(direct: ReadonlySet<string>): GroupLayers {
    return getOrAdd(this.#known, [...direct].join('\n'), () => this.#make(direct));
  }

  /**
   * `group_vars` sort by source first, then by group: a parent group in a later source is stronger than a child group
   * in an earlier one.
   */
  #make(direct: ReadonlySet<string>): GroupLayers {
    const ordered = this.#precedence.ordered(direct);
    const groups = ordered.map(({ name }) => name);
    const inFiles = (names: readonly string[]): readonly VariableLayer[] =>
      this.adjacent.flatMap((one) => names.flatMap((name) => one.groups.get(name) ?? []));
    const written = [this.groups.get('all')?.layers ?? [], ...ordered.map(({ layers }) => layers)].flat();
    return { groups, layers: [...written, ...inFiles(['all']), ...inFiles(groups)] };
  }
}

/**
 * Establishes the invariants of inventories after all sources are read (as in Ansible): every group is below `all`;
 * `ungrouped` has exactly the controllers without another group.
 */
export function reconcile(builder: InventoryBuilder): void {
  const { groups, controllers, diagnostics } = builder;
  for (const group of groups.values()) {
    if (group.name !== 'all' && group.parents.size === 0) builder.addChild('all', group.name, group.place);
  }
  const ungrouped = builder.addGroup('ungrouped', () => undefined);
  for (const controller of controllers.values()) {
    const named = [...controller.groups].some((name) => name !== 'all' && name !== 'ungrouped');
    if (named) {
      controller.groups.delete('ungrouped');
      ungrouped.controllers.delete(controller.name);
    } else {
      controller.groups.add('ungrouped');
      ungrouped.controllers.add(controller.name);
    }
    if (groups.has(controller.name))
      diagnostics.warn(
        `"${controller.name}" is the name of a group and of a controller; patterns select the controller, but after "&" and "!" the group`,
        controller.place(),
      );
  }
}
