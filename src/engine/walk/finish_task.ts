import type { Condition, Include, Inheritable, Located, Task } from '../../core/model/playbook/step.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { ordinaryWordsIn } from '../../core/secrets/secret_finder.js';
import type { Variables } from '../../language/scope.js';
import type { Module } from '../../module/contract.js';
import type { TaskRun } from '../context/task_run.js';
import { keepVariables, NO_VARIABLES } from '../controllers/controller_state.js';
import { registered } from '../keywords/failed_result.js';
import { renderFlag, renderFlagOr } from '../keywords/rendered_keywords.js';
import { recordEnd, type TaskEnd } from '../task/task_end.js';
import type { WalkFrame } from './play_context.js';
import type { Walker } from './walker.js';

/** Applies the consequences of a task and records its end, unless an interrupt of the run affected its result. */
export function finishTask(walk: Walker, run: TaskRun, frame: WalkFrame, end: TaskEnd): void {
  if (end.interrupted) walk.journal.isCutOff = true;
  applyEnd(walk, run, frame, end);
  if (!walk.journal.isCutOff) recordEnd(run, end);
}

/** Applies the result of a task to its controller, an enclosing `rescue`, and the batch. */
export function applyEnd(walk: Walker, run: TaskRun, frame: WalkFrame, end: TaskEnd): void {
  const { status, result } = end;
  if (result.status !== 'skipped') walk.performed++;
  if (status === 'completed' || status === 'stopped') return;
  if (status === 'failed' && frame.rescuable) rememberFailure(walk, run.task, end);
  // A task that will be tried again must not halt the batch, or a resume would find it halted.
  else if (!end.interrupted) loseController(walk, run, frame, end);
}

/** Sets the variables that a `rescue` can read, with Ansible's names. */
export function rememberFailure({ state, context }: Walker, task: Task | Include, end: TaskEnd): void {
  const { result, title, keptVariables, masked } = end;
  const ofRole = `${task.role ?? ''} : `;
  const name = task.role !== undefined && title.startsWith(ofRole) ? title.slice(ofRole.length) : title;
  const written = writtenTask(task);
  const values = { ansible_failed_task: { name, ...written }, ansible_failed_result: registered(result) };
  const { maskedWords = [] } = keptVariables;
  // If it failed early, nothing of it has been learned.
  const own = masked ? context.run.secrets.learnMaskedText([written.args, written.loop]) : [];
  keepVariables(state, { ...NO_VARIABLES, values, maskedWords: [...maskedWords, ...ordinaryWordsIn(own)] });
}

/** A task as it is written, with the keywords of the blocks around it. */
function writtenTask(task: Task | Include): Mapping & Readonly<Record<'args' | 'loop', Value>> {
  const { module, args, tags, register = null, loop, until } = task;
  const value = (located: Located | undefined): Value => located?.value ?? null;
  const conditions = (list: readonly Condition[] = []): Value => list.map(({ expression }) => expression);
  return {
    action: module,
    args: isMapping(args) ? args : {},
    tags,
    register,
    delegate_to: value(task.delegateTo),
    when: conditions(task.when),
    notify: task.notify.map(value),
    loop: value(loop?.over),
    loop_with: loop?.lookup ?? null,
    changed_when: conditions(task.changedWhen),
    failed_when: conditions(task.failedWhen),
    until: conditions(until?.until),
    retries: value(until?.retries),
    delay: value(until?.delay),
    ignore_errors: value(task.ignoreErrors),
    run_once: value(task.runOnce),
    no_log: value(task.noLog),
  };
}

/**
 * Whether the others go on without a controller that could not be reached, because of `ignore_errors`, as in Ansible. One that depends on the
 * item of a loop cannot be rendered here: it is set.
 */
export function othersContinueWithout(run: TaskRun, { status }: Pick<TaskEnd, 'status'>): boolean {
  return (
    status === 'unreachable' &&
    orElse(true, () => renderFlagOr(false, 'ignore_errors', run.task.ignoreErrors, run.scope()))
  );
}

/** Some modules, such as `add_host`, always run once. */
export function bypassesOthers(module: Module, written: Value, lockstep: boolean): boolean {
  const { once } = module.type === 'action' ? module : {};
  const said = typeof once === 'function' ? once(isMapping(written) ? written : {}) : once;
  return said === true || (said === 'in step' && lockstep);
}

/**
 * Removes the controller from the play. With `any_errors_fatal`, or if it acted for all (`run_once`, `add_host`), also ends the
 * batch. A stale controller only stops itself, unless it acted for all.
 */
function loseController(walk: Walker, run: TaskRun, frame: WalkFrame, { status, title }: TaskEnd): void {
  const { state, context, barrier } = walk;
  const { task, module, scope } = run;
  const keyword = fatalKeyword(status === 'stale' ? { runOnce: task.runOnce } : task, scope);
  const cause = keyword ?? (bypassesOthers(module, task.args, barrier.lockstep) ? module.name : undefined);
  const what = status === 'failed' ? 'failed on' : status === 'stale' ? 'was stale on' : 'could not reach';
  if (cause !== undefined && !othersContinueWithout(run, { status }))
    context.batchState.halt({
      reason: `"${title}" ${what} ${state.name}, which ${cause} makes fatal for all`,
      opening: barrier.opening,
      // What a stale controller should have done for all is missing, whatever the playbook clears.
      position: status === 'stale' ? undefined : frame.position,
    });
  if (status !== 'stale') countLost(walk, frame);
}

/** The keyword that makes a failure fatal for all. */
export function fatalKeyword(
  { anyErrorsFatal, runOnce }: Partial<Pick<Inheritable, 'anyErrorsFatal' | 'runOnce'>>,
  scope: () => Variables,
): string | undefined {
  if (isSet('any_errors_fatal', anyErrorsFatal, scope)) return 'any_errors_fatal';
  return isSet('run_once', runOnce, scope) ? 'run_once' : undefined;
}

/** One that fails to render counts as set: the failure is fatal. */
function isSet(keyword: string, value: Located | undefined, scope: () => Variables): boolean {
  return value !== undefined && orElse(true, () => renderFlag(keyword, value, scope()));
}

/** It may still have to run an `always`, but is not in `ansible_play_hosts` any more. */
export function countLost({ state, context, barrier }: Walker, { position }: WalkFrame): void {
  context.batchState.fail(state.name, { opening: barrier.opening, position });
  context.run.fleet.setHasLeftPlay([state], true);
}
