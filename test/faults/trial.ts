import { isDeepStrictEqual } from 'node:util';
import { Connections } from '../../src/controller/connections.js';
import type { TaskFinished } from '../../src/model/run/event.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import type { Simulator } from '../../src/simulator/simulator.js';
import { runText } from '../rig/run_text.js';

/** What is asked of a controller: a new cloud, another value in one that is there or in the system configuration, one cloud less. */
export type Errand = 'create' | 'update' | 'system' | 'remove';

/** Each task runs with its own module and with the generic one, and is checked with both. */
const FORMS = {
  create: ['cloud_present', 'resource_present with a name'],
  update: ['cloud_present', 'resource_present with a name'],
  system: ['system_config', 'resource_present'],
  remove: ['cloud_absent', 'resource_absent'],
} as const satisfies Record<Errand, readonly string[]>;

const ERRANDS = ['create', 'update', 'system', 'remove'] as const;

/** The outcome of one task in one line: status, number of writes, state of the controller, message. */
export interface Trial {
  readonly errand: Errand;
  readonly form: string;
  readonly check: boolean;
  readonly outcome: string;
  /** Objects of the name that was to be there once. */
  readonly objects: number;
}

interface Post {
  readonly name: string;
  readonly errand: Errand;
  readonly form: string;
  readonly check: boolean;
}

const POSTS: readonly Post[] = ERRANDS.flatMap((errand) =>
  FORMS[errand].flatMap((form) =>
    [false, true].map((check) => ({
      name: `${errand}-${form.replaceAll(/\W/g, '-')}-${String(check)}`,
      errand,
      form,
      check,
    })),
  ),
);

const CLOUDS = '/api/cloud/';
const SYSTEM = '/api/systemconfiguration';
/** Others with names that a careless filter takes for the same. */
const OTHERS = [
  { name: 'edge-1', uuid: 'cloud-1' },
  { name: 'EDGE', uuid: 'cloud-2' },
];
const EDGE = { name: 'edge', uuid: 'cloud-3', mtu: 1400, site: 'kept' };
const CONFIGURATION = {
  dns_configuration: { search_domain: 'before.example', server_list: [{ type: 'V4', addr: '10.0.0.53' }] },
  portal_configuration: { http_port: 8080, allow_basic_authentication: true, enable_https: true },
  vendor_field: 'kept',
};

const PLAYBOOK = `
- hosts: all
  tasks:
    - { cloud_present: { name: edge, mtu: 9000 }, when: form == 'cloud_present', check_mode: '{{check}}' }
    - resource_present: { path: /api/cloud/, name: edge, properties: { mtu: 9000 } }
      when: form == 'resource_present with a name'
      check_mode: '{{check}}'
    - system_config: { dns_configuration: { search_domain: after.example } }
      when: form == 'system_config'
      check_mode: '{{check}}'
    - resource_present: { path: /api/systemconfiguration, properties: { dns_configuration: { search_domain: after.example } } }
      when: form == 'resource_present'
      check_mode: '{{check}}'
    - { cloud_absent: { name: edge }, when: form == 'cloud_absent', check_mode: '{{check}}' }
    - { resource_absent: { path: /api/cloud/, name: edge }, when: form == 'resource_absent', check_mode: '{{check}}' }
`;

let rows = 0;

export interface Circumstances {
  readonly behaviour: Behaviour;
  /** Seconds that a request may take. */
  readonly timeout: number;
  /** Whether the errands are checked, too. */
  readonly checked: boolean;
}

/** Has every errand run, in every form, on controllers that all behave like this. */
export async function tryOut(simulator: Simulator, circumstances: Circumstances): Promise<readonly Trial[]> {
  const { behaviour, timeout, checked } = circumstances;
  const row = `row-${(rows += 1)}`;
  const posts = POSTS.filter(({ check }) => checked || !check);
  const urls = await Promise.all(posts.map((post) => stand(simulator, row, post, behaviour)));
  const connections = new Connections({
    signal: new AbortController().signal,
    retry: { attempts: 3, baseMs: 1, capMs: 4, deadlineSeconds: 20 },
    limits: { responseBytes: 2 ** 20 },
  });
  try {
    const inventory = inventoryOf(row, posts, urls, timeout);
    const { tasks } = await runText(PLAYBOOK, {
      inventory,
      connect: (settings) => connections.open({ ...settings, ca: simulator.ca }),
    });
    return posts.map((post, index) => {
      const controller = simulator.controller(`${row}-${post.name}`);
      const result = tasks.find((task) => task.controller === post.name && task.status !== 'skipped');
      return judged(post, controller, result, urls[index] ?? '');
    });
  } finally {
    await connections.close();
  }
}

