import { UNSEEN } from '../../controller/answers/refusal.js';
import type { Until } from '../../core/model/playbook/step.js';
import type { Change, RunTaskResult } from '../../core/model/run/result.js';
import { entry, type Mapping } from '../../core/model/values/value.js';
import { Interrupted, KnownAfterApply } from '../../language/runtime/errors.js';
import type { EvaluationScope, Variables } from '../../language/scope.js';
import { emitRetried } from '../context/task_events.js';
import { isCleanup, type Performed, type TaskRun } from '../context/task_run.js';
import { NO_VARIABLES } from '../controllers/controller_state.js';
import type { TaskSession } from '../controllers/task_session.js';
import {
  failedBecause,
  type FailedResult,
  interrupted,
  isStale,
  messageValue,
  registered,
} from '../keywords/failed_result.js';
import { allHold, conditionText, renderNumberOr } from '../keywords/rendered_keywords.js';

/** As in Ansible: `until` alone means three retries, five seconds apart. */
const DEFAULT_RETRIES = 3;
const DEFAULT_DELAY_SECONDS = 5;

interface Policy {
  readonly executions: number;
  /** Seconds after the first attempt, and the factor by which they grow. */
  readonly delay: number;
  readonly backoff: number;
}

/**
 * Carries out a task as often as `until` and `retries` require, and judges each attempt by `changed_when` and
 * `failed_when`.
 */
export async function withRetries(
  run: TaskRun,
  scope: Variables,
  session: Pick<TaskSession, 'isUnsure'>,
  attempt: (isLast: boolean) => Promise<Performed>,
): Promise<Performed> {
  const { until } = run.task;
  const judged = (performed: Performed): Performed => ({
    ...performed,
    result: judge(run, performed.result, withFacts(scope, performed)),
  });
  if (until === undefined) return withWritten(run, judged(await attempt(true)));
  let changed: RunTaskResult | undefined;
  const last = await repeat(run, scope, { until, session }, async (number, isLast) => {
    const performed = countedAsFailed(await attempt(isLast));
    // `changed_when` and `failed_when` see the number, too.
    const now = withWritten(run, isFinal(performed.result) ? performed : judged(withAttempts(performed, number)));
    if (now.result.status === 'changed' || now.result.values['changed'] === true) changed = now.result;
    return now;
  });
  return withWritten(run, last, changed);
}

/** The last attempt may have been cut off after a write, or have found nothing left to change after an earlier one. */
function withWritten(run: TaskRun, performed: Performed, earlier?: RunTaskResult): Performed {
  const { result } = performed;
  if (result.status === 'changed' || result.status === 'skipped') return performed;
  const change = (earlier !== undefined && 'change' in earlier ? earlier.change : undefined) ?? countedWrite(run);
  if (result.status === 'ok') {
    const isJudged = run.task.changedWhen !== undefined;
    const isUnsaid = earlier === undefined || isJudged || change === undefined || change.kind === 'none';
    return isUnsaid ? performed : { ...performed, result: withStatus(result.values, true, { ...result, change }) };
  }
  const isOwn = result.status !== 'interrupted' && result.change !== undefined && result.change.kind !== 'none';
  if (change === undefined || isOwn) return performed;
  return { ...performed, result: { ...result, values: { ...result.values, changed: true }, change } };
}

/** What the task has written; undefined if `changed_when` says what counts as a change. */
function countedWrite({ task, stepJournal }: TaskRun): Change | undefined {
  return task.changedWhen === undefined ? stepJournal?.written : undefined;
}

async function repeat(
  run: TaskRun,
  scope: Variables,
  { until, session }: { readonly until: Until; readonly session: Pick<TaskSession, 'isUnsure'> },
  once: (number: number, isLast: boolean) => Promise<Performed>,
): Promise<Performed> {
  const { executions, delay, backoff } = retryPolicy(until, scope);
  const signal = run.context.run.control.stopSignals.signal(isCleanup(run.enclosing));
  for (let attempt = 1; ; attempt++) {
    const performed = await once(attempt, attempt >= executions);
    if (isFinal(performed.result)) return performed;
    const seen = withOwnResult(run, withFacts(scope, performed), performed.result);
    try {
      if (until.until === undefined ? performed.result.status !== 'failed' : allHold(until.until, seen))
        return performed;
    } catch (error) {
      return { ...performed, result: brokenCondition(run, error) };
    }
    if (attempt >= executions) return exhausted(performed, until, executions);
    if (session.isUnsure) return unsure(performed, until, attempt);
    emitRetried(run, attempt, executions);
    await run.fork.sleep(delay * backoff ** (attempt - 1), signal);
    if (signal.aborted) return stopped(performed, attempt, executions);
  }
}

/**
 * While the task itself waits, a controller that cannot be reached for now is a failed attempt. The result is also that
 * of Ansible, which connects from the machine that runs it.
 */
function countedAsFailed(performed: Performed): Performed {
  const { result } = performed;
  if (result.status !== 'unreachable' || result.failure.passing !== true) return performed;
  return { ...performed, result: { ...result, status: 'failed', values: { ...result.values, unreachable: true } } };
}

