import type { Event } from '../../core/model/run/event.js';
import { Diagnostics, type Diagnostic, type LoadError } from '../../core/model/source/diagnostic.js';
import { groupBy } from '../../core/model/values/groups.js';
import { unknownController } from '../../engine/controllers/controller_connections.js';
import { adjacentLayers } from '../../engine/controllers/play_variables.js';
import type { TypedCredentials, RunUser } from '../../engine/input/run_input.js';
import type { UnsettledWrites } from '../../engine/input/unsettled_writes.js';
import type { Owners } from '../../engine/preflight/addresses.js';
import { encryptedValues } from '../../project/vault/open_vault.js';
import { newRunId, nextRunId } from '../../record/journal/disk/run_folders.js';
import type { LoadedRun } from '../load/load_run.js';
import type { Objection, RunPorts, User } from '../load/ports.js';
import { stateFolder, type PreparedRun } from '../load/prepared_run.js';
import { selectedControllers, type SelectedPlay } from '../load/selection.js';
import { findDelegates, findWrites, type PossibleWrites } from '../load/writes.js';
import { lockControllers, type RunLock } from '../lock/lock_controllers.js';
import { TakenOver } from '../lock/lock_places.js';
import type { Refused } from '../request/run_request.js';
import { preflightErrors } from './preflight.js';

/** Why a run must not start. No controller was contacted. */
export type NotPermitted =
  | Refused
  /** `advice`: how to run without the controllers that have errors. */
  | {
      readonly status: 'preflight-failed';
      readonly diagnostics: readonly Diagnostic[];
      readonly advice: string | undefined;
    }
  | Objection;

/** Checks the run, asks the user's questions, and locks the controllers. */
export async function obtainPermission(
  run: PreparedRun,
  ports: RunPorts,
): Promise<NotPermitted | { readonly status: 'granted'; readonly permission: Permission }> {
  const { loaded, request, journalOptions } = run;
  const { kept, unsettled = [] } = journalOptions;
  const { errors, warnings, advice, owners } = await preflightErrors(run, ports);
  ports.report.warnings(warnings, ports.cwd);
  if (errors.length > 0) {
    // A resumed run keeps its controllers.
    const help = kept === undefined ? advice : undefined;
    return { status: 'preflight-failed', diagnostics: errors, advice: help };
  }
  const objection = run.confirmed === true ? undefined : await objectionTo(run, ports.user);
  if (objection !== undefined) return objection;
  const { secrets } = loaded.target;
  const credentials = await askCredentials(request, ports);
  if (credentials === undefined) return { status: 'declined', message: NO_PASSWORD };
  if (credentials.password !== undefined) secrets.add(credentials.password);
  const diagnostics = new Diagnostics();
  await decryptAhead(loaded, run.selected, diagnostics);
  ports.report.warnings(diagnostics.list, ports.cwd);
  const state = stateFolder(run);
  const id = kept?.header.id ?? (state === undefined ? newRunId() : await nextRunId(state));
  const takenOver = new TakenOver();
  if (request.simulate !== true) takenOver.addWrites(id, kept?.unsettled() ?? unsettled);
  const { catalogue } = loaded;
  ports.signals.takeOver?.(catalogue.names.some((name) => catalogue.isProjectModule?.(name)));
  const answer = await lockControllers(run, id, ports, takenOver);
  if (answer.status === 'refused') return answer;
  if (answer.status === 'granted') {
    const permission = { id, lock: answer.lock, unsettled: takenOver.writes, credentials, owners };
    return { status: 'granted', permission };
  }
  const waiting = { run: id, controllers: selectedControllers(run.selected) };
  return { status: 'interrupted', message: 'interrupted: nothing was contacted', waiting };
}

const NO_PASSWORD = '-k needs a password from the terminal, and none was entered; nothing was contacted';

