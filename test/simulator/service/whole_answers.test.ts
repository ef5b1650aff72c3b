import { expect } from 'chai';
import { isJsonObject, textOrEmpty, type JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { bareController } from '../../rig/bare_controller.js';

const server = (addr: string, fields: JsonObject = {}): JsonObject => ({ ip: { type: 'V4', addr }, ...fields });
const status = (state: string, ...reason: readonly string[]): JsonObject => ({ state, reason });

/** A pool with one server of each state, and its virtual service; a second pool that nothing uses. */
function withPools() {
  const made = bareController('avi');
  made.controller.behaviour = { basic: true, servers_down: ['10.0.0.2', '10.0.0.9:80'], drained_after: 1e9 };
  const servers = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => server(address));
  const monitors = { health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] };
  const create = (kind: string, object: JsonObject): string =>
    textOrEmpty(made.object('POST', `/api/${kind}`, object)['uuid']);
  const pool = create('pool', { name: 'web', servers, default_server_port: 8080, ...monitors });
  const other = create('pool', { name: 'other', servers: [server('10.0.0.9')], ...monitors });
  const service = create('virtualservice', { name: 'web', pool_ref: `/api/pool/${pool}` });
  const off = [server('10.0.0.1'), server('10.0.0.2'), server('10.0.0.3', { enabled: false })];
  made.object('PATCH', `/api/pool/${pool}`, { replace: { servers: off } });
  return { ...made, pool, other, service };
}

