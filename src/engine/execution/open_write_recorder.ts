import { controllerIdentity } from '../../core/model/inventory/route.js';
import type { PastWrite } from '../../core/model/run/past.js';
import type { TaskRun } from '../context/task_run.js';
import type { Connection } from '../controllers/connection.js';
import type { TaskSession } from '../controllers/task_session.js';
import { WriteRecorder } from '../journal/write_recorder.js';
import { TaskProblem } from '../keywords/failed_result.js';

/** Records the writes of the task; undefined if nothing is recorded. */
export async function openWriteRecorder(
  run: TaskRun,
  session: TaskSession,
  masked: boolean,
): Promise<WriteRecorder | undefined> {
  const { stepJournal, context, task, title } = run;
  if (stepJournal?.journal === undefined) return undefined;
  const connected = await session.connection();
  const connection = connected?.written;
  const tenant = connected?.settings.tenant;
  const about = {
    target: session.target,
    play: context.play.name,
    task: title,
    module: task.module,
    source: task.source,
    ...(tenant !== undefined && { tenant }),
    ...(connection !== undefined && { connection }),
    ...(masked && { hidden: true }),
  };
  return new WriteRecorder(stepJournal.journal, stepJournal.ref, about, (change) => {
    stepJournal.unconfirmed = change;
  });
}

/** An interrupted write can only be resolved on the controller to which it was sent. */
export async function requireSameConnection(before: readonly PastWrite[], session: TaskSession): Promise<void> {
  const now = await session.connection();
  requireSameTenant(before, now);
  const other = before.find(({ intent }) => intent.connection?.id !== now?.written?.id);
  if (other === undefined || now === undefined) return;
  const { method, path, connection } = other.intent;
  const identity = controllerIdentity(now.settings);
  const as = connection?.url === identity ? ' as another user or with other headers' : '';
  throw new TaskProblem(
    `${method} ${path} was sent to ${connection?.url ?? session.target} before the run was cut off, but this task now connects to ${identity}${as}`,
    undefined,
    'restore the connection variables; or check the controller, then do the rest with a separate playbook',
  );
}

function requireSameTenant(before: readonly PastWrite[], now: Connection | undefined): void {
  const other = before.find(({ intent }) => intent.tenant !== now?.settings.tenant);
  if (other === undefined || now === undefined) return;
  const { method, path, tenant } = other.intent;
  throw new TaskProblem(
    `${method} ${path} was sent ${inWords(tenant)} before the run was cut off, but this task now acts ${inWords(now.settings.tenant)}`,
    undefined,
    'restore controller_tenant; or check the controller, then do the rest with a separate playbook',
  );
}

function inWords(tenant: string | undefined): string {
  return tenant === undefined ? 'without a tenant' : `in tenant "${tenant}"`;
}
