import type { Event } from '../../core/model/run/event.js';
import { Diagnostics, type Diagnostic, type LoadError } from '../../core/model/source/diagnostic.js';
import { groupBy } from '../../core/model/values/groups.js';
import { unknownController } from '../../engine/controllers/controller_connections.js';
import { adjacentLayers } from '../../engine/controllers/play_variables.js';
import type { TypedCredentials, RunUser } from '../../engine/input/run_input.js';
import type { UnsettledWrites } from '../../engine/input/unsettled_writes.js';
import type { Owners } from '../../engine/preflight/addresses.js';
import { encryptedValues } from '../../project/vault/vault.js';
import { newRunId, nextRunId } from '../../record/journal/format/run_folders.js';
import type { LoadedRun } from '../load/load_run.js';
import type { Objection, RunPorts } from '../load/ports.js';
import { stateFolder, type PreparedRun, selectedControllers, type SelectedPlay } from '../load/prepared_run.js';
import { lockControllers, type RunLock } from '../lock/lock_controllers.js';
import { TakenOver } from '../lock/locked_names.js';
import type { Refused } from '../request/run_request.js';
import type { EnvironmentAnswer } from './environment_rules.js';
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
  const { kept } = journalOptions;
  const { errors, warnings, advice, owners } = await preflightErrors(run, ports);
  ports.report.warnings(warnings, ports.cwd);
  if (errors.length > 0) {
    // A resumed run keeps its controllers.
    const help = kept === undefined ? advice : undefined;
    return { status: 'preflight-failed', diagnostics: errors, advice: help };
  }
  const answered = await askEnvironment(run, ports);
  if ('message' in answered) return answered;
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
  const { catalogue, rollback } = loaded;
  if (request.simulate !== true)
    takenOver.addWrites(id, [...(kept?.unsettled() ?? []), ...(rollback?.unsettled ?? [])]);
  ports.signals.takeOver?.(catalogue.names.some((name) => catalogue.isProjectModule?.(name)));
  const answer = await lockControllers(run, id, ports, takenOver);
  if (answer.status === 'refused') return answer;
  if (answer.status === 'granted') {
    const lock = { ...answer.lock, ...answered };
    return { status: 'granted', permission: { id, lock, unsettled: takenOver.writes, credentials, owners } };
  }
  const waiting = { run: id, controllers: selectedControllers(run.selected) };
  return { status: 'interrupted', message: 'interrupted: nothing was contacted', waiting };
}

/** Most projects have no environments. */
async function askEnvironment(run: PreparedRun, ports: RunPorts): Promise<EnvironmentAnswer> {
  if (run.confirmed === true || run.loaded.target.project.environments.size === 0) return {};
  return (await import('./environment_rules.js')).allowWrites(run, ports);
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
