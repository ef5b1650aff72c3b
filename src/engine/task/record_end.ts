import type { StepLeft, StepSettled } from '../../core/model/run/journal.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import { countOutcome } from '../context/task_events.js';
import type { Performed, TaskRun } from '../context/task_run.js';
import { asStepLeft } from '../controllers/kept_variables.js';
import type { TaskOutcome } from '../execution/perform.js';
import type { TaskEnd } from './task_end.js';

type Settled = Pick<StepSettled, 'end' | 'counted' | 'left'>;

/** Records that a task has finished, and the parts of its result that are used later. */
export function recordEnd(run: TaskRun, end: TaskEnd): void {
  const { status, counted, result, keptVariables, again } = end;
  if (run.stepJournal === undefined || status === 'stopped') return;
  // A repeated step sets its variables again.
  const left = again
    ? { again }
    : withResult(asStepLeft(keptVariables), run.enclosing.rescuable && status === 'failed' ? result : undefined);
  recordFinished(run, { end: status, counted, left });
}

/** Records that one item of a loop has finished, unless an interrupt of the run affected the result. */
export function recordItem(run: TaskRun, outcome: TaskOutcome): void {
  const { performed, kept, ignored } = outcome;
  const { result, again } = performed;
  if (run.stepJournal === undefined || isInterrupted(run, performed)) return;
  const end = ignored || !isBroken(result) ? 'completed' : result.status;
  const counted = countOutcome(run, performed, outcome);
  recordFinished(run, {
    end,
    counted,
    left: again === true ? { again } : withResult(asStepLeft(kept), resultToRecord(run, result)),
  });
}

/**
 * Whether a resume runs the task again: it was interrupted, or it failed during an interrupt, which may be the cause.
 */
export function isInterrupted(
  { context }: TaskRun,
  { result, unfinished = false }: Pick<Performed, 'result' | 'unfinished'>,
): boolean {
  return (
    unfinished || result.status === 'interrupted' || (isBroken(result) && context.run.control.stopSignals.isStopping)
  );
}

function isBroken(result: RunTaskResult): result is Extract<RunTaskResult, { status: 'failed' | 'unreachable' }> {
  return result.status === 'failed' || result.status === 'unreachable';
}

/** An item in the result of the loop: only its status if nothing else is used. */
function resultToRecord({ task, enclosing }: TaskRun, result: RunTaskResult): RunTaskResult | undefined {
  return task.register !== undefined || enclosing.rescuable || isBroken(result) ? result : undefined;
}

function withResult(left: StepLeft | undefined, result: RunTaskResult | undefined): StepLeft | undefined {
  return result === undefined ? left : { ...left, result };
}

function recordFinished({ stepJournal, task, title }: TaskRun, { left, ...settled }: Settled): void {
  const { knownSecrets: secrets = [] } = stepJournal ?? {};
  const all = secrets.length === 0 ? left : { ...left, secrets };
  stepJournal?.recordFinished({ module: task.module, title, ...settled, ...(all !== undefined && { left: all }) });
}
