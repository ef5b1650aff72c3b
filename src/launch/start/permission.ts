import { Diagnostics, type Diagnostic } from '../../core/model/source/diagnostic.js';
import type { Credentials } from '../../engine/input/run_input.js';
import { newRunId, nextRunId } from '../../record/journal/disk/run_folders.js';
import { decryptAhead } from '../load/decrypt_ahead.js';
import type { LoadedRun } from '../load/load_run.js';
import type { Objection, RunPorts, User } from '../load/ports.js';
import { stateFolderOf, type PreparedRun } from '../load/prepared_run.js';
import { controllersOf } from '../load/selection.js';
import { writesOf, type Writes } from '../load/writes.js';
import { lockControllers } from '../lock/lock_controllers.js';
import { TakenOver } from '../lock/taken_over.js';
import type { Permission } from '../prepare/execute_ports.js';
import { preflightErrors } from './preflight.js';

/** Why a run must not start. No controller was contacted. */
export type NotPermitted =
  | { readonly status: 'refused'; readonly diagnostics: readonly Diagnostic[] }
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
  const { errors, advice } = await preflightErrors(run, ports);
  if (errors.length > 0) {
    // A resumed run keeps its controllers.
    const help = kept === undefined ? advice : undefined;
    return { status: 'preflight-failed', diagnostics: errors, advice: help };
  }
  const objection = run.confirmed === true ? undefined : await objectionTo(run, ports.user);
  if (objection !== undefined) return objection;
  const { secrets } = loaded.target;
  const credentials = await credentialsOf(request, ports);
  if (credentials === undefined) return { status: 'declined', message: NO_PASSWORD };
  if (credentials.password !== undefined) secrets.add(credentials.password);
  const diagnostics = new Diagnostics();
  await decryptAhead(loaded, run.selected, diagnostics);
  ports.report.warnings(diagnostics.list, ports.cwd);
  const state = stateFolderOf(run);
  const id = kept?.header.id ?? (state === undefined ? newRunId() : await nextRunId(state));
  const takenOver = new TakenOver();
  if (request.simulate !== true) takenOver.addOf(id, kept?.unsettled() ?? unsettled);
  ports.signals.takeOver?.();
  const answer = await lockControllers(run, id, ports, takenOver);
  switch (answer.status) {
    case 'granted':
      return { status: 'granted', permission: { id, lock: answer.lock, unsettled: takenOver.writes, credentials } };
    case 'interrupted':
      return {
        status: 'interrupted',
        message: 'interrupted: nothing was contacted',
        waiting: { run: id, controllers: controllersOf(run.selected) },
      };
    case 'refused':
      return answer;
    default:
      return answer satisfies never;
  }
}

const NO_PASSWORD = '-k needs a password from the terminal, and none was entered; nothing was contacted';

/** The credentials of `-u` and `-k`; undefined if no password was entered. */
async function credentialsOf(
  { user: name, askPass }: PreparedRun['request'],
  { user }: Pick<RunPorts, 'user'>,
): Promise<Credentials | undefined> {
  const username = name === undefined ? {} : { username: name };
  if (askPass !== true) return username;
  const password = await user.askSecret('Controller password: ');
  return password === undefined ? undefined : { ...username, password };
}

/** Why the environment refuses this run; undefined if it does not. Asks if the environment has `confirm`. */
async function objectionTo(
  { loaded, selected, request, label }: PreparedRun,
  user: Pick<User, 'confirm'>,
): Promise<Objection | undefined> {
  const { environment } = loaded.target;
  if (environment === undefined) return undefined;
  const writes = await writesOf(loaded, request);
  if (writes.type === 'none') return undefined;
  const refusal = request.command.type === 'apply' ? undefined : planRefusal(loaded, writes);
  if (refusal !== undefined) return { status: 'declined', message: refusal };
  if (!environment.confirm || request.yes === true) return undefined;
  return user.confirm({ environment: environment.name, label, controllers: controllersOf(selected) });
}

/** `require_plan`: only a plan may write. */
function planRefusal({ target: { environment } }: LoadedRun, writes: Writes): string | undefined {
  if (environment?.requirePlan !== true || writes.type === 'none') return undefined;
  const only = `${environment.name} accepts changes only from a plan (require_plan)`;
  return writes.type === 'unknown'
    ? `${only}, and what is included at ${writes.place} is known only during the run: it might write even in a check`
    : `${only}: make one with "evenkeel plan … --out FILE", then "evenkeel apply FILE"`;
}
