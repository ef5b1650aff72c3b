import type { PastWrite } from '../../model/journal.js';
import type { TaskResult } from '../../model/result.js';
import type { Plan, ResourceModule, Writer } from '../../module/contract.js';
import type { Conversation } from '../fleet/lazy_session.js';
import { keepingWriter, type WriteKeeper } from '../journal/write_keeper.js';
import { requireData } from '../task/plain_data.js';
import { observedObject, resourceValues } from './resource_values.js';

/** Arguments that passed the module's schema. */
type Arguments = Parameters<ResourceModule['plan']>[0];

/** A resource task, ready to be carried out. */
export interface ResourceTask {
  readonly module: ResourceModule;
  readonly args: Arguments;
  readonly session: Conversation;
  readonly check: boolean;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Keeps what is written; absent: nothing is kept. */
  readonly keeper?: WriteKeeper | undefined;
  /** What may have been written before the run was cut off. */
  readonly before: readonly PastWrite[];
}

/** What was seen, and what follows from it. */
export interface Decision {
  readonly observed: unknown;
  readonly plan: Plan;
}

export async function decide({ module, args, session }: ResourceTask): Promise<Decision> {
  const observed = await module.read(args, session);
  const plan = module.plan(args, observed);
  const { change } = plan;
  // What was read comes from the controller; it is looked at if it becomes a variable.
  if (change.kind !== 'none') requireData({ after: change.after }, module.name);
  return { observed, plan };
}

/** The task changed something (or would): what was planned, and the object as it was seen last. */
export function changed(task: ResourceTask, plan: Plan, observed: unknown): Extract<TaskResult, { status: 'changed' }> {
  const { change } = plan;
  return { status: 'changed', values: resourceValues(task.module, task.args, change, observed), change };
}

/** It was written, and as asked nobody gets in any more to look at it. */
export function lockedOut(task: ResourceTask, { plan, observed }: Decision): TaskResult {
  return { ...changed(task, plan, observed), message: 'applied, unverifiable' };
}

/** Carries the plan out, and keeps what is written. */
export async function apply(
  { module, args, session, keeper }: ResourceTask,
  { plan, observed }: Decision,
): Promise<void> {
  const writer: Writer = keeper === undefined ? session : keepingWriter(keeper, session, module.object(args), plan);
  await module.apply(args, plan, observed, writer);
}

/** The object as it is seen after it was written. */
export function keepSeen({ keeper }: ResourceTask, { observed }: Decision): void {
  const object = observedObject(observed);
  if (object !== null) keeper?.verified(object);
}
