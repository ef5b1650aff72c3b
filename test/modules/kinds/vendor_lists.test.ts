import { expect } from 'chai';
import { isMapping, type Mapping, type Value, valueAt } from '../../../src/core/model/values/value.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';
import { runTasks } from '../../rig/task_run.js';

describe("modules of the vendor's collection that handle a part of an object", () => {
  let fleet: Fleet;
  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi' });
  });
  afterEach(() => fleet.dispose());

  const said = async (...tasks: readonly Mapping[]): Promise<readonly string[]> => {
    const { results } = await runTasks(fleet, tasks, {});
    return results.map(({ status, message = '' }) => (status === 'failed' ? message : status));
  };
  const objects = (path: string): readonly Mapping[] => fleet.controller('lb1').objects(path);
  const list = (object: Mapping | undefined, field: string): readonly Mapping[] => {
    const found = object?.[field] ?? [];
    return Array.isArray(found) ? found.filter(isMapping) : [];
  };
  const ip = (addr: string): Mapping => ({ ip: { type: 'V4', addr } });
  const patch = (group: Mapping, more: Mapping = {}): Mapping => ({
    avi_gslbservice_patch_member: { name: 'shop', data: { group: { name: 'emea', ...group } }, ...more },
  });

  it('add members of a GSLB service to a group, change them, and take them away', async () => {
    const algorithm = 'GSLB_ALGORITHM_ROUND_ROBIN';
    // Fields that a part needs and that have a default may be missing.
    const first = { members: [{ ...ip('192.0.2.1'), ratio: 1 }, { fqdn: 'a.example.com' }] };
    expect(await said(patch(first, { state: 'absent' }))).to.deep.equal(['ok']);
    const domain = { gslbservice_present: { name: 'shop', domain_names: ['shop.example.com'] } };
    expect(await said(domain, patch(first), patch(first))).to.deep.equal(['changed', 'changed', 'ok']);
    const second = { priority: 42, members: [{ ...ip('192.0.2.1'), ratio: 5 }, ip('192.0.2.2')] };
    expect(await said(patch(second), patch(second))).to.deep.equal(['changed', 'ok']);
    const seen = (): Mapping => list(objects('/api/gslbservice/')[0], 'groups')[0] ?? {};
    expect(seen()).to.include({ algorithm, priority: 42 });
    expect(list(seen(), 'members').map((one) => [one['ratio'], one['fqdn']])).to.deep.equal([
      [5, undefined],
      [1, 'a.example.com'],
      [1, undefined],
    ]);
    const gone = patch({ members: [{ fqdn: 'a.example.com' }] }, { state: 'absent' });
    expect(await said(gone, gone)).to.deep.equal(['changed', 'ok']);
    const rest = patch({ members: [ip('192.0.2.1'), ip('192.0.2.2')] }, { state: 'absent' });
    expect(await said(rest, rest)).to.deep.equal(['changed', 'ok']);
    expect(list(objects('/api/gslbservice/')[0], 'groups')).to.deep.equal([]);
  });

  it('change interfaces of a service engine', async () => {
    const vnic = (if_name: string): Mapping => ({ if_name, mac_address: `00:00:00:00:00:0${if_name.slice(3)}` });
    const engine = { name: 'se-1', data_vnics: [{ ...vnic('eth1'), dhcp_enabled: false }, vnic('eth2')] };
    const vnics = (if_name: string, se_name = 'se-1'): Mapping => ({
      avi_update_se_data_vnics: { se_name, data_vnics_config: [{ if_name, dhcp_enabled: true }] },
    });
    expect(await said({ serviceengine_present: engine }, vnics('eth1'), vnics('eth1'))).to.deep.equal([
      'changed',
      'changed',
      'ok',
    ]);
    const [seen] = objects('/api/serviceengine/');
    expect(list(seen, 'data_vnics')).to.have.length(2);
    expect(await said(vnics('eth9'))).to.deep.equal(['serviceengine "se-1" has no interface "eth9"']);
    expect(await said(vnics('eth1', 'se-9'))).to.deep.equal(['there is no serviceengine "se-9"']);
  });

  it('patch references by name, each once', async () => {
    const at = (avi_patch_path: string, avi_patch_value: Value, more: Mapping = {}): Mapping => ({
      name: 'web',
      avi_api_update_method: 'patch',
      avi_patch_path,
      avi_patch_value,
      ...more,
    });
    await said(
      { healthmonitor_present: { name: 'ping', type: 'HEALTH_MONITOR_PING' } },
      { pool_present: { name: 'web' } },
      { pool_present: { name: 'green' } },
      { poolgroup_present: { name: 'web' } },
    );
    const monitors = (path: string, value: Value, more?: Mapping): Mapping => ({ avi_pool: at(path, value, more) });
    const added = monitors('/health_monitor_refs/-', '/api/healthmonitor?name=ping');
    const replaced = monitors('/health_monitor_refs', '[/api/healthmonitor/?name=ping]', {
      avi_api_patch_op: 'replace',
    });
    const member = { avi_poolgroup: at('/members/-', '{pool_ref: /api/pool?name=green, ratio: 2}') };
    expect(await said(added, added, replaced, member, member)).to.deep.equal(['changed', 'ok', 'ok', 'changed', 'ok']);
    const pool = objects('/api/pool/').find(({ name }) => name === 'web');
    expect(pool?.['health_monitor_refs']).to.have.length(1);
    expect(list(objects('/api/poolgroup/')[0], 'members')).to.have.length(1);
    expect(await said(monitors('/health_monitor_refs/-', '/api/healthmonitor?name=pong'))).to.deep.equal([
      'avi_patch_value.health_monitor_refs refers to the healthmonitor "pong", and the controller has none of that name; nothing was written',
    ]);
  });

  it('add rules to a policy, and take them away', async () => {
    const rule = (index: number): Mapping => ({ index, name: `rule ${index}`, enable: true });
    const policy = (more: Mapping, ...rules: readonly Mapping[]): Mapping => ({
      avi_httppolicyset: { name: 'web', http_request_policy: { rules }, ...more },
    });
    const patched = { avi_api_update_method: 'patch' };
    const [added, gone] = [policy(patched, rule(3)), policy({ ...patched, avi_api_patch_op: 'delete' }, { index: 1 })];
    expect(await said(policy({}, rule(1), rule(2)), added, added, gone, gone)).to.deep.equal([
      'changed',
      'changed',
      'ok',
      'changed',
      'ok',
    ]);
    const [web] = objects('/api/httppolicyset/');
    expect(valueAt(web, 'http_request_policy.rules.0.index')).to.equal(2);
    expect(valueAt(web, 'http_request_policy.rules.1.index')).to.equal(3);
    expect(valueAt(web, 'http_request_policy.rules.2')).to.equal(undefined);
  });

  it('send no null, also for fields to be removed', async () => {
    const pool = (fields: Mapping): Mapping => ({ avi_pool: { name: 'web', ...fields } });
    const gone = { state: 'absent' };
    const server = { ...ip('10.0.0.1'), description: 'old' };
    const fields = {
      description: 'old',
      conn_pool_properties: { upstream_connpool_conn_idle_tmo: 5000 },
      servers: [server],
    };
    const removed = { description: gone, conn_pool_properties: gone, servers: [{ ...server, description: gone }] };
    const nothing = { description: null, conn_pool_properties: null, lb_algorithm: null, servers: [] };
    expect(
      await said(pool(removed), pool(fields), pool(nothing), pool(removed), pool(removed), pool(nothing)),
    ).to.deep.equal(['changed', 'changed', 'ok', 'changed', 'ok', 'ok']);
    const [web] = objects('/api/pool/');
    expect(web).to.not.have.any.keys('description', 'conn_pool_properties');
    expect(list(web, 'servers')).to.have.length(1);
    const writes = fleet
      .controller('lb1')
      .requests.filter(({ method, path }) => ['POST', 'PUT'].includes(method) && path.startsWith('/api/pool'));
    expect(writes).to.have.length(3);
    for (const { body } of writes) expect(body).to.not.include('null');
  });

  it('act in the tenant with a uuid, and pass an api_context without tokens on', async () => {
    // A simulated controller has its first objects when it is asked.
    await said({ tenant_present: { name: 'blue' } });
    const blue = objects('/api/tenant/').find(({ name }) => name === 'blue')?.['uuid'];
    if (typeof blue !== 'string') throw new Error('there is no tenant blue');
    const pool = { name: 'web', tenant_uuid: blue, api_context: '{{ made.api_context }}' };
    const [group, session] = [{ avi_credentials: { tenant_uuid: blue } }, { http_method: 'get', path: 'pool' }];
    const { results } = await runTasks(
      fleet,
      [
        { avi_pool: { ...pool, api_context: '{{ avi_api_context | default(omit) }}' }, register: 'made' },
        { avi_pool: pool },
        { avi_poolgroup: { name: 'web', ...group } },
        { avi_api_session: { ...session, ...group }, register: 'listed' },
        {
          assert: {
            that: [
              'listed.obj.count == 1',
              'made.obj.name == "web"',
              'made.api_context == {"session": "kept by the run"}',
            ],
          },
        },
        { avi_pool: { ...pool, tenant_uuid: 'tenant-0' } },
      ],
      {},
    );
    expect(results.map(({ status }) => status)).to.deep.equal(['changed', 'ok', 'changed', 'ok', 'ok', 'failed']);
    expect(results.at(-1)?.message).to.include('which the controller does not have');
    for (const path of ['/api/pool/', '/api/poolgroup/'])
      expect(objects(path)[0]?.['tenant_ref']).to.be.a('string').that.includes(blue);
  });

  it('take objects whose fields no schema describes', async () => {
    const advanced = { name: 'fast', se_dp_max_hb_version: 2 };
    expect(await said({ avi_serviceenginegroup_advanced: advanced })).to.deep.equal(['changed']);
    expect(await said({ avi_serviceenginegroup: { name: 'fast', state: 'absent' } })).to.deep.equal(['changed']);
    const request = { name: 'one', process_instance: 'x' };
    expect(await said({ avi_memorybalancerrequest: request })).to.deep.equal(['changed']);
  });
});
