import type { Scope } from '../template/scope.js';
import { renderNumber } from './rendered_settings.js';
import type { TaskRun } from './task_run.js';

/** How many controllers may do the task at once; 0: as many as there are. */
export function throttleOf({ task }: Pick<TaskRun, 'task'>, scope: Scope): number {
  return task.throttle === undefined ? 0 : Math.floor(renderNumber('throttle', task.throttle, scope));
}

/** Does the work when the task's `throttle` lets it. One that cannot be rendered, which fails the task, lets one after the other. */
export function throttled<T>(run: TaskRun, work: () => Promise<T>): Promise<T> {
  return run.context.run.throttles.through(run.task, limitOf(run), work);
}

function limitOf(run: TaskRun): number {
  if (run.task.throttle === undefined) return 0;
  try {
    return throttleOf(run, run.scope());
  } catch {
    return 1;
  }
}

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
