import { byHost, condition } from './condition.js';
import { calledRole, importedTasks, included } from './includes.js';
import { deeper, type Entry, type Scene } from './scene.js';
import { common, named, task } from './task.js';

export function steps(scene: Scene, least: number, most: number): Entry[] {
  return scene.random.several(least, most, () => step(scene));
}

function step(scene: Scene): Entry {
  const { random, features, depth, roles, templated } = scene;
  const nests = depth > 0 ? 1 : 0;
  return random.weighted<Entry>([
    [14, () => task(scene)],
    [5 * nests, () => block(deeper(scene))],
    [2, () => meta(scene)],
    [features.includes ? 3 * nests : 0, () => included(deeper(scene))],
    // Ansible refuses an import in a file whose name is a template that needs a controller.
    [features.includes && !templated ? nests : 0, () => importedTasks(deeper(scene))],
    [features.roles && roles.length > 0 ? 2 * nests : 0, () => calledRole(scene)],
  ]);
}

function block(scene: Scene): Entry {
  const { random } = scene;
  const ignored = random.percent(7) ? { ignore_errors: true } : {};
  const [rescue, always] = [random.percent(60), random.percent(50)];
  return {
    ...named(scene, 'block'),
    block: steps(scene, 1, 2),
    ...(rescue && { rescue: steps({ ...scene, rescuing: true }, 1, 2) }),
    ...(always && { always: steps(scene, 1, 2) }),
    ...common(scene),
    ...ignored,
  };
}

/**
 * Handlers that fail are not flushed within a block: with Ansible the `rescue` of the outermost block, and no other, then runs for
 * them, even if that block is in its `always` by then.
 */
function meta({ random, features, sheltered, rescuing }: Scene): Entry {
  // With Ansible a controller that is ended in a `rescue` counts as failed in later plays.
  const ending = features.endings && !rescuing ? 1 : 0;
  const action = random.weighted<string>([
    [sheltered && features.brokenHandlers ? 0 : 4, () => 'flush_handlers'],
    [1, () => 'noop'],
    [2 * ending, () => 'end_host'],
    [ending, () => random.pick(['end_play', 'end_batch'])],
  ]);
  if (action === 'end_host') return { meta: action, when: byHost(random) };
  return { meta: action, ...(random.percent(action === 'flush_handlers' ? 20 : 60) && { when: condition(random) }) };
}
