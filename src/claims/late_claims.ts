import type { Claims, Rival } from './claims.js';

interface Waiting {
  readonly resolve: (rivals: readonly Rival[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Controllers that only come up while the run goes on. Those that come up at once are claimed together: thousands of claims of one
 * each would be thousands of files that everybody has to look through.
 */
export class LateClaims {
  #pending = new Map<string, Waiting[]>();
  #working = false;

  constructor(private readonly claims: Pick<Claims, 'claim' | 'has'>) {}

  /** Never waits for another run: gives those who stand in the way, or nobody. Rejects with a `ClaimFolderError`. */
  claim(place: string): Promise<readonly Rival[]> {
    if (this.claims.has(place)) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.#pending.set(place, [...(this.#pending.get(place) ?? []), { resolve, reject }]);
      if (!this.#working) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#working = true;
    while (this.#pending.size > 0) {
      const batch = this.#pending;
      this.#pending = new Map();
      try {
        await this.#settle(batch);
      } catch (error) {
        for (const { reject } of [...batch.values()].flat()) reject(error);
      }
    }
    this.#working = false;
  }

  /** What a rival has no claim on is tried again without the rest. */
  async #settle(batch: Map<string, Waiting[]>): Promise<void> {
    while (batch.size > 0) {
      const claimed = await this.claims.claim(batch.keys());
      const rivals = claimed.status === 'held' ? [] : claimed.rivals;
      for (const [place, waiting] of batch) {
        const inTheWay = rivals.filter(({ places }) => places.length === 0 || places.includes(place));
        if (claimed.status !== 'held' && inTheWay.length === 0) continue;
        batch.delete(place);
        for (const { resolve } of waiting) resolve(inTheWay);
      }
    }
  }
}
