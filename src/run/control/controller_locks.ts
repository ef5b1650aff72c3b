import type { Rest } from '../../model/run/session.js';

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
  readonly #locks = new Map<string, Lock>();

  async hold<T>(controller: string, mode: LockMode, rest: Rest, work: () => Promise<T>): Promise<T> {
    const lock = this.#locks.get(controller) ?? new Lock();
    this.#locks.set(controller, lock);
    const turn = lock.enter(mode);
    if (turn !== undefined) await rest(() => turn);
    try {
      return await work();
    } finally {
      lock.leave();
      if (lock.isFree) this.#locks.delete(controller);
    }
  }
}

/** First come, first served; tasks that share enter together. */
class Lock {
  #inside = 0;
  #mode: LockMode = 'shared';
  readonly #waiting: { readonly mode: LockMode; readonly open: () => void }[] = [];

  get isFree(): boolean {
    return this.#inside === 0 && this.#waiting.length === 0;
  }

  /** Undefined: the lock is free, no wait is needed. */
  enter(mode: LockMode): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#admits(mode)) {
      this.#let(mode);
      return undefined;
    }
    return new Promise((open) => this.#waiting.push({ mode, open }));
  }

  leave(): void {
    this.#inside--;
    this.#letIn();
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#admits(next.mode); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#let(next.mode);
      next.open();
    }
  }

  #let(mode: LockMode): void {
    this.#mode = mode;
    this.#inside++;
  }

  #admits(mode: LockMode): boolean {
    return this.#inside === 0 || (this.#mode === 'shared' && mode === 'shared');
  }
}
