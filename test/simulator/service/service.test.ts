import { expect } from 'chai';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import type { Behaviour } from '../../../src/simulator/behaviour/behaviour.js';
import { textOrEmpty, type JsonObject, type SimulatedJson } from '../../../src/simulator/protocol/exchange.js';
import { bareController, bareRequest } from '../../rig/bare_controller.js';
import { basic } from '../../rig/raw_client.js';

const names = (objects: readonly JsonObject[]): readonly unknown[] => objects.map(({ name }) => name);

describe('what a simulated controller asks of every request', () => {
  it('is a sign-in at the paths of its dialect, which may end in a slash', () => {
    const avi = DIALECTS.get('avi');
    if (avi?.session === undefined) throw new Error('avi has no sessions');
    const session = { ...avi.session, loginPath: '/api/login/', logoutPath: '/api/logout/' };
    const { ask } = bareController('avi', { dialect: { ...avi, session, versionPath: '/api/version/' } });
    const status = (...given: Parameters<typeof ask>) => ask(...given).status;
    const nobody = { authorization: undefined };
    expect(status('GET', '/api/version/', undefined, nobody)).to.equal(200);
    expect(status('POST', '/api/login/', { username: 'admin', password: 'simulated' }, nobody)).to.equal(200);
    expect(status('POST', '/api/logout/')).to.equal(200);
  });

  it('is a version that it has, by the API document', () => {
    const { ask } = bareController('generic', { apiVersions: ['22.1.3', '9.9.9'] });
    const said = (version: string | undefined) => {
      const { status, body } = ask('GET', '/api/cloud/', undefined, { 'x-vendor-version': version });
      return status === 200 ? status : [status, (body as JsonObject)['error']];
    };
    const header = 'in header X-Vendor-Version.';
    expect(['22.1.3', '9.9.9', '9.9.10', '22.1.4', undefined, '22.1', '22.1.3.1', 'v1.1.1'].map(said)).to.deep.equal([
      200,
      200,
      [400, `Invalid version 9.9.10 ${header} Supported: 22.1.3, 9.9.9.`],
      [400, `Invalid version 22.1.4 ${header} Supported upto 22.1.3.`],
      [400, 'Header X-Vendor-Version is required.'],
      ...['22.1', '22.1.3.1', 'v1.1.1'].map((version) => [
        400,
        `Header X-Vendor-Version must be <major>.<minor>.<patch>, not "${version}".`,
      ]),
    ]);
    const any = bareController();
    const of = (version: string) => any.ask('GET', '/api/cloud/', undefined, { 'x-vendor-version': version }).status;
    expect([of('1.0.0'), of('99.0.0')]).to.deep.equal([200, 200]);
  });

  it('is no newer version than its own, which is the newest that it has, where the kinds are strict', () => {
    for (const [apiVersions, own] of [
      [[], '22.1.3'],
      [['30.2.1', '22.1.5'], '30.2.1'],
      [['9.1.1', '18.2.6'], '18.2.6'],
    ] as const) {
      const { ask, object } = bareController('avi', { apiVersions });
      const said = (version: string | undefined) => {
        const { status, body } = ask('GET', '/api/pool', undefined, { 'x-avi-version': version });
        return status === 200 ? status : (body as JsonObject)['error'];
      };
      expect([said(own), said('1.0.0'), said(undefined), said('31.1.1')]).to.deep.equal([
        200,
        200,
        200,
        `Invalid version 31.1.1 in header X-Avi-Version. Supported upto ${own}.`,
      ]);
      expect(object('GET', '/api/cluster/version')).to.deep.equal({
        Version: own,
        Product: 'controller',
        Tag: `${own}-9000`,
      });
    }
  });

  it('is a tenant that exists, by its name or its uuid', () => {
    const { ask, object, list } = bareController('avi', { tenants: ['blue', 'red', 'blue', 'admin', '*'] });
    expect(names(list('/api/tenant'))).to.deep.equal(['admin', 'blue', 'red']);
    const uuid = textOrEmpty(list('/api/tenant').find(({ name }) => name === 'red')?.['uuid']);
    object('POST', '/api/pool', { name: 'of red' }, { 'x-avi-tenant': 'red' });
    object('POST', '/api/pool', { name: 'of blue' }, { 'x-avi-tenant': 'blue' });
    object('POST', '/api/pool', { name: 'of admin' });
    const seen = (headers: Record<string, string>): unknown => {
      const { status, body } = ask('GET', '/api/pool', undefined, headers);
      return status === 200 ? names((body as { results: readonly JsonObject[] }).results) : [status, body];
    };
    expect(seen({})).to.deep.equal(['of admin']);
    expect(seen({ 'x-avi-tenant': 'blue' })).to.deep.equal(['of blue']);
    expect(seen({ 'x-avi-tenant-uuid': uuid })).to.deep.equal(['of red']);
    expect(seen({ 'x-avi-tenant': 'blue', 'x-avi-tenant-uuid': uuid })).to.deep.equal(['of blue']);
    for (const header of ['x-avi-tenant', 'x-avi-tenant-uuid'])
      expect(seen({ [header]: '*' })).to.deep.equal(['of red', 'of blue', 'of admin']);
    expect(seen({ 'x-avi-tenant': 'green' })).to.deep.equal([404, { error: "Tenant 'green' does not exist!" }]);
    expect(seen({ 'x-avi-tenant-uuid': 'tenant-7' })).to.deep.equal([
      404,
      { error: "Tenant 'tenant-7' does not exist!" },
    ]);
    expect(object('POST', '/api/pool', { name: 'of all' }, { 'x-avi-tenant': '*' })['tenant_ref']).to.equal(
      'https://lb1/api/tenant/admin#admin',
    );
  });

  it('is no more requests than its rate, after the sign-in', () => {
    const { controller, ask } = bareController();
    controller.behaviour = { rate: { requests: 1, seconds: 3600 } };
    const get = (password: string) =>
      ask('GET', '/api/cloud/', undefined, { authorization: basic('admin', password) }).status;
    expect([get('wrong'), get('simulated'), get('simulated'), get('wrong')]).to.deep.equal([401, 200, 429, 401]);
  });

  it('is Basic authentication only where it is allowed', () => {
    const get = (name: 'avi' | 'generic', behaviour: Behaviour) => {
      const { controller, ask } = bareController(name);
      controller.behaviour = behaviour;
      return ask('GET', '/api/cloud/').status;
    };
    expect([get('avi', {}), get('avi', { basic: true }), get('avi', { basic: false })]).to.deep.equal([401, 200, 401]);
    expect([get('generic', {}), get('generic', { basic: false })]).to.deep.equal([200, 200]);
    const { ask, state } = bareController();
    const allow = (portal: SimulatedJson) => {
      state.setSingleton('/api/systemconfiguration', { portal_configuration: portal });
      return ask('GET', '/api/cloud/').status;
    };
    expect([allow({}), allow({ allow_basic_authentication: false }), allow('x')]).to.deep.equal([200, 401, 200]);
  });

  it('never locks an account by the API document, and does where the kinds are strict', () => {
    for (const [name, expected] of [
      ['generic', 200],
      ['avi', 401],
    ] as const) {
      const { ask } = bareController(name);
      const get = (password: string) =>
        ask('GET', '/api/cloud/', undefined, { authorization: basic('admin', password) }).status;
      expect(['a', 'b', 'c'].map(get)).to.deep.equal([401, 401, 401]);
      expect(get('simulated')).to.equal(expected);
    }
  });

  it('reads a password with colons', () => {
    const { controller, ask } = bareController();
    controller.addAccount({ username: 'ops', password: 'a:b:c' });
    const get = (authorization: string) => ask('GET', '/api/cloud/', undefined, { authorization }).status;
    expect([get(basic('ops', 'a:b:c')), get(basic('ops', 'a')), get(basic('ops', 'a:b'))]).to.deep.equal([
      200, 401, 401,
    ]);
    expect([get(basic('ops', 'a:b:c').replace('Basic', 'bAsIc')), get(`X ${basic('ops', 'a:b:c')}`)]).to.deep.equal([
      200, 401,
    ]);
  });

  it('means the same with more slashes than needed, where the kinds are strict', () => {
    const { ask } = bareController('avi');
    for (const path of ['/api/pool', '/api/pool/', '/api//pool', '//api/pool//'])
      expect(ask('GET', path).status, path).to.equal(200);
    expect([ask('GET', '/api/').status, ask('GET', '/').status, ask('GET', '/login/').status]).to.deep.equal([
      404, 404, 405,
    ]);
  });
});

