/** Lines that later ones can refer to: as many as a reader remembers. */
const MOST_REMEMBERED = 1000;

/** What writer and reader remember of a journal's lines, which both forget in the same order. */
export class RecentLines<K, V> {
  readonly #lines = new Map<K, V>();

  get(key: K): V | undefined {
    return this.#lines.get(key);
  }

  add(key: K, line: V): void {
    this.#lines.set(key, line);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MOST_REMEMBERED && oldest !== undefined) this.#lines.delete(oldest);
  }
}