describe('the answers of a simulated controller', () => {
  it('say of pools and virtual services what each of their servers does', () => {
    const { object, ask, pool, other, service } = withPools();
    const runtime = (path: string): JsonObject => object('GET', `/api/${path}/runtime`);
    expect(runtime(`pool/${pool}`)).to.deep.equal({
      oper_status: status('OPER_UP'),
      num_servers: 3,
      num_servers_enabled: 2,
      num_servers_up: 1,
      percent_servers_up_total: 33,
      percent_servers_up_enabled: 50,
    });
    expect(runtime(`pool/${other}`)).to.deep.equal({
      oper_status: status('OPER_UNUSED', 'No virtual service uses it'),
      num_servers: 1,
      num_servers_enabled: 1,
      num_servers_up: 0,
      percent_servers_up_total: 0,
      percent_servers_up_enabled: 0,
    });
    expect(runtime(`virtualservice/${service}`)).to.deep.equal({ oper_status: status('OPER_UP'), percent_ses_up: 100 });
    expect(ask('GET', `/api/pool/${pool}/runtime/server`).body).to.deep.equal([
      { server: '10.0.0.1:8080', oper_status: status('OPER_UP') },
      { server: '10.0.0.2:8080', oper_status: status('OPER_DOWN', 'No server is up') },
      { server: '10.0.0.3:8080', oper_status: status('OPER_DISABLED', 'Disabled by configuration') },
    ]);
    expect(ask('GET', `/api/pool/${other}/runtime/server`).body).to.deep.equal([
      { server: '10.0.0.9:80', oper_status: status('OPER_DOWN', 'No server is up') },
    ]);
  });

  it('have the newest value of each metric that has one', () => {
    const { object, pool, other, service } = withPools();
    const metrics = (path: string, query: string): unknown => {
      const { series, ...about } = object('GET', `/api/analytics/metrics/${path}?${query}`);
      const steady = JSON.stringify(series).replaceAll(/"timestamp":"\d{4}-[\d:.T-]+Z"/g, '"timestamp":"now"');
      return { ...about, series: JSON.parse(steady) as unknown };
    };
    const open = 'l4_server.max_open_conns';
    expect(metrics(`pool/${pool}`, `metric_id=${open},l7_client.avg_latency&obj_id=10.0.0.1:8080`)).to.deep.equal({
      metric_id: `${open},l7_client.avg_latency`,
      entity_uuid: pool,
      limit: 1,
      series: [
        {
          header: { name: open, entity_uuid: pool, obj_id: '10.0.0.1:8080' },
          data: [{ timestamp: 'now', value: 10 }],
        },
        { header: { name: 'l7_client.avg_latency', entity_uuid: pool, obj_id: '10.0.0.1:8080' }, data: [] },
      ],
    });
    const clients = 'l4_client.avg_pool_open_conns';
    expect(metrics(`virtualservice/${service}`, `metric_id=${clients}`)).to.deep.equal({
      metric_id: clients,
      entity_uuid: service,
      limit: 1,
      series: [{ header: { name: clients, entity_uuid: service }, data: [{ timestamp: 'now', value: 20 }] }],
    });
    expect(metrics(`pool/${other}`, `metric_id=${open}`)).to.deep.equal({
      metric_id: open,
      entity_uuid: other,
      limit: 1,
      series: [{ header: { name: open, entity_uuid: other }, data: [{ timestamp: 'now', value: 0 }] }],
    });
  });

  it('say how far an upgrade is, why another does not begin, and how long the controller is away', () => {
    const { controller, object, ask, state } = bareController('avi');
    const images = ['22.1.6-9191', '22.1.2-9000', 'hsm'].map((name): JsonObject => ({ uuid: `image-${name}`, name }));
    state.setObjects('/api/image/', images);
    const start = (body?: JsonObject) => ask('POST', '/api/upgrade', body);
    const refused = (body?: JsonObject): unknown => {
      const answer = start(body);
      return [answer.status, isJsonObject(answer.body) && answer.body['error']];
    };
    const said = [undefined, { image_uuid: 'none' }, { image_uuid: 'image-hsm' }, { image_uuid: 'image-22.1.2-9000' }];
    expect(said.map(refused)).to.deep.equal([
      [400, 'image_ref or image_uuid is required.'],
      [404, 'Image object not found!'],
      [400, 'The image has no version.'],
      [400, 'The controller cannot be upgraded from 22.1.3 to 22.1.2-9000.'],
    ]);
    const about = { uuid: 'cluster-0-1', name: 'cluster-0-1', node_type: 'NODE_CONTROLLER_CLUSTER' };
    const entry = (version: string, fsm: string, tasks: number) => ({
      count: 1,
      results: [
        {
          ...about,
          upgrade_ops: 'UPGRADE',
          version,
          state: { state: fsm, reason: '' },
          total_tasks: 20,
          tasks_completed: tasks,
        },
      ],
    });
    expect(object('GET', '/api/upgradestatusinfo')).to.deep.equal(entry('22.1.3', 'UPGRADE_FSM_COMPLETED', 20));
    controller.behaviour = { basic: true, upgrade: { disallowed: 1e9 } };
    expect(start({ image_ref: '/api/image?name=22.1.6-9191' })).to.deep.equal({
      status: 200,
      headers: {},
      body: { status: 'Upgrade started' },
      restarts: { disallowed: 1e9, unavailable: 500, refused: 500 },
    });
    expect(object('GET', '/api/upgradestatusinfo')).to.deep.equal(entry('22.1.3', 'UPGRADE_FSM_IN_PROGRESS', 0));
    expect(refused({ image_uuid: 'image-22.1.6-9191' })).to.deep.equal([400, 'Upgrade is already in progress.']);
    expect(object('GET', '/api/cluster/version')).to.deep.equal({
      Version: '22.1.3',
      Product: 'controller',
      Tag: '22.1.3-9000',
    });
  });

  it('of an upgrade that fails say that the controller stays', () => {
    const { controller, ask, state } = bareController('avi');
    state.setObjects('/api/image/', [{ uuid: 'image-1', name: '30.1.1-9000' }]);
    controller.behaviour = { basic: true, upgrade: { unavailable: 7, refused: 8, fails: true } };
    const { restarts } = ask('POST', '/api/upgrade', { image_uuid: 'image-1' });
    expect(restarts).to.deep.equal({ disallowed: 500, unavailable: 0, refused: 0 });
  });

  it('of an upgrade after one that failed do not tell of that one', () => {
    const { controller, ask, object, state } = bareController('avi');
    state.setObjects('/api/image/', [{ uuid: 'image-1', name: '30.1.1-9000' }]);
    const shown = (fails: boolean): unknown => {
      controller.behaviour = { basic: true, upgrade: { disallowed: 0, unavailable: 0, refused: 0, fails } };
      expect(ask('POST', '/api/upgrade', { image_uuid: 'image-1' }).status).to.equal(200);
      const [{ version, state: found } = {}] = object('GET', '/api/upgradestatusinfo')[
        'results'
      ] as unknown as readonly JsonObject[];
      return { version, ...(found as JsonObject) };
    };
    const failed = { state: 'UPGRADE_FSM_ERROR', reason: 'The upgrade to 30.1.1-9000 failed', version: '22.1.3' };
    expect(shown(true)).to.deep.equal(failed);
    // Nobody asks for the end of this one.
    expect(ask('POST', '/api/upgrade', { image_uuid: 'image-1' }).status).to.equal(200);
    expect(shown(false)).to.deep.equal({ state: 'UPGRADE_FSM_COMPLETED', reason: '', version: '30.1.1-9000' });
  });

  it('to a list have the objects that refer to one, also among others', () => {
    const { list, object } = bareController('avi');
    const refs = (...names: readonly string[]) => names.map((name) => `/api/healthmonitor?name=System-${name}`);
    object('POST', '/api/pool', { name: 'one', health_monitor_refs: refs('HTTP') });
    object('POST', '/api/pool', { name: 'two', health_monitor_refs: refs('Ping', 'HTTP') });
    object('POST', '/api/pool', { name: 'none', health_monitor_refs: refs('Ping') });
    const found = list('/api/pool?health_monitor_refs.name=System-HTTP').map(({ name }) => name);
    expect(found).to.deep.equal(['one', 'two']);
  });

  it('to a sign-in set the cookies of the session, and clear them in the end', () => {
    const { ask } = bareController('avi');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(ask('GET', '/login')).to.deep.equal({
      status: 405,
      headers: { allow: 'POST' },
      body: { error: "Method 'GET' not allowed." },
    });
    for (const [body, headers] of [
      [{ username: 'admin' }, {}],
      [{ username: 'admin', password: 5 }, {}],
      [[], {}],
      [{ username: 'admin', password: 'simulated' }, form],
    ] as const)
      expect(ask('POST', '/login', body, headers)).to.deep.equal({
        status: 400,
        headers: {},
        body: { error: 'username and password are required.' },
      });
    const { token } = ask('POST', '/api/user-token', {}).body as { readonly token: string };
    for (const secret of [{ password: 'simulated' }, { token }]) {
      const { headers } = ask('POST', '/login', { username: 'admin', ...secret });
      const cookies = [headers['set-cookie'] ?? []].flat().map((one) => one.replace(/=[0-9a-f]{32};/, '=ID;'));
      expect(cookies).to.deep.equal([
        'csrftoken=ID; Path=/; Secure',
        'avi-sessionid=ID; HttpOnly; Path=/; Secure',
        'sessionid=ID; HttpOnly; Path=/; Secure',
      ]);
    }
    expect(ask('POST', '/logout').headers).to.deep.equal({
      'set-cookie': ['avi-sessionid', 'sessionid', 'csrftoken'].map((name) => `${name}=; Path=/; Max-Age=0`),
    });
  });
});
