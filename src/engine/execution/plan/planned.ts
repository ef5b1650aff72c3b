import type { Condition } from '../../../core/model/playbook/step.js';
import { usualPlace } from '../../../core/model/playbook/step_place.js';
import type { Decided, PlannedStep } from '../../../core/model/run/plan.js';
import type { RunTaskResult } from '../../../core/model/run/result.js';
import type { KnownAfterApply } from '../../../language/runtime/errors.js';
import { isMasked } from '../../context/task_flags.js';
import type { TaskRun } from '../../context/task_run.js';
import { failed, type FailedResult } from '../../keywords/failed_result.js';
import { conditionText } from '../../keywords/rendered_keywords.js';
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

/** Adds the decision about a task to the plan. */
export function keepDecided(run: TaskRun, masked: boolean, decided: Decided): void {
  const { plan } = run.context.run.input.record;
  if (plan?.type !== 'make') return;
  const written = stepInPlan(run);
  const { task, context, title, state, stepJournal } = run;
  if (written === undefined || stepJournal === undefined || stepJournal.isPlanned) return;
  stepJournal.isPlanned = true;
  const expressions = (conditions: readonly Condition[]) => conditions.map(({ expression }) => expression);
  plan.keep(state.name, {
    ...written,
    title,
    play: context.play.name,
    module: task.module,
    source: task.source,
    ...(masked && { masked }),
    ...(task.when.length > 0 && { when: expressions(task.when) }),
    ...(task.changedWhen !== undefined && { changedWhen: expressions(task.changedWhen) }),
    decided,
  });
}

/** Like `keepDecided`, for a task whose `when` was false. */
export function keepSkipped(run: TaskRun, masked: boolean, broken: Condition): void {
  keepDecided(run, masked, { type: 'skipped', condition: conditionText([broken]) });
}

/**
 * The task depends on an object that does not exist yet, so the run decides it when it follows the plan. An include
 * cannot be postponed, because the plan would lack its tasks.
 */
export function later(run: TaskRun, { what }: KnownAfterApply): RunTaskResult {
  if (run.task.type === 'include' && run.context.run.input.record.plan?.type === 'make')
    return failed(`${what} is known after apply, and what is included depends on it, so it cannot be planned`, {
      hint: 'apply a plan of the tasks before it first (--tags); then plan the rest',
    });
  keepDecided(run, isMasked(run, run.scope()), { type: 'in place', open: true });
  return {
    status: 'skipped',
    values: {},
    message: `${what} is known after apply, and what the task does depends on it`,
  };
}

/** Refuses a task that would write and is not in the plan: its change was never reviewed. */
export function notInPlan(run: TaskRun): FailedResult {
  return failed(`${run.module.name} is not in the plan, so it is not carried out`, {
    hint: 'what runs differs from the run that made the plan: a loop over other items, a rescue, or run_once on another controller; make a new plan',
  });
}

/** Place and digests of a task; undefined if nothing of it is recorded. */
function stepInPlan({ stepJournal, task, context }: TaskRun): StepInPlan | undefined {
  const { keys } = context.run;
  if (stepJournal === undefined || keys === undefined) return undefined;
  const { place, item, key = '' } = stepJournal.ref;
  const ofItem = item === undefined ? '' : key.slice(key.lastIndexOf('#'));
  return { place: usualPlace(place), ...(item !== undefined && { item }), written: keys.of(task) + ofItem };
}
