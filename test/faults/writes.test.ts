import { expect } from 'chai';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import { runText } from '../rig/run_text.js';
import { startFleet, TESTED_DIALECTS, type Fleet, type TestedDialect } from '../rig/simulated.js';

const POOL = '/api/pool/pool-1';
const TASKS = {
  create: 'pool_present: { name: new }',
  update: 'pool_present: { name: web, default_server_port: 8080 }',
  delete: 'pool_absent: { name: web }',
  get: 'api_request: { path: /api/pool/ }',
  post: 'api_request: { path: /api/pool/, method: POST, body: { name: new } }',
  action: `api_request: { path: ${POOL}, method: POST, body: { size: 2 } }`,
  put: `api_request: { path: ${POOL}, method: PUT, body: { name: web, default_server_port: 8080 } }`,
  remove: `api_request: { path: ${POOL}, method: DELETE }`,
  session: 'avi_api_session: { http_method: post, path: pool, data: { name: new } }',
  patch: `api_request: { path: ${POOL}, method: PATCH, body: { replace: { default_server_port: 8080 } } }`,
  add: `api_request: { path: ${POOL}, method: PATCH, body: { add: { servers: [{ ip: { addr: 10.0.0.9, type: V4 }, port: 80 }] } } }`,
  refer: `api_request: { path: ${POOL}, method: PATCH, body: { add: { health_monitor_refs: [/api/healthmonitor?name=System-Ping] } } }`,
  refer_in_cloud: `api_request: { path: ${POOL}, method: PATCH, body: { add: { health_monitor_refs: ['/api/healthmonitor?name=System-Ping&cloud=Default-Cloud'] } } }`,
  /** A task that is repeated must not send again what may have been carried out. */
  action_again: `api_request: { path: ${POOL}, method: POST, body: { size: 2 } }, retries: 2, delay: 0`,
  refer_again: `api_request: { path: ${POOL}, method: PATCH, body: { add: { health_monitor_refs: ['/api/healthmonitor?name=System-Ping&cloud=Default-Cloud'] } } }, retries: 2, delay: 0`,
  post_again:
    'api_request: { path: /api/pool/, method: POST, body: { name: new } }, vars: { controller_patience: 0 }, retries: 2, delay: 0',
  wait: `wait_until: { path: ${POOL}, status: 200, interval: 0.1, timeout: 0.2 }`,
} as const;
type Task = keyof typeof TASKS;

/** Not the sign-in, and reads only if they are named. */
const write = (fault: Omit<Extract<Fault, { type: 'answer' }>, 'type'>, first = 1e9, method?: string): Fault[] =>
  (method === undefined ? ['POST', 'PUT', 'PATCH', 'DELETE'] : [method]).map((one) => ({
    type: 'answer',
    ...fault,
    when: { path: '/api/pool*', method: one, first },
  }));
const BUSY = '<h1>503 Service Unavailable</h1>';
const TASK = '/api/task/7';
const accepted = (...states: readonly string[]): Fault[] => [
  ...write({ status: 202, body: { task_ref: TASK }, applied: true }),
  ...states.map((state, index) => ({
    type: 'answer' as const,
    status: 200,
    body: { status: state, ...(state === 'FAILED' && { error: 'no space left' }) },
    when: { path: TASK, ...(index + 1 < states.length ? { nth: index + 1 } : { after: index }) },
  })),
];

interface Row {
  readonly faults: Fault[];
  readonly tasks: readonly Task[];
  /** Status, the number of writes that arrived (undefined: any), and a part of the message and the hint. */
  readonly ends: readonly [status: string, writes: number | undefined, says?: string];
  readonly only?: TestedDialect;
}

