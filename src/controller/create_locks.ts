/**
 * Serialises creates of the same object of the same controller, whatever aliases the inventory has for it. Knows which ones this
 * run has already seen, so that whoever comes later looks again before it creates.
 */
export class CreateLocks {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `work` when nobody else works on that key; `first` is false if somebody did before. */
  async hold<T>(key: string, work: (first: boolean) => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    let release: () => void = () => undefined;
    this.#last.set(key, new Promise<void>((resolve) => (release = resolve)));
    await before;
    try {
      return await work(before === undefined);
    } finally {
      release();
    }
  }
}
