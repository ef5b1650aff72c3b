import { setMaxListeners } from 'node:events';

/** Reasons to start no new tasks. */
interface StopSources {
  /** The user interrupted the run. */
  readonly interrupt: AbortSignal;
  /** Several controllers refused the same credentials. */
  readonly refused: AbortSignal;
  /** The second interrupt, which also stops cleanup. Absent: there is none. */
  readonly givenUp?: AbortSignal | undefined;
  /** The journal cannot be written any more. Absent: there is no journal. */
  readonly broken?: AbortSignal | undefined;
}

/**
 * Whether anything new may start; running work always finishes. Cleanup (the `always` of a started block) still runs after a first
 * interrupt.
 */
export class StopSignals {
  readonly #waiting: AbortSignal;
  readonly #cleaning: AbortSignal;

  constructor(private readonly stopping: StopSources) {
    const { interrupt, givenUp = new AbortController().signal, broken } = stopping;
    this.#waiting = broken === undefined ? interrupt : AbortSignal.any([interrupt, broken]);
    this.#cleaning = broken === undefined ? givenUp : AbortSignal.any([givenUp, broken]);
    // Every controller may listen, which Node would report as a leak.
    for (const signal of [interrupt, givenUp, this.#waiting, this.#cleaning]) setMaxListeners(0, signal);
  }

  get isStopping(): boolean {
    return this.#waiting.aborted || this.stopping.refused.aborted;
  }

  get isInterrupted(): boolean {
    return this.stopping.interrupt.aborted;
  }

  /** After rejected credentials, or if the journal cannot be written, not even cleanup runs. */
  blocks(sheltered: boolean): boolean {
    return sheltered ? this.#cleaning.aborted || this.stopping.refused.aborted : this.isStopping;
  }

  /** Aborts waiting. */
  signal(sheltered: boolean): AbortSignal {
    return sheltered ? this.#cleaning : this.#waiting;
  }
}
