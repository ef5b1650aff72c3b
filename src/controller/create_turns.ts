import type { Rest } from '../model/run/session.js';

/** The object to create, and its collection. */
export interface CreateKey {
  readonly url: string;
  /** Identifies the object on the controller. */
  readonly object: string;
}

/**
 * Serialises creates of one object on one controller, under all its names in the inventory. Knows which creates the run
 * has already done, so that a later one reads again first.
 */
export class CreateTurns {
  /** The last create of each key, while any is running or waiting. */
  readonly #last = new Map<string, Promise<void>>();
  /** The objects that were created, by URL. */
  readonly #done = new Map<string, Set<string>>();

  /** Runs `work` exclusively for the key. `first` is false if a create for the key ran before. */
  async hold<T>({ url, object }: CreateKey, rest: Rest, work: (first: boolean) => Promise<T>): Promise<T> {
    const key = `${url} ${object}`;
    const before = this.#last.get(key);
    let release: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (release = resolve));
    this.#last.set(key, turn);
    if (before !== undefined) await rest(() => before);
    try {
      return await work(this.#done.get(url)?.has(object) !== true);
    } finally {
      const done = this.#done.get(url) ?? new Set();
      this.#done.set(url, done.add(object));
      if (this.#last.get(key) === turn) this.#last.delete(key);
      release();
    }
  }

  /** Called when no session with the controller is open: every later session reads before it creates. */
  forget(url: string): void {
    this.#done.delete(url);
  }
}
