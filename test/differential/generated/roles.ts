import { ITEMS, VARIABLES } from './condition.js';
import type { Entry, Scene, Written } from './scene.js';
import { steps } from './steps.js';
import { common, handlerTask, lastHandler, tagged } from './task.js';

/** Writes the files of a few roles; a later one may depend on earlier ones. */
export function roles(scene: Scene): readonly string[] {
  const { random } = scene;
  return ['r_one', 'r_two', 'r_three'].slice(0, 1 + random.below(3)).map((name, index, all) => {
    role({ ...scene, roles: [], folder: `roles/${name}/tasks/`, sheltered: true, depth: 1 }, name, all.slice(0, index));
    return name;
  });
}

function role(scene: Scene, name: string, earlier: readonly string[]): void {
  const { random, files } = scene;
  const handler = `${name} handler`;
  const own = { ...scene, handlers: [handler] };
  files[`roles/${name}/tasks/main.yml`] = steps(own, 1, 3);
  files[`roles/${name}/handlers/main.yml`] = [{ ...handlerTask(scene, []), name: handler }, lastHandler(name)];
  if (random.percent(40)) files[`roles/${name}/defaults/main.yml`] = values(scene, `${name} default`);
  if (random.percent(25)) files[`roles/${name}/vars/main.yml`] = values(scene, `${name} variable`);
  const dependencies =
    earlier.length > 0 && random.percent(50) ? random.some(earlier).map((one) => call(scene, one)) : [];
  const repeated = random.percent(20) ? { allow_duplicates: true } : {};
  files[`roles/${name}/meta/main.yml`] = { dependencies, ...repeated };
}

function values({ random }: Scene, value: string): Entry {
  return { [random.pick(VARIABLES)]: value };
}

/** An entry of `roles:`. */
export function call(scene: Scene, role: string): Written {
  const { random } = scene;
  if (random.percent(40)) return role;
  const parameter = random.percent(30) ? { [random.pick(VARIABLES)]: random.pick(ITEMS) } : {};
  return { role, ...parameter, ...common(scene), ...tagged(scene) };
}
