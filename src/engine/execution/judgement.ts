import type { RunTaskResult } from '../../core/model/run/result.js';
import { entry, type Mapping } from '../../core/model/values/value.js';
import type { Variables } from '../../language/scope.js';
import type { Performed, TaskRun } from '../context/task_run.js';
import { NO_VARIABLES } from '../controllers/kept_variables.js';
import { messageValue, registered } from '../keywords/failed_result.js';
import { allHold, conditionText } from '../keywords/rendered_keywords.js';

type Judged = Exclude<RunTaskResult, { status: 'skipped' | 'unreachable' | 'interrupted' }>;

/** The scope in which a task's own result is visible under its `register` name. */
export function withOwnResult(run: TaskRun, scope: Variables, result: RunTaskResult): Variables {
  return run.task.register === undefined ? scope : withRegistered(run, scope, registered(result));
}

/** The scope in which a result is visible under the `register` name of the task. */
export function withRegistered({ task }: TaskRun, scope: Variables, result: Mapping): Variables {
  if (task.register === undefined) return scope;
  const values = { [task.register]: result };
  return scope.child([{ level: 'magic', origin: 'register', values, literal: true }]);
}

/** The scope of a task's own conditions: its result is visible there. */
export function withFacts(scope: Variables, { keptVariables = NO_VARIABLES }: Performed): Variables {
  const { values, included } = keptVariables;
  if (Object.keys(values).length + included.length === 0) return scope;
  const level = 'set_fact and registered';
  return scope.child([...included, { level, origin: level, values, literal: true }]);
}

/** Applies `changed_when`, then `failed_when`. Skipped, interrupted and unreachable results stay as they are. */
export function judge(run: TaskRun, result: RunTaskResult, scope: Variables): RunTaskResult {
  if (result.status !== 'ok' && result.status !== 'changed' && result.status !== 'failed') return result;
  return judgeFailed(run, judgeChanged(run, result, scope), scope);
}

function judgeChanged(run: TaskRun, result: Judged, scope: Variables): Judged {
  const { changedWhen } = run.task;
  if (changedWhen === undefined) return result;
  const changed = allHold(changedWhen, withOwnResult(run, scope, result));
  if (result.status === 'failed') return { ...result, values: { ...result.values, changed } };
  return withStatus(result.values, changed, result);
}

function judgeFailed(run: TaskRun, result: Judged, scope: Variables): RunTaskResult {
  const { failedWhen } = run.task;
  if (failedWhen === undefined) return result;
  const failed = allHold(failedWhen, withOwnResult(run, scope, result));
  const values = { ...result.values, failed_when_result: failed };
  if (!failed) return result.status === 'failed' ? cleared(result, values) : { ...result, values };
  if (result.status === 'failed') return { ...result, values };
  const message = `failed_when: ${conditionText(failedWhen)}`;
  const { change, status } = result;
  return {
    status: 'failed',
    // The module's message stays in `msg`; the failure's message says why it failed.
    values: { ...messageValue(result.message), ...values, changed: status === 'changed' },
    failure: { message, source: failedWhen[0]?.source },
    change,
  };
}

/** The result if `failed_when` says that this is not a failure. */
function cleared(result: Extract<Judged, { status: 'failed' }>, values: Mapping): RunTaskResult {
  const { message } = result.failure;
  return withStatus({ msg: message, ...values }, entry(values, 'changed') === true, { message, change: result.change });
}

function withStatus(
  values: Mapping,
  changed: boolean,
  rest: Pick<Extract<Judged, { status: 'ok' }>, 'message' | 'change'>,
): Extract<Judged, { status: 'ok' | 'changed' }> {
  const { message, change } = rest;
  return changed
    ? { status: 'changed', values, message, change: change ?? { kind: 'none' } }
    : { status: 'ok', values, message, change };
}
