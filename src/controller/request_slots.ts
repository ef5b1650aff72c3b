/** Lets so many requests to one controller be under way at once; the rest wait their turn, in order. */
export class RequestSlots {
  #limit = Infinity;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  /** Whoever has a slot keeps it. */
  setLimit(count: number): void {
    this.#limit = count;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy < this.#limit) this.#busy += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** The slot goes straight to who waits, so nobody can slip in between. */
  #pass(): void {
    const next = this.#busy > this.#limit ? undefined : this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next();
  }
}
