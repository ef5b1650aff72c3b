import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { builtinModules } from '../../modules/index.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { LoggedRequest } from '../../src/simulator/controller/controller.js';
import { startFleet, type Fleet, type TestedDialect } from '../rig/simulated.js';
import { runTasks } from '../rig/task_run.js';
import { ABSENT_USES, USES } from './resource_uses.js';

/** The requests of a task by method: in check mode, in the first run, and in the second. Excludes sign-ins and sign-outs. */
interface Requests {
  readonly check: string;
  readonly first: string;
  readonly second: string;
}

interface Counted extends Requests {
  readonly title: string;
  readonly task: Mapping;
  /** Tasks of an earlier run. */
  readonly before?: readonly Mapping[];
  readonly behaviour?: Behaviour;
}

/** Each write has a read before and after it. */
const CREATE: Requests = { check: 'GET 1', first: 'GET 2, POST 1', second: 'GET 1' };
const UPDATE: Requests = { check: 'GET 1', first: 'GET 2, PUT 1', second: 'GET 1' };
const DELETE: Requests = { check: 'GET 1', first: 'DELETE 1, GET 2', second: 'GET 1' };
const READ: Requests = { check: 'GET 1', first: 'GET 1', second: 'GET 1' };

const RESOURCES: readonly Counted[] = [
  ...USES.map(({ title, module, declare, fields, name }) => ({
    title,
    task: { [module]: declare(fields) },
    ...(name === undefined ? UPDATE : CREATE),
  })),
  ...ABSENT_USES.map(({ title, module, args, fields, path: collection, name }) => ({
    title,
    task: { [module]: args },
    before: [{ resource_present: { path: collection, name, properties: fields } }],
    ...DELETE,
  })),
];

const ACTIONS: readonly Counted[] = [
  { title: 'api_request', task: { api_request: { path: '/api/cloud/' } }, ...READ },
  { title: 'resource_facts', task: { resource_facts: { kind: 'cloud' } }, ...READ },
  { title: 'wait_until', task: { wait_until: { path: '/api/systemconfiguration' } }, ...READ },
  // Two reads, and the version of the controller.
  { title: 'ping', task: { ping: {} }, check: 'GET 3', first: 'GET 3', second: 'GET 3' },
];

const MONITORS = ['System-HTTP', '/api/healthmonitor?name=System-TCP', 'System-Ping'];
const SERVICE = { name: 'web', services: [{ port: 80 }], pool_ref: 'web', vsvip_ref: 'web' };
const BEFORE: readonly Mapping[] = [
  { pool_present: { name: 'web' } },
  { vsvip_present: { name: 'web', vip: [{ vip_id: '1', ip_address: { addr: '10.0.0.1', type: 'V4' } }] } },
];

/** Each kind is listed once for any number of references. The clouds that distinguish networks are listed once, too. */
const REFERRING: readonly Counted[] = [
  {
    title: 'pool_present with references to one kind',
    task: { pool_present: { name: 'web', health_monitor_refs: MONITORS } },
    check: 'GET 2',
    first: 'GET 3, POST 1',
    second: 'GET 2',
  },
  {
    title: 'pool_present with references to two kinds in a cloud',
    task: {
      pool_present: { name: 'web', health_monitor_refs: MONITORS, vrf_ref: 'global', cloud_ref: 'Default-Cloud' },
    },
    check: 'GET 4',
    first: 'GET 5, POST 1',
    second: 'GET 4',
  },
  {
    title: 'virtualservice_present with references to three kinds',
    task: { virtualservice_present: { ...SERVICE, application_profile_ref: 'System-HTTP' } },
    before: BEFORE,
    check: 'GET 4',
    first: 'GET 5, POST 1',
    second: 'GET 4',
  },
  {
    title: "the vendor's module with references",
    task: { avi_pool: { name: 'web', health_monitor_refs: MONITORS } },
    check: 'GET 2',
    first: 'GET 3, POST 1',
    second: 'GET 2',
  },
  {
    title: 'references that are removed from a list',
    task: { resource_present: { kind: 'pool', name: 'web', without: { health_monitor_refs: ['System-TCP'] } } },
    before: [{ pool_present: { name: 'web', health_monitor_refs: MONITORS } }],
    check: 'GET 2',
    first: 'GET 3, PUT 1',
    second: 'GET 2',
  },
  {
    title: 'an object that "match" selects',
    task: { vrfcontext_present: { name: 'global', description: 'x', match: { cloud_ref: 'Default-Cloud' } } },
    check: 'GET 2',
    first: 'GET 3, PUT 1',
    second: 'GET 2',
  },
  {
    title: 'a resource in a tenant',
    task: { pool_present: { name: 'web', tenant: 'blue' } },
    ...CREATE,
  },
  {
    title: 'user_password',
    task: { user_password: { password: 'simulated', old_password: 'factory' } },
    behaviour: { first_boot: { password: 'factory' } },
    // A read shows that the controller accepts the password.
    check: '',
    first: 'GET 2, PUT 1',
    second: 'GET 1',
  },
  {
    title: 'file_upload',
    task: { file_upload: { path: '/api/image', src: 'image.pkg' } },
    check: 'GET 1',
    first: 'GET 2, POST 1',
    second: 'GET 1',
  },
  {
    title: 'file_download',
    task: { file_download: { path: '/api/configuration/export', dest: 'export.json' } },
    check: '',
    first: 'GET 1',
    second: 'GET 1',
  },
];

