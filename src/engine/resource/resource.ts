import { LockedOutError } from '../../controller/access/lockouts.js';
import { StaleObjectError } from '../../controller/exchange/call.js';
import type { PastWrite } from '../../core/model/run/past.js';
import type { Resumption, RunTaskResult } from '../../core/model/run/result.js';
import { isMapping } from '../../core/model/values/value.js';
import { versionAdvice } from '../../module/arguments/kind_schema.js';
import { scopeOfObject } from '../../module/comparison/scope.js';
import type { Reader } from '../../module/contract.js';
import { failed, interrupted } from '../keywords/failed_result.js';
import { keepSecrets } from './hidden_secrets.js';
import { Observation } from './observation.js';
import {
  apply,
  changed,
  createdAnew,
  decide,
  expectChange,
  isCreatedAnew,
  keepSeen,
  lockedOut,
  resourceValues,
  type ResourceDecision,
  type ResourceEnd,
  type ResourceTask,
} from './resource_task.js';
import { isAsSent, verify } from './verification.js';

/** How often to read and plan again if the object was changed meanwhile (412). */
const STALE_ROUNDS = 3;

/**
 * Reads, plans and, unless it is a check, writes and verifies. A write from before the run was cut off is not repeated but
 * verified.
 */
export function executeResource(task: ResourceTask): Promise<ResourceEnd> {
  if (task.planHooks?.reported === undefined) return execute(task);
  return execute(task).then((end) => {
    const reported = end.unfinished === true ? undefined : task.planHooks?.reported?.(task, end.result);
    return reported === undefined ? end : { result: reported };
  });
}

async function execute(task: ResourceTask): Promise<ResourceEnd> {
  const before = recalled(task);
  // The controller confirmed the write.
  if (before?.write.outcome === 'applied') {
    const { written, last } = before;
    const end =
      written.plan.uncomparable === true ? { result: uncompared(task, written) } : await verify(task, written, last);
    return afterResume(end, 'found');
  }
  if (before === undefined) return writeOnce(task, undefined);
  return afterResume(await writeOnce(task, await afterAppearing(task, before)), 'repeated');
}

/** Adds the outcome of the interrupted write to the result, unless it is already there. */
function afterResume(end: ResourceEnd, resumed: Resumption): ResourceEnd {
  const { result } = end;
  return result.status === 'changed' ? { ...end, result: { ...result, resumed: result.resumed ?? resumed } } : end;
}

/** @param unconfirmed a write with an unknown outcome */
async function writeOnce(task: ResourceTask, unconfirmed: ResourceDecision | undefined): Promise<ResourceEnd> {
  // The record of secrets is older than the create.
  const reading = unconfirmed?.plan.change.kind === 'create' ? { ...task, writtenSecrets: undefined } : task;
  for (let round = 1; ; round++) {
    const decision = withoutSent(await decide(reading), unconfirmed);
    if (unconfirmed !== undefined && isCreatedAnew(unconfirmed, decision)) {
      task.recorder?.confirm();
      return { result: createdAnew(task, unconfirmed) };
    }
    const refused = await task.planHooks?.decided(task, decision);
    if (refused !== undefined) return { result: refused };
    if (task.check) await expectChange(task, decision);
    if (round === 1) await warnOfVersion(task, decision);
    const settled = resultWithoutWrite(task, decision, unconfirmed);
    if (settled !== undefined) return { result: await settled };
    const stale = await write(task, decision);
    if (stale instanceof LockedOutError) return { result: lockedOut(task, decision) };
    if (stale === undefined)
      return decision.plan.uncomparable === true ? { result: uncompared(task, decision) } : verify(task, decision);
    if (round === STALE_ROUNDS) throw stale;
    if (stale.uncertain) unconfirmed ??= decision;
  }
}

/** If the write with the unknown outcome left the object like this, nothing is left to do: not even for an apply that compares with its plan. */
function withoutSent(decision: ResourceDecision, unconfirmed: ResourceDecision | undefined): ResourceDecision {
  if (unconfirmed === undefined || !isAsSent(unconfirmed, decision)) return decision;
  return { ...decision, plan: { ...decision.plan, change: { kind: 'none' } } };
}

