import type { Case } from '../rig/cases.js';
import { ITEMS } from './condition.js';
import { deeper, type Entry, type Scene } from './scene.js';
import { steps } from './steps.js';
import { common, named, tagged, variables } from './task.js';

/** `include_tasks`: of one file, of one for each controller, in a loop; with `apply`. */
export function included(scene: Scene): Entry {
  const { random } = scene;
  const name = named(scene, 'include');
  const keywords = { ...common(scene), ...(random.percent(30) && { loop: random.some(ITEMS) }) };
  const file = random.percent(70) ? newFile(scene) : filesByGroup(scene);
  const apply = random.percent(25) ? { apply: applied(scene) } : {};
  return { ...name, include_tasks: { file, ...apply }, ...keywords };
}

function applied(scene: Scene): Entry {
  const { random } = scene;
  return { ...variables(scene, 50), ...tagged(scene), ...(random.percent(20) && { ignore_errors: true }) };
}

export function importedTasks(scene: Scene): Entry {
  return { ...named(scene, 'import'), import_tasks: newFile(scene), ...common(scene) };
}

/**
 * `include_role` or `import_role`; a role does not call another in its tasks, so that none calls itself. Not both, and without
 * `apply`: with Ansible a role's handlers are the same ones wherever the role is called, with the keywords of the latest call; with
 * us each call has its own.
 */
export function calledRole(scene: Scene): Entry {
  const { random, roles, features } = scene;
  const name = random.pick(roles) ?? '';
  const called = named(scene, 'role');
  if (features.importedRoles) return { ...called, import_role: { name }, ...common(scene) };
  return { ...called, include_role: { name }, ...common(scene) };
}

function newFile(scene: Scene): string {
  const file = `tasks${scene.next()}.yml`;
  scene.files[`${scene.folder}${file}`] = steps(scene, 1, 2);
  return file;
}

/** One for the group `a`, another for all others. */
function filesByGroup(scene: Scene): string {
  const number = scene.next();
  for (const group of ['a', 'other'])
    scene.files[`${scene.folder}${group}${number}.yml`] = steps({ ...deeper(scene), templated: true }, 1, 2);
  return `${BY_GROUP}${number}.yml`;
}

const BY_GROUP = "{{ 'a' if 'a' in group_names else 'other' }}";

export function hasFilesByGroup({ playbook, files = {} }: Case): boolean {
  return [playbook, ...Object.values(files)].some((text) => text.includes(BY_GROUP));
}