/** The credentials of `-u` and `-k`; undefined if no password was entered. */
async function askCredentials(
  { user: name, askPass }: PreparedRun['request'],
  { user }: Pick<RunPorts, 'user'>,
): Promise<TypedCredentials | undefined> {
  const username = name === undefined ? {} : { username: name };
  if (askPass !== true) return username;
  const password = await user.askSecret('Controller password: ');
  // An empty one would only count as a failed sign-in.
  return password === undefined || password === '' ? undefined : { ...username, password };
}

/** Why the environment refuses this run; undefined if it does not. Asks if the environment has `confirm`. */
async function objectionTo(
  { loaded, selected, request, label }: PreparedRun,
  user: Pick<User, 'confirm'>,
): Promise<Objection | undefined> {
  const { environment } = loaded.target;
  if (environment === undefined) return undefined;
  const writes = await findWrites(loaded, request);
  if (writes.type === 'none') return undefined;
  const refusal = request.command.type === 'apply' ? undefined : planRefusal(loaded, writes);
  if (refusal !== undefined) return { status: 'declined', message: refusal };
  if (!environment.confirm || request.yes === true) return undefined;
  const controllers = selectedControllers(selected);
  const delegates = await findDelegates(selected, loaded.target.inventory);
  return user.confirm({ environment: environment.name, label, controllers, delegates });
}

/** `require_plan`: only a plan may write. */
function planRefusal({ target: { environment } }: LoadedRun, writes: PossibleWrites): string | undefined {
  if (environment?.requirePlan !== true || writes.type === 'none') return undefined;
  const only = `${environment.name} accepts changes only from a plan (require_plan)`;
  return writes.type === 'unknown'
    ? `${only}, and what is included at ${writes.place} is known only during the run: it might write even in a check`
    : `${only}: make one with "evenkeel plan … --out FILE", then "evenkeel apply FILE"`;
}

/** Maximum number of values, because each takes milliseconds. Further values are decrypted on first use. */
const MOST_DECRYPTED_AT_ONCE = 32;

/**
 * Decrypts values of the selected controllers before the run. Reports what cannot be decrypted as a warning: as in
 * Ansible, only a task that uses it fails.
 */
async function decryptAhead(
  { target, playbooks }: LoadedRun,
  selected: readonly SelectedPlay[],
  diagnostics: Diagnostics,
): Promise<void> {
  if (!target.vault.hasValues) return;
  const plays = playbooks.flatMap((playbook) => playbook.plays);
  const layers = new Set([...target.extraVars, ...plays.flatMap((play) => play.layers)]);
  for (const name of selectedControllers(selected)) {
    const controller = target.inventory.controllers.get(name) ?? unknownController(name);
    const adjacent = plays.flatMap((play) => adjacentLayers(controller, play));
    for (const layer of [...controller.layers, ...adjacent]) layers.add(layer);
  }
  warnAbout(await target.vault.unlock(encryptedValues(layers).slice(0, MOST_DECRYPTED_AT_ONCE)), diagnostics);
}

/** Reports one warning per reason, at the position of the first value. */
function warnAbout(failures: readonly LoadError[], diagnostics: Diagnostics): void {
  for (const [message, [{ source, hint }, ...others]] of groupBy(failures, (error) => error.message)) {
    const count = others.length === 0 ? '' : ` (${others.length + 1} values in all)`;
    diagnostics.warn(`${message}${count}; tasks that use it will fail`, source, hint);
  }
}

/** What a run must obtain before it starts. */
export interface Permission {
  readonly id: string;
  /** Released by its owner. */
  readonly lock: RunLock;
  /** Writes of earlier runs whose outcome is unknown. Absent: there are none. */
  readonly unsettled?: UnsettledWrites | undefined;
  readonly credentials: TypedCredentials;
  readonly owners: Owners;
}

/** The ports that a permitted run needs. */
export interface ExecutePorts
  extends Pick<RunPorts, 'cwd' | 'env' | 'version' | 'caller' | 'signals' | 'meter'>, RunUser {
  /** Each event as it happens. */
  readonly emit: (event: Event) => void;
}
