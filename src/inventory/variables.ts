import type { Controller, Inventory } from '../core/model/inventory/inventory.js';
import type { Mapping, Value } from '../core/model/values/value.js';
import { inPrecedence, type VariableLayer } from '../core/model/values/variables.js';

/** Names that a run sets itself. ansible-inventory omits the same names, even if an inventory sets them. */
const SET_BY_RUNS: ReadonlySet<string> = new Set([
  'ansible_diff_mode',
  'ansible_config_file',
  'ansible_facts',
  'ansible_forks',
  'ansible_inventory_sources',
  'ansible_limit',
  'ansible_playbook_python',
  'ansible_run_tags',
  'ansible_skip_tags',
  'ansible_verbosity',
  'ansible_version',
  'inventory_dir',
  'inventory_file',
  'inventory_hostname',
  'inventory_hostname_short',
  'groups',
  'group_names',
  'omit',
  'playbook_dir',
]);

/** All variables that a controller gets from the inventory and `-e`, with templates as written. */
export function controllerVariables(controller: Controller, extraVars: readonly VariableLayer[]): Mapping {
  return merged([...controller.layers, ...extraVars]);
}

/** The variables of the layers, weakest first, without those that the run sets. */
function merged(layers: readonly VariableLayer[]): Mapping {
  const values = new Map<string, Value>();
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer.values)) if (!SET_BY_RUNS.has(name)) values.set(name, value);
  }
  return Object.fromEntries(values);
}

/** A group's own variables, including its priority unless it is the default. */
export function groupVariables(layers: readonly VariableLayer[], priority: number | undefined): Mapping {
  const values = merged(inPrecedence(layers));
  return priority === undefined || priority === 1 ? values : { ...values, ansible_group_priority: priority };
}

/** The inventory with these controllers only; all groups stay. */
export function restrict(inventory: Inventory, names: ReadonlySet<string>): Inventory {
  const groups = [...inventory.groups].map(
    ([name, group]) => [name, { ...group, controllers: group.controllers.filter((one) => names.has(one)) }] as const,
  );
  const controllers = [...inventory.controllers].filter(([name]) => names.has(name));
  return { ...inventory, groups: new Map(groups), controllers: new Map(controllers) };
}