function retryPolicy(until: Until, scope: EvaluationScope): Policy {
  const retries = renderNumberOr(DEFAULT_RETRIES, 'retries', until.retries, scope);
  const delay = renderNumberOr(DEFAULT_DELAY_SECONDS, 'delay', until.delay, scope);
  const backoff = renderNumberOr(1, 'backoff', until.backoff, scope);
  return { executions: Math.max(0, Math.floor(retries)) + 1, delay: Math.max(0, delay), backoff: Math.max(0, backoff) };
}

/** No retry for a controller that stays unreachable, such as with refused credentials, a skipped task or an interrupt. */
function isFinal(result: RunTaskResult): boolean {
  const { status } = result;
  return isStale(result) || status === 'unreachable' || status === 'skipped' || status === 'interrupted';
}

function withAttempts(performed: Performed, attempts: number): Performed {
  const { result } = performed;
  return { ...performed, result: { ...result, values: { ...result.values, attempts } } };
}

/** A resume starts again with the first attempt. */
function stopped(performed: Performed, attempt: number, executions: number): Performed {
  const { values, ...result } = performed.result;
  const message = `interrupted after ${attempt} of ${executions} attempts`;
  const change = 'change' in result ? result.change : undefined;
  return { ...performed, result: interrupted(message, { values: { ...values, msg: message }, change }) };
}

/** Its own hint is about a task that may be repeated. */
function unsure(performed: Performed, until: Until, attempt: number): Performed {
  const { result } = performed;
  if (result.status !== 'failed') return exhausted(performed, until, attempt);
  return { ...performed, result: { ...result, failure: { ...result.failure, hint: UNSEEN } } };
}

/** Ansible counts the retries here, not the executions; so do we, as `attempts` may be compared with `retries`. */
function exhausted(performed: Performed, until: Until, executions: number): Performed {
  const { result } = withAttempts(performed, executions - 1);
  if (result.status === 'failed') return { ...performed, result };
  // As in Ansible, `failed_when` decides; what is registered has failed in any case.
  if (result.values['failed_when_result'] === false)
    return { ...performed, result: { ...result, values: { ...result.values, failed: true } } };
  // Without a condition, only a failed task is not done.
  const { until: conditions = [] } = until;
  const attempts = executions === 1 ? '1 attempt' : `${executions} attempts`;
  const message = `failed after ${attempts}: "until" was never true: ${conditionText(conditions)}`;
  const failure = { message, source: conditions[0]?.source };
  const values = { ...result.values, changed: result.status === 'changed' };
  return { ...performed, result: { status: 'failed', values, failure, ...changePart(result) } };
}

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
function judge(run: TaskRun, result: RunTaskResult, scope: Variables): RunTaskResult {
  if (result.status !== 'ok' && result.status !== 'changed' && result.status !== 'failed') return result;
  let judged: Judged = result;
  try {
    judged = judgeChanged(run, result, scope);
    return judgeFailed(run, judged, scope);
  } catch (error) {
    return withBrokenCondition(run, judged, error);
  }
}

/** A condition cannot be evaluated, which fails the task. What it has done and found stays, and `until` may repeat it, as in Ansible. */
function withBrokenCondition(run: TaskRun, result: Judged, error: unknown): Judged {
  const { failure } = brokenCondition(run, error);
  if (result.status === 'failed') {
    const message = `${result.failure.message}; and a condition of the task cannot be evaluated: ${failure.message}`;
    return { ...result, failure: { ...result.failure, message } };
  }
  const values = { ...messageValue(result.message), ...result.values, changed: result.status === 'changed' };
  return { status: 'failed', values, failure, ...changePart(result) };
}

function brokenCondition({ module }: TaskRun, error: unknown): FailedResult {
  if (error instanceof KnownAfterApply || error instanceof Interrupted) throw error;
  return failedBecause(error, module.name);
}

function judgeChanged(run: TaskRun, result: Judged, scope: Variables): Judged {
  const { changedWhen } = run.task;
  if (changedWhen === undefined) return result;
  const changed = allHold(changedWhen, withOwnResult(run, scope, result));
  if (result.status !== 'failed') return withStatus(result.values, changed, result);
  // The change of a failure is what is left to do.
  const change = (changed ? run.stepJournal?.written : undefined) ?? result.change;
  return { ...result, values: { ...result.values, changed }, change };
}

function judgeFailed(run: TaskRun, result: Judged, scope: Variables): RunTaskResult {
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
function changePart(result: RunTaskResult): Pick<Extract<RunTaskResult, { status: 'failed' }>, 'change'> {
  return result.status === 'changed' ? { change: result.change } : {};
}

/** The result if `failed_when` says that this is not a failure. */
function cleared(run: TaskRun, result: Extract<Judged, { status: 'failed' }>, values: Mapping): RunTaskResult {
  const { message } = result.failure;
  const written = countedWrite(run);
  const changed = written !== undefined || entry(values, 'changed') === true;
  return withStatus({ msg: message, ...values }, changed, { message, change: written ?? result.change });
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
