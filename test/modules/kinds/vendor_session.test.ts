import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import type { Behaviour } from '../../../src/simulator/behaviour/behaviour.js';
import type { Fault } from '../../../src/simulator/behaviour/fault.js';
import { textOrEmpty, type JsonObject } from '../../../src/simulator/protocol/exchange.js';
import { objectsIn } from '../../../src/simulator/service/object_store.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { runText } from '../../rig/run_text.js';

const LIST = 'GET /api/pool?page_size=200&include_name=&name=web';
const FORMS = ['html', 'truncated', 'shape', 'list', 'empty', 'bytes', 'deep', 'twice', 'proto', 'nan'] as const;

describe("requests in the style of the vendor's collection", () => {
  let controller: AviController;
  beforeEach(async () => {
    controller = await startAviController();
  });
  afterEach(() => controller.close());

  /** The status of the task, and its requests, with `UUID` for the one of the object `web`. */
  async function send(http_method: string, path: string, data?: Mapping): Promise<readonly string[]> {
    controller.take();
    const play = [{ hosts: 'all', tasks: [{ avi_api_session: { http_method, path, ...(data && { data }) } }] }];
    const { tasks } = await runText(JSON.stringify(play), controller.textInventory());
    const [uuid] = controller
      .all('pool')
      .flatMap((pool) => (pool['name'] === 'web' ? [textOrEmpty(pool['uuid'])] : []));
    const requests = controller.takeApi().map((line) => line.replace(uuid ?? 'UUID', 'UUID'));
    return [...tasks.map(({ status }) => status), ...requests];
  }

  it('write only what differs: POST becomes PUT for an object that exists, and PUT becomes POST for one that does not', async () => {
    const created = await send('put', 'pool', { name: 'web' });
    expect(created).to.deep.equal(['changed', 'GET /api/pool?name=web', LIST, 'POST /api/pool']);
    expect(await send('post', 'pool', { name: 'web' })).to.deep.equal(['ok', 'GET /api/pool?name=web']);
    const updated = await send('post', 'pool', { name: 'web', default_server_port: 8080 });
    expect(updated).to.deep.equal(['changed', 'GET /api/pool?name=web', 'PUT /api/pool/UUID']);
    // As in the collection, although this controller has no POST at this path.
    const missing = await send('put', 'pool/pool-1', { name: 'web' });
    expect(missing).to.deep.equal(['failed', 'GET /api/pool/pool-1', 'POST /api/pool/pool-1']);
  });

  it('delete nothing twice', async () => {
    await send('post', 'pool', { name: 'web' });
    const path = `pool/${textOrEmpty(controller.one('pool', 'web')['uuid'])}`;
    const gone = [];
    for (let time = 0; time < 2; time++) gone.push((await send('delete', path))[0]);
    expect(gone).to.deep.equal(['changed', 'ok']);
  });

  it('leave out what the controller sets, such as the version of the object that the data were made from', async () => {
    await send('post', 'pool', { name: 'web' });
    const { uuid = '', _last_modified: stale = '' } = controller.one('pool', 'web');
    await send('post', 'pool', { name: 'web', description: 'newer' });
    const old = { name: 'web', uuid, url: 'https://elsewhere/api/pool/x', _last_modified: stale };
    for (const [method, path] of [
      ['post', 'pool'],
      ['put', 'pool'],
      ['put', `pool/${textOrEmpty(uuid)}`],
    ] as const) {
      expect(await send(method, path, { ...old, description: 'newer' })).to.satisfy(isOnlyRead);
      const [status, ...requests] = await send(method, path, { ...old, description: `${method} ${path}` });
      expect(status, requests.join()).to.equal('changed');
      expect(requests.at(-1)).to.equal('PUT /api/pool/UUID');
      expect(await send(method, path, { ...old, description: `${method} ${path}` })).to.satisfy(isOnlyRead);
      await send('post', 'pool', { name: 'web', description: 'newer' });
    }
    const patch = { replace: { description: 'patched', _last_modified: stale } };
    for (const expected of ['changed', 'ok'])
      expect((await send('patch', `pool/${textOrEmpty(uuid)}`, patch))[0]).to.equal(expected);
    expect((await send('post', 'pool', { ...old, name: 'other', uuid: null }))[0]).to.equal('changed');
    // Data of another controller.
    expect(
      (await send('put', `pool/${textOrEmpty(uuid)}`, { ...old, uuid: 'pool-1', description: 'theirs' }))[0],
    ).to.equal('changed');
  });

  for (const method of ['get', 'post', 'put', 'patch', 'delete'])
    it(`send nothing if the path of a ${method} leaves /api/ or an object`, async () => {
      for (const path of ['..', 'pool/..', 'pool/../cloud/cloud-1', '../login', './pool', '/api/../login', 'pool/...'])
        expect(await send(method, path, { name: 'web' }), path).to.deep.equal(['failed']);
    });

  it('are changed by PATCH only if the object is another afterwards', async () => {
    await send('post', 'pool', { name: 'web', description: 'old' });
    await send('post', 'pool', { name: 'other', description: 'old' });
    const path = `pool/${textOrEmpty(controller.one('pool', 'web')['uuid'])}`;
    const requests = ['GET /api/pool/UUID', 'PATCH /api/pool/UUID', 'GET /api/pool/UUID'];
    for (const [patch, status] of [
      [{ replace: { description: 'old' } }, 'ok'],
      [{ replace: { description: 'new' } }, 'changed'],
      [{ replace: { description: 'new' } }, 'ok'],
      // Only more than before, and only less.
      [{ add: { servers: [{ ip: { addr: '10.0.0.1', type: 'V4' } }] } }, 'changed'],
      [{ delete: { description: 'new' } }, 'changed'],
    ] as const)
      expect(await send('patch', path, patch), JSON.stringify(patch)).to.deep.equal([status, ...requests]);
    expect(controller.one('pool', 'other')['description']).to.equal('old');
  });

  function isOnlyRead([status, ...requests]: readonly string[]): boolean {
    return status === 'ok' && requests.every((request) => request.startsWith('GET '));
  }

  it('compare references by the names of their objects', async () => {
    const data = { name: 'web', health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] };
    expect((await send('post', 'pool', data))[0]).to.equal('changed');
    expect(await send('post', 'pool', data)).to.satisfy(isOnlyRead);
    expect(await send('post', 'pool', { ...data, description: 'new' })).to.deep.equal([
      'changed',
      'GET /api/pool?name=web',
      // The names of referenced objects are in this list only.
      LIST,
      'PUT /api/pool/UUID',
    ]);
  });

  const shows = (path: string, answer: JsonObject): Fault => ({
    type: 'answer',
    status: 200,
    ...answer,
    when: { method: 'GET', path },
  });
  const garbage = FORMS.map((form): readonly [string, Fault] => [
    `garbage: ${form}`,
    { type: 'garbage', form, when: { method: 'GET', path: '/api/pool' } },
  ]);
  const noLists: readonly (readonly [string, Fault])[] = [
    ...garbage,
    ['202', shows('/api/pool', { status: 202, body: { count: 0, results: [] } })],
    ['204', shows('/api/pool', { status: 204 })],
    ['a count without objects', shows('/api/pool', { body: { count: 3, results: [] } })],
    ['an object', shows('/api/pool', { body: { name: 'pool' } })],
  ];
  for (const [what, fault] of noLists)
    it(`create nothing if the list is not one: ${what}`, async () => {
      await send('post', 'pool', { name: 'first' });
      await send('post', 'pool', { name: 'web' });
      controller.controller.behaviour = { faults: [fault] };
      for (const method of ['post', 'put']) {
        const [status, ...requests] = await send(method, 'pool', { name: 'web', description: 'new' });
        expect(status).to.equal('failed');
        expect(requests.filter((request) => !request.startsWith('GET '))).to.deep.equal([]);
      }
    });

  it('find an object on a later page', async () => {
    for (const name of ['first', 'web']) await send('post', 'pool', { name });
    controller.controller.behaviour = { filter: 'ignored', paging: { size: 1, next: 'absolute' } };
    const [status, ...requests] = await send('post', 'pool', { name: 'web', description: 'new' });
    expect([status, requests.at(-1)]).to.deep.equal(['changed', 'PUT /api/pool/UUID']);
  });

  it('replace no object that the controller does not show', async () => {
    await send('post', 'pool', { name: 'web', description: 'kept' });
    const { uuid = '' } = controller.one('pool', 'web');
    const path = `pool/${textOrEmpty(uuid)}`;
    for (const answer of [
      { body: [] },
      { body: '' },
      { body: 'pool' },
      { body: { count: 1, results: [{ uuid }] } },
      { status: 202, body: { uuid } },
      { status: 204 },
    ]) {
      controller.controller.behaviour = { faults: [shows(`/api/${path}`, answer)] };
      expect(await send('put', path, { default_server_port: 81 })).to.deep.equal(['failed', 'GET /api/pool/UUID']);
    }
    expect(controller.one('pool', 'web')).to.include({ description: 'kept', default_server_port: 80 });
  });

  it('replace no object with a number that would be written back as another', async () => {
    await send('post', 'pool', { name: 'web' });
    const { uuid = '' } = controller.one('pool', 'web');
    const path = `pool/${textOrEmpty(uuid)}`;
    const shown = `{"uuid": "${textOrEmpty(uuid)}", "name": "web", "limit": 1e400}`;
    const list = `{"count": 1, "results": [${shown}]}`;
    controller.controller.behaviour = {
      faults: [shows('/api/pool', { body: list }), shows(`/api/${path}`, { body: shown })],
    };
    const named = { health_monitor_refs: ['/api/healthmonitor?name=System-HTTP'] };
    for (const more of [{ default_server_port: 81 }, named])
      for (const [method, at] of [
        ['post', 'pool'],
        ['put', 'pool'],
        ['put', path],
      ] as const) {
        const [status, ...requests] = await send(method, at, { name: 'web', ...more });
        expect([status, requests.filter((line) => !line.startsWith('GET'))], `${method} ${at}`).to.deep.equal([
          'failed',
          [],
        ]);
      }
    controller.controller.behaviour = {};
    expect(controller.one('pool', 'web')).to.not.have.property('limit');
  });

  it('keep the undeclared fields of objects and of elements inside', async () => {
    const server = { ip: { addr: '10.0.0.1', type: 'V4' }, port: 80, description: 'kept' };
    const first = { fail_action: { type: 'FAIL_ACTION_CLOSE_CONN' }, servers: [server], analytics_policy: {} };
    await send('post', 'pool', { name: 'web', ...first });
    await send('put', 'systemconfiguration', { portal_configuration: { http_port: 8080, enable_http: true } });
    await send('put', 'systemconfiguration', { portal_configuration: { http_port: 81 } });
    const { portal_configuration: portal } = controller.controller.object('/api/systemconfiguration');
    expect(portal).to.include({ http_port: 81, enable_http: true });
    const second = { ip: { addr: '10.0.0.2', type: 'V4' } };
    const declared = { servers: [{ ip: server.ip }, second] };
    expect((await send('post', 'pool', { name: 'web', ...declared }))[0]).to.equal('changed');
    const [kept] = objectsIn(controller.one('pool', 'web')['servers']);
    expect(kept).to.include({ description: 'kept', port: 80 });
  });

  it('keep the undeclared fields of elements that the data tell by the name of an object', async () => {
    for (const name of ['a', 'b']) await send('post', 'pool', { name });
    const member = (name: string) => ({ pool_ref: `/api/pool?name=${name}` });
    const full = { ...member('a'), ratio: 5, priority_label: 'kept' };
    await send('post', 'poolgroup', { name: 'group', members: [full, member('b')] });
    const before = controller.one('poolgroup', 'group');
    const data = { name: 'group', description: 'new', members: [member('a'), member('b')] };
    expect((await send('put', 'poolgroup', data))[0]).to.equal('changed');
    const { members, description } = controller.one('poolgroup', 'group');
    expect([members, description]).to.deep.equal([before['members'], 'new']);
    expect((await send('put', 'poolgroup', data))[0]).to.equal('ok');
    // By its path, too.
    const own = `poolgroup/${textOrEmpty(before['uuid'])}`;
    const fields = { members: data.members, description: 'own' };
    expect((await send('put', own, fields))[0]).to.equal('changed');
    expect(controller.one('poolgroup', 'group')).to.deep.include({ members: before['members'], description: 'own' });
    expect(await send('put', own, fields)).to.satisfy(isOnlyRead);
    // On a later page, too.
    controller.controller.behaviour = { filter: 'ignored', paging: { size: 1, next: 'absolute' } };
    await send('post', 'poolgroup', { name: 'group', description: 'newer' });
    expect(controller.one('poolgroup', 'group')['members']).to.deep.equal(before['members']);
  });

  it('read again what has changed since it was read, three times at most', async () => {
    await send('post', 'pool', { name: 'web' });
    const { uuid = '' } = controller.one('pool', 'web');
    const path = `/api/pool/${textOrEmpty(uuid)}`;
    const touch = (first: number): Behaviour => ({ faults: [{ type: 'touch', when: { method: 'PUT', path, first } }] });
    controller.controller.behaviour = touch(2);
    const change = (description: string) => send('post', 'pool', { name: 'web', description });
    const round = ['GET /api/pool?name=web', 'PUT /api/pool/UUID'];
    expect(await change('new')).to.deep.equal(['changed', ...round, ...round, ...round]);
    controller.controller.behaviour = touch(3);
    expect(await change('newer')).to.deep.equal(['failed', ...round, ...round, ...round]);
    expect(controller.one('pool', 'web')['description']).to.equal('new');
  });

  it('are changed if a request without an answer made the change', async () => {
    await send('post', 'pool', { name: 'web' });
    for (const lost of [{ type: 'drop' }, { type: 'answer', status: 504 }, { type: 'answer', status: 408 }] as const) {
      const fault: Fault = { ...lost, applied: true, when: { method: 'PUT', first: 1 } };
      controller.controller.behaviour = { faults: [fault] };
      const [status, ...requests] = await send('put', 'pool', { name: 'web', description: JSON.stringify(lost) });
      expect([status, requests.at(-1)], requests.join()).to.deep.equal(['changed', 'GET /api/pool?name=web']);
    }
  });
});
