import type { Included } from '../../core/model/playbook/step.js';
import type { PastWrite } from '../../core/model/run/past.js';
import type { PlannedStep } from '../../core/model/run/plan.js';
import type { Change } from '../../core/model/run/result.js';
import { asError } from '../../core/model/source/diagnostic.js';
import type { Mapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { ActionModule, ActionResult } from '../../module/contract.js';
import { isBlocked, type Performed, type TaskRun } from '../context/task_run.js';
import { OpenWrites } from '../control/open_writes.js';
import { NO_VARIABLES } from '../controllers/controller_state.js';
import type { TaskSession } from '../controllers/task_session.js';
import { failed, interrupted, RefusedByPlan, TaskProblem } from '../keywords/failed_result.js';
import { neverWrites } from '../keywords/may_write.js';
import { materialized, requireData, requireResult } from '../keywords/plain_data.js';
import { ADDED, refuseFleetNeeds, SHARD_HINT } from '../keywords/whole_fleet.js';
import { actionContext, type ActionInputs } from './action_context.js';
import type * as Planning from './plan/planning.js';
import { openWriteRecorder, requireSameConnection } from './task_journal.js';
import type { Attempt } from './time_limit.js';
import { VariableReader } from './variable_reader.js';

/** How to run a module. */
export interface Execution extends Pick<ActionInputs, 'check' | 'masked' | 'scope' | 'session'> {
  readonly args: Mapping;
  /** The step of the followed plan for the task. */
  readonly planned?: PlannedStep | undefined;
  /** How it goes into a plan, or follows one; undefined: there is no plan. */
  readonly planning: typeof Planning | undefined;
}

/** Carries out an action; in check mode only if the action supports that. */
export async function executeAction(
  run: TaskRun,
  module: ActionModule,
  execution: Execution,
  attempt: Attempt,
): Promise<Performed> {
  const { args, check, masked, scope, session } = execution;
  // What never writes leaves nothing, so a plan needs no step for it.
  const planning = check && neverWrites(run.task, scope) ? undefined : execution.planning;
  const decided = (by: ActionModule['check']): boolean => (typeof by === 'function' ? by({ ...args }) : by);
  const harmless = decided(module.check);
  const writes = planning !== undefined && decided(module.writes ?? !harmless);
  const refused = await planning?.refusedByPlan(run, execution, { harmless, writes });
  if (refused !== undefined) return { result: refused };
  if (check && !harmless) {
    const message = `${module.name} is not carried out in check mode`;
    return { result: { status: 'skipped', values: {}, message, notCompared: 'check mode' } };
  }
  const files = new VariableReader(run);
  const waited = { cutShort: false };
  const onCutShort = (): unknown => (waited.cutShort = true);
  const openWrites = new OpenWrites();
  const unsent: ActionInputs['unsent'] = {};
  const requirePlanned: ActionInputs['requirePlanned'] =
    check || planning === undefined
      ? undefined
      : (method) =>
          planning.requirePlanned(run, execution, method).catch((error: unknown) => {
            unsent.problem = asError(error);
            if (error instanceof RefusedByPlan) unsent.refusal = error;
            throw error;
          });
  const context = actionContext({
    run,
    check,
    masked,
    scope,
    session,
    requirePlanned,
    unsent,
    attempt,
    files,
    writes: openWrites,
    onCutShort,
  });
  const work = openWrites.during(() => module.run({ ...args }, context));
  const result = await work.finally(() => {
    // Whatever the action made of the refusal.
    if (unsent.refusal !== undefined) throw unsent.refusal;
  });
  requireResult(result, 'run', module.name);
  if (check && writesLater(result)) await planning?.keepInPlace(run, masked, session, true);
  else if (check && writes) await planning.keepIfUnforeseen(run, masked, session);
  requireData(givenBack(result), module.name);
  if (!isDone(result)) return notDone(run, result);
  if (run.stepJournal?.unconfirmed !== undefined) run.stepJournal.confirmLooked?.();
  const { changed = false, included, variables = [] } = await carryOutEffect(run, result, args, files);
  const { message, spoken } = result;
  const written = result.status === 'ok' ? writtenBefore(run) : undefined;
  const before = written && (await continued(run, written, session, masked));
  const change = result.change ?? before;
  const values = registeredValues(run, result.values);
  const facts = materialized(result.facts ?? {});
  const statusBefore = run.stepJournal?.statusBefore;
  const isChanged = result.status === 'changed' || changed || before !== undefined;
  const done =
    statusBefore === 'changed' || (isChanged && statusBefore !== 'ok')
      ? ({ status: 'changed', values, message, change: change ?? { kind: 'none' } } as const)
      : ({ status: 'ok', values, message, change } as const);
  const cached = result.cacheable === true ? facts : {};
  return {
    result: done,
    spoken,
    included,
    ...(result.effect !== undefined && { again: true }),
    ...(waited.cutShort && { unfinished: true }),
    keptVariables: { ...NO_VARIABLES, values: facts, facts: cached, included: variables },
  };
}

/** The write of the action from before the interrupt. */
function writtenBefore({ stepJournal }: TaskRun): PastWrite | undefined {
  return stepJournal?.openWrites.findLast(({ outcome }) => outcome !== 'refused');
}

/** If an action finds nothing to do in a resume, its earlier write has taken effect, so the task counts as changed. */
async function continued(run: TaskRun, write: PastWrite, session: TaskSession, masked: boolean): Promise<Change> {
  await requireSameConnection([write], session);
  const recorder = await openWriteRecorder(run, session, masked);
  recorder?.continueWrite(write.intent);
  recorder?.confirm();
  return write.intent.change;
}

/** Whether an action that runs in check mode would write in a real run (`user_password`). */
function writesLater(result: ActionResult): boolean {
  return result.status === 'changed' && (result.effect === undefined || result.effect.type === 'password');
}

/** As they are now, if a later task can read them. */
function registeredValues({ task }: TaskRun, values: Mapping = {}): Mapping {
  return task.register === undefined ? values : materialized(values);
}

function givenBack(result: ActionResult): Readonly<Record<string, unknown>> {
  return isDone(result)
    ? { values: result.values, facts: result.facts, change: result.change }
    : { values: result.values };
}

type Done = Extract<ActionResult, { effect?: unknown }>;

function isDone(result: ActionResult): result is Done {
  return result.status === 'ok' || result.status === 'changed';
}

function notDone(run: TaskRun, result: Exclude<ActionResult, Done>): Performed {
  const { status, message, hint, values = {} } = result;
  // A module that reports `interrupted` without an interrupt has not done its work.
  if (status === 'failed' || (status === 'interrupted' && !isBlocked(run)))
    return { result: { ...failed(message, { hint }), values } };
  return { result: status === 'interrupted' ? interrupted(message, { values }) : { status, values, message } };
}

/** What an action's effect leaves. */
interface EffectDone {
  /** Whether the inventory changed. */
  readonly changed?: boolean;
  readonly included?: Included;
  readonly variables?: readonly VariableLayer[];
}

/**
 * Applies the effect of an action to the run. The file of an include is read as a part of its task, which fails if that
 * fails.
 */
async function carryOutEffect(
  { task, state, context: { run } }: TaskRun,
  { effect }: Extract<ActionResult, { status: 'ok' | 'changed' }>,
  args: Mapping,
  files: VariableReader,
): Promise<EffectDone> {
  if (effect?.type === 'host') {
    if (run.input.selection.shard !== undefined) throw new TaskProblem(`--shard: ${ADDED}`, task.source, SHARD_HINT);
    return { changed: await run.inventory.addHost(effect) };
  }
  if (effect?.type === 'group') return { changed: await run.inventory.joinGroup(state.controller, effect) };
  if (effect?.type === 'variables') return { variables: [files.factLayer(effect.values)] };
  if (effect === undefined || effect.type === 'password') return {};
  effect.type satisfies 'include';
  if (task.type !== 'include') return {};
  const included = await task.read(args);
  refuseFleetNeeds(included, run.input);
  return { included };
}
