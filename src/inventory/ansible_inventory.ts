import type { Controller, Group, Inventory } from '../core/model/inventory/inventory.js';
import { LoadError } from '../core/model/source/diagnostic.js';
import { mapValues, isMapping, isList, type Mapping, Unsafe, type Value, Vaulted } from '../core/model/values/value.js';
import { inPrecedence, type VariableLayer } from '../core/model/values/variables.js';
import { pythonJson, pythonText, sortedNames } from '../language/python/representation.js';

/** What `--list` prints as JSON: each group with its controllers and children, and all variables under `_meta`. */
export function inventoryForJson(inventory: Inventory, extraVars: readonly VariableLayer[]): Mapping {
  const groups = Object.fromEntries(reachable(inventory).flatMap((group) => groupEntry(group)));
  const hostvars: [string, Value][] = [];
  for (const controller of inventory.controllers.values()) {
    const variables = controllerVariables(controller, extraVars);
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
  const controllerEntries = (group: Group): Mapping =>
    Object.fromEntries(
      group.controllers.map((name) => {
        const controller = seen.has(name) ? undefined : inventory.controllers.get(name);
        seen.add(name);
        return [name, controller === undefined ? {} : controllerVariables(controller, extraVars)];
      }),
    );
  const printed = new Set<string>();
  const childEntry = (name: string): readonly [string, Mapping][] => {
    const group = inventory.groups.get(name);
    if (group === undefined) return [];
    if (printed.has(name)) return [[name, {}]];
    const content = nestedGroup(group);
    printed.add(name);
    return Object.keys(content).length === 0 ? [] : [[name, content]];
  };
  const nestedGroup = (group: Group): Mapping => {
    const children = Object.fromEntries(group.children.flatMap(childEntry));
    const content: Record<string, Value> = {};
    if (Object.keys(children).length > 0) content['children'] = children;
    if (group.controllers.length > 0 && group.name !== 'all') content['hosts'] = controllerEntries(group);
    return content;
  };
  const all = inventory.groups.get('all');
  return { all: all === undefined ? {} : nestedGroup(all) };
}

/** JSON as ansible-inventory lays it out: names sorted, four blanks a level. */
export function ansibleJson(value: Value): string {
  return pythonJson(withTags(value), { indent: 4, sortKeys: true, ascii: false, hasNaN: true });
}

/** Encrypted and unsafe texts as Ansible writes them in JSON. */
function withTags(value: Value): Value {
  if (value instanceof Vaulted) return { __ansible_vault: value.envelope };
  if (value instanceof Unsafe) return { __ansible_unsafe: value.text };
  if (isList(value)) return value.map(withTags);
  return isMapping(value) ? mapValues(value, withTags) : value;
}

interface GraphOptions {
  /** The group to start at. */
  readonly group: string;
  /** Whether variables are shown too. */
  readonly vars: boolean;
  readonly extraVars: readonly VariableLayer[];
}

/** The tree of groups and controllers, as `ansible-inventory --graph` draws it; undefined if there is no such group. */
export function inventoryGraph(inventory: Inventory, options: GraphOptions): string | undefined {
  const group = inventory.groups.get(options.group);
  return group === undefined
    ? undefined
    : groupLines(inventory, group, 0, { ...options, shown: { groups: 0 } }).join('\n');
}

/** A group is shown below each of its parents, so few groups can become many lines. */
const MOST_GROUPS = 100_000;

interface Drawing extends GraphOptions {
  readonly shown: { groups: number };
}

function groupLines(inventory: Inventory, group: Group, depth: number, options: Drawing): readonly string[] {
  options.shown.groups += 1;
  if (options.shown.groups > MOST_GROUPS)
    throw new LoadError(
      `the graph shows more than ${MOST_GROUPS} groups, because groups such as "${group.name}" are in several others`,
      undefined,
      'use --list',
    );
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
    const shown = options.vars && controller !== undefined ? controllerVariables(controller, options.extraVars) : {};
    return [indented(name, depth), ...variableLines(shown, depth + 1)];
  });
}

function variableLines(variables: Mapping, depth: number): readonly string[] {
  return sortedNames(variables).map((name) => indented(`{${name} = ${pythonText(variables[name] ?? null)}}`, depth));
}

function indented(text: string, depth: number): string {
  return depth === 0 ? text : `${'  |'.repeat(depth)}--${text}`;
}

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
function groupVariables(layers: readonly VariableLayer[], priority: number | undefined): Mapping {
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
