import type { PastWrite } from '../../core/model/run/past.js';
import { errorMessage } from '../../core/model/source/diagnostic.js';
import { sum } from '../../core/model/values/json.js';
import { entriesUnread, isLarge, joined, measureSize, StoredValue, storing } from '../../core/model/values/stored.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import { forEachSecret } from '../../core/secrets/values.js';
import type { Performed, TaskRun } from '../context/task_run.js';
import { NO_VARIABLES } from '../controllers/controller_state.js';
import type { Connection } from '../controllers/session_pool.js';
import type { TaskSession } from '../controllers/task_session.js';
import { WriteRecorder } from '../journal/write_recorder.js';
import { failedBecause, TaskProblem } from '../keywords/failed_result.js';

/** Records the writes of the task; undefined if nothing is recorded. */
export async function openWriteRecorder(
  run: TaskRun,
  session: TaskSession,
  masked: boolean,
): Promise<WriteRecorder | undefined> {
  const { stepJournal, context, task, title } = run;
  if (stepJournal?.journal === undefined) return undefined;
  const connected = await session.connection();
  // Then nothing can be sent, either.
  if (connected === undefined) return undefined;
  const { reached, written: connection, settings } = connected;
  const { tenant } = settings;
  const about = {
    target: session.target,
    reached,
    play: context.play.name,
    task: title,
    module: task.module,
    source: task.source,
    ...(tenant !== undefined && { tenant }),
    ...(connection !== undefined && { connection }),
    ...(masked && { hidden: true }),
  };
  return new WriteRecorder(stepJournal.journal, stepJournal.ref, about, (change, outcome) => {
    stepJournal.unconfirmed = outcome === 'unknown' ? change : undefined;
    if (outcome === 'applied') stepJournal.written = change;
  });
}

/** An interrupted write can only be resolved on the controller to which it was sent. */
export async function requireSameConnection(before: readonly PastWrite[], session: TaskSession): Promise<void> {
  const now = await session.connection();
  requireSameTenant(before, now);
  const other = before.find(({ intent }) => intent.reached.account !== now?.reached.account);
  if (other === undefined || now === undefined) return;
  const { method, path, reached } = other.intent;
  const { url } = now.reached;
  const as = reached.url === url ? ' as another user or with other headers' : '';
  const message = `${method} ${path} was sent to ${reached.url} before the run was cut off, but this task now connects to ${url}${as}`;
  const hint = 'restore the connection variables; or check the controller, then do the rest with a separate playbook';
  throw new TaskProblem(message, undefined, hint);
}

function requireSameTenant(before: readonly PastWrite[], now: Connection | undefined): void {
  const other = before.find(({ intent }) => intent.tenant !== now?.settings.tenant);
  if (other === undefined || now === undefined) return;
  const { method, path, tenant } = other.intent;
  const message = `${method} ${path} was sent ${inWords(tenant)} before the run was cut off, but this task now acts ${inWords(now.settings.tenant)}`;
  const hint = 'restore controller_tenant; or check the controller, then do the rest with a separate playbook';
  throw new TaskProblem(message, undefined, hint);
}

function inWords(tenant: string | undefined): string {
  return tenant === undefined ? 'without a tenant' : `in tenant "${tenant}"`;
}

/** A controller may have as many values of the largest size. */
const MOST_FULL = 4;

/**
 * Moves large values of a result into files before anything else refers to them. Fails a task that leaves more than
 * `max_registered` allows.
 */
export async function storeLargeValues(run: TaskRun, performed: Performed, masked: boolean): Promise<Performed> {
  const { result, keptVariables } = performed;
  const isKept = run.task.register !== undefined;
  const values = isKept ? result.values : {};
  const facts = keptVariables?.values ?? {};
  if (!isLarge(values) && !isLarge(facts)) return performed;
  run.context.run.secrets.learnResult(result, masked);
  try {
    requireRoom(run, [values, facts]);
    if (!masked) keepSecrets(run, [values, facts]);
    const aside = await stored(run, values);
    const factsAside = await stored(run, facts);
    const cached = await stored(run, keptVariables?.facts ?? {});
    return {
      ...performed,
      ...(isKept && { result: { ...result, values: aside } }),
      ...(keptVariables !== undefined && { keptVariables: { ...keptVariables, values: factsAside, facts: cached } }),
    };
  } catch (error) {
    const values = { changed: result.status === 'changed' || result.values['changed'] === true };
    // The reason why a task was not completed matters more than the size of its result. An interrupted task runs again.
    if (result.status !== 'ok' && result.status !== 'changed')
      return { ...performed, result: { ...result, values }, keptVariables: NO_VARIABLES };
    const { failure } = failedBecause(error, run.module.name);
    const { change } = result;
    return { ...performed, result: { status: 'failed', values, failure, change }, keptVariables: NO_VARIABLES };
  }
}

/** @throws TaskProblem that says what to do */
function requireRoom({ state, task, context }: TaskRun, left: readonly Mapping[]): void {
  const { maxRegistered: most = Infinity } = context.run.input.settings;
  const sizes = left.flatMap((values) => entriesUnread(values).map(([, value]) => measureSize(value)));
  const largest = sizes.reduce((most, one) => Math.max(most, one), 0);
  const hint = `ask for less, such as query: {fields: "name,uuid"}; or set max_registered (--max-registered, EVENKEEL_MAX_REGISTERED)`;
  if (task.loop === undefined && largest > most) {
    const message = `the result is ${mebibytes(largest)}, more than the limit of ${mebibytes(most)}`;
    throw new TaskProblem(message, task.source, hint);
  }
  const replaced = new Set([task.register, ...Object.keys(left[1] ?? {})]);
  const before = entriesUnread(state.taskVariables).filter(([name]) => !replaced.has(name));
  const all = sum([...sizes, ...before.map(([, value]) => measureSize(value))]);
  if (all <= MOST_FULL * most) return;
  const message = `the registered values and facts of ${state.name} would take ${mebibytes(all)}, more than the limit of ${mebibytes(MOST_FULL * most)}`;
  throw new TaskProblem(message, task.source, hint);
}

/** The values, with large entries in files. */
async function stored(run: TaskRun, values: Mapping): Promise<Mapping> {
  const { store } = run.context.run.input.record.journal ?? {};
  if (store === undefined || !isLarge(values)) return values;
  const entries: (readonly [string, Value | StoredValue])[] = [];
  for (const [name, value] of entriesUnread(values)) {
    const isAside = value instanceof StoredValue || !isLarge(value);
    entries.push([name, isAside ? value : await storeOr(store, value)]);
  }
  return joined(storing(entries), {});
}

async function storeOr(store: (value: Value) => Promise<StoredValue>, value: Value): Promise<StoredValue> {
  try {
    return await store(value);
  } catch (error) {
    const hint = 'free disk space, or restore the state folder, then resume the run';
    throw new TaskProblem(errorMessage(error), undefined, hint);
  }
}

/** The secrets in it are kept with the step: a resume must know them without reading the files. */
function keepSecrets({ stepJournal }: TaskRun, values: Value): void {
  if (stepJournal === undefined) return;
  const secrets = new Set<string>();
  forEachSecret(values, false, (text) => secrets.add(text));
  stepJournal.addSecrets(secrets);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1).replace(/\.0$/, '')} MiB`;
}
