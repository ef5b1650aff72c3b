import type { LoadedRun } from '../load/load_run.js';
import type { Objection, User } from '../load/ports.js';
import { controllersOf } from '../load/selection.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { writesInCheck, type WritesInCheck } from '../load/writes_in_check.js';

type WriteOptions = Pick<PreparedRun['request'], 'check' | 'readOnly' | 'simulate' | 'yes'>;

/** Why the environment does not let this run begin; undefined if it does. Asks where the environment has `confirm`. */
export async function objectionTo(
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

/** Whether a run may write to a controller, as far as that is known before it. */
export async function mayWrite(loaded: LoadedRun, request: WriteOptions): Promise<boolean> {
  return (await writesOf(loaded, request)).type !== 'none';
}

/** `require_plan`: only a plan may write. */
function planRefusal({ target: { environment } }: LoadedRun, writes: WritesInCheck): string | undefined {
  if (environment?.requirePlan !== true || writes.type === 'none') return undefined;
  const only = `${environment.name} accepts changes only from a plan (require_plan)`;
  return writes.type === 'unknown'
    ? `${only}, and what is included at ${writes.place} is known only during the run: it might write even in a check`
    : `${only}: make one with "evenkeel plan … --out FILE", then "evenkeel apply FILE"`;
}

/** A simulation touches no controller. */
async function writesOf({ playbooks }: LoadedRun, { check, readOnly, simulate }: WriteOptions): Promise<WritesInCheck> {
  if (simulate === true || readOnly === true) return { type: 'none' };
  return check === true ? writesInCheck(playbooks) : { type: 'task' };
}
