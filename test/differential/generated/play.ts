import { HOSTS } from './condition.js';
import { call } from './roles.js';
import type { Entry, Scene, Written } from './scene.js';
import { steps } from './steps.js';
import { handlerTask, lastHandler, tagged, variables } from './task.js';

export function play(outer: Scene): Entry {
  const { random, roles, features } = outer;
  const count = random.below(4);
  const scene = { ...outer, handlers: [...handlerNames(count), ...(count > 0 ? TOPICS : [])] };
  const own = settings(scene);
  const tasks = steps(scene, 1, 4);
  const called =
    features.roles && random.percent(60) ? random.several(1, 3, () => call(scene, random.pick(roles) ?? '')) : [];
  return forgiving(scene, tasks, {
    name: `play ${scene.next()}`,
    hosts: hosts(scene),
    ...own,
    ...(random.percent(25) && { pre_tasks: steps(scene, 1, 2) }),
    ...(called.length > 0 && { roles: called }),
    tasks,
    ...(random.percent(25) && { post_tasks: steps(scene, 1, 2) }),
    ...(count > 0 && { handlers: handlers(scene, count) }),
  });
}

function hosts({ random }: Scene): string {
  return random.weighted<string>([
    [2, () => 'all'],
    [3, () => random.pick(['a', 'b'])],
    [3, () => random.some(HOSTS).join(',')],
  ]);
}

/**
 * With `clear_host_errors` in between, if the play has only tasks: with Ansible, a controller that failed in a block, an include or a role,
 * or whose handlers are forced, then continues in the middle of the play.
 */
function forgiving({ random, features }: Scene, tasks: readonly Entry[], whole: Entry): Entry {
  if (!features.endings || random.percent(50) || !isFlat(tasks, whole)) return whole;
  return { ...whole, tasks: tasks.toSpliced(random.below(tasks.length + 1), 0, { meta: 'clear_host_errors' }) };
}

function isFlat(tasks: readonly Entry[], whole: Entry): boolean {
  if (['force_handlers', 'pre_tasks', 'roles', 'post_tasks'].some((key) => key in whole)) return false;
  const nests = ['block', 'include_tasks', 'import_tasks', 'include_role', 'import_role'];
  return tasks.every((one) => nests.every((key) => !(key in one)));
}

/** Without `run_once` where handlers are forced: for an `always` it is as `any_errors_fatal`, of which ours cleans up. */
function settings(scene: Scene): Entry {
  const { random, features } = scene;
  const serial = random.pick<Written>([1, 2, '50%', [1, 2]]);
  return {
    ...(!features.once && random.percent(20) && { force_handlers: true }),
    ...(features.serial && random.percent(40) && { serial }),
    ...(random.percent(5) && { ignore_errors: true }),
    ...variables(scene, 30),
    ...tagged({ ...scene, features: { ...features, tags: features.tags && random.percent(20) } }),
  };
}

const TOPICS = ['topic'];
const handlerNames = (count: number): readonly string[] => ['k1', 'k2', 'k3'].slice(0, count);

/**
 * Each notifies only those after it: one that a later one notifies in the last flush of a play runs with us, and Ansible drops
 * it.
 */
function handlers(scene: Scene, count: number): readonly Entry[] {
  const names = handlerNames(count);
  const all = names.map((name, index) => {
    const later = names.slice(index + 1);
    const listen = index === 0 || scene.random.percent(40) ? { listen: TOPICS } : {};
    return { ...handlerTask(scene, later), name, ...listen };
  });
  return [...all, lastHandler('play')];
}
