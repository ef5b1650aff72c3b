import type { ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { controllerIdentity } from '../../core/model/inventory/route.js';
import { Interrupted } from '../../language/runtime/errors.js';
import { countOutcome, emitFinished, emitProgressed, warn } from '../context/task_events.js';
import { isCleanup, type TaskRun } from '../context/task_run.js';
import { stopwatch } from '../control/clock.js';
import type { UnsettledWrites } from '../input/unsettled_writes.js';
import { failed, failedBecause, type FailedResult } from '../keywords/failed_result.js';
import { decide, type ResourceTask } from '../resource/resource_task.js';
import type { Execution } from './action.js';

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
  const signal = run.context.run.control.stopSignals.signal(isCleanup(run.enclosing));
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
export async function recheckAtEnd(run: TaskRun, task: ResourceTask, { session, masked }: Execution): Promise<void> {
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
    return failed(`${object} has changed since it was verified: ${LATE}`, { hint: HINT, change });
  } catch (error) {
    const result = failedBecause(error, run.module.name);
    const message = `${object} could not be read again at the end of the run: ${result.failure.message}`;
    return { ...result, status: 'failed', failure: { ...result.failure, message } };
  }
}

const LATE = 'a write from before may have taken effect late';
const HINT = 'run again; a higher controller_write_settles makes runs wait longer for such writes';
