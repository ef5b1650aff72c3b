import type { PlannedStep } from '../../core/model/run/plan.js';
import { KnownAfterApply } from '../../language/runtime/errors.js';
import type { Variables } from '../../language/scope.js';
import { ignores, isMasked, ranInCheck, startsInCheck, wantsDiff, type ReportDetails } from '../context/task_events.js';
import { type Performed, stopSignal, type TaskRun } from '../context/task_run.js';
import {
  keepVariables,
  maskedWordsIn,
  NO_VARIABLES,
  type ControllerState,
  type KeptVariables,
} from '../controllers/controller_state.js';
import type { TaskSession } from '../controllers/task_session.js';
import { failedBecause, interruptedBecause, isStale, TimeOver } from '../keywords/failed_result.js';
import {
  conditionText,
  evaluateThrottle,
  firstFalse,
  renderNumberOr,
  requireKeywords,
} from '../keywords/rendered_keywords.js';
import { executeAction, type Execution } from './action.js';
import { actInDeclaredTenant, findDelegate, keepsFactsElsewhere, openTaskSession, withDelegate } from './delegation.js';
import { later, plannedStep } from './plan/planned.js';
import { executeResourceTask } from './resource_execution.js';
import { withRetries } from './retries.js';
import {
  connectionArguments,
  ownVariables,
  plannedArguments,
  taskArguments,
  renderedArguments,
} from './task_arguments.js';
import { storeLargeValues } from './task_journal.js';
import type { Attempt } from './time_limit.js';

/** The result of a task, or of one item of its loop, and how to report it. */
export interface TaskOutcome extends Pick<ReportDetails, 'ignored' | 'masked' | 'check' | 'diff' | 'delegatedTo'> {
  readonly performed: Performed;
  /** Variables that the task gave its own controller, and those that it gave others. */
  readonly keptVariables: KeptVariables;
}

/** Performs a task without a loop, or one item: `when` → arguments → the module, repeated by `until`. Never throws. */
export async function perform(run: TaskRun, scope: Variables): Promise<TaskOutcome> {
  const masked = isMasked(run, scope);
  let delegatedTo: string | undefined;
  let check: boolean | undefined;
  let keptVariables = NO_VARIABLES;
  const planned = plannedStep(run);
  const attempt = attempted(run, scope, async () => {
    const condition = unmetCondition(run, scope, planned);
    if (condition !== undefined) {
      (await loadPlanning(run))?.keepDecided(run, masked, { type: 'skipped', condition });
      return skippedBy(condition);
    }
    const other = findDelegate(run, scope);
    delegatedTo = other?.name;
    const seen = withDelegate(other, run.state, run.used?.watch(scope) ?? scope);
    evaluateThrottle(run.task, seen);
    requireKeywords(run.task, seen);
    check = startsInCheck(run, seen);
    const open = (): Promise<TaskSession> => openTaskSession(run, other, scope);
    const session = await open();
    let done: Performed;
    try {
      done = await performModule(run, { session, open }, seen, { check, masked, planned });
    } finally {
      if (session.outcomeUnknown) run.context.unknownOutcomes?.add(run.state.name);
      await session.end();
    }
    keptVariables = keep(run, other, withMaskedWords(run, done, masked), seen);
    return done;
  });
  const performed = withUnconfirmed(run, await attempt);
  const learned = run.context.run.secrets.learnResult(performed.result, masked);
  // What an item leaves, the next may replace: then the record of the loop lacks it.
  if (!masked && run.stepJournal?.ref.item !== undefined) run.stepJournal.addSecrets(learned);
  return makeOutcome(run, scope, performed, masked, { keptVariables, delegatedTo, check });
}

/** The condition that keeps a task from running: that of the followed plan, otherwise the first that is false now. */
function unmetCondition(run: TaskRun, scope: Variables, planned: PlannedStep | undefined): string | undefined {
  const { decided } = planned ?? {};
  if (decided?.type === 'skipped') return decided.condition;
  const unmet = decided?.type === 'resource' ? undefined : firstFalse(run.task.when, scope);
  return unmet === undefined ? undefined : conditionText([unmet]);
}

/** The parts of an outcome besides its result. */
interface Known extends Pick<TaskOutcome, 'keptVariables' | 'delegatedTo'> {
  /** Absent: not rendered yet. */
  readonly check?: boolean | undefined;
}

export function makeOutcome(
  run: TaskRun,
  scope: Variables,
  performed: Performed,
  masked: boolean,
  { keptVariables, delegatedTo, check = ranInCheck(run, scope) }: Known = { keptVariables: NO_VARIABLES },
): TaskOutcome {
  const diff = wantsDiff(run, scope);
  return { performed, masked, check, diff, ignored: isIgnored(run, scope, performed), keptVariables, delegatedTo };
}

/** Adds the change of a write whose answer never arrived. */
function withUnconfirmed({ stepJournal }: TaskRun, performed: Performed): Performed {
  const unconfirmed = stepJournal?.unconfirmed;
  const { result } = performed;
  if (unconfirmed === undefined || result.status === 'skipped') return performed;
  return { ...performed, unconfirmed: true, result: { ...result, change: result.change ?? unconfirmed } };
}

function isIgnored(run: TaskRun, scope: Variables, { result }: Performed): boolean {
  const { status } = result;
  if (isStale(result)) return false;
  const isAway = 'failure' in result && result.failure.passing === true;
  if (status === 'failed' && ignores(run, 'ignore_errors', scope)) return true;
  return (status === 'unreachable' || isAway) && ignores(run, 'ignore_unreachable', scope);
}

