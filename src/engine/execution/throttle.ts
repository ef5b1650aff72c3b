import { placeText } from '../../core/model/source/diagnostic.js';
import type { EvaluationScope } from '../../language/scope.js';
import type { TaskRun } from '../context/task_run.js';
import { renderNumber } from '../keywords/rendered_keywords.js';

/** Maximum number of controllers that run the task at the same time; 0: no limit. */
export function evaluateThrottle({ task }: Pick<TaskRun, 'task'>, scope: EvaluationScope): number {
  return task.throttle === undefined ? 0 : Math.floor(renderNumber('throttle', task.throttle, scope));
}

/**
 * Does the work when the task's `throttle` permits it. A `throttle` that fails to render fails the task; until then, it
 * admits one controller at a time.
 */
export function throttled<T>(run: TaskRun, work: () => Promise<T>): Promise<T> {
  if (run.task.throttle === undefined) return work();
  return run.context.run.control.throttles.through(placeText(run.task.source), throttleLimit(run), run.fork.rest, work);
}

function throttleLimit(run: TaskRun): number {
  try {
    return evaluateThrottle(run, run.scope());
  } catch {
    return 1;
  }
}
