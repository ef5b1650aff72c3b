import type { EventBody } from '../../model/run/event.js';
import type { Counted, StepSettled } from '../../model/run/journal.js';
import { failedBecause, TaskProblem } from '../keywords/failed_result.js';
import { notifiedBy } from './notify.js';
import { NO_VARIABLES, type KeptVariables } from '../controllers/kept_variables.js';
import { withoutOutput, resultOf, holdingEvents } from './settled_before.js';
import { runTask } from './task.js';
import { secretsIn } from '../execution/task_arguments.js';
import type { TaskEnd } from './task_end.js';
import { countedOf, emitFinished } from '../context/task_events.js';
import { isMasked } from '../context/task_flags.js';
import type { TaskRun } from '../context/task_run.js';

/** The recorded end of a step. */
export interface TakenOver {
  readonly end: TaskEnd;
  /** Whether the repeated task had the same result; if not, it was reported again. */
  readonly isSame: boolean;
}

/** Restores the recorded end of a step without running it: repeats only its effects on the run itself, without output. */
export async function takeOver(run: TaskRun, settled: StepSettled): Promise<TakenOver> {
  if (settled.left?.again === true) return doAgain(run, settled);
  const { state, context, task } = run;
  const { end: status, title, counted, left } = settled;
  state.started = true;
  const keptVariables = context.run.fleet.restore(state, left);
  learnAgain(run, keptVariables);
  context.run.secrets.learnAll(left?.secrets ?? []);
  const rest = { title, keptVariables, included: [], again: false, anew: false };
  const isNotifying = counted.status === 'changed' && task.notify.length > 0;
  try {
    const notified = isNotifying ? notifiedBy(run, run.scope()) : [];
    count(run, counted);
    return { isSame: true, end: { ...rest, status, counted, result: resultOf(counted, left), notified } };
  } catch (error) {
    // The handlers that it notified no longer exist, which must be reported.
    return { isSame: false, end: { ...rest, ...failedNow(run, error), status: 'failed', notified: [] } };
  }
}

/** Several steps look like the recorded one, so any choice could run a step twice or leave one out. */
export function ambiguous(run: TaskRun): TakenOver {
  const problem = new TaskProblem(
    `it is unknown whether this was done before the run was interrupted: equal tasks were added, removed or changed since`,
    undefined,
    'check the controller, then do the rest with a separate playbook',
  );
  const rest = { title: run.title, keptVariables: NO_VARIABLES, included: [], notified: [], again: false, anew: false };
  return { isSame: false, end: { ...rest, ...failedNow(run, problem), status: 'failed' } };
}

/** Reported as a failed task. */
function failedNow(run: TaskRun, error: unknown): Pick<TaskEnd, 'result' | 'counted'> {
  const performed = { result: failedBecause(error, run.module.name) };
  const closing = { ignored: false, masked: false, check: false, diff: false, seconds: 0 };
  const counted = countedOf(run, performed, closing);
  emitFinished(run, performed, closing, counted);
  return { ...performed, counted };
}

/** Learns the secrets that the step would have learned. */
function learnAgain(run: TaskRun, { values, facts }: KeptVariables): void {
  const { secrets } = run.context.run;
  const scope = run.scope();
  const masked = isMasked(run, scope);
  secrets.learnAll(secretsIn(run, scope));
  if (masked) secrets.learnMasked([values, facts]);
  else secrets.learn([values, facts]);
}

/**
 * Runs the step again, because the cleanup after an interrupt may have undone it. If the object is still as the step left it, the
 * recorded result stays; any other result is reported.
 */
export async function redo(run: TaskRun, settled: StepSettled): Promise<TakenOver> {
  const events: EventBody[] = [];
  const { end, report } = await runTask({ ...holdingEvents(run, events), stepJournal: run.stepJournal?.withoutPast() });
  report();
  if (end.counted.status === 'ok') return takeOver(run, settled);
  for (const event of events) run.context.run.emit(event);
  return { end, isSame: false };
}

async function doAgain(run: TaskRun, { counted }: StepSettled): Promise<TakenOver> {
  const events: EventBody[] = [];
  const { end, report } = await runTask(withoutOutput(run, counted, events));
  report();
  const isSame = end.counted.status === counted.status;
  if (isSame) count(run, counted);
  else for (const event of events) run.context.run.emit(event);
  return { end, isSame };
}

function count({ context, state }: TaskRun, counted: Counted): void {
  context.run.count({ controller: state.name, ...counted });
}
