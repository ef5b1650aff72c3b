import type { RERUN_STATES } from '../../core/model/run/choices.js';
import type { Event } from '../../core/model/run/event.js';
import { RunFold } from '../../engine/recap.js';

/**
 * Why a controller did not succeed. `unstarted` includes controllers that were stopped midway, and those whose batch
 * failed its gate, so that a rerun cannot skip the gate.
 */
export type KeptState = (typeof RERUN_STATES)[number];

/** The outcome of a run, computed from its events. */
export class KeptOutcome extends RunFold {
  readonly #held = new Set<string>();
  #atGate: readonly string[] = [];
  #plays = 0;
  /** The number of plays that have started. */
  begunPlays = 0;

  override handle(event: Event): void {
    super.handle(event);
    if (event.type === 'run-started') this.#plays = 0;
    // The rollback of a batch is not one of the run's plays.
    else if (event.type === 'play-started' && event.rollback !== true)
      this.begunPlays = Math.max(this.begunPlays, ++this.#plays);
    else if (event.type === 'gate-started') this.#atGate = event.controllers;
    else if (event.type === 'gate-finished') this.#finishGate(event.action === 'continue');
  }

  #finishGate(passed: boolean): void {
    for (const name of this.#atGate) {
      if (passed) this.#held.delete(name);
      else this.#held.add(name);
    }
  }

  /** Undefined if the run was cut off, because the journal does not record the remaining work. */
  inState(state: KeptState): readonly string[] | undefined {
    if (state === 'unstarted')
      return this.finished && [...this.finished.unstarted, ...(this.finished.cutOff ?? []), ...this.#held];
    // Without those that succeeded when a resume ran their tasks again.
    const stats = Object.entries(this.finished?.stats ?? this.stats.all);
    return stats.flatMap(([name, counts]) => (counts[state] > 0 ? [name] : []));
  }
}
