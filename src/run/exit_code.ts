import type { RunFinished } from '../model/event.js';
import type { ControllerStatus } from './fleet/controller_state.js';

export type Ending = Pick<RunFinished, 'status' | 'exitCode'>;

/**
 * What a run comes to: 130 interrupted, 6 a gate ended the rollout, 2 a controller failed, 4 one could not be reached and none failed, 0 all is well. What
 * `clear_host_errors` forgave does not count, as in Ansible.
 */
export function endingOf(
  controllers: Iterable<ControllerStatus>,
  { interrupted, gated }: { readonly interrupted: boolean; readonly gated: boolean },
): Ending {
  if (interrupted) return { status: 'interrupted', exitCode: 130 };
  if (gated) return { status: 'failed', exitCode: 6 };
  const statuses = new Set(controllers);
  if (statuses.has('failed')) return { status: 'failed', exitCode: 2 };
  if (statuses.has('unreachable')) return { status: 'unreachable', exitCode: 4 };
  return { status: 'ok', exitCode: 0 };
}
