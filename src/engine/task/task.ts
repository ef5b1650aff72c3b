import type { Located, Loop } from '../../core/model/playbook/step.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import { KnownAfterApply } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';
import { countOutcome, emitFinished, emitStarted, isMasked } from '../context/task_events.js';
import type { Performed, TaskRun } from '../context/task_run.js';
import { stopwatch } from '../control/clock.js';
import {
  keepVariables,
  maskedWordsIn,
  mergeKept,
  NO_VARIABLES,
  type KeptVariables,
} from '../controllers/controller_state.js';
import { likelyDelegate } from '../execution/delegation.js';
import { failedAttempt, makeOutcome, perform, skippedBy, type TaskOutcome } from '../execution/perform.js';
import { refusedLater } from '../execution/plan/planned.js';
import { storeLargeValues } from '../execution/task_journal.js';
import { failedBecause, interrupted, isFailedResult, isStale, registered } from '../keywords/failed_result.js';
import { conditionText, firstFalse, laterItem, loopItems, requireFlag } from '../keywords/rendered_keywords.js';
import { EMPTY_LOOP, type LoopItem, loopResult, notifyingItems } from './loop_result.js';
import { notifiedBy } from './notifying.js';
import { isInterrupted, includedRun, type IncludedRun, type TaskEnd, withIncludeParameters } from './task_end.js';

/** The outcome of a task before its effects on the run. */
interface PerformedTask {
  readonly outcome: TaskOutcome;
  readonly included: readonly IncludedRun[];
  readonly items?: readonly LoopItem[];
}

export interface RanTask {
  readonly end: TaskEnd;
  /** Emits its result: only after the journal has it, so that a resume knows everything that was reported. */
  readonly report: () => void;
}

/** Runs one task on one controller, up to its facts, registered result and notified handlers. */
export async function runTask(given: TaskRun): Promise<RanTask> {
  const run = withIncludeParameters(given);
  const seconds = stopwatch();
  run.state.started = true;
  emitStarted(run, likelyDelegate(run));
  const { outcome: done, included, items } = await performTask(run);
  const { outcome, notified } = withNotified(run, done, items);
  const keptVariables = mergeKept([outcome.keptVariables, register(run, outcome)]);
  const { performed } = outcome;
  const { result, again = false } = performed;
  // Each file and each role is counted, also an empty one: as in ansible-core since 2.18.
  const count = run.task.type === 'include' && result.status === 'ok' ? included.length : undefined;
  const closing = { included: count, seconds: seconds(), ...outcome };
  const counted = countOutcome(run, performed, closing);
  const [status, interrupted] = [taskStatus(outcome), isInterrupted(run, performed)];
  const end: TaskEnd = {
    status,
    title: run.title,
    result,
    counted,
    keptVariables,
    masked: outcome.masked,
    notified,
    included,
    again,
    interrupted,
  };
  return { end, report: () => emitFinished(run, performed, closing, counted) };
}

async function performTask(run: TaskRun): Promise<PerformedTask> {
  const { task } = run;
  const broken = task.runOnce === undefined ? undefined : await brokenRunOnce(run, task.runOnce);
  if (broken !== undefined) return { outcome: broken, included: [] };
  if (task.loop === undefined) {
    const outcome = await perform(run, run.scope());
    const { included } = outcome.performed;
    return { outcome, included: included === undefined ? [] : [includedRun(task, included)] };
  }
  const { outcome, items } = await performLoop(run, task.loop);
  const included = items.flatMap(({ outcome: { performed }, variables }) =>
    performed.included === undefined ? [] : [includedRun(task, performed.included, variables)],
  );
  const performed = await storeLargeValues(run, outcome.performed, outcome.masked);
  return { outcome: { ...outcome, performed }, included, items };
}

/** As in Ansible, it matters before `when` and the loop: a task skipped by the first controller would be skipped for all. */
async function brokenRunOnce(run: TaskRun, runOnce: Located): Promise<TaskOutcome | undefined> {
  const scope = run.scope();
  try {
    requireFlag('run_once', runOnce, run.used?.watch(scope) ?? scope);
    return undefined;
  } catch (error) {
    return makeOutcome(run, scope, await failedAttempt(run, error), isMasked(run, scope));
  }
}

function taskStatus({ performed: { result }, ignored }: TaskOutcome): TaskEnd['status'] {
  if (result.status === 'interrupted') return 'stopped';
  if (ignored) return 'completed';
  if (isStale(result)) return 'stale';
  return isFailedResult(result) ? result.status : 'completed';
}

/** Only a changed result notifies handlers. */
function withNotified(
  run: TaskRun,
  outcome: TaskOutcome,
  items: readonly LoopItem[] | undefined,
): Pick<TaskEnd, 'notified'> & { outcome: TaskOutcome } {
  if (outcome.performed.result.status !== 'changed' || run.task.notify.length === 0) return { outcome, notified: [] };
  try {
    return { outcome, notified: notifiedBy(run, items && notifyingItems(items)) };
  } catch (error) {
    const { change } = outcome.performed.result;
    const broken =
      error instanceof KnownAfterApply
        ? refusedLater(run, error, 'what it notifies')
        : failedBecause(error, run.module.name);
    if (broken === undefined) return { outcome, notified: [] };
    const result = { ...broken, values: { ...broken.values, changed: true }, change };
    return { outcome: { ...outcome, performed: { result } }, notified: [] };
  }
}

