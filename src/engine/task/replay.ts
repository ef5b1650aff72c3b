import type { EventBody } from '../../core/model/run/event.js';
import type { CountedEnd, StepSettled } from '../../core/model/run/journal.js';
import type { TaskStatus } from '../../core/model/run/result.js';
import { collectingEvents, countOutcome, emitFinished } from '../context/task_events.js';
import type { TaskRun } from '../context/task_run.js';
import { NO_VARIABLES } from '../controllers/controller_state.js';
import { failedBecause, TaskProblem } from '../keywords/failed_result.js';
import { notifiedBy } from './notifying.js';
import { itemsBefore } from './recorded_items.js';
import { runTask } from './task.js';
import { restoreStep, type TaskEnd } from './task_end.js';

export interface ReplayedStep {
  readonly end: TaskEnd;
  /** Whether the repeated task had the same result; if not, it was reported again. */
  readonly isSame: boolean;
}

/** Restores the recorded end of a step without running it: repeats only its effects on the run itself, without output. */
export async function replayStep(run: TaskRun, settled: StepSettled): Promise<ReplayedStep> {
  if (settled.left?.again === true) return repeatEffects(run, settled);
  const { state, task } = run;
  const { end: status, title, counted } = settled;
  state.started = true;
  const { keptVariables, result, masked } = restoreStep(run, run.scope(), settled);
  const known = { title, keptVariables, masked };
  const isNotifying = counted.status === 'changed' && task.notify.length > 0;
  try {
    const notified = isNotifying ? notifiedBy(run, itemsBefore(run)) : [];
    count(run, counted);
    return { isSame: true, end: { ...NO_EFFECT, ...known, status, counted, result, notified } };
  } catch (error) {
    // The handlers that it notified no longer exist, which must be reported.
    return { isSame: false, end: { ...failedNow(run, error), ...known } };
  }
}

/** Several steps look like the recorded one, so any choice could run a step twice or leave one out. */
export function ambiguousStep(run: TaskRun): ReplayedStep {
  const message = `it is unknown whether this was done before the run was interrupted: equal tasks were added, removed or changed since`;
  const hint = 'check the controller, then do the rest with a separate playbook';
  return { isSame: false, end: failedNow(run, new TaskProblem(message, undefined, hint)) };
}

const NO_EFFECT = {
  keptVariables: NO_VARIABLES,
  masked: false,
  included: [],
  notified: [],
  again: false,
  interrupted: false,
} as const;

/** Reported as a failed task. */
function failedNow(run: TaskRun, error: unknown): TaskEnd {
  const performed = { result: failedBecause(error, run.module.name) };
  const closing = { ignored: false, masked: false, check: false, diff: false, seconds: 0 };
  const counted = countOutcome(run, performed, closing);
  emitFinished(run, performed, closing, counted);
  return { ...NO_EFFECT, ...performed, status: 'failed', title: run.title, counted };
}

/**
 * Runs the step again, because the cleanup after an interrupt may have undone it. If the object is still as the step left it, the
 * recorded result stays; any other result is reported.
 */
export async function repeatStep(run: TaskRun, settled: StepSettled): Promise<ReplayedStep> {
  const again = await repeat({ ...run, stepJournal: run.stepJournal?.withoutPast() }, 'ok');
  return again.isSame ? replayStep(run, settled) : again;
}

async function repeatEffects(run: TaskRun, { counted }: StepSettled): Promise<ReplayedStep> {
  const { status } = counted;
  const again = await repeat({ ...run, stepJournal: run.stepJournal?.repeating(status) }, status);
  if (again.isSame) count(run, counted);
  return again;
}

/** Runs the step, which is the same if it ends with that status, and then reports nothing. */
async function repeat(run: TaskRun, status: TaskStatus): Promise<ReplayedStep> {
  const events: EventBody[] = [];
  const { end, report } = await runTask(collectingEvents(run, events));
  report();
  const isSame = end.counted.status === status;
  if (!isSame) for (const event of events) run.context.run.emit(event);
  return { end, isSame };
}

function count({ context, state }: TaskRun, counted: CountedEnd): void {
  context.run.count({ controller: state.name, ...counted });
}
