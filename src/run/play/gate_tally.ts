import type { GateSettings } from './gate_settings.js';

/** What the rounds of a gate come to. A failed round begins the row of passes anew; a passed one forgives no failed one. */
export class GateTally {
  #row = 0;
  #failed = 0;

  constructor(private readonly settings: Pick<GateSettings, 'passes' | 'failures'>) {}

  /** Counts a round: `open` if another one is needed. There are never more than `passes` × `failures`. */
  count(passed: boolean): 'open' | 'passed' | 'failed' {
    this.#row = passed ? this.#row + 1 : 0;
    if (!passed) this.#failed++;
    if (this.#failed >= this.settings.failures) return 'failed';
    return this.#row >= this.settings.passes ? 'passed' : 'open';
  }
}
