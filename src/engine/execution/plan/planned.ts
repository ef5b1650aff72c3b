import type { Condition } from '../../../core/model/playbook/step.js';
import { usualPlace } from '../../../core/model/playbook/step_place.js';
import type { Decided, PlanMaker, PlannedStep } from '../../../core/model/run/plan.js';
import type { RunTaskResult } from '../../../core/model/run/result.js';
import type { KnownAfterApply } from '../../../language/runtime/errors.js';
import type { TaskRun } from '../../context/task_run.js';
import type { TaskSession } from '../../controllers/task_session.js';
import type { StepJournal } from '../../journal/step_journal.js';
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

/** Adds the decision about a task to the plan; with its session, if it has one. */
export function keepDecided(run: TaskRun, masked: boolean, decided: Decided, session?: TaskSession): void {
  const { plan } = run.context.run.input.record;
  if (plan?.type === 'make') readyStep(run, masked, decided, session)?.keepIn(plan);
}

/** A step that may go into a plan. A run keeps many, so it holds on to nothing else of its task. */
export class ReadyStep {
  constructor(
    readonly host: string,
    readonly stepJournal: StepJournal,
    private readonly step: PlannedStep,
  ) {}

  keepIn(plan: PlanMaker): void {
    if (this.stepJournal.isPlanned) return;
    this.stepJournal.isPlanned = true;
    plan.keep(this.host, this.step);
  }
}

/** Undefined if nothing of the task is recorded. */
export function readyStep(
  run: TaskRun,
  masked: boolean,
  decided: Decided,
  session?: TaskSession,
): ReadyStep | undefined {
  const written = stepInPlan(run);
  const { task, context, title, state, stepJournal } = run;
  if (written === undefined || stepJournal === undefined) return undefined;
  const expressions = (conditions: readonly Condition[]) => conditions.map(({ expression }) => expression);
  return new ReadyStep(state.name, stepJournal, {
    ...written,
    title,
    play: context.play.name,
    module: task.module,
    ...(session?.isDelegated === true && { delegatedTo: session.target }),
    source: task.source,
    ...(masked && { masked }),
    ...(task.when.length > 0 && { when: expressions(task.when) }),
    ...(task.changedWhen !== undefined && { changedWhen: expressions(task.changedWhen) }),
    decided,
  });
}

/** The task depends on an object that does not exist yet, so the run decides it when it follows the plan. */
export function later(run: TaskRun, error: KnownAfterApply): RunTaskResult {
  const refused = run.task.type === 'include' ? refusedLater(run, error, 'what is included') : undefined;
  if (refused !== undefined) return refused;
  const message = `${error.what} is known after apply, and what the task does depends on it`;
  return { status: 'skipped', values: {}, message };
}

/** What a plan cannot postpone, because it would lack tasks. Undefined if the run makes no plan. */
export function refusedLater(run: TaskRun, { what }: KnownAfterApply, dependent: string): FailedResult | undefined {
  if (run.context.run.input.record.plan?.type !== 'make') return undefined;
  return failed(`${what} is known after apply, and ${dependent} depends on it, so it cannot be planned`, {
    hint: 'apply a plan of the tasks before it first (--tags); then plan the rest',
  });
}

/** Refuses a task that would write and is not in the plan: its change was never reviewed. */
export function notInPlan(run: TaskRun, hint = OTHER_RUN): FailedResult {
  return failed(`${run.module.name} is not in the plan, so it is not carried out`, { hint });
}

const OTHER_RUN =
  'what runs differs from the run that made the plan: a loop over other items, a rescue, a check of a gate, or run_once on another controller; make a new plan';

/** Place and digests of a task; undefined if nothing of it is recorded. */
function stepInPlan({ stepJournal, task, context }: TaskRun): StepInPlan | undefined {
  const { keys } = context.run;
  if (stepJournal === undefined || keys === undefined) return undefined;
  const { place, item, key = '' } = stepJournal.ref;
  const ofItem = item === undefined ? '' : key.slice(key.lastIndexOf('#'));
  return { place: usualPlace(place), ...(item !== undefined && { item }), written: keys.taskKey(task) + ofItem };
}
