import type { LoadedRun } from '../load/load_run.js';
import type { Objection, User } from '../load/ports.js';
import { controllersOf } from '../load/selection.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { writesOf, type Writes } from '../load/writes.js';

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

/** `require_plan`: only a plan may write. */
function planRefusal({ target: { environment } }: LoadedRun, writes: Writes): string | undefined {
  if (environment?.requirePlan !== true || writes.type === 'none') return undefined;
  const only = `${environment.name} accepts changes only from a plan (require_plan)`;
  return writes.type === 'unknown'
    ? `${only}, and what is included at ${writes.place} is known only during the run: it might write even in a check`
    : `${only}: make one with "evenkeel plan … --out FILE", then "evenkeel apply FILE"`;
}
