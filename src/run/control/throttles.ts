/** `throttle`: how many controllers do the same task at once. */
export class Throttles {
  readonly #tasks = new WeakMap<object, Semaphore>();

  /** Does the work when fewer than `limit` others do that task. 0 is no limit. */
  async through<T>(task: object, limit: number, work: () => Promise<T>): Promise<T> {
    if (limit <= 0) return work();
    const semaphore = this.#tasks.get(task) ?? new Semaphore();
    this.#tasks.set(task, semaphore);
    await semaphore.enter(limit);
    try {
      return await work();
    } finally {
      semaphore.leave();
    }
  }
}

/** First come, first served. */
class Semaphore {
  #inside = 0;
  readonly #waiting: { readonly limit: number; readonly open: () => void }[] = [];

  enter(limit: number): Promise<void> {
    return new Promise((open) => {
      this.#waiting.push({ limit, open });
      this.#letIn();
    });
  }

  leave(): void {
    this.#inside--;
    this.#letIn();
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#inside < next.limit; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#inside++;
      next.open();
    }
  }
}

/**
 * Runs the work for every item, at most `count` at once, started in order. Rejects as soon as one rejects; running ones continue
 * unobserved.
 */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  count: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) await work(items[index] as Item, index);
  };
  await Promise.all(Array.from({ length: Math.min(Math.max(1, count), items.length) }, worker));
}
