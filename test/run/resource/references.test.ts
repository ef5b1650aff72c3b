import { expect } from 'chai';
import type { Mapping } from '../../../src/model/values/value.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';
import { StrictController, textOf } from '../../rig/strict_controller.js';

const pool = (properties: Mapping, name = 'web'): Mapping => ({
  name: `pool ${name}`,
  resource_present: { path: '/api/pool', name, properties },
});

describe('references', () => {
  let controller: StrictController;
  beforeEach(async () => {
    controller = await StrictController.start();
  });
  afterEach(() => controller.close());

  const run = (tasks: readonly Mapping[], options: TextOptions = {}): Promise<Ran> =>
    runText(JSON.stringify([{ hosts: 'all', tasks }]), { inventory: controller.inventory, ...options });
  const outcomes = ({ tasks }: Ran): readonly string[] =>
    tasks.map(({ status, message = '' }) => (status === 'failed' ? `failed: ${message}` : status));
  const uuidOf = (kind: string, name: string): string => textOf(controller.one(kind, name), 'uuid');

  const forms: readonly [string, () => readonly string[]][] = [
    [
      'by a path that asks for the name',
      () => ['/api/healthmonitor?name=System-HTTP', '/api/healthmonitor/?name=System-TCP'],
    ],
    ['by a URL that asks for the name', () => [`${controller.url}/api/healthmonitor?name=System-HTTP`]],
    ['by name', () => ['System-HTTP', 'System-Ping']],
    ['by uuid', () => [uuidOf('healthmonitor', 'System-HTTP')]],
  ];
  for (const [title, refs] of forms) {
    it(`${title} are what they mean: the second run lists once and writes nothing`, async () => {
      const task = pool({ default_server_port: 80, health_monitor_refs: refs() });
      expect(outcomes(await run([task]))).to.deep.equal(['changed']);
      expect(controller.take()).to.deep.equal([
        'GET /api/pool?name=web',
        'GET /api/healthmonitor?page_size=200',
        'POST /api/pool',
        'GET /api/pool?name=web',
      ]);
      expect(outcomes(await run([task]))).to.deep.equal(['ok']);
      expect(controller.take()).to.deep.equal(['GET /api/pool?name=web', 'GET /api/healthmonitor?page_size=200']);
    });
  }

  const direct: readonly [string, () => string][] = [
    ['a path', () => `/api/healthmonitor/${uuidOf('healthmonitor', 'System-HTTP')}`],
    ['a URL', () => textOf(controller.one('healthmonitor', 'System-HTTP'), 'url')],
    ['a URL with a name', () => `${textOf(controller.one('healthmonitor', 'System-HTTP'), 'url')}#System-HTTP`],
    [
      'a URL of another address of the controller',
      () => `https://lb.example.com/api/healthmonitor/${uuidOf('healthmonitor', 'System-HTTP')}`,
    ],
  ];
  for (const [title, ref] of direct) {
    it(`with ${title} need no list`, async () => {
      controller.add('pool', { name: 'web', health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] });
      expect(outcomes(await run([pool({ health_monitor_refs: [ref()] })]))).to.deep.equal(['ok']);
      expect(controller.take()).to.deep.equal(['GET /api/pool?name=web']);
    });
  }

  it('are listed once for each kind, however many tasks and references there are', async () => {
    const tasks = ['a', 'b', 'c'].map((name) =>
      pool({ health_monitor_refs: ['System-HTTP', 'System-TCP'], cloud_ref: '/api/cloud?name=edge' }, name),
    );
    expect(outcomes(await run(tasks))).to.deep.equal(['changed', 'changed', 'changed']);
    const lists = controller.take().filter((request) => request.includes('page_size'));
    expect(lists).to.deep.equal(['GET /api/healthmonitor?page_size=200', 'GET /api/cloud?page_size=200']);
    expect(outcomes(await run(tasks))).to.deep.equal(['ok', 'ok', 'ok']);
    expect(controller.take()).to.have.length(5);
  });

  it('to what an earlier task has read or made need no list', async () => {
    const monitor = { name: 'monitor', resource_present: { path: '/api/healthmonitor', name: 'mine', properties: {} } };
    const tasks = [monitor, pool({ health_monitor_refs: ['/api/healthmonitor?name=mine'] })];
    expect(outcomes(await run(tasks))).to.deep.equal(['changed', 'changed']);
    expect(controller.take().filter((request) => request.includes('page_size'))).to.deep.equal([]);
    expect(outcomes(await run(tasks))).to.deep.equal(['ok', 'ok']);
    expect(controller.take()).to.deep.equal(['GET /api/healthmonitor?name=mine', 'GET /api/pool?name=web']);
  });

  it('to what an earlier task would make are fine in a check', async () => {
    const monitor = { name: 'monitor', resource_present: { path: '/api/healthmonitor', name: 'mine', properties: {} } };
    const ran = await run([monitor, pool({ health_monitor_refs: ['mine'] })], { check: true });
    expect(outcomes(ran)).to.deep.equal(['changed', 'changed']);
    expect(ran.tasks[1]?.change).to.have.nested.property(
      'after.health_monitor_refs[0]',
      '/api/healthmonitor/(known after apply)#mine',
    );
    expect(controller.all('pool')).to.deep.equal([]);
  });

  it('to nothing fail before anything is written, with the nearest name', async () => {
    const { tasks } = await run([pool({ servers: [{ ip: 1, deep: { health_monitor_ref: 'System-HTP' } }] })]);
    expect(tasks[0]).to.deep.include({
      status: 'failed',
      message:
        'properties.servers[0].deep.health_monitor_ref refers to the healthmonitor "System-HTP", and the controller has none of that name; nothing was written',
      hint: 'did you mean "System-HTTP"?',
    });
    expect(controller.take().filter((request) => !request.startsWith('GET'))).to.deep.equal([]);
  });

  it('to what a task of the run has deleted refer to nothing', async () => {
    const gone = { name: 'gone', resource_absent: { path: '/api/healthmonitor', name: 'System-Ping' } };
    const ran = await run([
      pool({ health_monitor_refs: ['System-TCP'] }, 'a'),
      gone,
      pool({ health_monitor_refs: ['System-Ping'] }, 'b'),
    ]);
    expect(outcomes(ran)[2]).to.match(/^failed: .* refers to the healthmonitor "System-Ping"/);
  });

  it('are shown with names in a diff, and sent without', async () => {
    controller.add('pool', { name: 'web', health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] });
    const { tasks } = await run([pool({ health_monitor_refs: ['System-TCP'] })]);
    expect(tasks[0]?.change).to.have.nested.property(
      'before.health_monitor_refs[0]',
      `${textOf(controller.one('healthmonitor', 'System-HTTP'), 'url')}#System-HTTP`,
    );
    expect(tasks[0]?.change).to.have.nested.property(
      'after.health_monitor_refs[0]',
      `/api/healthmonitor/${uuidOf('healthmonitor', 'System-TCP')}#System-TCP`,
    );
  });

  it('mean the object in the cloud that they, or their object, name', async () => {
    controller.add('network', { name: 'VM Network' });
    const edge = controller.add('network', { name: 'VM Network', cloud_ref: '/api/cloud?name=edge' });
    const named = pool({ nw_ref: '/api/network?name=VM%20Network&cloud=edge' }, 'a');
    const own = pool({ nw_ref: '/api/network?name=VM%20Network', cloud_ref: '/api/cloud?name=edge' }, 'b');
    const other = pool({ nw_ref: '/api/network?name=VM%20Network' }, 'c');
    for (const expected of [
      ['changed', 'changed', 'changed'],
      ['ok', 'ok', 'ok'],
    ])
      expect(outcomes(await run([named, own, other]))).to.deep.equal(expected);
    expect(controller.one('pool', 'a')['nw_ref']).to.equal(edge['url']);
    expect(controller.one('pool', 'b')['nw_ref']).to.equal(edge['url']);
    expect(controller.one('pool', 'c')['nw_ref']).not.to.equal(edge['url']);
  });

  it('are left as they are written where the dialect has none', async () => {
    const inventory = controller.inventory.replace('"avi"', '"generic"');
    const task = pool({ health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] });
    expect(outcomes(await run([task], { inventory }))[0]).to.match(/^failed: not converged/);
    expect(controller.take().filter((request) => request.includes('healthmonitor'))).to.deep.equal([]);
  });
});