describe('a simulated controller by the API document', () => {
  it('says which field of the system configuration has the wrong type', () => {
    const { ask } = bareController();
    const put = (body: SimulatedJson): unknown => {
      const answer = ask('PUT', '/api/systemconfiguration', body);
      return answer.status < 300 ? 'ok' : (answer.body as JsonObject)['error'];
    };
    const server = { type: 'V4', addr: '10.0.0.1' };
    for (const [body, expected] of [
      [{ dns_configuration: [] }, 'dns_configuration must be an object.'],
      [{ dns_configuration: { search_domain: 5 } }, 'dns_configuration.search_domain must be of type string.'],
      [{ dns_configuration: { server_list: {} } }, 'dns_configuration.server_list must be a list.'],
      [{ dns_configuration: { server_list: [server, 5] } }, 'dns_configuration.server_list[1] must be an object.'],
      [
        { dns_configuration: { server_list: [server, { type: 5 }] } },
        'dns_configuration.server_list[1].type must be of type string.',
      ],
      [{ dns_configuration: { server_list: [server, server] } }, 'ok'],
      [
        { ntp_configuration: { ntp_servers: [{ server: { addr: true } }] } },
        'ntp_configuration.ntp_servers[0].server.addr must be of type string.',
      ],
      [{ ntp_configuration: { ntp_servers: [{ server }, {}] } }, 'ok'],
      [{ portal_configuration: { http_port: 1.5 } }, 'portal_configuration.http_port must be of type integer.'],
      [{ portal_configuration: { http_port: 80 } }, 'ok'],
      [{ portal_configuration: { enable_https: 'x' } }, 'portal_configuration.enable_https must be of type boolean.'],
      [{ portal_configuration: { allow_basic_authentication: true, other: [5] } }, 'ok'],
    ] as const)
      expect(put(body), JSON.stringify(body)).to.equal(expected);
    for (const field of [
      'password_strength_check',
      'use_uuid_from_input',
      'redirect_to_https',
      'enable_http',
      'enable_clickjacking_protection',
      'disable_remote_cli_shell',
      'allow_basic_authentication',
    ])
      expect(put({ portal_configuration: { [field]: 'yes' } })).to.equal(
        `portal_configuration.${field} must be of type boolean.`,
      );
  });

  it('fills in what a system configuration and a cloud always have, and nothing elsewhere', () => {
    const { object } = bareController();
    const portal = { enable_http: false };
    const written = object('PUT', '/api/systemconfiguration', { portal_configuration: portal, dns_configuration: {} });
    expect(written['dns_configuration']).to.deep.equal({ search_domain: '' });
    expect(written['portal_configuration']).to.deep.include({ enable_http: false, api_force_timeout: 24 });
    expect(object('POST', '/api/cloud/', { name: 'edge', mtu: 9000 })).to.include({ mtu: 9000, dhcp_enabled: false });
    expect(object('POST', '/api/pool/', { name: 'edge' })).to.have.keys('name', 'uuid', 'url', '_last_modified');
  });

  it('knows a path by its slash', () => {
    const { ask, object, list, state } = bareController();
    const uuid = '01234567-89ab-cdef-0123-456789abcdef';
    state.setObjects('/api/pool/', [{ uuid: 'a b', name: 'web' }]);
    for (const [method, path, expected] of [
      ['GET', '/api/cloud', 404],
      ['GET', '/api/systemconfiguration/', 404],
      ['GET', '/api/', 404],
      ['GET', '/other/pool/', 404],
      ['GET', '/api/pool', 200],
      ['GET', '/api/pool/', 200],
      ['GET', '/api/a/b/', 200],
      ['GET', '/api/a/b', 200],
      ['PUT', '/api/pool/a%20b', 200],
      ['PUT', '/api/pool/other', 404],
      ['PUT', `/api/x/${uuid}`, 404],
      ['PUT', `/api/x/x-${uuid.toUpperCase()}`, 404],
      ['PUT', `/api/y/x${uuid}`, 201],
      ['PUT', `/api/${uuid}`, 201],
      ['GET', '/api/pool/a%20b', 405],
      ['PATCH', '/api/systemconfiguration', 405],
    ] as const)
      expect(ask(method, path, { name: 'web' }).status, `${method} ${path}`).to.equal(expected);
    expect(object('POST', '/api/deep/er/', { name: 'x' })['uuid']).to.match(/^er-[0-9a-f-]{36}$/);
    expect(names(list('/api/deep/er/'))).to.deep.equal(['x']);
    expect(ask('POST', '/api/deep/er/', { name: 'x' })).to.deep.equal({
      status: 409,
      headers: {},
      body: { error: 'er object with name "x" already exists.' },
    });
    const { status, headers, body } = ask('DELETE', '/api/systemconfiguration');
    expect([status, headers, body]).to.deep.equal([
      405,
      { allow: 'GET, PUT' },
      { error: 'Method "DELETE" not allowed.' },
    ]);
  });

  it('takes a body only as a JSON object, whatever follows its type', () => {
    const { answer } = bareController();
    const post = (type: string | undefined, body: string) => {
      const request = bareRequest('POST', '/api/x/', {}, { 'content-type': type });
      const { status, body: said } = answer({ ...request, body });
      return status < 300 ? status : [status, (said as JsonObject)['error']];
    };
    expect(post('application/json; charset=utf-8', '{"name":"a"}')).to.equal(201);
    expect(post('APPLICATION/JSON', '{"name":"b"}')).to.equal(201);
    const type = [415, 'The body must be application/json.'];
    expect([post(undefined, '{}'), post('application/jsonp', '{}'), post('x application/json', '{}')]).to.deep.equal([
      type,
      type,
      type,
    ]);
    expect(post('application/json', '{')).to.deep.equal([400, 'The body is not valid JSON.']);
    expect(post('application/json', '[]')).to.deep.equal([400, 'The body must be a JSON object.']);
    expect(post('application/json', '{"name":""}')).to.deep.equal([400, 'name is required.']);
    expect(post('application/json', '{"name":"a","uuid":"x"}')).to.deep.equal([
      400,
      'uuid is made by the controller and must not be sent.',
    ]);
  });

  it('deletes one of two objects, and lags if it is asked to', () => {
    const { controller, ask, object, list } = bareController();
    const [one] = ['a', 'b', 'c'].map((name) => textOrEmpty(object('POST', '/api/pool/', { name })['uuid']));
    controller.behaviour = { lag: 1 };
    expect(ask('DELETE', `/api/pool/${one ?? ''}`)).to.deep.equal({ status: 204, headers: {}, body: undefined });
    expect(names(list('/api/pool/'))).to.deep.equal(['a', 'b', 'c']);
    expect(names(list('/api/pool/'))).to.deep.equal(['b', 'c']);
    expect(ask('DELETE', `/api/pool/${one ?? ''}`)).to.deep.equal({
      status: 404,
      headers: {},
      body: { error: `pool object ${one ?? ''} not found.` },
    });
  });
});

