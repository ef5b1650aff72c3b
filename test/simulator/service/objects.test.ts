import { expect } from 'chai';
import fc from 'fast-check';
import { builtInKinds } from '../../../src/kinds/kind_table.js';
import { textOrEmpty, type JsonObject, type SimulatedJson } from '../../../src/simulator/protocol/exchange.js';
import { firstFault } from '../../../src/simulator/service/structure.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { objectOf } from '../../rig/session_client.js';

describe('objects of a strict simulated controller', () => {
  let lb1: AviController;

  beforeEach(async () => {
    lb1 = await startAviController();
  });

  afterEach(() => lb1.close());

  const create = (body: JsonObject, kind = 'pool'): Promise<JsonObject> =>
    lb1.client.object('POST', `/api/${kind}`, body);
  const results = async (path: string): Promise<readonly JsonObject[]> =>
    (await lb1.client.object('GET', path))['results'] as unknown as readonly JsonObject[];
  const at = (object: JsonObject): string => `/api/pool/${textOrEmpty(object['uuid'])}`;

  async function refusal(...request: Parameters<typeof lb1.client.send>): Promise<readonly [number, SimulatedJson]> {
    const reply = await lb1.client.send(...request);
    return [reply.status, objectOf(reply.json())['error'] ?? objectOf(reply.json())['detail'] ?? ''];
  }

  it('are created, read, replaced and deleted, with and without the slash of the collection', async () => {
    const created = await create({ name: 'web', description: 'first' });
    expect(created['uuid']).to.match(/^pool-[0-9a-f-]{36}$/);
    expect(await create({ name: 'api' }, 'pool/')).to.include({ name: 'api' });
    expect((await results('/api/pool/')).map(({ name }) => name)).to.deep.equal(['web', 'api']);
    await lb1.client.object('PUT', at(created), { name: 'web', default_server_port: 8080 });
    const read = await lb1.client.object('GET', at(created));
    expect(read).to.include({ default_server_port: 8080, uuid: created['uuid'], url: `${lb1.url}${at(created)}` });
    expect(read).not.to.have.property('description');
    const deleted = await lb1.client.send('DELETE', at(created));
    expect([deleted.status, deleted.text]).to.deep.equal([204, '']);
    expect(await refusal('GET', at(created))).to.deep.equal([404, 'Pool object not found!']);
  });

  it('have the defaults of their kind, also in elements of lists', async () => {
    const { lb_algorithm, servers } = await create({
      name: 'web',
      servers: [{ ip: { addr: '10.0.0.1', type: 'V4' } }],
    });
    expect(lb_algorithm).to.equal('LB_ALGORITHM_LEAST_CONNECTIONS');
    expect(servers).to.deep.equal([{ ip: { addr: '10.0.0.1', type: 'V4' }, enabled: true, ratio: 1 }]);
  });

  for (const [what, body, error] of [
    ['an unknown field', { name: 'web', x: 1 }, 'Json Parse Error: Message type "Pool" has no field named "x".'],
    [
      'an unknown field of an element',
      { name: 'web', servers: [{ ipp: {} }] },
      'Json Parse Error: Failed to parse servers field: Message type "Server" has no field named "ipp".',
    ],
    ['a missing required field', { enabled: true }, 'Message type "Pool" is missing required field "name".'],
    [
      'a missing required field of an element',
      { name: 'web', servers: [{ port: 80 }] },
      'Message type "Server" is missing required field "ip".',
    ],
    [
      'a text for a number',
      { name: 'web', default_server_port: '8O' },
      'Json Parse Error: Failed to parse default_server_port field: Couldn\'t parse integer: "8O".',
    ],
    [
      'a text for a boolean',
      { name: 'web', enabled: 'yes' },
      'Json Parse Error: Failed to parse enabled field: Couldn\'t parse boolean: "yes".',
    ],
    [
      'no list where one must be',
      { name: 'web', servers: {} },
      'Json Parse Error: Failed to parse servers field: repeated field servers must be in [].',
    ],
    [
      'a number out of range',
      { name: 'web', default_server_port: 70_000 },
      'Value 70000 of field "default_server_port" is out of range: 1-65535.',
    ],
  ] as const) {
    it(`are refused with ${what}`, async () => {
      expect(await refusal('POST', '/api/pool', body)).to.deep.equal([400, error]);
      expect(await results('/api/pool')).to.deep.equal([]);
    });
  }

  it('can have special values outside the range', async () => {
    expect(await create({ name: 'web', graceful_disable_timeout: -1 })).to.include({ graceful_disable_timeout: -1 });
  });

  it('of unknown kinds can have any fields, but need a name', async () => {
    expect(await create({ name: 'a', x: { y: 1 } }, 'somethingelse')).to.deep.include({ x: { y: 1 } });
    const expected = [400, 'Message type "somethingelse" is missing required field "name".'];
    expect(await refusal('POST', '/api/somethingelse', {})).to.deep.equal(expected);
  });

  it('and what is asked about them are refused with the reason', async () => {
    const created = await create({ name: 'web' });
    const path = at(created);
    for (const [method, url, body, expected] of [
      ['PUT', path, { name: 'web', uuid: 'pool-2' }, [400, 'uuid does not match the path.']],
      ['PATCH', path, { add: 5 }, [400, 'Patch operation "add" must be an object.']],
      ['PATCH', path, { append: {} }, [400, 'Invalid patch operation "append": must be add, replace or delete.']],
      ['GET', '/api/pool?page=x', undefined, [400, 'page must be a number from 1.']],
      ['GET', '/api/pool?page=0', undefined, [400, 'page must be a number from 1.']],
      ['GET', path.replace('/api/', '/api/analytics/metrics/'), undefined, [400, 'metric_id is required.']],
      ['PUT', '/login', {}, [405, "Method 'PUT' not allowed."]],
      ['POST', '/login', { username: 'admin' }, [400, 'username and password are required.']],
      ['POST', '/api/upgrade', {}, [400, 'image_ref or image_uuid is required.']],
      ['PUT', '/api/fileservice/uploads', {}, [405, "Method 'PUT' not allowed."]],
      ['POST', '/api/fileservice/uploads', {}, [400, 'The body must be multipart/form-data.']],
      ['POST', '/api/useraccount', {}, [405, "Method 'POST' not allowed."]],
      ['PUT', '/api/useraccount', { old_password: 'x' }, [400, 'password is required.']],
    ] as const)
      expect(await refusal(method, url, body), `${method} ${url}`).to.deep.equal(expected);
  });

  it('have unique names in their tenant and cloud', async () => {
    await create({ name: 'web' });
    const expected = [409, 'Pool with this name, tenant_ref, cloud_ref already exists.'];
    expect(await refusal('POST', '/api/pool', { name: 'web' })).to.deep.equal(expected);
    await create({ name: 'edge', vtype: 'CLOUD_NONE' }, 'cloud');
    await create({ name: 'web', cloud_ref: '/api/cloud?name=edge' });
    await create({ name: 'blue' }, 'tenant');
    lb1.client.tenant = 'blue';
    await create({ name: 'web' });
    expect(await results('/api/pool')).to.have.length(1);
    lb1.client.tenant = '*';
    expect(await results('/api/pool?name=web')).to.have.length(3);
  });

  it('are invisible in other tenants, unless every tenant needs them', async () => {
    const created = await create({ name: 'web' });
    await create({ name: 'blue' }, 'tenant');
    lb1.client.tenant = 'blue';
    expect(await refusal('GET', at(created))).to.deep.equal([404, 'Pool object not found!']);
    expect(await refusal('DELETE', at(created))).to.deep.equal([404, 'Pool object not found!']);
    expect(await results('/api/cloud?name=Default-Cloud')).to.have.length(1);
    expect(await results('/api/healthmonitor?name=System-HTTP')).to.have.length(1);
    lb1.client.tenant = 'green';
    expect(await refusal('GET', '/api/pool')).to.deep.equal([404, "Tenant 'green' does not exist!"]);
  });

  /** The names of those that can be. */
  const deleted = async (kind: string, objects: readonly JsonObject[]): Promise<readonly string[]> => {
    const names: string[] = [];
    for (const { uuid, name } of objects) {
      const { status, text } = await lb1.client.send('DELETE', `/api/${kind}/${textOrEmpty(uuid)}`);
      if (status === 204) names.push(textOrEmpty(name));
      // What the controller makes from others, such as the states of upgrades, is no object that can be deleted.
      else if (status !== 404)
        expect([status, text], kind).to.deep.equal([403, '{"error":"Cannot delete system default object"}']);
    }
    return names;
  };

  it('that exist from the start are valid, and most cannot be deleted', async () => {
    const deletable: string[] = [];
    for (const kind of builtInKinds().names) {
      const known = builtInKinds().kind(kind);
      if (known === undefined) throw new Error(kind);
      const objects = known.single ? [await lb1.client.object('GET', `/api/${kind}`)] : await results(`/api/${kind}`);
      for (const object of objects) expect(firstFault(object, known.structure), kind).to.equal(undefined);
      if (!known.single) deletable.push(...(await deleted(kind, objects)));
    }
    expect(deletable).to.have.members([
      'Tenant-Admin',
      'Application-Admin',
      'Application-Operator',
      'Default-User-Account-Profile',
      'No-Lockout-User-Account-Profile',
    ]);
  });

  it('of a new cloud are created and deleted with it', async () => {
    const cloud = await create({ name: 'edge', vtype: 'CLOUD_VCENTER' }, 'cloud');
    for (const [kind, names] of [
      ['serviceenginegroup', ['Default-Group']],
      ['vrfcontext', ['global', 'management']],
      ['network', ['VM Network']],
    ] as const) {
      const listed = await results(`/api/${kind}?cloud_ref.name=edge`);
      expect(listed.map(({ name }) => name)).to.deep.equal(names);
      expect(await deleted(kind, listed)).to.deep.equal([]);
    }
    expect((await lb1.client.send('DELETE', `/api/cloud/${textOrEmpty(cloud['uuid'])}`)).status).to.equal(204);
    expect(await results('/api/network')).to.deep.equal([]);
  });

  it('cannot be deleted while something refers to them', async () => {
    const pool = await create({ name: 'web' });
    await create({ name: 'group', members: [{ pool_ref: '/api/pool?name=web' }] }, 'poolgroup');
    const expected = [403, "Cannot delete, object is referred by: ['PoolGroup group']"];
    expect(await refusal('DELETE', at(pool))).to.deep.equal(expected);
    // What exists once refers to others, too.
    const profile = await create({ name: 'old', accepted_versions: [{ type: 'SSL_VERSION_TLS1_2' }] }, 'sslprofile');
    const path = `/api/sslprofile/${textOrEmpty(profile['uuid'])}`;
    const { _last_modified: _, ...configuration } = await lb1.client.object('GET', '/api/systemconfiguration');
    const portal = { ...objectOf(configuration['portal_configuration'] ?? {}), sslprofile_ref: path };
    await lb1.client.object('PUT', '/api/systemconfiguration', { ...configuration, portal_configuration: portal });
    const used = [403, "Cannot delete, object is referred by: ['SystemConfiguration']"];
    expect(await refusal('DELETE', path)).to.deep.equal(used);
    await lb1.client.object('PUT', '/api/systemconfiguration', configuration);
    expect((await lb1.client.send('DELETE', path)).status).to.equal(204);
  });

  it('are refused with 412 if the client read an older state', async () => {
    const created = await create({ name: 'web' });
    const { _last_modified } = await lb1.client.object('PUT', at(created), {
      name: 'web',
      _last_modified: created['_last_modified'] ?? '',
    });
    const stale = await lb1.client.send('PUT', at(created), {
      name: 'web',
      _last_modified: created['_last_modified'] ?? '',
    });
    expect(stale.status).to.equal(412);
    lb1.controller.behaviour = { faults: [{ type: 'touch', when: { method: 'PUT', nth: 1 } }] };
    const touched = await lb1.client.send('PUT', at(created), { name: 'web', _last_modified: _last_modified ?? '' });
    expect(touched.status).to.equal(412);
  });

  it('may have digits in texts for numbers', async () => {
    const created = await create({
      name: 'web',
      default_server_port: '8080',
      servers: [{ ip: { addr: '10.0.0.1', type: 'V4' }, ratio: '2' }],
    });
    expect(created).to.deep.include({ default_server_port: 8080 });
    expect(created).to.have.nested.property('servers[0].ratio', 2);
  });

  it('do not show secrets, and keep them if `<sensitive>` is sent back', async () => {
    const given = { name: 'ops', username: 'ops', password: 'of ops' };
    const created = await create({ ...given, require_password_confirmation: false }, 'user');
    expect(created).not.to.have.property('require_password_confirmation');
    expect(created['password']).to.equal('<sensitive>');
    const path = `/api/user/${textOrEmpty(created['uuid'])}`;
    await lb1.client.object('PUT', path, { ...given, password: '<sensitive>', full_name: 'Ops' });
    expect(lb1.controller.objects('/api/user/').at(-1)).to.include({ password: 'of ops', full_name: 'Ops' });
    const expected = [400, 'Field "password" has no stored value: "<sensitive>" cannot be kept.'];
    expect(await refusal('POST', '/api/user', { ...given, name: 'x', password: '<sensitive>' })).to.deep.equal(
      expected,
    );
  });

  it('cannot change their cloud', async () => {
    const created = await create({ name: 'web' });
    await create({ name: 'edge', vtype: 'CLOUD_NONE' }, 'cloud');
    const body = { name: 'web', cloud_ref: '/api/cloud?name=edge' };
    expect(await refusal('PUT', at(created), body)).to.deep.equal([400, 'Field "cloud_ref" cannot be changed.']);
  });

  it('that exist once are replaced and patched', async () => {
    const { portal_configuration: portal } = await lb1.client.object('GET', '/api/systemconfiguration');
    expect(portal).to.include({ allow_basic_authentication: false });
    const patch = { add: { dns_configuration: { server_list: [{ type: 'V4', addr: '10.0.0.53' }] } } };
    const { dns_configuration: dns } = await lb1.client.object('PATCH', '/api/systemconfiguration', patch);
    expect(dns).to.deep.equal({ search_domain: '', server_list: [{ type: 'V4', addr: '10.0.0.53' }] });
    expect(await lb1.client.object('PUT', '/api/systemconfiguration', {})).not.to.have.property('dns_configuration');
    expect((await refusal('DELETE', '/api/systemconfiguration'))[0]).to.equal(405);
  });

  it('are shown with the state of their cloud, which takes some time', async () => {
    lb1.controller.behaviour = { cloud_ready_after: 1000 };
    const { uuid } = await create({ name: 'edge', vtype: 'CLOUD_NONE' }, 'cloud');
    const path = `/api/cloud/${textOrEmpty(uuid)}/status`;
    expect(await lb1.client.object('GET', path)).to.include({ state: 'CLOUD_STATE_IN_PROGRESS' });
    const [, entry] = await results('/api/cloud-inventory');
    expect(entry?.['status']).to.include({ state: 'CLOUD_STATE_IN_PROGRESS' });
    for (;;) {
      const { state } = await lb1.client.object('GET', path);
      if (state === 'CLOUD_STATE_PLACEMENT_READY') break;
    }
  });
});

