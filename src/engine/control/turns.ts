import type { Rest } from '../../core/model/run/session.js';
import { getOrAdd } from '../../core/model/values/groups.js';

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
  readonly #turns = new Turns<LockMode>(
    (mode, inside, last) => inside === 0 || (last === 'shared' && mode === 'shared'),
  );

  hold<T>(controller: string, mode: LockMode, rest: Rest, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(controller, mode, rest, work);
  }
}

/** `throttle`: limits how many controllers run a task at the same time. */
export class Throttles {
  readonly #turns = new Turns<number>((limit, inside) => inside < limit);

  /**
   * Does the work when fewer than `limit` other controllers run that task. 0 means no limit. A controller that waits
   * inside the task counts; one that waits for its turn gives up its fork.
   * @param task `placeText` of its source
   */
  through<T>(task: string, limit: number, rest: Rest, work: () => Promise<T>): Promise<T> {
    return limit <= 0 ? work() : this.#turns.take(task, limit, rest, work);
  }
}

/** Whether another may go in, by how many are inside, and what the last of them asked for. */
type Admits<Ask> = (ask: Ask, inside: number, last: Ask | undefined) => boolean;

/** The queues at some places. */
class Turns<Ask> {
  readonly #queues = new Map<string, Queue<Ask>>();

  constructor(private readonly admits: Admits<Ask>) {}

  async take<T>(place: string, ask: Ask, rest: Rest, work: () => Promise<T>): Promise<T> {
    const queue = getOrAdd(this.#queues, place, () => new Queue(this.admits));
    const turn = queue.acquire(ask);
    if (turn !== undefined) await rest(() => turn);
    try {
      return await work();
    } finally {
      queue.release();
      if (queue.isEmpty) this.#queues.delete(place);
    }
  }
}

/** First come, first served; those who are admitted together start together. */
class Queue<Ask> {
  #inside = 0;
  #last: Ask | undefined;
  readonly #waiting: { readonly ask: Ask; readonly open: () => void }[] = [];

  constructor(private readonly admits: Admits<Ask>) {}

  get isEmpty(): boolean {
    return this.#inside === 0 && this.#waiting.length === 0;
  }

  /** Undefined: no wait is needed. */
  acquire(ask: Ask): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.admits(ask, this.#inside, this.#last)) {
      this.#enter(ask);
      return undefined;
    }
    return new Promise((open) => this.#waiting.push({ ask, open }));
  }

  release(): void {
    this.#inside--;
    for (let [next] = this.#waiting; next && this.admits(next.ask, this.#inside, this.#last); [next] = this.#waiting) {
      this.#waiting.shift();
      this.#enter(next.ask);
      next.open();
    }
  }

  #enter(ask: Ask): void {
    this.#inside++;
    this.#last = ask;
  }
}
