import type { PlannedStep } from '../../../core/model/run/plan.js';
import type { TaskRun } from '../../context/task_run.js';
import type { TaskSession } from '../../controllers/task_session.js';
import { failed, type FailedResult } from '../../keywords/failed_result.js';
import { movedSince, plannedConnection } from '../../resource/planned_connection.js';

/**
 * A run that makes a plan records how a task reaches its controller. A run that follows one refuses another way before
 * it sends anything there. A task that the plan could not decide may act in another tenant, but at no other address.
 */
export async function requirePlannedConnection(
  run: TaskRun,
  session: TaskSession,
  planned: PlannedStep | undefined,
): Promise<FailedResult | undefined> {
  const { plan } = run.context.run.input.record;
  const settings = plan && (await session.connection())?.settings;
  if (plan === undefined || settings === undefined) return undefined;
  if (plan.type === 'make') {
    plan.reached(
      settings.controller,
      plannedConnection((value) => plan.digest(value), settings),
    );
    return undefined;
  }
  const isOpen = planned?.decided.type === 'in place' && planned.decided.open === true;
  const moved = movedSince(plan, settings, isOpen ? 'address' : 'all');
  if (moved === undefined) return undefined;
  return failed(`stale: ${moved.message}; nothing is sent to it`, { hint: 'make a new plan', stale: true });
}
