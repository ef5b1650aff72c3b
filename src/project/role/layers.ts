import { isList, isMapping, Unsafe, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { hasTemplate } from '../../language/check.js';
import type { RoleContext } from '../task/read_context.js';
import { variableFiles, type RoleFolder } from './files.js';

/** The variables of the role's own files and parameters. Each list weakest first. */
export interface OwnLayers {
  readonly defaults: readonly VariableLayer[];
  /** Variables given with the role, then those of its files, which are stronger. */
  readonly vars: readonly VariableLayer[];
  readonly params: readonly VariableLayer[];
}

/** The variables of a role that the whole play sees: its own and those of its dependencies, which come first. */
export interface SeenLayers {
  readonly defaults: readonly VariableLayer[];
  readonly vars: readonly VariableLayer[];
}

/** The variables that a role passes to its dependencies: inherited ones, and its own. */
export function layersForDependencies(
  around: readonly VariableLayer[],
  { defaults, vars, params }: OwnLayers,
): readonly VariableLayer[] {
  return [...around, ...defaults, ...vars, ...params];
}

/**
 * The variables that the steps of a role see, as in Ansible's `Role.get_default_vars` and `Role.get_vars`. `around`
 * contains the layers of the roles that depend on the role. The defaults of these roles are stronger than those of the
 * role's dependencies, their vars are weaker. The role's own defaults and vars are stronger than both.
 */
export function seenBySteps(
  around: readonly VariableLayer[],
  own: OwnLayers,
  dependencies: readonly SeenLayers[],
): readonly VariableLayer[] {
  const below = dependencies.flatMap(({ defaults }) => defaults);
  const above = dependencies.flatMap(({ vars }) => vars);
  return [...below, ...around, ...above, ...own.defaults, ...own.vars, ...own.params];
}

export function seenByPlay(own: OwnLayers, dependencies: readonly SeenLayers[]): SeenLayers {
  return {
    defaults: [...dependencies.flatMap(({ defaults }) => defaults), ...own.defaults],
    vars: [...dependencies.flatMap(({ vars }) => vars), ...own.vars],
  };
}

/** The magic variables of a role's steps; the run sets `ansible_play_role_names` and the like. */
export function roleMagic({ name, path, parents }: RoleContext): VariableLayer {
  const around: Mapping = {
    ansible_parent_role_names: parents.map((parent) => parent.name),
    ansible_parent_role_paths: parents.map((parent) => parent.path),
  };
  const own: Mapping = { role_name: name, role_path: path, ansible_role_name: name };
  return {
    level: 'magic',
    values: parents.length === 0 ? own : { ...own, ...around },
    origin: 'magic variables',
    literal: true,
  };
}

/** Reads `defaults` and `vars` of a role. */
export async function ownLayers(
  { vars, params }: Pick<OwnLayers, 'vars' | 'params'>,
  folder: RoleFolder,
): Promise<OwnLayers> {
  return { defaults: await read('defaults', folder), vars: [...vars, ...(await read('vars', folder))], params };
}

async function read(part: 'defaults' | 'vars', folder: RoleFolder): Promise<readonly VariableLayer[]> {
  const { at, files } = folder;
  const level = part === 'defaults' ? 'role defaults' : 'role vars';
  const layers: VariableLayer[] = [];
  for (const file of variableFiles(part, folder)) {
    const layer = await files.variables(file, level, at.diagnostics);
    if (layer !== undefined) layers.push(layer);
  }
  return layers;
}

/** The variables whose values are known as they are written. */
export function fixedNames({ values }: VariableLayer): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => (holdsTemplate(value) ? [] : [name]));
}

function holdsTemplate(value: Value): boolean {
  if (typeof value === 'string') return hasTemplate(value);
  if (isList(value)) return value.some(holdsTemplate);
  return isMapping(value) ? Object.values(value).some(holdsTemplate) : value instanceof Unsafe;
}
