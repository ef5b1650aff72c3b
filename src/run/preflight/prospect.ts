import { LoadError } from '../../model/source/load_error.js';
import type { Include, Task } from '../../model/playbook/step.js';
import { isList, isMapping } from '../../model/values/value.js';
import { evaluate, isTrue } from '../../template/condition.js';
import { NotKnownYet, TemplateError } from '../../template/runtime/errors.js';
import type { Variables } from '../../template/scope.js';
import { firstBroken } from '../keywords/conditions.js';
import { TaskProblem } from '../keywords/task_problem.js';
import type { Surroundings } from './outlook.js';

/** What is known of a task before the run. `open`: unknown. `broken`: its arguments are certain to fail. */
export type Prospect = 'skipped' | 'carried out' | 'broken' | 'open';

/** Whether a task with an unknown loop is skipped anyway; a condition that cannot be evaluated may need an item. */
export function withoutItems(task: Task | Include, scope: Variables): Prospect {
  try {
    return firstBroken(task.when, scope) === undefined ? 'carried out' : 'skipped';
  } catch (error) {
    return error instanceof NotKnownYet ? 'open' : 'carried out';
  }
}

export function isExpected(error: unknown): boolean {
  return [NotKnownYet, TemplateError, LoadError, TaskProblem].some((type) => error instanceof type);
}

/** A playbook that says what to do about a failure is not refused for it. */
export function isExpectedToFail({ ignoreErrors }: Task | Include, { rescuable }: Surroundings): boolean {
  return rescuable || (ignoreErrors !== undefined && ignoreErrors.value !== false);
}

/** Whether the playbook itself stops the controller here, with its own message (`fail`, `assert`). */
export function endsInFailure({ module, args }: Task, scope: Variables): boolean {
  if (module === 'fail') return true;
  if (module !== 'assert' || !isMapping(args)) return false;
  const that = args['that'] ?? null;
  try {
    return !(isList(that) ? that : [that]).every((condition) => isTrue(evaluate(condition, scope)));
  } catch (error) {
    if (error instanceof NotKnownYet) return false;
    if (error instanceof TemplateError) return true;
    throw error;
  }
}
