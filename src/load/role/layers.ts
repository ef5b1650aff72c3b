import type { VariableLayer } from '../../model/values/variables.js';

/** The variables that a role brings itself. Each list weakest first. */
export interface OwnLayers {
  readonly defaults: readonly VariableLayer[];
  /** Those that were given with the role, then those of its files, which are stronger. */
  readonly vars: readonly VariableLayer[];
  readonly params: readonly VariableLayer[];
}

/** What the whole play sees of a role: its own and what its dependencies bring, theirs first. */
export interface SeenLayers {
  readonly defaults: readonly VariableLayer[];
  readonly vars: readonly VariableLayer[];
}

/** What a role hands to its dependencies: what is around it, and its own. */
export function handedToDependencies(
  around: readonly VariableLayer[],
  { defaults, vars, params }: OwnLayers,
): readonly VariableLayer[] {
  return [...around, ...defaults, ...vars, ...params];
}

/**
 * What the steps of a role see. `around` holds the layers of the roles that depend on it. Their defaults are stronger than
 * those of its dependencies, their vars weaker; its own are stronger than both. Same as Ansible's `Role.get_default_vars`
 * and `Role.get_vars`.
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