async function stand(simulator: Simulator, row: string, { name, errand }: Post, behaviour: Behaviour): Promise<string> {
  const controllerName = `${row}-${name}`;
  // Separate credentials, so that three refusals do not stop the others.
  const { url } = await simulator.startController(controllerName, {
    username: name,
    password: `pw of ${controllerName}`,
  });
  const controller = simulator.controller(controllerName);
  controller.setObjects(CLOUDS, errand === 'update' || errand === 'remove' ? [...OTHERS, EDGE] : OTHERS);
  controller.setObject(SYSTEM, CONFIGURATION);
  controller.behaviour = behaviour;
  return url;
}

function inventoryOf(row: string, posts: readonly Post[], urls: readonly string[], timeout: number): string {
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
  const vars = { controller_api_version: '22.1.3', controller_timeout: timeout };
  return JSON.stringify({ all: { vars, hosts: Object.fromEntries(hosts) as unknown } });
}

function judged(
  { errand, form, check }: Post,
  controller: SimulatedController,
  result: TaskFinished | undefined,
  url: string,
): Trial {
  const writes = controller.requests.filter(({ method }) => method !== 'GET').length;
  const message = result?.message === undefined ? '' : ` · ${plain(result.message, url)}`;
  const outcome = `${result?.status ?? 'nothing'} ${writes} ${stateOf(errand, controller)}${message}`;
  return { errand, form, check, outcome, objects: namesakes(controller).length };
}

const namesakes = (controller: SimulatedController) => controller.objects(CLOUDS).filter(({ name }) => name === 'edge');

/**
 * `before`: untouched. `after`: as declared, and nothing else lost. `bare`: as declared, but undeclared fields are lost. Anything else is
 * `broken`.
 */
function stateOf(errand: Errand, controller: SimulatedController): 'before' | 'after' | 'bare' | 'broken' {
  if (errand === 'system') return systemState(controller);
  const [edge] = namesakes(controller);
  if (errand === 'remove' && edge === undefined) return 'after';
  if (errand === 'create' ? edge === undefined : isDeepStrictEqual(edge, EDGE)) return 'before';
  return edge?.['mtu'] === 9000 && (errand === 'create' || edge['site'] === 'kept') ? 'after' : 'broken';
}

function systemState(controller: SimulatedController): 'before' | 'after' | 'bare' | 'broken' {
  const { dns_configuration: dns, vendor_field: vendor, ...rest } = controller.object(SYSTEM);
  if (isDeepStrictEqual({ dns_configuration: dns, vendor_field: vendor, ...rest }, CONFIGURATION)) return 'before';
  const wanted = { ...CONFIGURATION.dns_configuration, search_domain: 'after.example' };
  if (isDeepStrictEqual(dns, wanted) && vendor === 'kept') return 'after';
  return isDeepStrictEqual(dns, { search_domain: 'after.example' }) && vendor === undefined ? 'bare' : 'broken';
}

/** The same words for every errand: `read` and `write` for its requests, `it` for its object, nothing of ports. */
function plain(message: string, url: string): string {
  return message
    .replaceAll(url, 'URL')
    .replace(/(?:cloud|\/api\/cloud\/) "edge"|system configuration|(?<!PUT )\/api\/systemconfiguration(?= )/, 'it')
    .replaceAll(/GET \/api\/(?:cloud\/\?name=edge|systemconfiguration)/g, 'read')
    .replaceAll(
      /(?:POST \/api\/cloud\/|(?:PUT|DELETE) \/api\/cloud\/cloud-3|PUT \/api\/systemconfiguration)(?=:)/g,
      'write',
    );
}
