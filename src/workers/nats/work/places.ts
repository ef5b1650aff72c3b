import type { WalkPlace } from '../../../model/run/worker_transport.js';

/**
 * Limits the concurrent walks of a worker. A walk that waits for others gives its place back: the others may still be
 * in the queue of the site, and could never begin if waiting walks held all places. Walks that return from waiting go
 * first.
 */
export class Places {
  #working = 0;
  #asking = 0;
  readonly #returning: (() => void)[] = [];
  readonly #starting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  get taken(): number {
    return this.#working;
  }

  /** Resolves when the worker may ask for another walk. Then call `begin`, or `giveUp` if there was none. */
  free(): Promise<void> {
    return new Promise((resolve) => {
      this.#starting.push(resolve);
      this.#share();
    });
  }

  giveUp(): void {
    this.#asking -= 1;
    this.#share();
  }

  begin(): WalkPlace {
    this.#asking -= 1;
    this.#working += 1;
    let isHeld = true;
    return {
      giveBack: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#working -= 1;
        this.#share();
      },
      takeAgain: (go) => {
        if (isHeld) {
          go();
          return;
        }
        this.#returning.push(() => {
          isHeld = true;
          go();
        });
        this.#share();
      },
    };
  }

  #share(): void {
    // Requests for a walk may wait for a long time, and must not keep waiting walks from returning.
    while (this.#working < this.limit && this.#returning.length > 0) {
      this.#working += 1;
      this.#returning.shift()?.();
    }
    while (this.#working + this.#asking < this.limit && this.#starting.length > 0) {
      this.#asking += 1;
      this.#starting.shift()?.();
    }
  }
}
