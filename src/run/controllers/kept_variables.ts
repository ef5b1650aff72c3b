import type { Elsewhere, StepLeft } from '../../model/run/journal.js';
import { entriesUnread, storing } from '../../model/values/stored.js';
import type { Mapping, Value } from '../../model/values/value.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { ControllerState } from './controller_state.js';
import type { Fleet } from './fleet.js';
import type { UsedVariables } from '../../secrets/masked_words.js';

/** The variables of a controller that a task sets. */
export interface KeptVariables {
  /** Of `set_fact` and `register`. */
  readonly values: Mapping;
  /** Of `set_fact` with `cacheable`. */
  readonly facts: Mapping;
  /** Of `include_vars`, weaker first. */
  readonly included: readonly VariableLayer[];
  /** Variables set for other controllers (`delegate_facts`). */
  readonly elsewhere: readonly Elsewhere[];
  /** Words in it that must be masked. Undefined: none. */
  readonly hidden?: readonly string[] | undefined;
}

const FACTS = 'ansible_facts';

export const NO_VARIABLES: KeptVariables = { values: {}, facts: {}, included: [], elsewhere: [] };

/**
 * The words of a value that must stay masked everywhere: all words of a masked task, otherwise those that the task took from masked
 * values.
 */
export function maskedWords(
  used: UsedVariables | undefined,
  value: Value,
  masked: boolean,
): Pick<KeptVariables, 'hidden'> {
  const hidden = used?.wordsLeft(value, masked);
  return hidden === undefined ? {} : { hidden };
}

/** The later ones are stronger. */
export function mergeKept(parts: readonly KeptVariables[]): KeptVariables {
  const all = parts.filter(isSomething);
  if (all.length < 2) return all[0] ?? NO_VARIABLES;
  return {
    values: storing(all.flatMap(({ values }) => entriesUnread(values))),
    facts: storing(all.flatMap(({ facts }) => entriesUnread(facts))),
    included: all.flatMap(({ included }) => included),
    elsewhere: all.flatMap(({ elsewhere }) => elsewhere),
    ...hiddenInAll(all),
  };
}

function hiddenInAll(parts: readonly KeptVariables[]): Pick<KeptVariables, 'hidden'> {
  const hidden = parts.flatMap(({ hidden: words = [] }) => words);
  return hidden.length === 0 ? {} : { hidden };
}

/** Most tasks set no variables. */
function isSomething({ values, facts, included, elsewhere, hidden }: KeptVariables): boolean {
  if (hidden !== undefined) return true;
  return Object.keys(values).length + Object.keys(facts).length + included.length + elsewhere.length > 0;
}

/** Restores the controller's values; those of other controllers are already restored. */
export function keepVariables(state: ControllerState, { values, facts, included, hidden }: KeptVariables): void {
  if (Object.keys(facts).length > 0) state.addCachedFacts(facts);
  for (const layer of included) state.include(layer);
  if (Object.keys(values).length > 0) state.addVariables(values);
  if (state.hidden.isPossible) noteHidden(state, { values, facts, included }, hidden);
}

function noteHidden(
  { name, hidden: known }: ControllerState,
  { values, facts, included }: Pick<KeptVariables, 'values' | 'facts' | 'included'>,
  hidden: readonly string[] | undefined,
): void {
  const set = [values, facts, ...included.map((layer) => layer.values)];
  known.set(
    name,
    set.flatMap((one) => Object.keys(one)),
    hidden,
  );
  // It also holds the facts of other tasks.
  if (hidden !== undefined && Object.keys(facts).length > 0)
    known.set(name, [FACTS], [...known.of(name, FACTS), ...hidden]);
}

/** The form for the journal; undefined if there is nothing to keep. Variables from files are read again. */
export function asStepLeft({ values, facts, elsewhere, hidden }: KeptVariables): StepLeft | undefined {
  const left = {
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(facts).length > 0 && { facts }),
    ...(elsewhere.length > 0 && { elsewhere }),
    ...(hidden !== undefined && { hidden }),
  };
  return Object.keys(left).length === 0 ? undefined : left;
}

/** Restores for all controllers what a step set before the run was interrupted. */
export function restoreVariables(state: ControllerState, fleet: Fleet, left: StepLeft | undefined): KeptVariables {
  const { values = {}, facts = {}, elsewhere = [], hidden } = left ?? {};
  const kept = { ...NO_VARIABLES, values, facts, elsewhere, hidden };
  if (hidden !== undefined) state.hidden.isPossible = true;
  keepVariables(state, kept);
  for (const { owner, ...given } of elsewhere) {
    const other = fleet.find(owner);
    if (other !== undefined) keepVariables(other, { ...NO_VARIABLES, ...given, hidden });
  }
  return kept;
}
