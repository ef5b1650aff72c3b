import { plannedWrite, type PlanMaker, type PlannedStep } from '../../../core/model/run/plan.js';
import { orElse } from '../../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import type { Mapping, Value } from '../../../core/model/values/value.js';
import type { Variables } from '../../../language/scope.js';
import { isMasked } from '../../context/task_events.js';
import type { TaskRun } from '../../context/task_run.js';
import type { Connection } from '../../controllers/session_pool.js';
import type { TaskSession } from '../../controllers/task_session.js';
import { RefusedByPlan, type FailedResult } from '../../keywords/failed_result.js';
import { mayWrite, neverWrites } from '../../keywords/may_write.js';
import { comparePlanned, connectionId, plannedConnection, whyElsewhere } from '../../resource/planned_connection.js';
import { withReadableNames } from '../../resource/references.js';
import type { PlanHooks } from '../../resource/resource_task.js';
import { Foresight, keepDecided, notInPlan, readyStep } from './kept_steps.js';
import { goesElsewhere, knownConnectionArguments, movedOpen } from './open_step.js';

export { keepDecided } from './kept_steps.js';

/** A task, and its step in the followed plan. */
interface Planned {
  readonly session: TaskSession;
  readonly masked: boolean;
  readonly planned?: PlannedStep | undefined;
}

/** What the plan does at a resource task; undefined if there is no plan. */
export async function openPlanHooks(
  run: TaskRun,
  { session, masked, planned }: Planned,
): Promise<PlanHooks | undefined> {
  const { followed, input } = run.context.run;
  const { plan } = input.record;
  if (followed !== undefined && planned === undefined) return unplanned(run);
  if (plan === undefined) return undefined;
  const connection = await session.connection();
  const digest = (value: Value): string => plan.digest(value);
  if (plan.type === 'make') {
    return {
      decided: (task, decision) => {
        const decided = {
          type: 'resource',
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked arguments are values
          args: { ...task.args } as Mapping,
          object: task.module.object(task.args),
          seen: decision.observation.seen(digest),
          change: withReadableNames(decision.plan.change, decision.meaning),
          ...(task.onlyCompares === true && { onlyCompares: true as const }),
          connection: connectionId(digest, connection),
          tenant: connection?.settings.tenant,
        } as const;
        keepDecided(run, masked, decided, session);
        if (plannedWrite({ decided })?.kind === 'delete') noteUnforeseen(run, plan, connection);
        return Promise.resolve(undefined);
      },
    };
  }
  if (followed === undefined || planned === undefined || planned.decided.type === 'skipped') return undefined;
  const { title: object, decided } = planned;
  const open = {
    type: 'resource',
    args: {},
    object,
    seen: [],
    connection: connectionId(digest, connection),
    change: { kind: 'invoke', object, before: null, after: null },
  } as const;
  const host = { controller: run.state.name, connection, session };
  if (decided.type === 'resource') return followed.planHooks(planned, decided, host);
  const hooks = followed.planHooks(planned, open, host);
  return {
    ...hooks,
    decided: async (task, decision) => {
      const { kind } = decision.plan.change;
      const writes = !task.check && kind !== 'none';
      const moved = writes ? movedOpen(run, session, connection, planned, kind === 'delete') : undefined;
      return moved ?? hooks.decided(task, decision);
    },
  };
}

/** A task that is not in the followed plan writes nothing. */
function unplanned(run: TaskRun): PlanHooks {
  return {
    decided: ({ check }, { plan: { change } }) =>
      Promise.resolve(check || change.kind === 'none' ? undefined : notInPlan(run)),
  };
}

/**
 * Handles an action in a run that makes or follows a plan. An action that check mode skips cannot be planned, so the
 * run that follows the plan carries it out without a planned change. Undefined if the action may run.
 *
 * @param does `harmless`: check mode carries it out; `writes`: it writes outside check mode
 * @throws RefusedByPlan
 */
export async function refusedByPlan(
  run: TaskRun,
  execution: Planned & { readonly check: boolean },
  { harmless, writes }: { readonly harmless: boolean; readonly writes: boolean },
): Promise<FailedResult | undefined> {
  const { followed, input } = run.context.run;
  if (input.record.plan === undefined) return undefined;
  const { check, masked, planned, session } = execution;
  if (check && run.module.name === 'pause') keepDecided(run, masked, { type: 'in place', writes: false }, session);
  else if (check && !harmless) await keepInPlace(run, masked, session, writes);
  if (followed === undefined || check || harmless || !writes) return undefined;
  if (planned?.decided.type !== 'in place') return notInPlan(run);
  // It may act without a request to the controller. One that says whether it writes is asked about when it does.
  if (run.module.type === 'action' && run.module.writes === undefined) await requirePlanned(run, execution, 'any');
  return undefined;
}

/**
 * Before an action writes, or tries a password.
 * @param method of the request that writes; `any`: what the action does is not known; absent: a password, which is tried only where
 *   the task may write
 * @throws RefusedByPlan
 */
