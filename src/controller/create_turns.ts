import type { Rest } from '../model/run/session.js';

/**
 * Serialises creates of one object on one controller, under all its names in the inventory. Knows which creates the run has already done,
 * so that a later one reads again first.
 */
export class CreateTurns {
  /** The last one of each key, while any is under way or waits. */
  readonly #last = new Map<string, Promise<void>>();
  /**
   * Hashes of the keys that were done. A large run creates hundreds of thousands of objects, and if two keys have the same hash, the second
   * create only reads once more than it must.
   */
  readonly #done = new Set<number>();

  /** Runs `work` exclusively for the key; `first` is false if another one ran before. */
  async hold<T>(key: string, rest: Rest, work: (first: boolean) => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    let release: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (release = resolve));
    this.#last.set(key, turn);
    if (before !== undefined) await rest(() => before);
    const hash = hashOf(key);
    try {
      return await work(!this.#done.has(hash));
    } finally {
      this.#done.add(hash);
      if (this.#last.get(key) === turn) this.#last.delete(key);
      release();
    }
  }
}

/** FNV-1a, as a whole number that takes no memory of its own. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
