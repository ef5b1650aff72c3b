import type { Elsewhere, StepLeft } from '../../model/journal.js';
import { entriesUnread, storing } from '../../model/stored.js';
import type { Mapping } from '../../model/value.js';
import type { VariableLayer } from '../../model/variables.js';
import type { ControllerState } from '../fleet/controller_state.js';
import type { Fleet } from '../fleet/fleet.js';

/** What a task leaves behind as variables of a controller. */
export interface Remembered {
  /** Of `set_fact` and `register`. */
  readonly values: Mapping;
  /** Of `set_fact` with `cacheable`. */
  readonly facts: Mapping;
  /** Of `include_vars`, weaker first. */
  readonly included: readonly VariableLayer[];
  /** What others have been given (`delegate_facts`). */
  readonly elsewhere: readonly Elsewhere[];
}

export const NOTHING: Remembered = { values: {}, facts: {}, included: [], elsewhere: [] };

/** The later ones are stronger. */
export function together(parts: readonly Remembered[]): Remembered {
  const all = parts.filter(isSomething);
  if (all.length < 2) return all[0] ?? NOTHING;
  return {
    values: storing(all.flatMap(({ values }) => entriesUnread(values))),
    facts: storing(all.flatMap(({ facts }) => entriesUnread(facts))),
    included: all.flatMap(({ included }) => included),
    elsewhere: all.flatMap(({ elsewhere }) => elsewhere),
  };
}

/** Most tasks leave nothing behind. */
function isSomething({ values, facts, included, elsewhere }: Remembered): boolean {
  return Object.keys(values).length + Object.keys(facts).length + included.length + elsewhere.length > 0;
}

/** Gives the controller what is its own; what others were given is theirs already. */
export function remember(state: ControllerState, { values, facts, included }: Remembered): void {
  if (Object.keys(facts).length > 0) state.rememberFacts(facts);
  for (const layer of included) state.include(layer);
  if (Object.keys(values).length > 0) state.remember(values);
}

/** As the journal keeps it; undefined if there is nothing to keep. What was read from files is read again. */
export function leftOf({ values, facts, elsewhere }: Remembered): StepLeft | undefined {
  const left = {
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(facts).length > 0 && { facts }),
    ...(elsewhere.length > 0 && { elsewhere }),
  };
  return Object.keys(left).length === 0 ? undefined : left;
}

/** Gives everyone what a step left before the run was cut off. */
export function rememberAgain(state: ControllerState, fleet: Fleet, left: StepLeft | undefined): Remembered {
  const { values = {}, facts = {}, elsewhere = [] } = left ?? {};
  const remembered = { ...NOTHING, values, facts, elsewhere };
  remember(state, remembered);
  for (const { owner, ...given } of elsewhere) {
    const other = fleet.find(owner);
    if (other !== undefined) remember(other, { ...NOTHING, ...given });
  }
  return remembered;
}
