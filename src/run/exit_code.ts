import { EXIT } from '../model/exit_code.js';
import type { RunFinished } from '../model/run/event.js';
import type { ControllerStatus } from './controllers/controller_state.js';

export type Ending = Pick<RunFinished, 'status' | 'exitCode'>;

/** Why a run may have ended before all was done. */
interface Ended {
  readonly interrupted: boolean;
  /** By a gate. */
  readonly gated: boolean;
  /** It could not be kept any more. Absent: it could. */
  readonly broken?: boolean;
}

/**
 * The exit code of a run: 130 interrupted, 6 a gate stopped the rollout, 2 a controller failed or the journal could not be written, 4 a
 * controller was unreachable and none failed, 0 success. Failures that `clear_host_errors` cleared do not count, as in Ansible.
 */
export function endingOf(
  controllers: Iterable<ControllerStatus>,
  { interrupted, gated, broken = false }: Ended,
): Ending {
  if (interrupted) return { status: 'interrupted', exitCode: EXIT.interrupted };
  if (gated) return { status: 'failed', exitCode: EXIT.gated };
  const statuses = new Set(controllers);
  if (statuses.has('failed')) return { status: 'failed', exitCode: EXIT.failed };
  if (statuses.has('unreachable')) return { status: 'unreachable', exitCode: EXIT.unreachable };
  if (broken) return { status: 'failed', exitCode: EXIT.failed };
  return { status: 'ok', exitCode: EXIT.ok };
}
