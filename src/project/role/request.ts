import type { Handler, RoleRun } from '../../core/model/playbook/step.js';
import { jsonText, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { RoleFolder } from './files.js';
import type { SeenLayers } from './layers.js';

/** A use of a role, with its options. */
export interface RoleRequest extends Omit<RoleFolder, 'files'> {
  readonly vars: readonly VariableLayer[];
  readonly params: readonly VariableLayer[];
  /** Identifies this use of the role: uses with the same key run once. */
  readonly identity: Mapping;
  /** Overrides the role's own `allow_duplicates`. */
  readonly repeatable: boolean | undefined;
  /** Whether its arguments are compared with its specification. */
  readonly validate: boolean;
  /** Whether an include or import uses the role. Such uses count separately from those in `roles` and dependencies. */
  readonly fromStep: boolean;
}

/** A role with its dependencies, as steps and handlers. */
export interface ExpandedRole {
  readonly name: string;
  /** The steps of its dependencies, in order, then its own. */
  readonly steps: readonly RoleRun[];
  readonly handlers: readonly Handler[];
  /** The variables that the whole play sees if the role is part of the play. */
  readonly seen: SeenLayers;
  /** Names of its direct and indirect dependencies. */
  readonly dependencies: readonly string[];
}

/**
 * Returns the same text for equal mappings, regardless of the order of their keys.
 *
 * @param asSets regardless of the order in lists, too
 */
export function mappingKey(value: Mapping, asSets = false): string {
  const sorted = (inner: Value): unknown => {
    if (isList(inner))
      return asSets ? [...new Set(inner.map((one) => jsonText(sorted(one))))].sort() : inner.map(sorted);
    if (!isMapping(inner)) return inner;
    const names = Object.keys(inner).sort();
    return Object.fromEntries(names.map((name) => [name, sorted(inner[name] ?? null)]));
  };
  return jsonText(sorted(value));
}