export function skippedBy(condition: string): Performed {
  const values = { false_condition: condition };
  return { result: { status: 'skipped', values, message: 'Conditional result was False' } };
}

function withMaskedWords(run: TaskRun, { keptVariables, ...performed }: Performed, masked: boolean): Performed {
  if (keptVariables === undefined) return performed;
  const { values, facts, included } = keptVariables;
  const left = [values, facts, ...included.map((layer) => layer.values)];
  return { ...performed, keptVariables: { ...keptVariables, ...maskedWordsIn(run.used, left, masked) } };
}

/** Drops the facts of a failed task, as in Ansible. */
function keep(
  run: TaskRun,
  delegate: ControllerState | undefined,
  { result: { status }, keptVariables = NO_VARIABLES }: Performed,
  scope: Variables,
): KeptVariables {
  if ((status !== 'ok' && status !== 'changed') || keptVariables === NO_VARIABLES) return NO_VARIABLES;
  const owner = keepsFactsElsewhere(run, scope) ? (delegate ?? run.state) : undefined;
  if (owner === undefined) {
    keepVariables(run.state, keptVariables);
    return keptVariables;
  }
  // A controller that is its own delegate has them for itself: `run_once` does not pass them on.
  run.context.run.fleet.give([owner.name], keptVariables);
  return givenTo(owner, keptVariables);
}

function givenTo({ name: owner }: ControllerState, { values, facts, maskedWords }: KeptVariables): KeptVariables {
  if (Object.keys(values).length + Object.keys(facts).length === 0) return NO_VARIABLES;
  return { ...NO_VARIABLES, elsewhere: [{ owner, values, facts }], maskedWords };
}

async function performModule(
  run: TaskRun,
  { session, open }: { readonly session: TaskSession; readonly open: () => Promise<TaskSession> },
  scope: Variables,
  { check, masked, planned }: Pick<Execution, 'check' | 'masked' | 'planned'>,
): Promise<Performed> {
  const { secrets } = run.context.run;
  if (masked) {
    const written = renderedArguments(run, scope);
    // Learned also where nothing is recorded. The report of a resource's request may show what was sent.
    const sent = run.module.type === 'resource' ? secrets.learnAllButNames(written) : secrets.learnMasked(written);
    const hidden = [...secrets.learnMasked(ownVariables(run, scope)), ...sent];
    run.stepJournal?.addSecrets(hidden);
  }
  const { decided } = planned ?? {};
  const args =
    decided?.type === 'resource' ? plannedArguments(run, decided.args, scope) : taskArguments(run, scope, check);
  const connect = (one: TaskSession): TaskSession => one.setAll(connectionArguments(run.module, args));
  connect(session);
  const planning = await loadPlanning(run);
  const moved = await planning?.requirePlannedConnection(run, session, planned, 'address');
  if (moved !== undefined) return { result: moved };
  // This may ask the controller, and change the tenant.
  await actInDeclaredTenant(run, args, session, async () => connect(await open()));
  const movedTenant = await planning?.requirePlannedConnection(run, session, planned, 'all');
  if (movedTenant !== undefined) return { result: movedTenant };
  const seconds = renderNumberOr(0, 'timeout', run.task.timeout, scope);
  const attempt = { session, signal: stopSignal(run) };
  const work = (within: Attempt) =>
    executeModule(run, { args, check, masked, scope, session, planned, planning }, within);
  const limit = { seconds, module: run.module.name };
  // Few tasks have a limit.
  const limited = async (): Promise<Performed> =>
    (await import('./time_limit.js')).withinTime(limit, attempt, run.fork, work);
  const once = seconds > 0 ? limited : () => work({ ...attempt, wait: run.fork.wait });
  const performed = await withRetries(run, scope, session, (isLast) =>
    attempted(run, scope, isLast ? once : () => session.withoutPatience(once)),
  );
  const { tenant, address } = session;
  const isUsual = tenant === undefined && address === undefined;
  return storeLargeValues(run, isUsual ? performed : { ...performed, tenant, address }, masked);
}

async function executeModule(run: TaskRun, execution: Execution, attempt: Attempt): Promise<Performed> {
  const { module } = run;
  return module.type === 'action'
    ? executeAction(run, module, execution, attempt)
    : executeResourceTask(run, module, execution, attempt);
}

async function attempted(run: TaskRun, scope: Variables, work: () => Promise<Performed>): Promise<Performed> {
  try {
    return await work();
  } catch (error) {
    return failedAttempt(run, error, scope);
  }
}

/** What becomes of a task that could not be carried out. @param scope with the item of a loop */
export async function failedAttempt(run: TaskRun, error: unknown, scope = run.scope()): Promise<Performed> {
  if (error instanceof KnownAfterApply) {
    const result = later(run, error);
    if (result.status !== 'skipped') return { result };
    const open = async (): Promise<TaskSession> => openTaskSession(run, findDelegate(run, scope), scope);
    await (await loadPlanning(run))?.keepOpen(run, scope, open);
    return { result };
  }
  const interrupted = interruptedBecause(error, run.context.run.control.stopSignals);
  const result = interrupted ?? failedBecause(error, run.module.name);
  return error instanceof TimeOver ? { result, timedOut: true } : { result };
}

/** Loaded for plans only. */
async function loadPlanning({ context: { run } }: TaskRun) {
  return run.input.record.plan === undefined && run.followed === undefined ? undefined : import('./plan/planning.js');
}
