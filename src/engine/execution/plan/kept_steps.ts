import type { Condition } from '../../../core/model/playbook/step.js';
import type { Decided, PlanMaker, PlannedStep } from '../../../core/model/run/plan.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import type { TaskRun } from '../../context/task_run.js';
import type { TaskSession } from '../../controllers/task_session.js';
import type { StepJournal } from '../../journal/step_journal.js';
import { failed, type FailedResult } from '../../keywords/failed_result.js';
import { stepInPlan } from './planned.js';

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

/** Refuses a task that would write and is not in the plan: its change was never reviewed. */
export function notInPlan(run: TaskRun, hint = OTHER_RUN): FailedResult {
  return failed(`${run.module.name} is not in the plan, so it is not carried out`, { hint });
}

const OTHER_RUN =
  'what runs differs from the run that made the plan: a loop over other items, a rescue, a check of a gate, or run_once on another controller; make a new plan';

/** What a plan foresees, by the address of a controller; empty: of an unknown one. */
export class Foresight {
  /** At which the plan has something that is not foreseen, or a delete. */
  readonly #unforeseen = new Set<string>();
  /** What had nothing to do there. Each attempt of a task decides again. */
  readonly #idle = new Map<string, Map<StepJournal, ReadyStep>>();

  constructor(private readonly plan: PlanMaker) {}

  foresees(address: string): boolean {
    return !this.#unforeseen.has('') && !this.#unforeseen.has(address);
  }

  /** A task had nothing to do, where the plan foresees everything so far. */
  noteIdle(address: string, step: ReadyStep): void {
    getOrAdd(this.#idle, address, () => new Map<StepJournal, ReadyStep>()).set(step.stepJournal, step);
  }

  /**
   * The plan keeps what had nothing to do there, because an apply may have the hosts of a controller in another order, but has the tasks
   * of a host in theirs.
   */
  noteUnforeseen(address: string, host: string): void {
    this.#unforeseen.add(address);
    for (const at of address === '' ? this.#idle.keys() : [address]) this.#keepIdle(at, host);
  }

  #keepIdle(address: string, host: string): void {
    const steps = this.#idle.get(address);
    if (steps === undefined) return;
    for (const step of steps.values()) {
      if (step.host === host) continue;
      step.keepIn(this.plan);
      steps.delete(step.stepJournal);
    }
    if (steps.size === 0) this.#idle.delete(address);
  }
}
