import { encode } from '../../model/values/value_codec.js';
import type { Mapping } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { ControllerState } from '../controllers/controller_state.js';
import { keepVariables, NO_VARIABLES } from '../controllers/kept_variables.js';
import type { TaskEnd } from '../task/task_end.js';

/** What coordinator and workers do alike with what is known of a controller, and with what its steps give to others. */

/** What a run knows about a controller beside its inventory. */
export interface KnownOfController {
  readonly values: Mapping;
  /** Of `set_fact` with `cacheable`. */
  readonly facts: Mapping;
  readonly included: readonly VariableLayer[];
  /** Words that output must mask, by variable. */
  readonly masked: readonly (readonly [name: string, words: readonly string[]])[];
}

/** What was known of the controller beside its inventory is replaced. */
export function know(state: ControllerState, known: KnownOfController): void {
  state.forget();
  keepVariables(state, { ...NO_VARIABLES, ...known });
  if (known.masked.length > 0) state.maskedWords.isPossible = true;
  for (const [name, words] of known.masked) state.maskedWords.set(state.name, [name], words);
}

/** Values that tasks set are never modified, only replaced. */
export function isSame(one: ControllerState['known'] | undefined, other: ControllerState['known']): boolean {
  return one?.values === other.values && one.facts === other.facts && one.included === other.included;
}

/** What identifies an included file among those of a batch, in any process. */
export function includedKey(title: string, first: string, layers: readonly VariableLayer[]): string {
  return `${title} ${first} ${encode(layers.map(({ values }) => values))}`;
}

/** The result of a step for the others, without what only the one that ran it needs. */
export function shareable(end: TaskEnd): TaskEnd {
  return { ...end, notified: [], included: [] };
}
