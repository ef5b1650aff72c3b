import { setMaxListeners } from 'node:events';
import type { WaitWithoutFork } from '../../core/model/run/session.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import type { RunStops } from '../input/run_input.js';

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
export function controllerLocks(): Turns<LockMode> {
  return new Turns((mode, inside, last) => inside === 0 || (last === 'shared' && mode === 'shared'));
}

/** `throttle`: limits how many controllers run a task at the same time. One that waits inside the task counts. */
export function throttles(): Turns<number> {
  return new Turns((limit, inside) => inside < limit);
}

/** Whether another may go in, by how many are inside, and what the last of them asked for. */
type Admits<Ask> = (ask: Ask, inside: number, last: Ask | undefined) => boolean;

interface Queue<Ask> {
  inside: number;
  last: Ask | undefined;
  readonly waiting: { readonly ask: Ask; readonly open: () => void }[];
}

/** The queues at some places: first come, first served; those who are admitted together start together. */
export class Turns<Ask> {
  readonly #queues = new Map<string, Queue<Ask>>();

  constructor(private readonly admits: Admits<Ask>) {}

  /** Does the work in its turn. A controller that waits for its turn gives up its fork. */
  async take<T>(place: string, ask: Ask, wait: WaitWithoutFork, work: () => Promise<T>): Promise<T> {
    const queue = getOrAdd(this.#queues, place, () => ({ inside: 0, last: undefined, waiting: [] }));
    if (queue.waiting.length === 0 && this.admits(ask, queue.inside, queue.last)) enter(queue, ask);
    else {
      const turn = new Promise<void>((open) => queue.waiting.push({ ask, open }));
      await wait(() => turn);
    }
    try {
      return await work();
    } finally {
      this.#leave(place, queue);
    }
  }

  #leave(place: string, queue: Queue<Ask>): void {
    const { waiting } = queue;
    queue.inside--;
    for (let [next] = waiting; next && this.admits(next.ask, queue.inside, queue.last); [next] = waiting) {
      waiting.shift();
      enter(queue, next.ask);
      next.open();
    }
    if (queue.inside === 0 && waiting.length === 0) this.#queues.delete(place);
  }
}

function enter<Ask>(queue: Queue<Ask>, ask: Ask): void {
  queue.inside++;
  queue.last = ask;
}

/**
 * Whether anything new may start; running work always finishes. Cleanup (the `always` of a started block) still runs after a first
 * interrupt and after refused credentials, which are then sent only to controllers that have accepted them.
 */
export class StopSignals {
  readonly #drain: AbortSignal;
  readonly #abort: AbortSignal;

  /** @param broken the journal cannot be written any more; absent: there is no journal */
  constructor(
    private readonly stops: RunStops,
    broken?: AbortSignal,
  ) {
    const { drain, abort = new AbortController().signal } = stops;
    this.#drain = broken === undefined ? drain : AbortSignal.any([drain, broken]);
    this.#abort = broken === undefined ? abort : AbortSignal.any([abort, broken]);
    // Every controller may listen, which Node would report as a leak.
    for (const signal of [drain, abort, this.#drain, this.#abort]) setMaxListeners(0, signal);
  }

  get isStopping(): boolean {
    return this.#drain.aborted || this.stops.credentialsRefused.aborted;
  }

  get isInterrupted(): boolean {
    return this.stops.drain.aborted;
  }

  /** If the journal cannot be written, not even cleanup runs. */
  blocks(isCleanup: boolean): boolean {
    return isCleanup ? this.#abort.aborted : this.isStopping;
  }

  /** Aborts waiting. */
  signal(isCleanup: boolean): AbortSignal {
    return isCleanup ? this.#abort : this.#drain;
  }
}
