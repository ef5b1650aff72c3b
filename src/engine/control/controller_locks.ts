import type { Rest } from '../../core/model/run/session.js';

/** How a task that reads, plans and writes shares a controller with others. */
export type LockMode =
  /** The controller's own tasks, such as parallel items of a loop. */
  | 'shared'
  /** A delegated task: others may access the same object. */
  | 'exclusive';

/**
 * Gives a task exclusive access to a controller to which other controllers delegate tasks (`delegate_to`). Otherwise
 * two tasks could create the same object, or overwrite each other's changes.
 */
export class ControllerLocks {
  readonly #locks = new Map<string, ControllerLock>();

  async hold<T>(controller: string, mode: LockMode, rest: Rest, work: () => Promise<T>): Promise<T> {
    const lock = this.#locks.get(controller) ?? new ControllerLock();
    this.#locks.set(controller, lock);
    const turn = lock.acquire(mode);
    if (turn !== undefined) await rest(() => turn);
    try {
      return await work();
    } finally {
      lock.release();
      if (lock.isFree) this.#locks.delete(controller);
    }
  }
}

/** First come, first served; tasks that share the lock start together. */
class ControllerLock {
  #inside = 0;
  #mode: LockMode = 'shared';
  readonly #waiting: { readonly mode: LockMode; readonly open: () => void }[] = [];

  get isFree(): boolean {
    return this.#inside === 0 && this.#waiting.length === 0;
  }

  /** Undefined: the lock is free, no wait is needed. */
  acquire(mode: LockMode): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#allows(mode)) {
      this.#grant(mode);
      return undefined;
    }
    return new Promise((open) => this.#waiting.push({ mode, open }));
  }

  release(): void {
    this.#inside--;
    this.#grantNext();
  }

  #grantNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#allows(next.mode); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#grant(next.mode);
      next.open();
    }
  }

  #grant(mode: LockMode): void {
    this.#mode = mode;
    this.#inside++;
  }

  #allows(mode: LockMode): boolean {
    return this.#inside === 0 || (this.#mode === 'shared' && mode === 'shared');
  }
}