const VERSION = 'Invalid version 22.1.3. Supported upto 21.1.1';
const ROWS: Readonly<Record<string, Row>> = {
  '419, once': {
    faults: write({ status: 419, body: '<title>Page Expired</title>' }, 1),
    tasks: ['create', 'update', 'delete', 'post', 'put', 'remove', 'session', 'patch', 'add'],
    ends: ['changed', 2],
    only: 'avi',
  },
  '419 without a session': {
    faults: write({ status: 419, body: '<title>Page Expired</title>' }),
    tasks: ['create', 'post'],
    ends: ['failed', 1, 'the controller speaks of a session: does controller_dialect name its dialect?'],
    only: 'generic',
  },
  'a CSRF token that is no longer valid': {
    faults: write({ status: 403, body: { detail: 'CSRF Failed: CSRF token missing or incorrect.' } }, 1),
    tasks: ['create', 'update', 'delete', 'post', 'session', 'patch'],
    ends: ['changed', 2],
    only: 'avi',
  },
  '429 without Retry-After': {
    faults: write({ status: 429 }, 2),
    tasks: ['create', 'update', 'delete', 'post', 'put', 'remove', 'session'],
    ends: ['changed', 3],
  },
  '429 for ever': {
    faults: write({ status: 429 }),
    tasks: ['create', 'update', 'post', 'put'],
    ends: ['failed', 4, 'the controller asks for fewer requests'],
  },
  '202 with a task': {
    faults: accepted('RUNNING', 'RUNNING', 'COMPLETED'),
    tasks: ['create', 'update', 'delete', 'post', 'put', 'remove', 'session'],
    ends: ['changed', 1],
  },
  '202 with a task that fails': {
    faults: accepted('RUNNING', 'FAILED'),
    tasks: ['update', 'delete', 'post', 'put', 'remove', 'session'],
    ends: ['failed', 1, 'the controller accepted the request (202), but its task failed: no space left'],
  },
  '202 with a task that takes longer than the patience': {
    faults: accepted('RUNNING'),
    tasks: ['post', 'put', 'remove'],
    ends: ['changed', 1, `and was still working on it at the end of controller_patience: ${TASK}`],
  },
  '503 that a proxy answers': {
    faults: write({ status: 503, body: BUSY }, 2),
    tasks: ['create', 'update', 'delete', 'post', 'put', 'remove', 'session'],
    ends: ['changed', 3],
  },
  '503 although the request was carried out': {
    faults: write({ status: 503, body: BUSY, applied: true }, 1),
    tasks: ['create', 'post', 'session'],
    ends: ['changed', 1],
  },
  '503 to a PATCH': {
    faults: write({ status: 503, body: BUSY }, 2),
    tasks: ['patch', 'add', 'refer'],
    ends: ['changed', 3],
    only: 'avi',
  },
  '503 although the elements were added': {
    faults: write({ status: 503, body: BUSY, applied: true }, 1),
    tasks: ['add', 'refer'],
    ends: ['changed', 1],
    only: 'avi',
  },
  '503 to a deletion that was carried out': {
    faults: write({ status: 503, body: BUSY, applied: true }, 1),
    tasks: ['delete', 'remove'],
    ends: ['changed', 2],
  },
  '408 to a deletion that was carried out': {
    faults: write({ status: 408, applied: true }, 1),
    tasks: ['delete', 'remove'],
    ends: ['changed', 2],
  },
  '408 to an update that was carried out, of an object with versions': {
    faults: write({ status: 408, applied: true }, 1),
    tasks: ['update'],
    ends: ['changed', 2],
    only: 'avi',
  },
  '503 to a request whose effect cannot be seen': {
    faults: write({ status: 503, body: BUSY }),
    tasks: ['action', 'refer_in_cloud', 'action_again', 'refer_again', 'post_again'],
    ends: ['failed', 1, 'it is not sent again, because nothing shows whether it took effect'],
  },
  'a change of the leader': {
    faults: [
      { type: 'drop', when: { path: '/api/pool*', first: 1 } },
      { type: 'answer', status: 503, body: BUSY, when: { path: '/api/pool*', first: 1 } },
      { type: 'expire', when: { path: '/api/pool*', first: 1 } },
    ],
    tasks: ['create', 'update', 'delete', 'post', 'put', 'remove', 'session', 'patch'],
    ends: ['changed', undefined],
    only: 'avi',
  },
  'a version that the controller does not support': {
    faults: write({ status: 400, body: { error: VERSION } }),
    tasks: ['create', 'update', 'delete', 'post', 'put', 'session'],
    ends: ['failed', 1, 'check controller_api_version: "22.1.3" was sent as X-'],
  },
  '412 for ever': {
    faults: write({ status: 412 }, 1e9, 'PUT'),
    tasks: ['update'],
    ends: ['failed', 3, 'changed by someone else since it was read (412)'],
  },
  '412 to a raw request': {
    faults: write({ status: 412 }, 1e9, 'PUT'),
    tasks: ['put'],
    ends: ['failed', 1, 'read it again'],
  },
  '200 with an error': {
    faults: write({ status: 200, body: { error: 'Tenant license limit exceeded' } }),
    tasks: ['create', 'update', 'delete', 'post', 'put', 'remove', 'session'],
    ends: ['failed', 1, 'Tenant license limit exceeded'],
  },
  'a web page with 200': {
    faults: write({ status: 200, body: '<!doctype html><title>Maintenance</title>' }),
    tasks: ['post', 'put', 'remove'],
    ends: ['failed', 1, 'a web page, not JSON: <!doctype html><title>Maintenance</title>'],
  },
  '200 with an error to a read': {
    faults: [{ type: 'answer', status: 200, body: { error: 'not now' }, when: { path: '/api/pool*' } }],
    tasks: ['get', 'wait', 'create'],
    ends: ['failed', 0, 'answered 200 with an error: not now'],
  },
  'a web page with 200 to a read': {
    faults: [{ type: 'answer', status: 200, body: '<html>Maintenance', when: { path: '/api/pool*' } }],
    tasks: ['get', 'wait', 'create'],
    ends: ['failed', 0, 'does controller_url lead to the controller itself?'],
  },
};

for (const dialect of TESTED_DIALECTS)
  describe(`what befalls a request to a controller of the dialect ${dialect}`, () => {
    let fleet: Fleet;
    before(async () => (fleet = await startFleet({ dialect })));
    after(() => fleet.dispose());

    for (const [title, { faults, tasks, ends, only = dialect }] of Object.entries(ROWS)) {
      if (only !== dialect) continue;
      it(title, async () => {
        // Modules of the vendor are for controllers of the vendor.
        for (const task of tasks.filter((one) => dialect === 'avi' || one !== 'session')) {
          const controller = fleet.controller('lb1');
          const web = { uuid: 'pool-1', name: 'web', _last_modified: '1', tenant_ref: '/api/tenant/admin' };
          controller.setObjects('/api/pool/', [web]);
          controller.clearRequests();
          controller.behaviour = { faults };
          const ran = await runText(`[{ hosts: all, tasks: [{ ${TASKS[task]} }] }]`, { inventory: fleet.inventory });
          const [result] = ran.tasks;
          const [status, count, says = ''] = ends;
          const shown = `${result?.message ?? ''} ${result?.hint ?? ''}`;
          const writes = controller.requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/'));
          expect([task, result?.status, writes.length], shown).to.deep.equal([task, status, count ?? writes.length]);
          expect(shown).to.include(says);
          const names = controller.objects('/api/pool/').map(({ name }) => name);
          expect(names, task).to.have.length(new Set(names).size);
        }
      }).timeout(20_000);
    }
  });
