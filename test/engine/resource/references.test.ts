import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { textOrEmpty } from '../../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';

const pool = (properties: Mapping, name = 'web'): Mapping => ({
  name: `pool ${name}`,
  resource_present: { path: '/api/pool', name, properties },
});

describe('references', () => {
  let controller: AviController;
  beforeEach(async () => {
    controller = await startAviController();
    await controller.add('cloud', { name: 'edge', vtype: 'CLOUD_NONE' });
  });
  afterEach(() => controller.close());

  const run = (tasks: readonly Mapping[], options: TextOptions = {}): Promise<Ran> =>
    runText(JSON.stringify([{ hosts: 'all', tasks }]), { ...controller.textInventory(), ...options });
  const outcomes = ({ tasks }: Ran): readonly string[] =>
    tasks.map(({ status, message = '' }) => (status === 'failed' ? `failed: ${message}` : status));
  const uuidOf = (kind: string, name: string): string => textOrEmpty(controller.one(kind, name)['uuid']);

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
    it(`${title} equal the resolved ones: the second run lists once and writes nothing`, async () => {
      const task = pool({ default_server_port: 80, health_monitor_refs: refs() });
      expect(outcomes(await run([task]))).to.deep.equal(['changed']);
      expect(controller.takeApi()).to.deep.equal([
        'GET /api/pool?name=web',
        'GET /api/healthmonitor?page_size=200',
        'POST /api/pool',
        'GET /api/pool?name=web',
      ]);
      expect(outcomes(await run([task]))).to.deep.equal(['ok']);
      expect(controller.takeApi()).to.deep.equal(['GET /api/pool?name=web', 'GET /api/healthmonitor?page_size=200']);
    });
  }

  const direct: readonly [string, () => string][] = [
    ['a path', () => `/api/healthmonitor/${uuidOf('healthmonitor', 'System-HTTP')}`],
    ['a URL', () => `${controller.url}/api/healthmonitor/${uuidOf('healthmonitor', 'System-HTTP')}`],
    [
      'a URL with a name',
      () => `${controller.url}/api/healthmonitor/${uuidOf('healthmonitor', 'System-HTTP')}#System-HTTP`,
    ],
    [
      'a URL of another address of the controller',
      () => `https://lb.example.com/api/healthmonitor/${uuidOf('healthmonitor', 'System-HTTP')}`,
    ],
  ];
  for (const [title, ref] of direct) {
    it(`with ${title} need no list`, async () => {
      await controller.add('pool', { name: 'web', health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] });
      expect(outcomes(await run([pool({ health_monitor_refs: [ref()] })]))).to.deep.equal(['ok']);
      expect(controller.takeApi()).to.deep.equal(['GET /api/pool?name=web']);
    });
  }

  it('are listed once for each kind, however many tasks and references there are', async () => {
    const tasks = ['a', 'b', 'c'].map((name) =>
      pool({ health_monitor_refs: ['System-HTTP', 'System-TCP'], cloud_ref: '/api/cloud?name=edge' }, name),
    );
    expect(outcomes(await run(tasks))).to.deep.equal(['changed', 'changed', 'changed']);
    const lists = controller.takeApi().filter((request) => request.includes('page_size'));
    expect(lists).to.deep.equal(['GET /api/healthmonitor?page_size=200', 'GET /api/cloud?page_size=200']);
    expect(outcomes(await run(tasks))).to.deep.equal(['ok', 'ok', 'ok']);
    expect(controller.takeApi()).to.have.length(5);
  });

  it('to an object that an earlier task read or created need no list', async () => {
    const monitor = {
      name: 'monitor',
      resource_present: { path: '/api/healthmonitor', name: 'mine', properties: { type: 'HEALTH_MONITOR_TCP' } },
    };
    const tasks = [monitor, pool({ health_monitor_refs: ['/api/healthmonitor?name=mine'] })];
    expect(outcomes(await run(tasks))).to.deep.equal(['changed', 'changed']);
    expect(controller.takeApi().filter((request) => request.includes('page_size'))).to.deep.equal([]);
    expect(outcomes(await run(tasks))).to.deep.equal(['ok', 'ok']);
    expect(controller.takeApi()).to.deep.equal(['GET /api/healthmonitor?name=mine', 'GET /api/pool?name=web']);
  });

  it('to an object that an earlier task would create are accepted in check mode', async () => {
    const monitor = {
      name: 'monitor',
      resource_present: { path: '/api/healthmonitor', name: 'mine', properties: { type: 'HEALTH_MONITOR_TCP' } },
    };
    const ran = await run([monitor, pool({ health_monitor_refs: ['mine'] })], { check: true });
    expect(outcomes(ran)).to.deep.equal(['changed', 'changed']);
    expect(ran.tasks[1]?.change).to.have.nested.property(
      'after.health_monitor_refs[0]',
      '/api/healthmonitor/(known after apply)#mine',
    );
    expect(controller.all('pool')).to.deep.equal([]);
  });

  it('mean in a check what earlier tasks would have renamed or deleted', async () => {
    const [{ uuid = '' }] = await Promise.all([
      controller.add('pool', { name: 'old' }),
      controller.add('pool', { name: 'gone' }),
    ]);
    const group = (ref: string): Mapping => ({
      resource_present: { path: '/api/poolgroup', name: ref, properties: { members: [{ pool_ref: ref }] } },
      ignore_errors: true,
    });
    const { tasks } = await run(
      [
        { avi_pool: { uuid, name: 'new' } },
        { resource_absent: { path: '/api/pool', name: 'gone' } },
        ...['new', 'old', 'gone'].map(group),
      ],
      { check: true },
    );
    const missing = 'the controller has none';
    expect(tasks.slice(2).map(({ status, message = '' }) => [status, message.includes(missing)])).to.deep.equal([
      ['changed', false],
      ['failed', true],
      ['failed', true],
    ]);
    expect(tasks[2]?.change).to.have.nested.property('after.members[0].pool_ref', `/api/pool/${textOrEmpty(uuid)}#new`);
  });

  it('of a task that really writes in a check lead to the objects as they are, which are those that it changes', async () => {
    const uuid = textOrEmpty((await controller.add('pool', { name: 'old', default_server_port: 80 }))['uuid']);
    const real = (task: Mapping): Mapping => ({ ...task, check_mode: false, ignore_errors: true });
    const group = (ref: string): Mapping => ({
      resource_present: { path: '/api/poolgroup', name: ref, properties: { members: [{ pool_ref: ref }] } },
    });
    const gone = { resource_absent: { path: '/api/pool', name: 'old' } };
    const monitor = { resource_present: { path: '/api/healthmonitor', name: 'mine', properties: { type: 'x' } } };
    const ran = await run(
      [
        pool({ default_server_port: 443 }, 'old'),
        { avi_pool: { uuid, name: 'new' } },
        monitor,
        real(pool({ health_monitor_refs: ['mine'] })),
        real(group('new')),
        real(group('old')),
        real(pool({ description: 'real' }, 'old')),
        pool({ default_server_port: 80, description: 'real' }, 'old'),
        gone,
        real(pool({ description: 'again' }, 'old')),
        gone,
        pool({ description: 'expected' }, 'fresh'),
        real(pool({ description: 'real' }, 'fresh')),
        pool({ description: 'real' }, 'fresh'),
      ],
      { check: true },
    );
    const missing = ({ message = '' }: Ran['tasks'][number]): string =>
      /the controller has none/.exec(message)?.[0] ?? '';
    expect(ran.tasks.map((task) => task.change?.kind ?? `${task.status} ${missing(task)}`)).to.deep.equal([
      ...['update', 'update', 'create', 'failed the controller has none', 'failed the controller has none', 'create'],
      ...['update', 'ok ', 'delete', 'update', 'delete', 'create', 'create', 'ok '],
    ]);
    const left = controller.all('pool').map((one) => [one['name'], one['default_server_port'], one['description']]);
    expect(left).to.deep.equal([
      ['old', 80, 'again'],
      ['fresh', 80, 'real'],
    ]);
    expect(controller.all('poolgroup').map(({ name }) => name)).to.deep.equal(['old']);
  });

  it('to an object that does not exist fail before anything is written, with the nearest name', async () => {
    const { tasks } = await run([pool({ servers: [{ deep: { health_monitor_ref: 'System-HTP' } }] })]);
    expect(tasks[0]).to.deep.include({
      status: 'failed',
      message:
        'properties.servers[0].deep.health_monitor_ref refers to the healthmonitor "System-HTP", and the controller has none of that name; nothing was written',
      hint: 'did you mean "System-HTTP"?',
    });
    expect(controller.takeApi().filter((request) => !request.startsWith('GET'))).to.deep.equal([]);
  });

  it('to an object that a task of the run deleted fail', async () => {
    await controller.add('healthmonitor', { name: 'mine', type: 'HEALTH_MONITOR_TCP' });
    const gone = { name: 'gone', resource_absent: { path: '/api/healthmonitor', name: 'mine' } };
    const ran = await run([
      pool({ health_monitor_refs: ['System-TCP'] }, 'a'),
      gone,
      pool({ health_monitor_refs: ['mine'] }, 'b'),
    ]);
    expect(outcomes(ran)[2]).to.match(/^failed: .* refers to the healthmonitor "mine"/);
  });

  it('are shown with names in a diff, and sent without', async () => {
    await controller.add('pool', { name: 'web', health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] });
    const { tasks } = await run([pool({ health_monitor_refs: ['System-TCP'] })]);
    expect(tasks[0]?.change).to.have.nested.property(
      'before.health_monitor_refs[0]',
      `${controller.url}/api/healthmonitor/${uuidOf('healthmonitor', 'System-HTTP')}#System-HTTP`,
    );
    expect(tasks[0]?.change).to.have.nested.property(
      'after.health_monitor_refs[0]',
      `/api/healthmonitor/${uuidOf('healthmonitor', 'System-TCP')}#System-TCP`,
    );
  });

  it('mean the object in the cloud that they or their object name', async () => {
    const named = pool({ vrf_ref: '/api/vrfcontext?name=global&cloud=edge' }, 'a');
    const own = pool({ vrf_ref: '/api/vrfcontext?name=global', cloud_ref: '/api/cloud?name=edge' }, 'b');
    const other = pool({ vrf_ref: '/api/vrfcontext?name=global' }, 'c');
    const properties = { vrf_ref: '/api/vrfcontext?name=global' };
    const match = { cloud_ref: '/api/cloud?name=edge' };
    const matched = { resource_present: { path: '/api/pool', name: 'd', properties, match } };
    for (const expected of ['changed', 'ok'])
      expect(outcomes(await run([named, own, other, matched]))).to.deep.equal(new Array(4).fill(expected));
    // Meant at once, not only when the new object shows its cloud.
    expect(controller.takeApi().filter((request) => request.startsWith('PUT'))).to.deep.equal([]);
    const edge = `/api/cloud/${uuidOf('cloud', 'edge')}`;
    const [global] = controller
      .all('vrfcontext')
      .filter(({ name, cloud_ref }) => name === 'global' && cloud_ref === edge);
    const meant = `/api/vrfcontext/${textOrEmpty(global?.['uuid'])}`;
    const refs = ['a', 'b', 'c', 'd'].map((name) => controller.one('pool', name)['vrf_ref'] === meant);
    expect(refs).to.deep.equal([true, true, false, true]);
  });

  it('never mean an object in another cloud than they name, even if it is the only one with the name', async () => {
    await controller.add('network', { name: 'front', cloud_ref: '/api/cloud?name=edge' });
    const at = (cloud: string, options: TextOptions = {}): Promise<Ran> =>
      run([pool({ placement_networks: [{ network_ref: `/api/network?name=front&cloud=${cloud}` }] })], options);
    const known = await at('edgee');
    expect(known.tasks[0]).to.include({
      message:
        'properties.placement_networks[0].network_ref names the cloud "edgee", and the controller has none of that name; nothing was written',
    });
    expect(known.tasks[0]?.hint).to.equal('did you mean "edge"?');
    expect(outcomes(await at('Default-Cloud'))[0]).to.include('none of that name in the cloud "Default-Cloud"');
    const cloud = { name: 'cloud', resource_present: { path: '/api/cloud', name: 'core', properties: {} } };
    const network = { network_ref: '/api/network?name=front&cloud=core' };
    const ran = await run([cloud, pool({ placement_networks: [network] })], { check: true });
    expect(outcomes(ran)).to.deep.equal(['changed', 'changed']);
    expect(JSON.stringify(ran.tasks[1]?.change)).to.include('(known after apply)#front');
    expect(controller.all('pool')).to.deep.equal([]);
  });

  it('are sent as written if the dialect has no references', async () => {
    await controller.close();
    controller = await startAviController({ basic: true });
    const generic = controller.textInventory({ controller_dialect: 'generic', controller_auth: 'basic' });
    const task = pool({ health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] });
    const { tasks } = await run([task], generic);
    expect(tasks[0]?.message).to.match(/^not converged: .* still differs after it was written: /);
    expect(tasks[0]?.hint).to.equal(
      'the controller accepted the write and shows something else: does it normalise or ignore these values?',
    );
    expect(controller.takeApi().filter((request) => request.includes('healthmonitor'))).to.deep.equal([]);
  });
});
