import type { LockConflict, Locks } from './locks.js';

interface Waiting {
  readonly resolve: (conflicts: readonly LockConflict[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Locks controllers whose address is only known during the run. Requests made at the same time share a lock file: one file for each
 * controller would be thousands of files for every run to scan.
 */
export class LateLocks {
  #pending = new Map<string, Waiting[]>();
  #working = false;

  /** @param signal as of `Locks.acquire` */
  constructor(
    private readonly locks: Pick<Locks, 'acquire' | 'has'>,
    private readonly signal?: AbortSignal,
  ) {}

  /** Never waits for another run. Returns the conflicts; empty if the lock is held. @throws LockFolderError */
  acquire(place: string): Promise<readonly LockConflict[]> {
    if (this.locks.has(place)) return Promise.resolve([]);
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
        await this.#acquireBatch(batch);
      } catch (error) {
        for (const { reject } of [...batch.values()].flat()) reject(error);
      }
    }
    this.#working = false;
  }

  /** Controllers without a conflict are tried again without the others. */
  async #acquireBatch(batch: Map<string, Waiting[]>): Promise<void> {
    while (batch.size > 0) {
      const acquired = await this.locks.acquire(batch.keys(), this.signal);
      const conflicts = acquired.status === 'held' ? [] : acquired.conflicts;
      for (const [place, waiting] of batch) {
        const inTheWay = conflicts.filter(({ places }) => places.length === 0 || places.includes(place));
        if (acquired.status !== 'held' && inTheWay.length === 0) continue;
        batch.delete(place);
        for (const { resolve } of waiting) resolve(inTheWay);
      }
    }
  }
}
