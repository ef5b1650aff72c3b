import { setMaxListeners } from 'node:events';
import type { RunStops } from '../input/run_input.js';

/**
 * Whether anything new may start; running work always finishes. Cleanup (the `always` of a started block) still runs after a first
 * interrupt.
 */
export class StopSignals {
  readonly #waiting: AbortSignal;
  readonly #cleaning: AbortSignal;

  /** @param broken the journal cannot be written any more; absent: there is no journal */
  constructor(
    private readonly stops: RunStops,
    broken?: AbortSignal,
  ) {
    const { signal: interrupt, abort: givenUp = new AbortController().signal } = stops;
    this.#waiting = broken === undefined ? interrupt : AbortSignal.any([interrupt, broken]);
    this.#cleaning = broken === undefined ? givenUp : AbortSignal.any([givenUp, broken]);
    // Every controller may listen, which Node would report as a leak.
    for (const signal of [interrupt, givenUp, this.#waiting, this.#cleaning]) setMaxListeners(0, signal);
  }

  get isStopping(): boolean {
    return this.#waiting.aborted || this.stops.credentialsRefused.aborted;
  }

  get isInterrupted(): boolean {
    return this.stops.signal.aborted;
  }

  /** After rejected credentials, or if the journal cannot be written, not even cleanup runs. */
  blocks(sheltered: boolean): boolean {
    return sheltered ? this.#cleaning.aborted || this.stops.credentialsRefused.aborted : this.isStopping;
  }

  /** Aborts waiting. */
  signal(sheltered: boolean): AbortSignal {
    return sheltered ? this.#cleaning : this.#waiting;
  }
}
