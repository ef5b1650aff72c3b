/** How a task that reads, plans and writes may meet others on the same controller. */
export type LockMode =
  /** The controller's own tasks, such as the items of one loop at once. */
  | 'shared'
  /** A task that was delegated to it: others may be at the same object. */
  | 'exclusive';

/**
 * Whoever reads, plans and writes on a controller that others have their tasks on too (`delegate_to`) has it to himself: what two
 * have read as absent would be created twice, and what one wrote the other would put back.
 */
export class ControllerLocks {
  readonly #locks = new Map<string, Lock>();

  async hold<T>(controller: string, mode: LockMode, work: () => Promise<T>): Promise<T> {
    const lock = this.#locks.get(controller) ?? new Lock();
    this.#locks.set(controller, lock);
    await lock.enter(mode);
    try {
      return await work();
    } finally {
      lock.leave();
      if (lock.isFree) this.#locks.delete(controller);
    }
  }
}

/** First come, first served; those that share go in together. */
class Lock {
  #inside = 0;
  #mode: LockMode = 'shared';
  readonly #waiting: { readonly mode: LockMode; readonly open: () => void }[] = [];

  get isFree(): boolean {
    return this.#inside === 0 && this.#waiting.length === 0;
  }

  enter(mode: LockMode): Promise<void> {
    return new Promise((open) => {
      this.#waiting.push({ mode, open });
      this.#letIn();
    });
  }

  leave(): void {
    this.#inside--;
    this.#letIn();
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#admits(next.mode); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#mode = next.mode;
      this.#inside++;
      next.open();
    }
  }

  #admits(mode: LockMode): boolean {
    return this.#inside === 0 || (this.#mode === 'shared' && mode === 'shared');
  }
}
