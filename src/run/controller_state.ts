import type { Controller } from '../model/inventory.js';
import type { Mapping } from '../model/value.js';
import type { VariableLayer } from '../model/variables.js';

/**
 * What a run knows about one controller beyond its inventory. Facts and registered results outlive the play; the rest
 * (scopes, sessions) belongs to the walk through one play and goes with it.
 */
export class ControllerState {
  /** A controller that is not alive takes no further part in the run. */
  status: 'alive' | 'failed' | 'unreachable' = 'alive';
  /** Whether any task was started on it. */
  started = false;
  #facts: VariableLayer | undefined;

  constructor(readonly controller: Controller) {}

  get name(): string {
    return this.controller.name;
  }

  /** Results and facts: data, never templates. Replaced as a whole, so whoever holds the layer sees it as it was. */
  get facts(): VariableLayer | undefined {
    return this.#facts;
  }

  /** `clear_facts`. */
  clearFacts(): void {
    this.#facts = undefined;
  }

  /** What the run itself found out, weaker first. */
  get layers(): readonly VariableLayer[] {
    return this.#facts === undefined ? [] : [this.#facts];
  }

  remember(values: Mapping): void {
    this.#facts = {
      level: 'set_fact and registered',
      origin: 'set_fact and registered',
      values: { ...this.#facts?.values, ...values },
      literal: true,
    };
  }
}
