import { encode } from '../../model/values/value_codec.js';
import type { Mapping } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { keepVariables, NO_VARIABLES } from '../controllers/kept_variables.js';
import type { TaskEnd } from '../task/task_end.js';

/** Shared by coordinator and workers: the known state of a controller, and what its steps set for others. */

/** The variables that a run has for a controller besides its inventory. */
export interface KnownOfController {
  readonly values: Mapping;
  /** Set by `set_fact` with `cacheable`. */
  readonly facts: Mapping;
  readonly included: readonly VariableLayer[];
  /** Words that output must mask, by variable. */
  readonly masked: readonly (readonly [name: string, words: readonly string[]])[];
}

/** Replaces the variables that the controller has besides its inventory. */
export function setKnown(state: ControllerState, known: KnownOfController): void {
  state.forget();
  keepVariables(state, { ...NO_VARIABLES, ...known });
  if (known.masked.length > 0) state.maskedWords.isPossible = true;
  for (const [name, words] of known.masked) state.maskedWords.set(state.name, [name], words);
}

/** Compares by identity, because values that tasks set are replaced, never modified. */
export function isSame(one: ControllerState['known'] | undefined, other: ControllerState['known']): boolean {
  return one?.values === other.values && one.facts === other.facts && one.included === other.included;
}

/** Identifies an included file among those of a batch, in any process. */
export function includedKey(title: string, first: string, layers: readonly VariableLayer[]): string {
  return `${title} ${first} ${encode(layers.map(({ values }) => values))}`;
}

/** The result of a step for other controllers, without the parts that only its own controller needs. */
export function shareable(end: TaskEnd): TaskEnd {
  return { ...end, notified: [], included: [] };
}
