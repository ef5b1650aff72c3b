import { expect } from 'chai';
import { textOrEmpty, type JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';

describe('the runtime of pools and virtual services of a strict simulated controller', () => {
  let lb1: AviController;
  let pool: string;
  let service: string;

  const server = (addr: string, fields: JsonObject = {}): JsonObject => ({ ip: { type: 'V4', addr }, ...fields });
  const uuidOf = async (path: string, object: JsonObject): Promise<string> =>
    textOrEmpty((await lb1.client.object('POST', path, object))['uuid']);
  const state = async (kind: string, uuid: string): Promise<unknown> => {
    const entry = (await lb1.client.object('GET', `/api/${kind}-inventory/${uuid}`)) as {
      runtime: { oper_status: JsonObject };
      health_score: JsonObject;
    };
    return [entry.runtime.oper_status['state'], entry.health_score['health_score']];
  };
  const setPool = (fields: JsonObject): Promise<JsonObject> =>
    lb1.client.object('PATCH', `/api/pool/${pool}`, { replace: fields });
  const connections = async (of: string, query = ''): Promise<readonly unknown[]> => {
    const path = `/api/analytics/metrics/${of}?metric_id=l4_server.avg_open_conns${query}`;
    const series = (await lb1.client.object('GET', path))['series'] as unknown as readonly { data: JsonObject[] }[];
    return series.flatMap(({ data }) => data.map(({ value }) => value));
  };

  beforeEach(async () => {
    lb1 = await startAviController({ drained_after: 0 });
    const servers = [server('10.0.0.1'), server('10.0.0.2', { port: 8080 })];
    const monitors = ['/api/healthmonitor?name=System-HTTP'];
    pool = await uuidOf('/api/pool', { name: 'web', servers, health_monitor_refs: monitors });
    service = await uuidOf('/api/virtualservice', { name: 'web', pool_ref: `/api/pool/${pool}` });
  });
  afterEach(() => lb1.close());

  it('is up, disabled or unused by the configuration', async () => {
    expect(await state('pool', pool)).to.deep.equal(['OPER_UP', 100]);
    expect(await state('virtualservice', service)).to.deep.equal(['OPER_UP', 100]);
    const unused = await uuidOf('/api/pool', { name: 'unused', servers: [server('10.0.0.3')] });
    expect(await state('pool', unused)).to.deep.equal(['OPER_UNUSED', 0]);
    await setPool({ enabled: false });
    expect(await state('pool', pool)).to.deep.equal(['OPER_DISABLED', 0]);
    expect(await state('virtualservice', service)).to.deep.equal(['OPER_DOWN', 0]);
    await lb1.client.object('PATCH', `/api/virtualservice/${service}`, { replace: { enabled: false } });
    expect(await state('virtualservice', service)).to.deep.equal(['OPER_DISABLED', 0]);
  });

  it('stays as it is when engines take a virtual service over', async () => {
    const action = `/api/virtualservice/${service}/scaleout`;
    expect((await lb1.client.send('POST', action, { vip_id: '0' })).status).to.equal(200);
    expect((await lb1.client.send('GET', action)).status).to.equal(405);
    expect((await lb1.client.send('POST', '/api/virtualservice/none/migrate')).status).to.equal(404);
  });

  it('is down if monitors find all servers down', async () => {
    lb1.controller.behaviour = { servers_down: ['10.0.0.1'] };
    expect(await state('pool', pool)).to.deep.equal(['OPER_UP', 50]);
    const runtime = await lb1.client.object('GET', `/api/pool/${pool}/runtime`);
    expect(runtime).to.include({ num_servers: 2, num_servers_enabled: 2, num_servers_up: 1 });
    const servers = (await lb1.client.send('GET', `/api/pool/${pool}/runtime/server`)).json();
    expect(servers).to.have.nested.property('[0].oper_status.state', 'OPER_DOWN');
    lb1.controller.behaviour = { servers_down: ['10.0.0.1', '10.0.0.2:8080'] };
    expect(await state('pool', pool)).to.deep.equal(['OPER_DOWN', 0]);
    expect(await state('virtualservice', service)).to.deep.equal(['OPER_DOWN', 0]);
    await setPool({ health_monitor_refs: [] });
    expect(await state('pool', pool)).to.deep.equal(['OPER_UP', 100]);
  });

  it('is that of the pools of a pool group', async () => {
    const group = await uuidOf('/api/poolgroup', { name: 'all', members: [{ pool_ref: `/api/pool/${pool}` }] });
    const grouped = await uuidOf('/api/virtualservice', { name: 'all', pool_group_ref: `/api/poolgroup/${group}` });
    expect(await state('virtualservice', grouped)).to.deep.equal(['OPER_UP', 100]);
    lb1.controller.behaviour = { servers_down: ['10.0.0.1', '10.0.0.2'] };
    expect(await state('virtualservice', grouped)).to.deep.equal(['OPER_DOWN', 0]);
  });

  it('counts open connections, which end after a server was disabled', async () => {
    expect(await connections(`pool/${pool}`)).to.deep.equal([20]);
    expect(await connections(`virtualservice/${service}`)).to.deep.equal([20]);
    expect(await connections(`pool/${pool}`, '&obj_id=10.0.0.2:8080')).to.deep.equal([10]);
    expect(await connections(`pool/${pool}`, '&obj_id=10.0.0.7:80')).to.deep.equal([]);
    lb1.controller.behaviour = { drained_after: 1e9 };
    await setPool({ servers: [server('10.0.0.1'), server('10.0.0.2', { port: 8080, enabled: false })] });
    expect(await connections(`pool/${pool}`, '&obj_id=10.0.0.2:8080')).to.deep.equal([10]);
    lb1.controller.behaviour = { drained_after: 0 };
    expect(await connections(`pool/${pool}`, '&obj_id=10.0.0.2:8080')).to.deep.equal([0]);
    expect(await connections(`pool/${pool}`)).to.deep.equal([10]);
  });

  it('has only metrics that are asked for', async () => {
    const metrics = `/api/analytics/metrics/pool/${pool}`;
    expect((await lb1.client.send('GET', metrics)).status).to.equal(400);
    expect((await lb1.client.send('POST', metrics, {})).status).to.equal(405);
    expect((await lb1.client.send('GET', '/api/analytics/metrics/pool/pool-7?metric_id=x')).status).to.equal(404);
  });
});
