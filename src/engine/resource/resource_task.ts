import type { PastWrite } from '../../core/model/run/past.js';
import type { Change, RunTaskResult } from '../../core/model/run/result.js';
import type { ControllerSession } from '../../core/model/run/session.js';
import { entry, type Mapping, type Value } from '../../core/model/values/value.js';
import type { Plan, ResourceModule, Writer } from '../../module/contract.js';
import { OpenWrites } from '../control/open_writes.js';
import type { ExpectedObjects } from '../controllers/expected_objects.js';
import { recordingWriter, wasRefused, type WriteRecorder } from '../journal/write_recorder.js';
import { failed, type FailedResult } from '../keywords/failed_result.js';
import { FutureObject } from '../keywords/known_after_apply.js';
import { requireData, requireResult } from '../keywords/plain_data.js';
import { hasRotated, unsettleSecrets, type SecretTask } from './hidden_secrets.js';
import { refusalOfShared } from './in_tenant.js';
import { Observation } from './observation.js';
import { resolveMeaning, withReadableNames, withShownNames, type Meaning } from './references.js';
import type { TakeBack } from './written_objects.js';

/** Arguments that passed the module's schema. */
type ResourceArguments = Parameters<ResourceModule['plan']>[0];

/** A resource task, ready to be carried out. */
export interface ResourceTask extends SecretTask {
  readonly module: ResourceModule;
  readonly args: ResourceArguments;
  readonly session: ControllerSession;
  readonly check: boolean;
  /** It does not write in any run, so tasks that write must not rely on what it would leave. */
  readonly onlyCompares?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Waits so many seconds, or until the signal is aborted. */
  readonly pause: (seconds: number) => Promise<void>;
  /** Records writes; absent: nothing is kept. */
  readonly recorder?: WriteRecorder | undefined;
  /** What the plan that is made or followed does at the task; absent: there is none. */
  readonly planHooks?: PlanHooks | undefined;
  /** What earlier tasks would leave, if the run is a check. A task that really writes must not rely on it. */
  readonly expected?: ExpectedObjects | undefined;
  /** Writes that may have happened before the run was cut off. */
  readonly before: readonly PastWrite[];
}

/** What a plan does while a task is carried out. */
export interface PlanHooks {
  /** Records the decision; or returns why it must not be carried out, because the objects have changed. */
  decided(task: ResourceTask, decision: ResourceDecision): Promise<FailedResult | undefined>;
  /** Called before a write to the objects that were read. */
  wrote?(decision: ResourceDecision): TakeBack;
  /** Called with the state of the object after the write. */
  left?(observation: Observation): void;
  /** Called with the result of a finished task; returns the one to report. */
  reported?(task: ResourceTask, result: RunTaskResult): RunTaskResult;
}

export interface ResourceEnd {
  readonly result: RunTaskResult;
  /** An interrupt stopped the task before it was verified, so a resume must run it again. */
  readonly unfinished?: boolean | undefined;
}

/** The objects that were read, and the plan for them. */
export interface ResourceDecision {
  /** As the module's `read` returned it. */
  readonly observed: unknown;
  /** The objects that `read` saw. */
  readonly observation: Observation;
  readonly plan: Plan;
  /** The resolved references of the arguments; undefined if nothing needed a lookup. */
  readonly meaning?: Meaning | undefined;
}

export async function decide(task: ResourceTask): Promise<ResourceDecision> {
  const { module, args, session } = task;
  requireResult(module.object(args), 'object', module.name);
  const observation = new Observation(session, task.check ? task.expected : undefined);
  const observed = await module.read(args, observation);
  const plain = module.plan(args, observed);
  requireResult(plain, 'plan', module.name);
  const meaning = await resolveMeaning(task, plain, observation);
  const resolvedArgs = meaning === undefined ? args : { ...meaning.args };
  const known = meaning === undefined ? plain : module.plan(resolvedArgs, observed);
  const rotated = await hasRotated(task, { plan: known, observation });
  const intended = rotated ? module.plan({ ...resolvedArgs, secrets: 'always' }, observed) : known;
  const refusal = intended.refusal ?? (await refusalOfShared(intended, session, task.check));
  const plan = refusal === undefined ? intended : { ...intended, refusal };
  const { change } = plan;
  // The observed object comes from the controller, so it is checked only if it becomes a variable.
  if (change.kind !== 'none') requireData({ after: change.after }, module.name);
  return { observed, observation, plan, meaning: await withShownNames(task, change, meaning, observation) };
}

