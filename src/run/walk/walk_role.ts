import type { RoleRun } from '../../model/playbook/step.js';
import type { Frame } from './frame.js';
import type { StepEnd } from './step_end.js';
import type { Walker } from './walker.js';

/**
 * A role: once for each controller and play, unless it may be repeated. One of which every task was skipped has not run, as in
 * Ansible.
 */
export async function walkRole(walk: Walker, role: RoleRun, frame: Frame): Promise<StepEnd> {
  if (!role.repeatable && walk.completedRoles.has(role.key)) return 'completed';
  const before = walk.performed;
  const end = await walk.steps(role.steps, frame);
  if (walk.performed > before) walk.completedRoles.add(role.key);
  return end;
}
