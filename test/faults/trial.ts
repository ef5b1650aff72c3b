import { Connections } from '../../src/controller/connections.js';
import type { TaskFinished } from '../../src/core/model/run/event.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import type { Simulator } from '../../src/simulator/simulator.js';
import { shareOf } from '../rig/random_seed.js';
import { runText } from '../rig/run_text.js';
import { namesakes, stateOf, SYSTEM, type Errand, type Subject } from './subjects.js';

/** The outcome of one task in one line: status, number of writes, state of the controller, message. */
export interface Trial {
  readonly errand: Errand;
  readonly form: string;
  readonly check: boolean;
  readonly outcome: string;
  /** The objects with the name that must be unique. */
  readonly objects: number;
}

interface Post {
  readonly name: string;
  readonly errand: Errand;
  readonly form: string;
  readonly check: boolean;
}

/**
 * In the gate each row has half of the errands, by turns, and one of the forms of each: forms differ in how they are written, not in
 * how they are sent.
 */
function postsOf({ forms }: Subject, row: number): readonly Post[] {
  return shareOf(Object.entries(forms), 2, row).flatMap(([errand, names], index) =>
    shareOf(names, names.length, row + index).flatMap((form) =>
      [false, true].map((check) => ({
        name: `${errand}-${form.replaceAll(/\W/g, '-')}-${String(check)}`,
        errand: errand as Errand,
        form,
        check,
      })),
    ),
  );
}

let rows = 0;

export interface Circumstances {
  readonly subject: Subject;
  readonly behaviour: Behaviour;
  /** Seconds that a request may take. */
  readonly timeout: number;
  /** Whether the errands are checked, too. */
  readonly checked: boolean;
}

/** Runs every operation on controllers with this behaviour. */
export async function tryOut(simulator: Simulator, circumstances: Circumstances): Promise<readonly Trial[]> {
  const { subject, timeout, checked } = circumstances;
  rows += 1;
  const row = `row-${rows}`;
  const posts = postsOf(subject, rows).filter(({ check }) => checked || !check);
  const urls = await Promise.all(posts.map((post) => stand(simulator, row, post, circumstances)));
  const connections = new Connections({
    abort: new AbortController().signal,
    retry: { attempts: 3, baseMs: 1, capMs: 4, deadlineSeconds: 20 },
    limits: { responseBytes: 2 ** 20 },
  });
  try {
    const inventory = inventoryOf(row, posts, urls, { ...subject.variables, controller_timeout: timeout });
    const { tasks } = await runText(subject.playbook, {
      inventory,
      connect: (settings) => connections.open({ ...settings, ca: simulator.ca }),
    });
    return posts.map((post, index) => {
      const controller = simulator.controller(`${row}-${post.name}`);
      const result = tasks.find((task) => task.controller === post.name && task.status !== 'skipped');
      return judged(subject, post, controller, { result, url: urls[index] ?? '' });
    });
  } finally {
    await connections.close();
  }
}

async function stand(
  simulator: Simulator,
  row: string,
  { name, errand }: Post,
  { subject, behaviour }: Circumstances,
): Promise<string> {
  const controllerName = `${row}-${name}`;
  const { dialect, collection, others, object, configuration } = subject;
  // Separate credentials, so that three refusals do not stop the others.
  const { url } = await simulator.startController(controllerName, {
    username: name,
    password: `pw of ${controllerName}`,
    dialect,
  });
  const controller = simulator.controller(controllerName);
  const isNew = errand === 'create' || errand === 'system';
  controller.setObjects(collection, isNew ? others : [...others, object]);
  controller.setObject(SYSTEM, configuration);
  controller.behaviour = behaviour;
  return url;
}

function inventoryOf(row: string, posts: readonly Post[], urls: readonly string[], variables: Mapping): string {
  const hosts = posts.map(({ name, form, check }, index) => [
    name,
    {
      controller_url: urls[index] ?? '',
      controller_username: name,
      controller_password: `pw of ${row}-${name}`,
      form,
      check,
    },
  ]);
  const vars = { controller_api_version: '22.1.3', ...variables };
  return JSON.stringify({ all: { vars, hosts: Object.fromEntries(hosts) as unknown } });
}

function judged(
  subject: Subject,
  { errand, form, check }: Post,
  controller: SimulatedController,
  { result, url }: { readonly result: TaskFinished | undefined; readonly url: string },
): Trial {
  const writes = controller.requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/')).length;
  const said = subject.plain((result?.message ?? '').replaceAll(url, 'URL'));
  const message = said === '' ? '' : ` · ${said}`;
  const outcome = `${result?.status ?? 'nothing'} ${writes} ${stateOf(subject, errand, controller)}${message}`;
  return { errand, form, check, outcome, objects: namesakes(subject, controller).length };
}