/** In a check, later tasks see what this one would leave. */
export async function expectChange(
  { session, onlyCompares, expected }: ResourceTask,
  { plan: { change, refusal }, observation }: ResourceDecision,
): Promise<void> {
  if (refusal !== undefined || change.kind === 'none' || change.kind === 'invoke') return;
  if (onlyCompares !== true) observation.expect(change);
  if (change.kind === 'create' || (expected !== undefined && change.before !== null))
    (await session.references({ asExpected: true, onlyCompares }))?.expect(
      observation.path,
      change.before,
      change.after,
    );
}

/** What the values of a task need. */
export interface NamedTask extends Pick<ResourceTask, 'args' | 'check'> {
  readonly module: Pick<ResourceModule, 'object' | 'results'>;
}

/**
 * What `register` keeps of a resource besides the flags: `name` (`cloud "edge-1"`), `change` (`kind`, `before`, `after`), and
 * `object`, the controller's object as it was read last (null if there is none, or it cannot be read). In a check, the object as it
 * would be; of one that would be created, fields that are not declared are known after apply.
 */
export function resourceValues(task: NamedTask, change: Change, observation: Observation): Mapping {
  const { module, args, check } = task;
  const { last, isFuture } = observation;
  const left = check && change.kind !== 'none' && change.kind !== 'invoke' ? change.after : last;
  const isNew = isFuture || (check && change.kind === 'create');
  return changeValues(task, change, left !== null && isNew ? new FutureObject(left, module.object(args)) : left);
}

/** @param object as in `resourceValues` */
export function changeValues({ module, args }: NamedTask, change: Change, object: Value): Mapping {
  const others = module.results?.(object, change.kind === 'none' ? null : change.before);
  const shown = change.kind === 'none' ? { kind: 'none', before: null, after: null } : { ...change };
  return { name: module.object(args), change: shown, object, ...others };
}

/** The task changed something (or would): the planned change, and the object as it was seen last. */
export function changed(
  task: ResourceTask,
  { plan, meaning }: Pick<ResourceDecision, 'plan' | 'meaning'>,
  seen: Observation,
): Extract<RunTaskResult, { status: 'changed' }> {
  const change = withReadableNames(plan.change, meaning);
  return { status: 'changed', values: resourceValues(task, change, seen), change };
}

/** The object was deleted, and the plan would now delete another one, which was created since. */
export function isCreatedAnew({ plan: { change: written } }: ResourceDecision, { plan }: ResourceDecision): boolean {
  const { change } = plan;
  if (written.kind !== 'delete' || change.kind !== 'delete') return false;
  return entry(written.before, 'uuid') !== entry(change.before, 'uuid');
}

/** The other object is not deleted, because another client created it after the run began. */
export function createdAnew({ module, args }: NamedTask, { plan: { change } }: ResourceDecision): RunTaskResult {
  const message = `${module.object(args)} was deleted, and another object of that name was created since; it was not deleted`;
  return { ...failed(message, { hint: 'run again to delete that one, too', change }), values: { changed: true } };
}

/** The write was applied and, as requested, sign-in is no longer possible to verify it. */
export function lockedOut(task: ResourceTask, decision: ResourceDecision): RunTaskResult {
  return { ...changed(task, decision, decision.observation), message: 'applied, unverifiable' };
}

/** Carries the plan out, and records the writes. */
export async function apply(task: ResourceTask, decision: ResourceDecision): Promise<void> {
  const { module, args, session, recorder, planHooks, expected } = task;
  const { plan, observed, observation, meaning } = decision;
  const settle = await unsettleSecrets(task, decision);
  const takeBack = planHooks?.wrote?.(decision);
  expected?.forget(observation.path, plan.change);
  // Found by its uuid, a deleted object can have another name than the task says.
  const object = plan.change.kind === 'delete' ? plan.change.object : module.object(args);
  const writer: Writer =
    recorder === undefined ? session : recordingWriter(recorder, session, { object, plan, observation });
  try {
    const writes = new OpenWrites();
    const own = followed(writer, writes, takeBack);
    await writes.during(() => module.apply(meaning === undefined ? args : { ...meaning.args }, plan, observed, own));
  } catch (error) {
    if (wasRefused(error)) {
      takeBack?.();
      await settle?.();
    }
    throw error;
  }
}

/** An object that was there already is not the run's own. */
function followed(writer: Writer, writes: OpenWrites, takeBack?: TakeBack): Writer {
  const create: Writer['create'] = async (...given) => {
    const end = await writer.create(...given);
    if (end === 'adopted') takeBack?.();
    return end;
  };
  return {
    create: (...given) => writes.follow(() => create(...given)),
    replace: (...given) => writes.follow(() => writer.replace(...given)),
    remove: (...given) => writes.follow(() => writer.remove(...given)),
  };
}

/** Records the object as it was seen after the write. */
export function keepSeen({ recorder, planHooks }: ResourceTask, { observation }: ResourceDecision): void {
  planHooks?.left?.(observation);
  recorder?.verified((written) => observation.objectAt(written));
}
