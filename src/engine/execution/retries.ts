import { OUTCOME_UNKNOWN } from '../../controller/answers/rejection.js';
import type { Until } from '../../core/model/playbook/step.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import type { EvaluationScope, Variables } from '../../language/scope.js';
import { emitRetried } from '../context/task_events.js';
import { type Performed, stopSignal, type TaskRun } from '../context/task_run.js';
import type { TaskSession } from '../controllers/task_session.js';
import { interrupted, isStale } from '../keywords/failed_result.js';
import { allHold, conditionText, renderNumberOr } from '../keywords/rendered_keywords.js';
import {
  changePart,
  countedWrite,
  judge,
  type JudgedResult,
  withBrokenCondition,
  withFacts,
  withOwnResult,
  withStatus,
} from './judgement.js';

/** As in Ansible: `until` alone means three retries, five seconds apart. */
const DEFAULT_RETRIES = 3;
const DEFAULT_DELAY_SECONDS = 5;

/**
 * Carries out a task as often as `until` and `retries` require, and judges each attempt by `changed_when` and
 * `failed_when`.
 */
export async function withRetries(
  run: TaskRun,
  scope: Variables,
  session: Pick<TaskSession, 'outcomeUnknown'>,
  attempt: (isLast: boolean) => Promise<Performed>,
): Promise<Performed> {
  const { until } = run.task;
  const judged = (performed: Performed): Performed => {
    if (performed.timedOut === true) return performed;
    return { ...performed, result: judge(run, performed.result, withFacts(scope, performed)) };
  };
  if (until === undefined) return withWritten(run, judged(await attempt(true)));
  let changed: RunTaskResult | undefined;
  const last = await repeat(run, scope, { until, session }, async (number, isLast) => {
    const performed = countedAsFailed(await attempt(isLast));
    // `changed_when` and `failed_when` see the number, too.
    const now = withWritten(run, isRepeatable(performed) ? judged(withAttempts(performed, number)) : performed);
    if (now.result.status === 'changed' || now.result.values['changed'] === true) changed = now.result;
    return now;
  });
  return withWritten(run, last, changed);
}

/** The last attempt may have been cut off after a write, or have found nothing left to change after an earlier one. */
function withWritten(run: TaskRun, performed: Performed, earlier?: RunTaskResult): Performed {
  const { result } = performed;
  if (result.status === 'changed' || result.status === 'skipped') return performed;
  const shown = earlier !== undefined && 'change' in earlier ? earlier.change : undefined;
  const change = shown === undefined || shown.kind === 'none' ? (countedWrite(run) ?? shown) : shown;
  if (result.status === 'ok') {
    const isJudged = run.task.changedWhen !== undefined;
    const staysOk = earlier === undefined || isJudged || change === undefined || change.kind === 'none';
    return staysOk ? performed : { ...performed, result: withStatus(result.values, true, { ...result, change }) };
  }
  const isOwn = result.status !== 'interrupted' && result.change !== undefined && result.change.kind !== 'none';
  if (change === undefined || isOwn) return performed;
  return { ...performed, result: { ...result, values: { ...result.values, changed: true }, change } };
}

async function repeat(
  run: TaskRun,
  scope: Variables,
  { until, session }: { readonly until: Until; readonly session: Pick<TaskSession, 'outcomeUnknown'> },
  once: (number: number, isLast: boolean) => Promise<Performed>,
): Promise<Performed> {
  const { executions, delay, backoff } = retryPolicy(until, scope);
  const signal = stopSignal(run);
  for (let attempt = 1; ; attempt++) {
    const performed = await once(attempt, attempt >= executions);
    if (!isRepeatable(performed)) return performed;
    const { result } = performed;
    const seen = withOwnResult(run, withFacts(scope, performed), result);
    try {
      if (until.until === undefined ? result.status !== 'failed' : allHold(until.until, seen)) return performed;
    } catch (error) {
      return { ...performed, result: withBrokenCondition(run, result, error) };
    }
    if (attempt >= executions) return exhausted(performed, until, executions);
    if (session.outcomeUnknown) return afterUnknownOutcome(run, performed, until, attempt);
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

/** `delay`: seconds after the first attempt, which grow by the factor `backoff`. */
function retryPolicy(until: Until, scope: EvaluationScope) {
  const retries = renderNumberOr(DEFAULT_RETRIES, 'retries', until.retries, scope);
  const delay = renderNumberOr(DEFAULT_DELAY_SECONDS, 'delay', until.delay, scope);
  const backoff = renderNumberOr(1, 'backoff', until.backoff, scope);
  return { executions: Math.max(0, Math.floor(retries)) + 1, delay: Math.max(0, delay), backoff: Math.max(0, backoff) };
}

/**
 * No retry for a controller that stays unreachable, such as with refused credentials, a skipped task or an interrupt, nor, as in Ansible,
 * for a task whose time is over.
 */
function isRepeatable(performed: Performed): performed is Performed & { readonly result: JudgedResult } {
  const { result, timedOut } = performed;
  const { status } = result;
  const isOver = timedOut === true || isStale(result);
  return !isOver && status !== 'unreachable' && status !== 'skipped' && status !== 'interrupted';
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

/** Its own hint is about a task that may be repeated, unless it is about a write from before the interrupt. */
function afterUnknownOutcome({ stepJournal }: TaskRun, performed: Performed, until: Until, attempt: number): Performed {
  const { result } = performed;
  if (result.status !== 'failed') return exhausted(performed, until, attempt);
  if ((stepJournal?.openWrites.length ?? 0) > 0) return performed;
  return { ...performed, result: { ...result, failure: { ...result.failure, hint: OUTCOME_UNKNOWN } } };
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
