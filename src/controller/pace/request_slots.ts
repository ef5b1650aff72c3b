import type { Rest } from '../../model/run/session.js';

/** Limits the simultaneous requests to one controller; the others wait in order. */
export class RequestSlots {
  #limit = Infinity;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  /** A holder keeps its slot. */
  setLimit(count: number): void {
    this.#limit = count;
  }

  async use<T>(rest: Rest, work: () => Promise<T>): Promise<T> {
    if (this.#busy < this.#limit) this.#busy += 1;
    else await rest(() => new Promise<void>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** The slot passes directly to the next waiter, so no other request can take it. */
  #pass(): void {
    const next = this.#busy > this.#limit ? undefined : this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next();
  }
}
