import type { Loop } from '../../core/model/playbook/step.js';
import type { TaskResult } from '../../core/model/run/result.js';
import { countedOf, emitFinished, emitStarted } from '../context/task_events.js';
import type { TaskRun } from '../context/task_run.js';
import { stopwatch } from '../control/clock.js';
import type { ControllerState } from '../controllers/controller_state.js';
import {
  keepVariables,
  maskedWordsIn,
  mergeKept,
  NO_VARIABLES,
  type KeptVariables,
} from '../controllers/kept_variables.js';
import { likelyDelegate } from '../execution/delegation.js';
import { storeLargeValues } from '../execution/large_values.js';
import { perform, type Outcome } from '../execution/perform.js';
import { failedBecause, isStale } from '../keywords/failed_result.js';
import { registered } from '../keywords/registered.js';
import type { IncludedRun } from './included_run.js';
import { includedRun, withParameters } from './included_run.js';
import { performLoop } from './looped_task.js';
import { notifiedBy } from './notify.js';
import { isInterrupted } from './record_end.js';
import type { TaskEnd } from './task_end.js';

/** The outcome of a task before its effects on the run. */
interface Carried {
  readonly outcome: Outcome;
  readonly included: readonly IncludedRun[];
}

/** A task that has run. */
export interface RanTask {
  readonly end: TaskEnd;
  /** Emits its result: only after the journal has it, so that a resume knows everything that was reported. */
  readonly report: () => void;
}

/** Runs one task on one controller, up to its facts, registered result and notified handlers. */
export async function runTask(given: TaskRun): Promise<RanTask> {
  const run = withParameters(given);
  const seconds = stopwatch();
  run.state.started = true;
  emitStarted(run, likelyDelegate(run));
  const { outcome: done, included } = await carried(run);
  const { outcome, notified } = withNotified(run, done);
  const keptVariables = mergeKept([outcome.kept, register(run, outcome)]);
  const { performed } = outcome;
  const { result, again = false } = performed;
  const closing = { included: countOf(run, result, included), seconds: seconds(), ...outcome };
  const counted = countedOf(run, performed, closing);
  const [status, interrupted] = [statusOf(outcome), isInterrupted(run, performed)];
  const end: TaskEnd = {
    status,
    title: run.title,
    result,
    counted,
    keptVariables,
    notified,
    included,
    again,
    interrupted,
  };
  const report = (): void => {
    emitFinished(run, performed, closing, counted);
  };
  return { end, report };
}

/** Each file and each role is counted, also an empty one: as in ansible-core since 2.18. */
function countOf({ task }: TaskRun, { status }: TaskResult, included: readonly IncludedRun[]): number | undefined {
  return task.type === 'include' && status === 'ok' ? included.length : undefined;
}

async function carried(run: TaskRun): Promise<Carried> {
  const { task } = run;
  if (task.loop !== undefined) return carriedItems(run, task.loop);
  const outcome = await perform(run, run.scope());
  const { included } = outcome.performed;
  return { outcome, included: included === undefined ? [] : [includedRun(task, included)] };
}

async function carriedItems(run: TaskRun, loop: Loop): Promise<Carried> {
  const { outcome, items } = await performLoop(run, loop);
  const included = items.flatMap(({ outcome: { performed }, variables }) =>
    performed.included === undefined ? [] : [includedRun(run.task, performed.included, variables)],
  );
  return {
    outcome: { ...outcome, performed: await storeLargeValues(run, outcome.performed, outcome.masked) },
    included,
  };
}

function statusOf({ performed: { result }, ignored }: Outcome): TaskEnd['status'] {
  if (result.status === 'interrupted') return 'stopped';
  if (ignored) return 'completed';
  if (isStale(result)) return 'stale';
  return result.status === 'failed' || result.status === 'unreachable' ? result.status : 'completed';
}

/** Only a changed result notifies handlers. */
function withNotified(run: TaskRun, outcome: Outcome): Pick<TaskEnd, 'notified'> & { outcome: Outcome } {
  if (outcome.performed.result.status !== 'changed' || run.task.notify.length === 0) return { outcome, notified: [] };
  try {
    return { outcome, notified: notifiedBy(run, run.scope()) };
  } catch (error) {
    const { change } = outcome.performed.result;
    const result = { ...failedBecause(error, run.module.name), change };
    return { outcome: { ...outcome, performed: { result } }, notified: [] };
  }
}

function register(run: TaskRun, { performed, masked }: Outcome): KeptVariables {
  const { task, state, context } = run;
  if (task.register === undefined) return { ...NO_VARIABLES, ...maskedInFailure(run, performed.result, masked) };
  const result = registered(performed.result);
  context.run.secrets.learn(result);
  const keptVariables = {
    ...NO_VARIABLES,
    values: { [task.register]: result },
    ...maskedWordsIn(run.used, result, masked),
  };
  keepVariables(state, keptVariables);
  return keptVariables;
}

/** A `rescue` sees the result (`ansible_failed_result`). */
function maskedInFailure(run: TaskRun, result: TaskResult, masked: boolean): Pick<KeptVariables, 'maskedWords'> {
  if (run.used === undefined || !('failure' in result)) return {};
  return maskedWordsIn(run.used, registered(result), masked);
}

/** Gives the result of `run_once` to another controller: its variables, without events. */
export function shareResult(state: ControllerState, { keptVariables }: TaskEnd): void {
  keepVariables(state, keptVariables);
}