/** Before the run, only a version in the settings is known. */
async function warnOfVersion({ module, args, session, warn }: ResourceTask, { plan }: ResourceDecision): Promise<void> {
  const { kind } = plan.change;
  if ((module.knownFields ?? module.knownFieldsFor) === undefined || (kind !== 'create' && kind !== 'update')) return;
  const version = await session.foundVersion();
  if (version === undefined || !isMapping(args)) return;
  for (const { message, hint = '' } of versionAdvice(module, args, version)) warn(`${message}; ${hint}`);
}

/**
 * The result, if there is nothing to write.
 *
 * @param unconfirmed a write whose reply was lost: if nothing is left to change, that write was applied.
 */
function resultWithoutWrite(
  task: ResourceTask,
  decision: ResourceDecision,
  unconfirmed: ResourceDecision | undefined,
): RunTaskResult | Promise<RunTaskResult> | undefined {
  const { plan, observation } = decision;
  for (const warning of plan.warnings ?? []) task.warn(warning);
  if (plan.refusal !== undefined) return failed(plan.refusal);
  if (plan.change.kind === 'none') {
    if (unconfirmed !== undefined) return confirmed(task, unconfirmed, decision);
    return { status: 'ok', values: resourceValues(task, plan.change, observation) };
  }
  if (task.check) return plan.uncomparable === true ? uncompared(task, decision) : changed(task, decision, observation);
  if (!task.signal.aborted) return undefined;
  // A resume determines the outcome of the write.
  return unconfirmed === undefined
    ? interrupted('interrupted before anything was written')
    : interrupted('interrupted; it is unknown whether the write was applied');
}

/** The object is as declared, so the write was applied. */
async function confirmed(
  task: ResourceTask,
  written: ResourceDecision,
  seen: ResourceDecision,
): Promise<RunTaskResult> {
  task.recorder?.confirm();
  keepSeen(task, seen);
  await keepSecrets(task, seen);
  const result = changed(task, written, seen.observation);
  return task.before.length === 0 ? result : { ...result, resumed: 'found' };
}

async function write(
  task: ResourceTask,
  decision: ResourceDecision,
): Promise<StaleObjectError | LockedOutError | undefined> {
  try {
    if (decision.plan.locksOut === true) await task.session.expectLockout();
    await apply(task, decision);
    return undefined;
  } catch (error) {
    if (error instanceof StaleObjectError || error instanceof LockedOutError) return error;
    throw error;
  }
}

/** The controller does not show the object, so it is unknown whether this changed anything. */
function uncompared(task: ResourceTask, decision: ResourceDecision): RunTaskResult {
  return { ...changed(task, decision, decision.observation), message: 'could not be compared' };
}

/** A task's write from before the run was cut off. */
interface WriteBefore {
  readonly write: PastWrite;
  /** The first decision: what the task changes. */
  readonly written: ResourceDecision;
  /** The same, or the update of an object that the create found. */
  readonly last: ResourceDecision;
}

/** The last write that may have been applied; undefined if there is none. */
function recalled({ before, check, recorder, session }: ResourceTask): WriteBefore | undefined {
  if (check) return undefined;
  const [write, previous] = before.filter(({ outcome }) => outcome !== 'refused').toReversed();
  if (write === undefined) return undefined;
  recorder?.continueWrite(write.intent);
  const last = pastDecision(write, session);
  const metAnother =
    last.plan.change.kind === 'update' && previous?.intent.change.kind === 'create' && previous.outcome === 'applied';
  return { write, last, written: metAnother ? pastDecision(previous, session) : last };
}

/**
 * Waits for a create with an unknown outcome to appear, as after a lost reply. An update is visible at once, and may be sent again.
 */
async function afterAppearing({ session }: ResourceTask, { write, last }: WriteBefore): Promise<ResourceDecision> {
  const { name, path, change } = write.intent;
  if (name !== undefined && change.kind === 'create')
    await session.appears(path, name, scopeOfObject(path, change.after));
  return last;
}

/** The record has only the change of that decision, not what was read. */
function pastDecision({ intent: { change, uncomparable } }: PastWrite, reader: Reader): ResourceDecision {
  const observation = new Observation(reader);
  return { observed: undefined, observation, plan: { change, ...(uncomparable === true && { uncomparable }) } };
}
