import { registered } from './registered.js';
import { failedBecause } from './failed_result.js';
import { stopwatch } from './clock.js';
import { performLoop } from './looped_task.js';
import { notifiedBy } from './notify.js';
import { perform, type Outcome } from './perform.js';
import { emitFinished, emitStarted } from './task_events.js';
import type { TaskRun } from './task_run.js';

/** What a task means for the walk of its controller. */
export interface TaskEnd {
  readonly status: 'completed' | 'failed' | 'unreachable';
  /** Handlers to run later, by their place among the play's. */
  readonly notified: readonly number[];
}

/** One task on one controller, from its start to what it leaves behind: facts, a registered result, notified handlers. */
export async function runTask(run: TaskRun): Promise<TaskEnd> {
  const seconds = stopwatch();
  run.state.started = true;
  emitStarted(run);
  const { loop } = run.task;
  const done = loop === undefined ? await perform(run, run.scope()) : await performLoop(run, loop);
  const { outcome, notified } = withNotified(run, done);
  remember(run, outcome);
  emitFinished(run, outcome.performed, { ...outcome, seconds: seconds() });
  const { status } = outcome.performed.result;
  if (status === 'unreachable') return { status, notified: [] };
  return { status: status === 'failed' && !outcome.ignored ? 'failed' : 'completed', notified };
}

/** Only what changed something notifies. */
function withNotified(run: TaskRun, outcome: Outcome): { outcome: Outcome; notified: readonly number[] } {
  if (outcome.performed.result.status !== 'changed' || run.task.notify.length === 0) return { outcome, notified: [] };
  try {
    return { outcome, notified: notifiedBy(run, run.scope()) };
  } catch (error) {
    const { change } = outcome.performed.result;
    const result = { ...failedBecause(error, run.module.name), change };
    return { outcome: { ...outcome, performed: { result } }, notified: [] };
  }
}

function remember({ task, state, context }: TaskRun, { performed }: Outcome): void {
  if (performed.facts !== undefined) state.remember(performed.facts);
  if (task.register === undefined) return;
  const result = registered(performed.result);
  context.run.secrets.learn(result);
  state.remember({ [task.register]: result });
}
