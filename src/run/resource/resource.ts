import { LockedOutError } from '../../controller/lockouts.js';
import { StaleObjectError } from '../../controller/stale_object_error.js';
import type { TaskResult } from '../../model/result.js';
import { failed } from '../task/failed_result.js';
import { changed, decide, lockedOut, type Decision, type ResourceTask } from './resource_task.js';
import { resourceValues } from './resource_values.js';
import { verify } from './verification.js';

/** How often an object that someone else changes meanwhile (412) is read and planned anew. */
const STALE_ROUNDS = 3;

/** Reads, plans and, unless it is a check, writes and verifies. */
export async function executeResource(task: ResourceTask): Promise<TaskResult> {
  let unconfirmed: Decision | undefined;
  for (let round = 1; ; round++) {
    const decision = await decide(task);
    const settled = settle(task, decision, unconfirmed);
    if (settled !== undefined) return settled;
    const stale = await write(task, decision);
    if (stale instanceof LockedOutError) return lockedOut(task, decision);
    if (stale === undefined)
      return decision.plan.uncomparable === true ? uncompared(task, decision) : verify(task, decision);
    if (round === STALE_ROUNDS) throw stale;
    if (stale.uncertain) unconfirmed ??= decision;
  }
}

/**
 * The result, if there is nothing to write.
 * @param unconfirmed a write whose reply was lost: if all is well now, that write made it so.
 */
function settle(task: ResourceTask, decision: Decision, unconfirmed: Decision | undefined): TaskResult | undefined {
  const { plan, observed } = decision;
  for (const warning of plan.warnings ?? []) task.warn(warning);
  if (plan.refusal !== undefined) return failed(plan.refusal);
  if (plan.change.kind === 'none') {
    if (unconfirmed !== undefined) return changed(task, unconfirmed.plan, observed);
    return { status: 'ok', values: resourceValues(task.module, task.args, plan.change, observed) };
  }
  if (task.check) return plan.uncomparable === true ? uncompared(task, decision) : changed(task, plan, observed);
  return task.signal.aborted ? failed('interrupted before anything was written') : undefined;
}

async function write(
  { module, args, session }: ResourceTask,
  { plan, observed }: Decision,
): Promise<StaleObjectError | LockedOutError | undefined> {
  try {
    if (plan.locksOut === true) await session.expectLockout();
    await module.apply(args, plan, observed, session);
    return undefined;
  } catch (error) {
    if (error instanceof StaleObjectError || error instanceof LockedOutError) return error;
    throw error;
  }
}

/** The controller does not show the object, so nobody can say whether this changed anything. */
function uncompared(task: ResourceTask, { plan, observed }: Decision): TaskResult {
  return { ...changed(task, plan, observed), message: 'could not be compared' };
}
