import type { PlannedStep } from '../../../core/model/run/plan.js';
import type { TaskRun } from '../../context/task_run.js';
import type { Connection } from '../../controllers/session_pool.js';
import type { TaskSession } from '../../controllers/task_session.js';
import { failed, type FailedResult } from '../../keywords/failed_result.js';
import { plannedConnection, whyElsewhere } from '../../resource/planned_connection.js';

/**
 * A task that the plan could not decide writes only where the plan says. If it does not say where: on its own controller, or where other
 * tasks of the plan for its host act.
 *
 * @param deletes it deletes only on its own controller then: the plan does not show what it deletes
 */
export function movedOpen(
  run: TaskRun,
  session: TaskSession,
  connection: Connection | undefined,
  { decided }: PlannedStep,
  deletes: boolean,
): FailedResult | undefined {
  const { followed } = run.context.run;
  if (followed === undefined || connection === undefined || decided.type !== 'in place') return undefined;
  const { guide } = followed;
  const { settings } = connection;
  const what = run.stepJournal?.written === undefined ? 'is written' : 'more is written';
  if (decided.connection !== undefined) {
    const moved = decided.open === true ? whyElsewhere(guide, settings, decided.connection, 'address') : undefined;
    return moved === undefined ? undefined : goesElsewhere(moved, what);
  }
  if (!session.isDelegated && !connection.isElsewhere) return undefined;
  const { address } = plannedConnection((value) => guide.digest(value), settings);
  const there = guide.connections(settings.controller).filter((known) => known.address === address);
  const isThere = ({ decided: other }: PlannedStep): boolean =>
    other.type !== 'skipped' && there.some(({ id }) => id === other.connection);
  if (!deletes && guide.steps(run.state.name).some(isThere)) return undefined;
  const would = deletes ? 'delete' : 'write';
  const target = session.isDelegated ? settings.controller : address;
  return goesElsewhere(`the task would ${would} on ${target}, and the plan does not show that it acts there`, what);
}

/** @param what is not done there: it may have been read */
export function goesElsewhere(moved: string, what: 'is sent' | 'is written' | 'more is written'): FailedResult {
  return failed(`stale: ${moved}; nothing ${what} to it`, { hint: 'make a new plan', stale: true });
}
