import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import type { WrittenSecrets } from '../../core/model/run/past.js';
import { Interrupted } from '../../language/runtime/errors.js';
import type { ResourceModule } from '../../module/contract.js';
import { countOutcome, emitFinished, emitProgressed, warn } from '../context/task_events.js';
import { type Performed, stopSignal, type TaskRun } from '../context/task_run.js';
import { stopwatch } from '../control/clock.js';
import type { LockMode } from '../control/start_conditions.js';
import type { TaskSession } from '../controllers/task_session.js';
import type { UnsettledWrites } from '../input/unsettled_writes.js';
import { failed, failedBecause, type FailedResult } from '../keywords/failed_result.js';
import { neverWrites } from '../keywords/may_write.js';
import { requireData } from '../keywords/plain_data.js';
import { inTenant, keepingSecrets } from '../resource/in_tenant.js';
import { executeResource } from '../resource/resource.js';
import { decide, type ResourceEnd, type ResourceTask } from '../resource/resource_task.js';
import type { Execution } from './action.js';
import { openWriteRecorder, requireSameConnection } from './task_journal.js';
import type { Attempt } from './time_limit.js';

/** Carries out a resource. */
export async function executeResourceTask(
  run: TaskRun,
  module: ResourceModule,
  execution: Execution,
  attempt: Attempt,
): Promise<Performed> {
  const { session } = execution;
  const { control } = run.context.run;
  const task = await resourceTask(run, module, execution, attempt);
  const { place, mode, isBusy } = await lockPlace(run, session);
  const take = <T>(at: string, as: LockMode, work: () => Promise<T>): Promise<T> =>
    control.locks.take(at, as, attempt.wait, work);
  const once = (): Promise<ResourceEnd> => executeResource(task);
  // Each would send back what it had read before the other wrote.
  const alone = isBusy ? () => take(`${place} ${module.object(task.args)}`, 'exclusive', once) : once;
  const performed = asCleanedUp(run, await take(place, mode, alone));
  await recheckAtEnd(run, task, execution);
  if (run.task.register !== undefined) requireData({ values: performed.result.values }, module.name);
  return performed;
}

/** What a task changed in an `always` after an interrupt is a change of the run, even if the repeated task finds nothing to do. */
function asCleanedUp({ stepJournal }: TaskRun, end: ResourceEnd): ResourceEnd {
  const { result } = end;
  if (result.status !== 'ok' || stepJournal?.hasCleanedUp !== true) return end;
  const message = 'was changed after the interrupt';
  return { ...end, result: { ...result, status: 'changed', change: { kind: 'none' }, message } };
}

async function resourceTask(
  run: TaskRun,
  module: ResourceModule,
  execution: Execution,
  attempt: Attempt,
): Promise<ResourceTask> {
  const { args, check, masked, scope, session } = execution;
  const { input, expected } = run.context.run;
  const before = run.stepJournal?.openWrites ?? [];
  if (before.length > 0) {
    await requireSameConnection(before, session);
    run.stepJournal?.closeWrites(before);
  }
  const recorder = await openWriteRecorder(run, session, masked);
  const connection = await session.connection();
  return {
    module: keepingSecrets(inTenant(module, connection), connection),
    args: { ...args },
    check,
    onlyCompares: check && (!input.settings.check || neverWrites(run.task, scope)),
    ...attempt,
    pause: (seconds) => run.fork.sleep(seconds, attempt.signal),
    warn: (message) => warn(run, message),
    recorder,
    planHooks: await execution.planning?.openPlanHooks(run, execution),
    before,
    // Only for a run that is a check as a whole: there, tasks that really write are the exception.
    expected: input.settings.check && connection ? expected.at(connection, run.state.name) : undefined,
    writtenSecrets: writtenSecretsOpener(run, session),
  };
}

/** Keyed by controller and tenant, because another tenant has other objects. */
function writtenSecretsOpener({ context }: TaskRun, session: TaskSession): (() => Promise<WrittenSecrets>) | undefined {
  const open = context.run.input.record.writtenSecrets;
  if (open === undefined) return undefined;
  return async () => {
    const connection = await session.connection();
    const place = connection === undefined ? session.target : controllerIdentity(connection.settings);
    return open(JSON.stringify([place, connection?.settings.tenant ?? null]));
  };
}

