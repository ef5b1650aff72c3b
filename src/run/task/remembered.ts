import type { Mapping } from '../../model/value.js';
import type { VariableLayer } from '../../model/variables.js';
import type { ControllerState } from '../fleet/controller_state.js';

/** What a task leaves behind as variables of a controller. */
export interface Remembered {
  /** Of `set_fact` and `register`. */
  readonly values: Mapping;
  /** Of `set_fact` with `cacheable`. */
  readonly facts: Mapping;
  /** Of `include_vars`, weaker first. */
  readonly included: readonly VariableLayer[];
}

export const NOTHING: Remembered = { values: {}, facts: {}, included: [] };

/** The later ones are stronger. */
export function together(parts: readonly Remembered[]): Remembered {
  const all = parts.filter(isSomething);
  if (all.length < 2) return all[0] ?? NOTHING;
  return {
    values: Object.fromEntries(all.flatMap(({ values }) => Object.entries(values))),
    facts: Object.fromEntries(all.flatMap(({ facts }) => Object.entries(facts))),
    included: all.flatMap(({ included }) => included),
  };
}

/** Most tasks leave nothing behind. */
function isSomething({ values, facts, included }: Remembered): boolean {
  return Object.keys(values).length + Object.keys(facts).length + included.length > 0;
}

export function remember(state: ControllerState, { values, facts, included }: Remembered): void {
  if (Object.keys(facts).length > 0) state.rememberFacts(facts);
  for (const layer of included) state.include(layer);
  if (Object.keys(values).length > 0) state.remember(values);
}
