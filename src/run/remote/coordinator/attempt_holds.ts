import type { Fork } from '../../control/forks.js';

const FORK = 'fork';

/** The locks, throttle places and fork that a worker holds for a walk. A lost worker loses them. */
export class AttemptHolds {
  /** Functions that release each hold, by its name. */
  readonly #held = new Map<string, readonly (() => void)[]>();
  #resting: Promise<void> = Promise.resolve();
  #isOver = false;

  /**
   * Resolves when it is held, until the worker gives it back or is lost.
   * @param obtain calls `work` when it is obtained, and holds it until the promise of `work` resolves
   */
  hold(name: string, obtain: (work: () => Promise<void>) => Promise<void>): Promise<null> {
    return new Promise((resolve, reject) => {
      const work = (): Promise<void> =>
        new Promise((leave) => {
          this.#keep(name, leave);
          resolve(null);
        });
      obtain(work).catch(reject);
    });
  }

  /** Frees the controller's fork while it waits in the worker. */
  rest(fork: Fork): void {
    const waited = new Promise<void>((resolve) => {
      this.#keep(FORK, resolve);
    });
    this.#resting = fork.rest(() => waited);
  }

  /** Resolves when the controller has a fork again. */
  async takeFork(): Promise<void> {
    this.giveBack(FORK);
    await this.#resting;
  }

  giveBack(name: string): void {
    const [first, ...others] = this.#held.get(name) ?? [];
    if (others.length > 0) this.#held.set(name, others);
    else this.#held.delete(name);
    first?.();
  }

  /** The worker has ended or was lost. Resolves when the controller has its fork again. */
  async giveBackAll(): Promise<void> {
    this.#isOver = true;
    for (const held of this.#held.values()) for (const giveBack of held) giveBack();
    this.#held.clear();
    await this.#resting;
  }

  /** If it is obtained after the worker was lost, it is given back at once; the next worker asks for it again. */
  #keep(name: string, giveBack: () => void): void {
    if (this.#isOver) giveBack();
    else this.#held.set(name, [...(this.#held.get(name) ?? []), giveBack]);
  }
}