/**
 * A task that reaches a controller through `delegate_to` or its variables may run at the same time as that controller's
 * own tasks. `isBusy`: tasks in this mode may write to one object at the same time: parallel items.
 */
async function lockPlace({ task }: TaskRun, session: TaskSession) {
  const connection = await session.connection();
  const isVisitor = session.isDelegated || connection?.isElsewhere === true;
  const place = connection === undefined ? session.target : controllerIdentity(connection.settings);
  // Tasks of its other names may name the same object otherwise, as other modules do.
  const isShared = connection?.settings.shared === true;
  const mode: LockMode = isVisitor || isShared ? 'exclusive' : 'shared';
  return { place, mode, isBusy: task.loop?.parallel !== undefined };
}

/**
 * Before the controller is contacted: waits until writes of an earlier run have settled. Undefined: there is nothing to
 * wait for.
 */
export function untilSettled(run: TaskRun, settings: ConnectionSettings): Promise<void> | undefined {
  const { unsettled } = run.context.run.input.connections;
  if (unsettled === undefined) return undefined;
  const identity = controllerIdentity(settings);
  const next = () => unsettled.waitFor(identity, settings.writeSettles);
  const wait = next();
  return wait && waitOut(run, wait, next, unsettled.announce(identity));
}

type Wait = NonNullable<ReturnType<UnsettledWrites['waitFor']>>;

async function waitOut(run: TaskRun, first: Wait, next: () => Wait | undefined, isAnnounced: boolean): Promise<void> {
  const signal = stopSignal(run);
  for (let wait: Wait | undefined = first; wait !== undefined; wait = next()) {
    const what = wait.object === undefined ? 'a write' : `a write to ${wait.object}`;
    const seconds = Math.ceil(wait.seconds);
    if (isAnnounced && wait === first)
      warn(run, `${what} from before may still take effect: waiting ${seconds} s (controller_write_settles)`);
    emitProgressed(run, `waiting for ${what} from before to settle`, seconds);
    await run.fork.pause(wait.seconds, signal);
    if (signal.aborted) throw new Interrupted(`interrupted while ${what} from before settled`);
  }
}

/** Has the object of a resource task read again at the end of the run, if a write to it was unsettled. */
async function recheckAtEnd(run: TaskRun, task: ResourceTask, { session, masked }: Execution): Promise<void> {
  const { unsettled } = run.context.run.input.connections;
  const connection = unsettled === undefined || task.check ? undefined : await session.connection();
  if (connection === undefined || connection.settings.writeSettles === 0) return;
  const recheck = async (): Promise<void> => {
    const seconds = stopwatch();
    const result = await lateEffect(run, { ...task, session, check: true });
    await session.end();
    if (result === undefined) return;
    run.context.run.fleet.lose(run.state, 'failed');
    const delegatedTo = session.isDelegated ? session.target : undefined;
    const closing = { ignored: false, masked, check: false, diff: true, delegatedTo, seconds: seconds() };
    emitFinished(run, { result }, closing, countOutcome(run, { result }, closing));
  };
  unsettled?.recheckAtEnd(controllerIdentity(connection.settings), task.module.object(task.args), recheck);
}

/** Why the object is no longer as the task left it; undefined if it is. */
async function lateEffect(run: TaskRun, task: ResourceTask): Promise<FailedResult | undefined> {
  const object = task.module.object(task.args);
  try {
    const { plan } = await decide(task);
    const { change, uncomparable, satisfied } = plan;
    if (change.kind === 'none' || uncomparable === true || satisfied === true) return undefined;
    return failed(`${object} has changed since it was verified: ${LATE_EFFECT}`, { hint: LATE_HINT, change });
  } catch (error) {
    const result = failedBecause(error, run.module.name);
    const message = `${object} could not be read again at the end of the run: ${result.failure.message}`;
    return { ...result, status: 'failed', failure: { ...result.failure, message } };
  }
}

const LATE_EFFECT = 'a write from before may have taken effect late';
const LATE_HINT = 'run again; a higher controller_write_settles makes runs wait longer for such writes';
