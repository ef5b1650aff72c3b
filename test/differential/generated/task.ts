import { byHost, condition, everySeen, FACTS, ITEMS, RESULTS, VARIABLES } from './condition.js';
import type { Entry, Scene, Written } from './scene.js';

/** A task that prints, fails, sets or reads something, with further keywords. */
export function task(scene: Scene): Entry {
  const { random } = scene;
  return random.weighted<Entry>([
    [8, () => peaceful(scene)],
    [4, () => breaking(scene)],
  ]);
}

/** One that cannot fail. */
function peaceful(scene: Scene): Entry {
  const { random } = scene;
  const core = random.weighted<Entry>([
    [6, () => saying(scene)],
    [2, () => setting(scene)],
    [3, () => looking(scene)],
    [2, () => looping(scene)],
  ]);
  return { ...core, ...further(scene), ...once(scene) };
}

/**
 * One that may fail. As `run_once` within a block it would be as `any_errors_fatal` there, where ours cleans up and Ansible's does
 * not.
 */
function breaking(scene: Scene): Entry {
  const { random, sheltered } = scene;
  const core = random.weighted<Entry>([
    [3, () => failing(scene)],
    [2, () => failingLoop(scene)],
    [1, () => retrying(scene)],
  ]);
  return { ...core, ...further(scene), ...(!sheltered && once(scene)) };
}

function further(scene: Scene): Entry {
  return { ...common(scene), ...ignoring(scene), ...registering(scene), ...notifying(scene) };
}

/**
 * Never `run_once`: with Ansible a handler that several controllers notified then runs on the first one, and at the next flush
 * once more on the next.
 */
export function handlerTask(scene: Scene, handlers: readonly string[]): Entry {
  const own = { ...scene, handlers, features: { ...scene.features, once: false } };
  return scene.features.brokenHandlers ? task(own) : peaceful(own);
}

/**
 * A handler that is never notified. With Ansible, while the last handler runs on one controller, controllers without a notification
 * continue with the next task.
 */
export function lastHandler(of: string): Entry {
  return { name: `last of ${of}`, debug: { msg: 'never' } };
}

export function named(scene: Scene, kind: string): Entry {
  return { name: `${kind} ${scene.next()}` };
}

/** Keywords that blocks and includes have too. */
export function common(scene: Scene): Entry {
  const { random } = scene;
  return { ...(random.percent(20) && { when: condition(random) }), ...variables(scene, 10), ...tagged(scene) };
}

export function variables({ random, next }: Scene, chance: number): Entry {
  return random.percent(chance)
    ? { vars: { [random.pick(VARIABLES)]: variableValue(random.pick(ITEMS), next()) } }
    : {};
}

function variableValue(item: string, number: number): string {
  if (number % 2 === 0) return item;
  return number % 4 === 1 ? `${item}${number}` : `{% if inventory_hostname %}${item}{% else %}none{% endif %}${number}`;
}

export function tagged({ random, features }: Scene): Entry {
  if (!features.tags || random.percent(60)) return {};
  return {
    tags: random.weighted<Written>([
      [6, () => random.some(['one', 'two', 'three'])],
      [1, () => ['always']],
      [1, () => ['never', ...random.some(['one', 'two'])]],
    ]),
  };
}

function ignoring({ random }: Scene): Entry {
  return random.percent(10) ? { ignore_errors: true } : {};
}

function registering({ random }: Scene): Entry {
  return random.percent(30) ? { register: random.pick(RESULTS) } : {};
}

function notifying({ random, handlers }: Scene): Entry {
  if (handlers.length === 0 || random.percent(70)) return {};
  const changed = random.percent(60) ? true : byHost(random);
  return { notify: random.some(handlers), changed_when: changed };
}

function once({ random, features }: Scene): Entry {
  return features.once && random.percent(8) ? { run_once: true } : {};
}

function saying(scene: Scene): Entry {
  const { random } = scene;
  const name = named(scene, 'say');
  const changed = random.percent(30) ? { changed_when: random.percent(50) ? random.percent(50) : byHost(random) } : {};
  return { ...name, debug: { msg: 'hello from {{ inventory_hostname }}' }, ...changed };
}

/** Fails in one of three ways, but only on a few controllers. */
function failing(scene: Scene): Entry {
  const { random } = scene;
  const name = named(scene, 'fail');
  return random.weighted<Entry>([
    [4, () => ({ ...name, fail: { msg: 'broken on {{ inventory_hostname }}' }, when: byHost(random) })],
    [2, () => ({ ...name, debug: { msg: 'judged' }, failed_when: condition(random) })],
    [1, () => ({ ...name, debug: { msg: '{{ nowhere }}' }, when: byHost(random) })],
  ]);
}

function setting(scene: Scene): Entry {
  const { random } = scene;
  const number = scene.next();
  const here =
    number % 2 === 0
      ? '{{ inventory_hostname }}'
      : '{% for one in [inventory_hostname] %}{{ loop.last | ternary(one, "none") }}{% endfor %}';
  return { name: `set ${number}`, set_fact: { [random.pick(FACTS)]: `${random.pick(ITEMS)} on ${here}` } };
}

function looking(scene: Scene): Entry {
  const number = scene.next();
  return { name: `look ${number}`, debug: { msg: everySeen(number) } };
}

function looping(scene: Scene): Entry {
  const { random } = scene;
  const { over, item } = items(scene);
  const name = named(scene, 'loop');
  return random.weighted<Entry>([
    [3, () => ({ ...name, debug: { msg: '{{ item }}' }, changed_when: item, ...over })],
    [1, () => ({ ...name, debug: { msg: '{{ item }}' }, when: item, ...over })],
  ]);
}

function failingLoop(scene: Scene): Entry {
  const { random } = scene;
  const { over, item } = items(scene);
  const name = named(scene, 'loop');
  return random.weighted<Entry>([
    [1, () => ({ ...name, debug: { msg: '{{ item }}' }, failed_when: `${item} and ${byHost(random)}`, ...over })],
    [1, () => ({ ...name, fail: { msg: '{{ item }}' }, when: [item, byHost(random)], ...over })],
  ]);
}

/** The same items in one of the ways to write them, each of which goes over the same. */
function items({ random }: Scene): { readonly over: Entry; readonly item: string } {
  const loop = random.percent(90) ? random.some(ITEMS) : [];
  const ways: readonly Entry[] = [
    { loop },
    { with_items: [loop] },
    { with_flattened: [[loop], []] },
    { with_list: loop },
    { 'with_ansible.builtin.items': loop },
  ];
  return { over: ways[loop.join().length % ways.length] ?? { loop }, item: `item == '${random.pick(ITEMS)}'` };
}

function retrying(scene: Scene): Entry {
  const { random } = scene;
  const until = random.percent(50) ? byHost(random) : true;
  return { ...named(scene, 'retry'), debug: { msg: 'again' }, until, retries: 1, delay: 0 };
}
