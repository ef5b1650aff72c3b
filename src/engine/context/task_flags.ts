import { orElse } from '../../core/model/error_message.js';
import type { EvaluationScope } from '../../language/scope.js';
import { failedBecause } from '../keywords/failed_result.js';
import { renderFlagOr } from '../keywords/rendered_keywords.js';
import { warn } from './task_events.js';
import type { TaskRun } from './task_run.js';

/** `check_mode` of the task, else of the run. A read-only run never leaves check mode. */
function isCheck({ task, context }: TaskRun, scope: EvaluationScope): boolean {
  const { check, readOnly } = context.run.input.settings;
  return renderFlagOr(check, 'check_mode', task.checkMode, scope) || readOnly === true;
}

/** `isCheck` of a task that starts. Warns about one that would leave the check mode of a read-only run. */
export function startsInCheck(run: TaskRun, scope: EvaluationScope): boolean {
  const { task, context } = run;
  if (context.run.input.settings.readOnly === true && !renderFlagOr(true, 'check_mode', task.checkMode, scope))
    warn(run, FORCED, task.checkMode?.source);
  return isCheck(run, scope);
}

const FORCED = 'check_mode: false has no effect, because this run only reads: the task runs in check mode';

/** `isCheck` for reports: a `check_mode` that fails to render has already failed the task. */
export function ranInCheck(run: TaskRun, scope: EvaluationScope): boolean {
  return orElse(run.context.run.input.settings.check, () => isCheck(run, scope));
}

/** `diff` of the task, else of the run. */
export function wantsDiff({ task, context }: TaskRun, scope: EvaluationScope): boolean {
  const { diff } = task;
  return orElse(false, () => renderFlagOr(context.run.input.settings.diff, 'diff', diff, scope));
}

/** Whether to show only the status. True also if `no_log` fails to render. */
export function isMasked({ task }: TaskRun, scope: EvaluationScope): boolean {
  const { noLog } = task;
  return orElse(true, () => renderFlagOr(false, 'no_log', noLog, scope));
}

/** Whether the controller continues after a failure, or although it was unreachable. A flag that fails to render ignores nothing. */
export function ignores(
  run: TaskRun,
  keyword: 'ignore_errors' | 'ignore_unreachable',
  scope: EvaluationScope,
): boolean {
  const flag = keyword === 'ignore_errors' ? run.task.ignoreErrors : run.task.ignoreUnreachable;
  if (flag === undefined) return false;
  try {
    return renderFlagOr(false, keyword, flag, scope);
  } catch (error) {
    warn(run, failedBecause(error, run.module.name).failure.message, flag.source);
    return false;
  }
}