export async function requirePlanned(run: TaskRun, { planned, session }: Planned, method?: string): Promise<void> {
  const { followed, input } = run.context.run;
  if (followed === undefined || input.record.plan === undefined) return;
  if (planned?.decided.type !== 'in place') {
    if (method === undefined) return;
    throw new RefusedByPlan(notInPlan(run, NOTHING_TO_DO));
  }
  const connection = await session.connection();
  const host = { controller: run.state.name, connection, session };
  const refused =
    movedOpen(run, session, connection, planned, method?.toUpperCase() === 'DELETE') ??
    (method === undefined ? undefined : await followed.beforeFirstWrite(planned, session, host));
  if (refused !== undefined) throw new RefusedByPlan(refused);
}

const NOTHING_TO_DO =
  'it had nothing to do when the plan was made, or what runs differs from that run (a loop over other items, a rescue); make a new plan';

const FORESIGHT = new WeakMap<PlanMaker, Foresight>();

function foresight(plan: PlanMaker): Foresight {
  return getOrAdd(FORESIGHT, plan, () => new Foresight(plan));
}

function noteUnforeseen(run: TaskRun, plan: PlanMaker, connection: Connection | undefined): void {
  foresight(plan).noteUnforeseen(addressIn(plan, connection), run.state.name);
}

function addressIn(plan: PlanMaker, connection: Connection | undefined): string {
  return connection === undefined ? '' : plannedConnection((value) => plan.digest(value), connection.settings).address;
}

/** An action that has nothing to do may have something to do after what the plan does not foresee, or deletes. */
export async function keepIfUnforeseen(run: TaskRun, masked: boolean, session: TaskSession): Promise<void> {
  const { plan } = run.context.run.input.record;
  if (plan?.type !== 'make') return;
  const connection = await session.connection();
  const address = addressIn(plan, connection);
  if (!foresight(plan).foresees(address)) return keepInPlace(run, masked, session, true);
  const decided = { type: 'in place', late: true, ...keptConnection(plan, connection) } as const;
  const step = readyStep(run, masked, decided, session);
  if (step !== undefined) foresight(plan).noteIdle(address, step);
}

/** Keeps a task that only apply can decide. @param open rejects if it is not known where: its delegate may depend on the item of a loop */
export async function keepOpen(run: TaskRun, scope: Variables, open: () => Promise<TaskSession>): Promise<void> {
  const { module, task } = run;
  const opened = await open().catch(() => undefined);
  const session = orElse(undefined, () => opened?.setAll(knownConnectionArguments(run, scope)));
  const writes = mayWrite(module, task.args) && !orElse(false, () => neverWrites(task, scope));
  await keepInPlace(run, isMasked(run, scope), session, writes, true);
}

/** Keeps that apply runs the task in its place, and where it is to act, if that is known. @param writes or may */
export async function keepInPlace(
  run: TaskRun,
  masked: boolean,
  session: TaskSession | undefined,
  writes: boolean,
  isOpen = false,
): Promise<void> {
  const { plan } = run.context.run.input.record;
  if (plan?.type !== 'make') return;
  const connection = await session?.connection();
  if (connection !== undefined) comparePlanned(plan, connection.settings);
  if (writes) noteUnforeseen(run, plan, connection);
  const about = { ...(isOpen && { open: true as const }), ...(!writes && { writes }) };
  keepDecided(run, masked, { type: 'in place', ...about, ...keptConnection(plan, connection) }, session);
}

function keptConnection(plan: PlanMaker, connection: Connection | undefined): { readonly connection?: string } {
  return connection === undefined ? {} : { connection: connectionId((value) => plan.digest(value), connection) };
}

/**
 * A run that makes a plan records how a task reaches its controller. A run that follows one refuses another way before
 * it sends anything there. A task that the plan could not decide may act in another tenant, but at no other address.
 *
 * @param compared `address`: what the task declares may still change its tenant
 */
export async function requirePlannedConnection(
  run: TaskRun,
  session: TaskSession,
  planned: PlannedStep | undefined,
  compared: 'all' | 'address',
): Promise<FailedResult | undefined> {
  const { followed, input } = run.context.run;
  // The checks of a gate are in no plan, but act at no other address either.
  const plan = input.record.plan ?? followed?.guide;
  const connection = plan && (await session.connection());
  if (plan === undefined || connection === undefined) return undefined;
  const { settings, isGiven } = connection;
  const inPlace = planned?.decided.type === 'in place' ? planned.decided : undefined;
  const isOpen = input.record.plan === undefined || inPlace?.open === true;
  // The address may not have been known. What it writes is asked about later.
  const isAnywhere = inPlace?.open === true && isGiven;
  const moved =
    (isAnywhere ? undefined : comparePlanned(plan, settings, isOpen ? 'address' : 'all')?.message) ??
    (plan.type === 'follow'
      ? whyElsewhere(plan, settings, isOpen ? undefined : inPlace?.connection, compared)
      : undefined);
  if (moved === undefined) return undefined;
  return goesElsewhere(moved, 'is sent');
}