const COUNTED: Readonly<Record<TestedDialect, readonly Counted[]>> = {
  generic: [...RESOURCES, ...ACTIONS],
  avi: [...RESOURCES, ...ACTIONS, ...REFERRING],
};

/** Modules that send no request to the API of a controller. */
const SILENT = [
  'add_host',
  'assert',
  'debug',
  'fail',
  'group_by',
  'include_role',
  'include_tasks',
  'include_vars',
  'pause',
  'set_fact',
  'validate_argument_spec',
  'wait_for',
];

describe('the requests of each module', () => {
  it('are counted for every module', () => {
    const counted = new Set([...SILENT, ...COUNTED.avi.flatMap(({ task }) => Object.keys(task))]);
    expect([...counted]).to.include.members(Object.keys(builtinModules));
  });

  for (const [dialect, table] of Object.entries(COUNTED) as [TestedDialect, readonly Counted[]][]) {
    describe(`to controllers of the dialect ${dialect}`, () => {
      let fleet: Fleet;
      afterEach(() => fleet.dispose());

      for (const { title, task, before = [], behaviour = {}, ...expected } of table) {
        it(`are no more than necessary: ${title}`, async () => {
          fleet = await startFleet({ dialect, behaviour });
          await writeFile(path.join(fleet.directory, 'image.pkg'), 'an image');
          if (before.length > 0) await requestsOf(before);
          const check = await requestsOf([task], true);
          const [first, second] = [await requestsOf([task]), await requestsOf([task])];
          expect({ check: counts(check), first: counts(first), second: counts(second) }).to.deep.equal(expected);
          for (const requests of [check, second]) expect(requests.filter(isWrite)).to.deep.equal([]);
          for (const requests of [check, first, second]) {
            const lists = requests.filter(({ query }) => new URLSearchParams(query).has('page_size'));
            expect(new Set(lists.map((list) => list.path)).size, 'lists of one kind').to.equal(lists.length);
          }
        });
      }

      async function requestsOf(tasks: readonly Mapping[], check = false): Promise<readonly LoggedRequest[]> {
        const controller = fleet.controller('lb1');
        controller.clearRequests();
        const { results } = await runTasks(fleet, tasks, { check });
        for (const { status, message } of results) expect(status, message).to.be.oneOf(['ok', 'changed', 'skipped']);
        return controller.requests.filter(({ path: at }) => at.startsWith('/api/'));
      }
    });
  }
});

const isWrite = ({ method }: LoggedRequest): boolean => method !== 'GET';

/** `GET 2, POST 1`. */
function counts(requests: readonly LoggedRequest[]): string {
  const methods = [...new Set(requests.map(({ method }) => method))].sort();
  return methods.map((one) => `${one} ${requests.filter(({ method }) => method === one).length}`).join(', ');
}
