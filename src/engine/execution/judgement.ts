import type { Change, RunTaskResult } from '../../core/model/run/result.js';
import { entry, type Mapping } from '../../core/model/values/value.js';
import { Interrupted, KnownAfterApply } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';
import type { Performed, TaskRun } from '../context/task_run.js';
import { NO_VARIABLES } from '../controllers/controller_state.js';
import { failedBecause, isStale, messageValue, registered } from '../keywords/failed_result.js';
import { allHold, conditionText } from '../keywords/rendered_keywords.js';

export type JudgedResult = Exclude<RunTaskResult, { status: 'skipped' | 'unreachable' | 'interrupted' }>;

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

/** Applies `changed_when`, then `failed_when`. Skipped, interrupted, unreachable and stale results stay as they are. */
export function judge(run: TaskRun, result: RunTaskResult, scope: Variables): RunTaskResult {
  const { status } = result;
  if (status !== 'ok' && status !== 'changed' && (status !== 'failed' || isStale(result))) return result;
  let judged: JudgedResult = result;
  try {
    judged = judgeChanged(run, result, scope);
    return judgeFailed(run, judged, scope);
  } catch (error) {
    return withBrokenCondition(run, judged, error);
  }
}

/** A condition cannot be evaluated, which fails the task. What it has done and found stays, and `until` may repeat it, as in Ansible. */
export function withBrokenCondition({ module }: TaskRun, result: JudgedResult, error: unknown): JudgedResult {
  if (error instanceof KnownAfterApply || error instanceof Interrupted) throw error;
  const { failure } = failedBecause(error, module.name);
  if (result.status === 'failed') {
    const message = `${result.failure.message}; and a condition of the task cannot be evaluated: ${failure.message}`;
    return { ...result, failure: { ...result.failure, message } };
  }
  const values = { ...messageValue(result.message), ...result.values, changed: result.status === 'changed' };
  return { status: 'failed', values, failure, ...changePart(result) };
}

function judgeChanged(run: TaskRun, result: JudgedResult, scope: Variables): JudgedResult {
  const { changedWhen } = run.task;
  if (changedWhen === undefined) return result;
  const changed = allHold(changedWhen, withOwnResult(run, scope, result));
  if (result.status !== 'failed') return withStatus(result.values, changed, result);
  // The change of a failure is what is left to do.
  const change = (changed ? run.stepJournal?.written : undefined) ?? result.change;
  return { ...result, values: { ...result.values, changed }, change };
}

function judgeFailed(run: TaskRun, result: JudgedResult, scope: Variables): RunTaskResult {
  const { failedWhen } = run.task;
  if (failedWhen === undefined) return result;
  const failed = allHold(failedWhen, withOwnResult(run, scope, result));
  const values = { ...result.values, failed_when_result: failed };
  if (!failed) return result.status === 'failed' ? cleared(run, result, values) : { ...result, values };
  if (result.status === 'failed') return { ...result, values };
  const message = `failed_when: ${conditionText(failedWhen)}`;
  return {
    status: 'failed',
    // The module's message stays in `msg`; the failure's message says why it failed.
    values: { ...messageValue(result.message), ...values, changed: result.status === 'changed' },
    failure: { message, source: failedWhen[0]?.source },
    ...changePart(result),
  };
}

/** None with `changed_when: false`: the change of a failure that changed nothing is one that the controller does not show. */
export function changePart(result: RunTaskResult): Pick<Extract<RunTaskResult, { status: 'failed' }>, 'change'> {
  return result.status === 'changed' ? { change: result.change } : {};
}

/** The result if `failed_when` says that this is not a failure. */
function cleared(run: TaskRun, result: Extract<JudgedResult, { status: 'failed' }>, values: Mapping): RunTaskResult {
  const { message } = result.failure;
  const written = countedWrite(run);
  const changed = written !== undefined || entry(values, 'changed') === true;
  return withStatus({ msg: message, ...values }, changed, {
    message,
    change: written ?? result.change,
    notCompared: 'failed',
  });
}

export function withStatus(
  values: Mapping,
  changed: boolean,
  rest: Pick<Extract<JudgedResult, { status: 'ok' }>, 'message' | 'change' | 'notCompared'>,
): Extract<JudgedResult, { status: 'ok' | 'changed' }> {
  const { message, change, notCompared } = rest;
  return changed
    ? { status: 'changed', values, message, change: change ?? { kind: 'none' }, notCompared }
    : { status: 'ok', values, message, change, notCompared };
}

/** What the task has written; undefined if `changed_when` says what counts as a change. */
export function countedWrite({ task, stepJournal }: TaskRun): Change | undefined {
  return task.changedWhen === undefined ? stepJournal?.written : undefined;
}
