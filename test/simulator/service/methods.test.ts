import { expect } from 'chai';
import { textOrEmpty, type JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

describe('what can be asked of a strict simulated controller', () => {
  let lb1: AviController;
  const uuids: Record<string, string> = {};
  const two: JsonObject[] = [];

  before(async () => {
    lb1 = await startAviController({ cloud_ready_after: 60_000 });
    const add = async (kind: string, fields: JsonObject): Promise<JsonObject> => {
      const object = await lb1.add(kind, fields);
      uuids[`${kind} ${textOrEmpty(fields['name'])}`] = textOrEmpty(object['uuid']);
      return object;
    };
    const server = (addr: string, fields: JsonObject = {}): JsonObject => ({ ip: { type: 'V4', addr }, ...fields });
    const servers = [server('10.0.0.1'), server('10.0.0.2', { enabled: false }), server('10.0.0.3', { port: 8080 })];
    const monitors = ['/api/healthmonitor?name=System-HTTP'];
    two.push(
      await add('pool', { name: 'web', servers, health_monitor_refs: monitors }),
      await add('pool', { name: 'idle' }),
    );
    await add('virtualservice', { name: 'web', pool_ref: `/api/pool/${uuids['pool web'] ?? ''}` });
    await add('cloud', { name: 'edge', vtype: 'CLOUD_NONE' });
    lb1.controller.behaviour = { servers_down: ['10.0.0.3:8080'] };
  });
  after(() => lb1.close());

  const at = (path: string): string => path.replaceAll(/<(\w+ \w+)>/g, (_, name: string) => uuids[name] ?? '');

  const refused: readonly (readonly [path: string, allowed: string, methods: readonly Method[]])[] = [
    ['/api/pool', 'GET, POST', ['PUT', 'PATCH', 'DELETE']],
    ['/api/pool/<pool web>', 'GET, PUT, PATCH, DELETE', ['POST']],
    ['/api/systemconfiguration', 'GET, PUT, PATCH', ['POST', 'DELETE']],
    ['/api/virtualservice/<virtualservice web>/scaleout', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE']],
    ['/api/virtualservice/<virtualservice web>/switchover', 'POST', ['GET']],
    ['/api/analytics/metrics/pool/<pool web>', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/api/upgrade', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE']],
    ['/api/upgradestatusinfo', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE']],
    ['/api/fileservice', 'GET, POST', ['PUT', 'PATCH', 'DELETE']],
  ];
  for (const [path, allow, methods] of refused)
    it(`allows ${allow} of ${path}`, async () => {
      for (const method of methods) {
        const { status, headers, text } = await lb1.client.send(method, at(path), {});
        expect([status, headers['allow']], method).to.deep.equal([405, allow]);
        expect(text).to.include(`Method '${method}' not allowed.`);
      }
    });

  it('knows only the objects that are there', async () => {
    for (const [path, title] of [
      ['/api/pool/pool-7', 'Pool'],
      ['/api/pool-inventory/pool-7', 'Pool'],
      ['/api/pool/pool-7/runtime', 'Pool'],
      ['/api/cloud/cloud-7/status', 'Cloud'],
      ['/api/analytics/metrics/virtualservice/x?metric_id=y', 'VirtualService'],
      ['/api/unheard/x', 'unheard'],
    ] as const) {
      const { status, json } = await lb1.client.send('GET', path);
      expect([status, json()], path).to.deep.equal([404, { error: `${title} object not found!` }]);
    }
    for (const method of METHODS)
      expect((await lb1.client.send(method, '/api/a/b/c', {})).status, method).to.equal(404);
  });

  it('has the runtime of each of two pools', async () => {
    const runtime = async (name: string) => {
      const shown = await lb1.client.object('GET', at(`/api/pool/<pool ${name}>/runtime`));
      const { oper_status: status, ...numbers } = shown;
      return [status, Object.values(numbers)];
    };
    expect(await runtime('web')).to.deep.equal([{ state: 'OPER_UP', reason: [] }, [3, 2, 1, 33, 50]]);
    expect(await runtime('idle')).to.deep.equal([
      { state: 'OPER_UNUSED', reason: ['No virtual service uses it'] },
      [0, 0, 0, 0, 0],
    ]);
    expect((await lb1.client.send('GET', at('/api/pool/<pool web>/runtime/server'))).json()).to.deep.equal([
      { server: '10.0.0.1:80', oper_status: { state: 'OPER_UP', reason: [] } },
      { server: '10.0.0.2:80', oper_status: { state: 'OPER_DISABLED', reason: ['Disabled by configuration'] } },
      { server: '10.0.0.3:8080', oper_status: { state: 'OPER_DOWN', reason: ['No server is up'] } },
    ]);
    expect(await lb1.client.object('GET', at('/api/virtualservice/<virtualservice web>/runtime'))).to.deep.equal({
      oper_status: { state: 'OPER_UP', reason: [] },
      percent_ses_up: 100,
    });
  });

  it('lists the inventory of two pools, with their configuration, in pages', async () => {
    const listed = async (query: string) => {
      const { count, next, results } = await lb1.client.object('GET', `/api/pool-inventory?${query}`);
      const entries = results as unknown as readonly { uuid: string; config: JsonObject; health_score: JsonObject }[];
      return [
        count,
        next,
        ...entries.map(({ uuid, config, health_score: score }) => [uuid, config['name'], score['health_score']]),
      ];
    };
    const [web, idle] = [
      [uuids['pool web'], 'web', 33],
      [uuids['pool idle'], 'idle', 0],
    ];
    expect(await listed('')).to.deep.equal([2, undefined, web, idle]);
    expect(await listed('page_size=1')).to.deep.equal([2, `${lb1.url}/api/pool-inventory?page_size=1&page=2`, web]);
    expect(await listed('page_size=1&page=2')).to.deep.equal([2, undefined, idle]);
    expect(await listed('name=idle')).to.deep.equal([1, undefined, idle]);
    expect((await lb1.client.send('GET', '/api/pool-inventory?page_size=0')).status).to.equal(400);
  });

  it('has the state of each of two clouds', async () => {
    const status = async (name: string) => {
      const { uuid = '' } = lb1.one('cloud', name);
      const { state, reason } = await lb1.client.object('GET', `/api/cloud/${textOrEmpty(uuid)}/status`);
      const inventory = await lb1.client.object('GET', `/api/cloud-inventory/${textOrEmpty(uuid)}`);
      expect(inventory['status']).to.deep.equal({ uuid, state, reason });
      expect(inventory).to.not.have.any.keys('runtime', 'health_score');
      return [state, reason];
    };
    expect(await status('edge')).to.deep.equal(['CLOUD_STATE_IN_PROGRESS', 'Waiting for the cloud to be configured']);
    expect(await status('Default-Cloud')).to.deep.equal(['CLOUD_STATE_PLACEMENT_READY', '']);
  });

  it('counts connections of what is asked for', async () => {
    const metrics = async (path: string) => {
      const { series, ...rest } = await lb1.client.object('GET', at(`/api/analytics/metrics/${path}`));
      const all = series as unknown as readonly { header: JsonObject; data: readonly JsonObject[] }[];
      return [rest, ...all.map(({ header, data }) => [header, data.map(({ value }) => value)])];
    };
    const [id, pool] = ['l4_client.max_open_conns', uuids['pool web'] ?? ''];
    const asked = (of: string, entity: string, values: readonly (readonly number[])[], more: JsonObject = {}) => [
      { metric_id: of, entity_uuid: entity, limit: 1 },
      ...of.split(',').map((name, place) => [{ name, entity_uuid: entity, ...more }, values[place]]),
    ];
    expect(await metrics(`pool/<pool web>?metric_id=${id},other`)).to.deep.equal(
      asked(`${id},other`, pool, [[10], []]),
    );
    expect(await metrics('pool/<pool idle>?metric_id=l4_server.avg_pool_open_conns')).to.deep.equal(
      asked('l4_server.avg_pool_open_conns', uuids['pool idle'] ?? '', [[0]]),
    );
    const of = (server: string, values: readonly number[]) => asked(id, pool, [values], { obj_id: server });
    expect(await metrics(`pool/<pool web>?metric_id=${id}&obj_id=10.0.0.1:80`)).to.deep.equal(of('10.0.0.1:80', [10]));
    expect(await metrics(`pool/<pool web>?metric_id=${id}&obj_id=10.0.0.3:8080`)).to.deep.equal(
      of('10.0.0.3:8080', [0]),
    );
    expect(await metrics(`pool/<pool web>?metric_id=${id}&obj_id=10.0.0.9:80`)).to.deep.equal(of('10.0.0.9:80', []));
    for (const query of ['', '?metric_id='])
      expect((await lb1.client.send('GET', at(`/api/analytics/metrics/pool/<pool web>${query}`))).text).to.include(
        'metric_id is required.',
      );
  });
});