describe('PATCH of a strict simulated controller', () => {
  let lb1: AviController;

  before(async () => {
    lb1 = await startAviController();
  });

  after(() => lb1.close());

  const server = (host: number): JsonObject => ({ ip: { addr: `10.0.0.${host}`, type: 'V4' } });

  it('appends to lists, twice if requested twice, and removes matching elements', async () => {
    const { uuid } = await lb1.client.object('POST', '/api/pool', { name: 'web', servers: [server(1)] });
    const path = `/api/pool/${textOrEmpty(uuid)}`;
    const hosts = async (patch: JsonObject): Promise<readonly SimulatedJson[]> => {
      const { servers } = await lb1.client.object('PATCH', path, patch);
      return (servers as unknown as readonly JsonObject[]).map((one) => objectOf(one['ip'])['addr'] ?? '');
    };
    expect(await hosts({ add: { servers: [server(2)] } })).to.deep.equal(['10.0.0.1', '10.0.0.2']);
    expect(await hosts({ add: { servers: [server(2)] } })).to.deep.equal(['10.0.0.1', '10.0.0.2', '10.0.0.2']);
    expect(await hosts({ delete: { servers: [server(2)] } })).to.deep.equal(['10.0.0.1']);
    expect(await hosts({ replace: { servers: [server(3)] } })).to.deep.equal(['10.0.0.3']);
    const refused = await lb1.client.send('PATCH', path, { merge: { servers: [] } });
    expect([refused.status, refused.json()]).to.deep.equal([
      400,
      { error: 'Invalid patch operation "merge": must be add, replace or delete.' },
    ]);
    expect((await lb1.client.send('PATCH', path, { add: { x: 1 } })).status).to.equal(400);
  });

  it('adds and deletes the same references of an object that exists once, however they are written', async () => {
    const name = 'System-Default-Portal-Cert';
    const found = await lb1.client.object('GET', `/api/sslkeyandcertificate?name=${name}`);
    const [certificate] = found['results'] as unknown as readonly JsonObject[];
    const url = textOrEmpty(certificate?.['url']);
    const refs = async (operation: 'add' | 'delete', reference: string): Promise<unknown> => {
      const patch = { [operation]: { portal_configuration: { sslkeyandcertificate_refs: [reference] } } };
      const { portal_configuration: portal } = await lb1.client.object('PATCH', '/api/systemconfiguration', patch);
      return objectOf(portal)['sslkeyandcertificate_refs'];
    };
    await lb1.client.object('PUT', '/api/systemconfiguration', { portal_configuration: {} });
    for (const way of [`/api/sslkeyandcertificate?name=${name}`, url, `${url}#${name}`]) {
      expect(await refs('add', url)).to.deep.equal([`${url}#${name}`]);
      expect(await refs('delete', way), way).to.deep.equal([]);
    }
  });

  it('adds and deletes the same references, however they are written', async () => {
    const [monitor] = (await lb1.client.object('GET', '/api/healthmonitor?name=System-HTTP'))[
      'results'
    ] as unknown as readonly JsonObject[];
    const { uuid, url } = monitor as { uuid: string; url: string };
    const ways = [
      '/api/healthmonitor?name=System-HTTP',
      '/api/healthmonitor/?name=System-HTTP',
      `/api/healthmonitor/${uuid}`,
      url,
      `${url}#System-HTTP`,
    ];
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ways), fc.constantFrom(...ways), async (added, removed) => {
        const pool = await lb1.client.object('POST', '/api/pool', { name: `pool ${(count += 1)}` });
        const path = `/api/pool/${textOrEmpty(pool['uuid'])}`;
        const after = await lb1.client.object('PATCH', path, { add: { health_monitor_refs: [added] } });
        expect(after['health_monitor_refs']).to.deep.equal([`${url}#System-HTTP`]);
        expect((await lb1.client.object('GET', path))['health_monitor_refs']).to.deep.equal([url]);
        const emptied = await lb1.client.object('PATCH', path, { delete: { health_monitor_refs: [removed] } });
        expect(emptied['health_monitor_refs']).to.deep.equal([]);
      }),
      { numRuns: 25 },
    );
  });
});
