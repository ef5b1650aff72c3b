import type { Group, Inventory } from '../../model/inventory/inventory.js';
import type { Mapping, Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import { variablesOf } from './variables.js';

type Draft = Record<string, Value>;

/** What `--list` prints as JSON: each group with its controllers and children, and all variables under `_meta`. */
export function inventoryForJson(inventory: Inventory, extraVars: readonly VariableLayer[]): Mapping {
  const groups = Object.fromEntries(reachable(inventory).flatMap((group) => groupEntry(group)));
  const hostvars: [string, Value][] = [];
  for (const controller of inventory.controllers.values()) {
    const variables = variablesOf(controller, extraVars);
    if (Object.keys(variables).length > 0) hostvars.push([controller.name, variables]);
  }
  return { ...groups, _meta: { hostvars: Object.fromEntries(hostvars) } };
}

function reachable(inventory: Inventory): readonly Group[] {
  const names = new Set(['all']);
  for (const name of names) for (const child of inventory.groups.get(name)?.children ?? []) names.add(child);
  return [...names].flatMap((name) => inventory.groups.get(name) ?? []);
}

function groupEntry({ name, controllers, children }: Group): readonly [string, Value][] {
  const content = {
    ...(controllers.length > 0 && name !== 'all' ? { hosts: controllers } : {}),
    ...(children.length > 0 ? { children } : {}),
  };
  return Object.keys(content).length === 0 ? [] : [[name, content]];
}

/**
 * What `--list -y` prints: nested groups, with the content of a group and the variables of a controller where they
 * first occur. Groups without content are left out, as in ansible-core 2.19.
 */
export function inventoryForYaml(inventory: Inventory, extraVars: readonly VariableLayer[]): Mapping {
  const seen = new Set<string>();
  const controllersOf = (group: Group): Mapping =>
    Object.fromEntries(
      group.controllers.map((name) => {
        const controller = seen.has(name) ? undefined : inventory.controllers.get(name);
        seen.add(name);
        return [name, controller === undefined ? {} : variablesOf(controller, extraVars)];
      }),
    );
  const printed = new Set<string>();
  const childOf = (name: string): readonly [string, Mapping][] => {
    const group = inventory.groups.get(name);
    if (group === undefined) return [];
    if (printed.has(name)) return [[name, {}]];
    const content = groupOf(group);
    printed.add(name);
    return Object.keys(content).length === 0 ? [] : [[name, content]];
  };
  const groupOf = (group: Group): Mapping => {
    const children = Object.fromEntries(group.children.flatMap(childOf));
    const content: Draft = {};
    if (Object.keys(children).length > 0) content['children'] = children;
    if (group.controllers.length > 0 && group.name !== 'all') content['hosts'] = controllersOf(group);
    return content;
  };
  const all = inventory.groups.get('all');
  return { all: all === undefined ? {} : groupOf(all) };
}
