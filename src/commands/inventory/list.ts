import type { Group, Inventory } from '../../model/inventory.js';
import type { Mapping, Value } from '../../model/value.js';
import type { VariableLayer } from '../../model/variables.js';
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

/** What `--list -y` prints: groups inside each other, with a controller's variables where it comes first. */
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
  const groupOf = (group: Group): Mapping => {
    const children = Object.fromEntries(
      group.children.flatMap((name): [string, Mapping][] => {
        const child = inventory.groups.get(name);
        return child === undefined ? [] : [[name, groupOf(child)]];
      }),
    );
    const content: Draft = {};
    if (group.children.length > 0) content['children'] = children;
    if (group.controllers.length > 0 && group.name !== 'all') content['hosts'] = controllersOf(group);
    return content;
  };
  const all = inventory.groups.get('all');
  return { all: all === undefined ? {} : groupOf(all) };
}
