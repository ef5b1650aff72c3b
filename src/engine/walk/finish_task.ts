import type { Include, Task } from '../../core/model/playbook/step.js';
import { isMapping } from '../../core/model/values/value.js';
import type { Variables } from '../../language/scope.js';
import type { TaskRun } from '../context/task_run.js';
import { keepVariables, NO_VARIABLES } from '../controllers/kept_variables.js';
import { registered } from '../keywords/registered.js';
import { renderFlag } from '../keywords/rendered_keywords.js';
import { recordEnd } from '../task/record_end.js';
import type { TaskEnd } from '../task/task_end.js';
import type { WalkFrame } from './play_context.js';
import type { Walker } from './walker.js';

/** Records the begin of a step, which may finish even if the batch ends meanwhile. */
export function beginStep({ context: { batchState }, state, journal }: Walker, { position }: WalkFrame): void {
  if (!journal.isCutOff) batchState.journal?.begin(state.name, position);
}

/** Applies the consequences of a task and records its end, unless an interrupt of the run affected its result. */
export function finishTask(walk: Walker, run: TaskRun, frame: WalkFrame, end: TaskEnd): void {
  if (end.interrupted) walk.journal.cutOff();
  applyEnd(walk, run.task, frame, end);
  walk.context.batchState.journal?.finishStep(walk.state.name);
  if (!walk.journal.isCutOff) recordEnd(run, end);
}

/** Applies the result of a task to its controller, an enclosing `rescue`, and the batch. */
export function applyEnd(walk: Walker, task: Task | Include, frame: WalkFrame, end: TaskEnd): void {
  const { status, result } = end;
  if (result.status !== 'skipped') walk.performed++;
  if (status === 'completed' || status === 'stopped') return;
  if (status === 'failed' && frame.rescuable) rememberFailure(walk, task, end);
  // A task that will be tried again must not halt the batch, or a resume would find it halted.
  else if (!end.interrupted) loseController(walk, task, frame, end);
}

/** Sets the variables that a `rescue` can read, with Ansible's names. */
export function rememberFailure(
  { state }: Walker,
  task: Task | Include,
  { result, title, keptVariables }: TaskEnd,
): void {
  const { role } = task;
  const ofRole = `${role ?? ''} : `;
  const name = role !== undefined && title.startsWith(ofRole) ? title.slice(ofRole.length) : title;
  const args = isMapping(task.args) ? task.args : {};
  const values = {
    ansible_failed_task: { name, action: task.module, args },
    ansible_failed_result: registered(result),
  };
  keepVariables(state, { ...NO_VARIABLES, values, maskedWords: keptVariables.maskedWords });
}

/**
 * Removes the controller from the play. With `any_errors_fatal`, or if it acted for all (`run_once`), also ends the
 * batch. A stale controller only stops itself, unless it acted for all.
 */
function loseController(walk: Walker, task: Task | Include, frame: WalkFrame, { status, title }: TaskEnd): void {
  const { state, context, barrier } = walk;
  const scope = () => walk.variables.scope([...frame.layers, ...task.layers]);
  const keyword = [
    { name: 'any_errors_fatal', value: status === 'stale' ? undefined : task.anyErrorsFatal },
    { name: 'run_once', value: task.runOnce },
  ].find(({ name, value }) => value !== undefined && isSet(name, value, scope));
  const what = status === 'failed' ? 'failed on' : status === 'stale' ? 'was stale on' : 'could not reach';
  if (keyword !== undefined)
    context.batchState.halt({
      reason: `"${title}" ${what} ${state.name}, which ${keyword.name} makes fatal for all`,
      round: barrier.round,
      // What a stale controller should have done for all is missing, whatever the playbook clears.
      position: status === 'stale' ? undefined : frame.position,
    });
  if (status !== 'stale') context.batchState.lose(state.name, { round: barrier.round, position: frame.position });
}

/** A keyword that fails to render counts as set: the failure is fatal. */
function isSet(name: string, value: NonNullable<Task['runOnce']>, scope: () => Variables): boolean {
  try {
    return renderFlag(name, value, scope());
  } catch {
    return true;
  }
}
