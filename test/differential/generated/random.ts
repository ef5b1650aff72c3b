/** Random numbers that a seed repeats (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** An integer from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** True with this probability, in percent. */
  percent(chance: number): boolean {
    return this.below(100) < chance;
  }

  pick<T>(all: readonly [T, ...T[]]): T;
  pick<T>(all: readonly T[]): T | undefined;
  pick<T>(all: readonly T[]): T | undefined {
    return all[this.below(all.length)];
  }

  /** At least one of them, in their order. */
  some<T>(all: readonly T[]): readonly T[] {
    const chosen = all.filter(() => this.percent(40));
    const one = this.pick(all);
    return chosen.length > 0 || one === undefined ? chosen : [one];
  }

  /** As many as `least` to `most`. */
  several<T>(least: number, most: number, make: (index: number) => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, index) => make(index));
  }

  /** One of them, as often as its weight says; weights above 0 are needed. */
  weighted<T>(choices: readonly (readonly [weight: number, make: () => T])[]): T {
    const total = choices.reduce((sum, [weight]) => sum + weight, 0);
    let place = this.below(total);
    for (const [weight, make] of choices) {
      if (place < weight) return make();
      place -= weight;
    }
    throw new Error('nothing to choose from');
  }
}
