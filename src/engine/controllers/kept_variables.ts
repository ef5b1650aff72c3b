import type { Elsewhere, StepLeft } from '../../core/model/run/journal.js';
import { entriesUnread, storing } from '../../core/model/values/stored.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { UsedVariables } from '../../core/secrets/masked_words.js';
import type { ControllerState } from './controller_state.js';

/** The variables of a controller that a task sets. */
export interface KeptVariables {
  /** Set by `set_fact` and `register`. */
  readonly values: Mapping;
  /** Set by `set_fact` with `cacheable`. */
  readonly facts: Mapping;
  /** Loaded by `include_vars`, lowest precedence first. */
  readonly included: readonly VariableLayer[];
  /** Variables set for other controllers (`delegate_facts`). */
  readonly elsewhere: readonly Elsewhere[];
  /** Words in it that must be masked. Undefined: none. */
  readonly maskedWords?: readonly string[] | undefined;
}

const FACTS = 'ansible_facts';

export const NO_VARIABLES: KeptVariables = { values: {}, facts: {}, included: [], elsewhere: [] };

/**
 * The words of a value that must stay masked everywhere: all words of a masked task, otherwise those that the task took from masked
 * values.
 */
export function maskedWordsIn(
  used: UsedVariables | undefined,
  value: Value,
  masked: boolean,
): Pick<KeptVariables, 'maskedWords'> {
  const maskedWords = used?.wordsLeft(value, masked);
  return maskedWords === undefined ? {} : { maskedWords };
}

/** Merges the parts; later ones take precedence. */
export function mergeKept(parts: readonly KeptVariables[]): KeptVariables {
  const all = parts.filter(isSomething);
  if (all.length < 2) return all[0] ?? NO_VARIABLES;
  const maskedWords = all.flatMap(({ maskedWords: words = [] }) => words);
  return {
    values: storing(all.flatMap(({ values }) => entriesUnread(values))),
    facts: storing(all.flatMap(({ facts }) => entriesUnread(facts))),
    included: all.flatMap(({ included }) => included),
    elsewhere: all.flatMap(({ elsewhere }) => elsewhere),
    ...(maskedWords.length > 0 && { maskedWords }),
  };
}

/** Most tasks set no variables. */
function isSomething({ values, facts, included, elsewhere, maskedWords }: KeptVariables): boolean {
  if (maskedWords !== undefined) return true;
  return Object.keys(values).length + Object.keys(facts).length + included.length + elsewhere.length > 0;
}

/** Restores the controller's values; those of other controllers are already restored. */
export function keepVariables(state: ControllerState, { values, facts, included, maskedWords }: KeptVariables): void {
  if (Object.keys(facts).length > 0) state.addCachedFacts(facts);
  for (const layer of included) state.include(layer);
  if (Object.keys(values).length > 0) state.addVariables(values);
  if (state.maskedWords.isPossible) noteMaskedWords(state, { values, facts, included }, maskedWords);
}

function noteMaskedWords(
  { name, maskedWords: known }: ControllerState,
  { values, facts, included }: Pick<KeptVariables, 'values' | 'facts' | 'included'>,
  maskedWords: readonly string[] | undefined,
): void {
  const set = [values, facts, ...included.map((layer) => layer.values)];
  known.set(
    name,
    set.flatMap((one) => Object.keys(one)),
    maskedWords,
  );
  // It also holds the facts of other tasks.
  if (maskedWords !== undefined && Object.keys(facts).length > 0)
    known.set(name, [FACTS], [...known.of(name, FACTS), ...maskedWords]);
}

/** The form for the journal; undefined if there is nothing to keep. Variables from files are read again. */
export function asStepLeft({ values, facts, elsewhere, maskedWords }: KeptVariables): StepLeft | undefined {
  const left = {
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(facts).length > 0 && { facts }),
    ...(elsewhere.length > 0 && { elsewhere }),
    ...(maskedWords !== undefined && { hidden: maskedWords }),
  };
  return Object.keys(left).length === 0 ? undefined : left;
}

/** What a step set for its own controller, and gave to others, as the journal has it. */
export function keptBefore({ values = {}, facts = {}, elsewhere = [], hidden: maskedWords }: StepLeft): KeptVariables {
  return { ...NO_VARIABLES, values, facts, elsewhere, maskedWords };
}
