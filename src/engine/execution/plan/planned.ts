import { usualPlace } from '../../../core/model/playbook/step_place.js';
import type { PlannedStep } from '../../../core/model/run/plan.js';
import type { RunTaskResult } from '../../../core/model/run/result.js';
import type { KnownAfterApply } from '../../../language/runtime/errors.js';
import type { TaskContext, TaskRun } from '../../context/task_run.js';
import { failed, type FailedResult } from '../../keywords/failed_result.js';
import type { StepInPlan } from '../../resource/followed_plan.js';

/**
 * The step of the followed plan for the task or its item. Undefined if the run follows no plan, or the plan has no such
 * step.
 */
export function plannedStep(run: TaskRun): PlannedStep | undefined {
  const { followed } = run.context.run;
  const step = followed && stepInPlan(run);
  return step && followed.find(run.state.name, step);
}

/** The task depends on an object that does not exist yet, so the run decides it when it follows the plan. */
export function later(run: TaskRun, error: KnownAfterApply): RunTaskResult {
  const refused = run.task.type === 'include' ? refusedLater(run, error, 'what is included') : undefined;
  if (refused !== undefined) return refused;
  const message = `${error.what} is known after apply, and what the task does depends on it`;
  return { status: 'skipped', values: {}, message, notCompared: 'later' };
}

/** What a plan cannot postpone, because it would lack tasks. Undefined if the run makes no plan. */
export function refusedLater(
  { context }: { readonly context: Pick<TaskContext, 'run'> },
  { what }: KnownAfterApply,
  dependent: string,
): FailedResult | undefined {
  if (context.run.input.record.plan?.type !== 'make') return undefined;
  return failed(`${what} is known after apply, and ${dependent} depends on it, so it cannot be planned`, {
    hint: 'apply a plan of the tasks before it first (--tags); then plan the rest',
  });
}

/** Place and digests of a task; undefined if nothing of it is recorded. */
export function stepInPlan({ stepJournal, task, context }: TaskRun): StepInPlan | undefined {
  const { keys } = context.run;
  if (stepJournal === undefined || keys === undefined) return undefined;
  const { place, item, key = '' } = stepJournal.ref;
  const ofItem = item === undefined ? '' : key.slice(key.lastIndexOf('#'));
  return { place: usualPlace(place), ...(item !== undefined && { item }), written: keys.taskKey(task) + ofItem };
}