function register(run: TaskRun, { performed, masked }: TaskOutcome): KeptVariables {
  const { task, state, context } = run;
  if (task.register === undefined) return { ...NO_VARIABLES, ...maskedInFailure(run, performed.result, masked) };
  const result = registered(performed.result);
  context.run.secrets.learn(result);
  const values = { [task.register]: result };
  const keptVariables = { ...NO_VARIABLES, values, ...maskedWordsIn(run.used, result, masked) };
  keepVariables(state, keptVariables);
  return keptVariables;
}

/** A `rescue` sees the result (`ansible_failed_result`). */
function maskedInFailure(run: TaskRun, result: RunTaskResult, masked: boolean): Pick<KeptVariables, 'maskedWords'> {
  if (run.used === undefined || !('failure' in result)) return {};
  return maskedWordsIn(run.used, registered(result), masked);
}

/** A task with a loop. Never throws. */
async function performLoop(run: TaskRun, loop: Loop): Promise<Omit<Required<PerformedTask>, 'included'>> {
  const scope = run.scope();
  try {
    const items = loopItems(loop, run.used?.watch(run.scope()) ?? run.scope(), run.task.module);
    if (items.length === 0) return { outcome: makeOutcome(run, scope, { result: EMPTY_LOOP }, false), items: [] };
    const { LoopRun } = await import('./loop_run.js');
    const loopRun = new LoopRun(run, loop, items);
    const done = await loopRun.results();
    const finished = done.filter(({ outcome }) => outcome.performed.result.status !== 'interrupted');
    const isComplete = finished.length + loopRun.leftOut === items.length;
    const result = isComplete ? loopResult(done) : cutShort(done, finished.length, items.length);
    const { problem } = loopRun;
    if (problem !== undefined && isComplete && !isStale(result))
      return { outcome: await brokenOff(run, loop, done, problem.error), items: [] };
    return { outcome: summary(done, result), items: done };
  } catch (error) {
    return { outcome: makeOutcome(run, scope, await withoutItems(run, loop, error), isMasked(run, scope)), items: [] };
  }
}

/** A failed loop is ignored if each of its failed items is; it names the delegate if that was the same for all. */
function summary(items: readonly LoopItem[], result: RunTaskResult): TaskOutcome {
  const outcomes = items.map(({ outcome }) => outcome);
  const failed = outcomes.filter(({ performed }) => isFailedResult(performed.result));
  const again = outcomes.some(({ performed }) => performed.again === true);
  const unfinished = outcomes.some(({ performed }) => performed.unfinished === true);
  const delegates = new Set(outcomes.map(({ delegatedTo }) => delegatedTo));
  return {
    performed: { result, again, unfinished },
    keptVariables: mergeKept(outcomes.map(({ keptVariables }) => keptVariables)),
    ignored: result.status !== 'interrupted' && failed.length > 0 && failed.every(({ ignored }) => ignored),
    masked: outcomes.some(({ masked }) => masked),
    check: outcomes.every(({ check }) => check),
    diff: outcomes.some(({ diff }) => diff),
    delegatedTo: delegates.size === 1 ? [...delegates][0] : undefined,
  };
}

/** A loop that could not go on after some of its items keeps what they did. */
async function brokenOff(run: TaskRun, loop: Loop, items: readonly LoopItem[], error: unknown): Promise<TaskOutcome> {
  const performed = await failedAttempt(run, error, scopeOfFailure(run, loop, error));
  const outcome = makeOutcome(run, run.scope(), performed, isMasked(run, run.scope()));
  const { result } = performed;
  if (result.status === 'skipped') return outcome;
  const { results = [], changed = false } = registered(loopResult(items));
  const all = summary(items, { ...result, values: { ...result.values, results, changed, skipped: false } });
  return { ...all, ignored: outcome.ignored, masked: all.masked || outcome.masked };
}

function cutShort(done: readonly LoopItem[], finished: number, all: number): RunTaskResult {
  const { values } = loopResult(done);
  const message = `interrupted after ${finished} of ${all} items`;
  const changed = done.some(({ outcome }) => registered(outcome.performed.result)['changed'] === true);
  return interrupted(message, { values: { ...values, changed, skipped: false, msg: message } });
}

/** The loop's items cannot be determined. That does not matter if `when` skips the task anyway, as in Ansible. */
async function withoutItems(run: TaskRun, loop: Loop, error: unknown): Promise<Performed> {
  const scope = scopeOfFailure(run, loop, error);
  try {
    const unmet = firstFalse(run.task.when, scope);
    if (unmet !== undefined) return skippedBy(conditionText([unmet]));
  } catch {
    // The condition may need an item, so report the loop.
  }
  return failedAttempt(run, error, scope);
}

function scopeOfFailure(run: TaskRun, loop: Loop, error: unknown): Variables {
  return error instanceof KnownAfterApply ? run.scope().child(laterItem(loop, error)) : run.scope();
}