describe('files and upgrades of a strict simulated controller', () => {
  const file = (name: string) => ({ name, size: 3, sha256: 'abc' });
  const upload = (path: string, name: string, part: object = { isComplete: true, file: file(name) }) => {
    const { answer, ...controller } = bareController('avi');
    return { controller, status: answer({ ...bareRequest('POST', path), upload: part as never }) };
  };

  it('take the name and the version of an image from its file', () => {
    for (const [name, expected, build] of [
      ['controller-22.1.4-9196.pkg', '22.1.4-9196', { version: '22.1.4', build_no: 9196 }],
      ['folder/controller-22.1.4.pkg', '22.1.4', { version: '22.1.4' }],
      ['22.1.4-2p1.pkg', '22.1.4', { version: '22.1.4' }],
      ['hsm.tar', 'hsm', undefined],
      ['x-1.22.1.4.pkg', 'x-1.22.1.4', undefined],
    ] as const) {
      const { status } = upload('/api/image', name);
      const info = { path: name.replace('folder/', ''), hash: 'abc', ...(build !== undefined && { build }) };
      expect(status.status, name).to.equal(201);
      expect(status.body, name).to.deep.include({ name: expected, progress: 100, controller_info: info });
    }
  });

  it('are refused without a whole file', () => {
    const refused = (part: object | undefined) => {
      const { answer } = bareController('avi');
      const request = { ...bareRequest('POST', '/api/image'), ...(part !== undefined && { upload: part as never }) };
      const { status, body } = answer(request);
      return [status, body];
    };
    expect(refused(undefined)).to.deep.equal([400, { error: 'The body must be multipart/form-data.' }]);
    expect(refused({ isComplete: false, file: file('x') })).to.deep.equal([
      400,
      { error: 'The upload is incomplete.' },
    ]);
    expect(refused({ isComplete: true, file: undefined })).to.deep.equal([400, { error: 'The upload has no file.' }]);
  });

  it('are kept by their address, the newest of each, and listed below it', () => {
    const { answer, object, list } = bareController('avi');
    const put = (path: string, name: string) =>
      answer({ ...bareRequest('POST', path), upload: { isComplete: true, file: file(name) } });
    for (const [path, name] of [
      ['/api/fileservice/a', 'one'],
      ['/api/fileservice/a', 'folder/two'],
      ['/api/fileservice/ab', 'three'],
      ['/api/fileservice?uri=controller://b', 'four'],
      ['/api/fileservice/a', 'one'],
    ] as const)
      expect(put(path, name).status).to.equal(201);
    const uris = (path: string) => list(path).map(({ uri }) => uri);
    expect(uris('/api/fileservice/a')).to.deep.equal(['controller://a/two', 'controller://a/one']);
    expect(uris('/api/fileservice/ab')).to.deep.equal(['controller://ab/three']);
    expect(uris('/api/fileservice?uri=controller://b')).to.deep.equal(['controller://b/four']);
    expect(uris('/api/fileservice?uri=controller://b/four')).to.deep.equal(['controller://b/four']);
    expect(object('GET', '/api/fileservice/c')).to.deep.equal({ count: 0, results: [] });
    const [found] = list('/api/fileservice/ab');
    expect(found).to.deep.include({ name: 'three', size: 3, sha256: 'abc' });
    expect(Date.parse(textOrEmpty(found?.['modified']))).to.be.closeTo(Date.now(), 60_000);
  });

  it('need an image of a newer version, which is no other object', () => {
    const { controller, ask, state } = bareController('avi', { apiVersions: ['22.1.3'] });
    state.setObjects('/api/image/', [
      { uuid: 'i1', name: '22.1.3-9' },
      { uuid: 'i2', name: 'hsm' },
      { uuid: 'i3', name: '22.1.10-9' },
    ]);
    const start = (body: JsonObject) => {
      const { status, body: said } = ask('POST', '/api/upgrade', body);
      return [status, (said as JsonObject)['error'] ?? (said as JsonObject)['status']];
    };
    expect(start({})).to.deep.equal([400, 'image_ref or image_uuid is required.']);
    expect(start({ image_uuid: 'i1' })).to.deep.equal([
      400,
      'The controller cannot be upgraded from 22.1.3 to 22.1.3-9.',
    ]);
    expect(start({ image_uuid: 'i2' })).to.deep.equal([400, 'The image has no version.']);
    expect(start({ image_uuid: 'i4' })).to.deep.equal([404, 'Image object not found!']);
    controller.behaviour = { basic: true, upgrade: { disallowed: 0, unavailable: 0, refused: 60_000 } };
    expect(start({ image_ref: '', image_uuid: 'i3' })).to.deep.equal([200, 'Upgrade started']);
    expect(start({ image_uuid: 'i3' })).to.deep.equal([400, 'Upgrade is already in progress.']);
    const { body } = ask('GET', '/api/upgradestatusinfo');
    const [entry] = (body as { results: readonly JsonObject[] }).results;
    expect(entry).to.deep.equal({
      uuid: 'cluster-0-1',
      name: 'cluster-0-1',
      node_type: 'NODE_CONTROLLER_CLUSTER',
      upgrade_ops: 'UPGRADE',
      version: '22.1.3',
      state: { state: 'UPGRADE_FSM_IN_PROGRESS', reason: '' },
      total_tasks: 20,
      tasks_completed: 0,
    });
  });

  it('take the times of the behaviour, half a second each by default, and restart only if they do not fail', () => {
    const restarts = (upgrade: Behaviour['upgrade']) => {
      const { controller, ask, state } = bareController('avi');
      state.setObjects('/api/image/', [{ uuid: 'i1', name: '99.1.1' }]);
      controller.behaviour = { basic: true, ...(upgrade !== undefined && { upgrade }) };
      return ask('POST', '/api/upgrade', { image_uuid: 'i1' }).restarts;
    };
    expect(restarts(undefined)).to.deep.equal({ disallowed: 500, unavailable: 500, refused: 500 });
    expect(restarts({ disallowed: 1, refused: 3 })).to.deep.equal({ disallowed: 1, unavailable: 500, refused: 3 });
    expect(restarts({ unavailable: 2 })).to.deep.equal({ disallowed: 500, unavailable: 2, refused: 500 });
    expect(restarts({ disallowed: 1, unavailable: 2, refused: 3, fails: true })).to.deep.equal({
      disallowed: 1,
      unavailable: 0,
      refused: 0,
    });
  });
});
