import type { Group, Inventory } from '../../model/inventory/inventory.js';
import type { Mapping } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import { pythonText } from '../../python/representation.js';
import { sortedNames } from '../../python/sorted_names.js';
import { groupVariables, variablesOf } from './variables.js';

export interface GraphOptions {
  /** The group to start at. */
  readonly group: string;
  /** Whether variables are shown too. */
  readonly vars: boolean;
  readonly extraVars: readonly VariableLayer[];
}

/** The tree of groups and controllers, as `ansible-inventory --graph` draws it; undefined if there is no such group. */
export function inventoryGraph(inventory: Inventory, options: GraphOptions): string | undefined {
  const group = inventory.groups.get(options.group);
  return group === undefined ? undefined : groupLines(inventory, group, 0, options).join('\n');
}

function groupLines(inventory: Inventory, group: Group, depth: number, options: GraphOptions): readonly string[] {
  const children = group.children.flatMap((name) => {
    const child = inventory.groups.get(name);
    return child === undefined ? [] : groupLines(inventory, child, depth + 1, options);
  });
  const controllers = group.name === 'all' ? [] : controllerLines(inventory, group, depth + 1, options);
  const variables = options.vars ? variableLines(groupVariables(group.layers, group.priority), depth + 1) : [];
  return [indented(`@${group.name}:`, depth), ...children, ...controllers, ...variables];
}

function controllerLines(inventory: Inventory, group: Group, depth: number, options: GraphOptions): readonly string[] {
  return group.controllers.flatMap((name) => {
    const controller = inventory.controllers.get(name);
    const shown = options.vars && controller !== undefined ? variablesOf(controller, options.extraVars) : {};
    return [indented(name, depth), ...variableLines(shown, depth + 1)];
  });
}

function variableLines(variables: Mapping, depth: number): readonly string[] {
  return sortedNames(variables).map((name) => indented(`{${name} = ${pythonText(variables[name] ?? null)}}`, depth));
}

function indented(text: string, depth: number): string {
  return depth === 0 ? text : `${'  |'.repeat(depth)}--${text}`;
}
