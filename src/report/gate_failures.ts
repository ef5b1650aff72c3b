import type { Event, TaskFinished } from '../model/run/event.js';

/** A check that failed, in a round that did not pass. */
export interface FailedCheck {
  readonly event: TaskFinished;
  readonly batch: number;
}

/** Which checks a gate failed by. A fold over all events of a run. */
export class GateFailures {
  #round: TaskFinished[] = [];
  #last: readonly TaskFinished[] = [];

  /** Of the round that is under way. */
  add(failures: readonly TaskFinished[]): void {
    for (const failure of failures) this.#round.push(failure);
  }

  /** The failures that ended the rollout, if this event says that they did: those of the last round. */
  handle(event: Event): readonly FailedCheck[] {
    if (event.type === 'gate-checked') {
      this.#last = this.#round;
      this.#round = [];
    }
    if (event.type !== 'gate-finished' || event.action === 'continue') return [];
    return this.#last.map((one) => ({ event: one, batch: event.batch }));
  }
}
