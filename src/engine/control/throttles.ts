import type { Rest } from '../../core/model/run/session.js';

/** `throttle`: limits how many controllers run a task at the same time. */
export class Throttles {
  readonly #tasks = new Map<string, Semaphore>();

  /**
   * Does the work when fewer than `limit` other controllers run that task. 0 means no limit. A controller that waits
   * inside the task counts; one that waits for its turn gives up its fork.
   * @param task `placeText` of its source
   */
  async through<T>(task: string, limit: number, rest: Rest, work: () => Promise<T>): Promise<T> {
    if (limit <= 0) return work();
    const semaphore = this.#tasks.get(task) ?? new Semaphore();
    this.#tasks.set(task, semaphore);
    const turn = semaphore.acquire(limit);
    if (turn !== undefined) await rest(() => turn);
    try {
      return await work();
    } finally {
      semaphore.release();
    }
  }
}

/** First come, first served. */
class Semaphore {
  #inside = 0;
  readonly #waiting: { readonly limit: number; readonly open: () => void }[] = [];

  /** Undefined: a place is free, no wait is needed. */
  acquire(limit: number): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#inside < limit) {
      this.#inside++;
      return undefined;
    }
    return new Promise((open) => this.#waiting.push({ limit, open }));
  }

  release(): void {
    this.#inside--;
    this.#grantNext();
  }

  #grantNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#inside < next.limit; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#inside++;
      next.open();
    }
  }
}
