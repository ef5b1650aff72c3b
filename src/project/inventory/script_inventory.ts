import type { Locate } from '../../core/model/source/diagnostic.js';
import { entry, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { GROUP_SECTIONS, type InventoryBuilder, type InventoryOrigin } from './builder.js';

/** Whether JSON has the structure of an executable's output: `_meta`, or groups whose `hosts` are a list. */
export function isScriptInventory(value: Value): boolean {
  if (!isMapping(value)) return false;
  return (
    Object.hasOwn(value, '_meta') ||
    Object.values(value).some((group) => isList(group) || (isMapping(group) && isList(entry(group, 'hosts'))))
  );
}

/**
 * Reads the output of an inventory executable for `--list`. Returns the named controllers, and their variables from `_meta`. Without
 * `_meta`, the variables are undefined, and `--host` must be called for each controller.
 */
export function addScriptInventory(value: Value, origin: InventoryOrigin, builder: InventoryBuilder, locate?: Locate) {
  const reader = new ScriptReader(origin, builder, locate);
  if (!isMapping(value)) {
    reader.wrong('must be a mapping of groups', []);
    return { controllers: reader.controllers, variables: {} };
  }
  for (const [name, group] of Object.entries(value)) if (name !== '_meta') reader.group(name, group);
  return { controllers: reader.controllers, variables: reader.meta(entry(value, '_meta')) };
}

/** Sets the variables of one controller. */
export function addScriptVariables(
  name: string,
  value: Value,
  origin: InventoryOrigin,
  builder: InventoryBuilder,
  locate?: Locate,
): void {
  if (isMapping(value)) builder.addControllerVariables([name], { values: value, locate }, origin);
  else builder.diagnostics.error(`${origin.shown}: the variables of "${name}" must be a mapping`, locate?.([]));
}

class ScriptReader {
  readonly controllers = new Set<string>();

  constructor(
    private readonly origin: InventoryOrigin,
    private readonly builder: InventoryBuilder /** Absent for values without a file. */,
    private readonly locate: Locate | undefined,
  ) {}

  wrong(message: string, path: readonly string[]): void {
    this.builder.diagnostics.error(`${this.origin.shown}: the inventory ${message}`, this.locate?.(path));
  }

  /**
   * A list contains the group's controllers; a mapping without any of the three keys is one controller with the group's
   * name, and its variables.
   */
  group(name: string, content: Value): void {
    this.builder.addGroup(name, () => this.locate?.([name]));
    if (isList(content)) this.#hosts(name, content, [name]);
    else if (!isMapping(content)) this.wrong(`has group "${name}", which is neither a list nor a mapping`, [name]);
    else if (GROUP_SECTIONS.some((key) => Object.hasOwn(content, key))) this.#sections(name, content);
    else {
      this.#hosts(name, [name], [name]);
      this.#variables(name, content, [name]);
    }
  }

  meta(meta: Value | undefined): Mapping | undefined {
    const variables = meta !== undefined && isMapping(meta) ? entry(meta, 'hostvars') : undefined;
    if (variables === undefined || isMapping(variables)) return variables;
    this.wrong('has "_meta.hostvars" that are not a mapping', ['_meta', 'hostvars']);
    return {};
  }

  #sections(group: string, content: Mapping): void {
    const hosts = entry(content, 'hosts') ?? [];
    const variables = entry(content, 'vars') ?? {};
    const children = entry(content, 'children') ?? [];
    if (isList(hosts)) this.#hosts(group, hosts, [group, 'hosts']);
    else this.wrong(`has "hosts" of group "${group}" that are not a list`, [group, 'hosts']);
    if (isMapping(variables)) this.#variables(group, variables, [group, 'vars']);
    else this.wrong(`has "vars" of group "${group}" that are not a mapping`, [group, 'vars']);
    if (isList(children)) this.#children(group, children);
    else this.wrong(`has "children" of group "${group}" that are not a list`, [group, 'children']);
  }

  #hosts(group: string, names: readonly Value[], path: readonly string[]): void {
    for (const name of names) {
      if (typeof name !== 'string' || name === '') {
        this.wrong(`has a controller in group "${group}" whose name is not text`, path);
        continue;
      }
      this.controllers.add(name);
      this.builder.addController(name, group, this.origin, () => this.locate?.(path));
    }
  }

  #children(group: string, names: readonly Value[]): void {
    for (const name of names) {
      if (typeof name === 'string') this.builder.addChild(group, name, () => this.locate?.([group, 'children']));
      else this.wrong(`has a child of group "${group}" whose name is not text`, [group, 'children']);
    }
  }

  #variables(group: string, values: Mapping, path: readonly string[]): void {
    const around = this.locate;
    const locate: Locate | undefined = around === undefined ? undefined : (inside) => around([...path, ...inside]);
    this.builder.addGroupVariables(group, { values, locate }, this.origin);
  }
}
