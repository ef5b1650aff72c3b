import type { Rest } from '../model/run/session.js';

/**
 * Serialises creates of one object on one controller, under all its names in the inventory. Knows which creates the run has already done,
 * so that a later one reads again first.
 */
export class CreateTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` exclusively for the key; `first` is false if another one ran before. */
  async hold<T>(key: string, rest: Rest, work: (first: boolean) => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    let release: () => void = () => undefined;
    this.#last.set(key, new Promise<void>((resolve) => (release = resolve)));
    if (before !== undefined) await rest(() => before);
    try {
      return await work(before === undefined);
    } finally {
      release();
    }
  }
}
