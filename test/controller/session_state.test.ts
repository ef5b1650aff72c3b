import { expect } from 'chai';
import type { Session } from '../../src/controller/session.js';
import { DEFAULT_DIALECT, DIALECTS } from '../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { PlainServer } from '../rig/plain_server.js';

const AVI = DIALECTS.get('avi') ?? DEFAULT_DIALECT;
const PATH = '/api/systemconfiguration';

describe('what tasks of a run know of a controller', () => {
  let server: PlainServer;
  const asked: string[] = [];
  const tenants: unknown[] = [];
  let all: ReturnType<typeof connections>;
  before(async () => {
    server = await PlainServer.start();
  });
  after(() => {
    server.close();
  });
  beforeEach(() => {
    all = connections({ retry: { attempts: 1 } });
    asked.length = tenants.length = 0;
    server.answer = (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        asked.push([request.method, request.url, body].filter((part) => part !== '').join(' '));
        tenants.push(request.headers['x-avi-tenant']);
        if (request.url === '/login') response.setHeader('set-cookie', ['sessionid=abc-1', 'csrftoken=def-2']);
        const isThere = request.method !== 'GET' || request.url !== PATH;
        const [, tenant] = /^\/api\/tenant\?name=(.*)$/.exec(request.url ?? '') ?? [];
        const results = [tenant === undefined ? { uuid: 'p-1', name: 'web' } : { uuid: tenant, name: tenant }];
        response.writeHead(isThere ? 200 : 404).end(JSON.stringify(isThere ? { results } : {}));
      });
    };
  });
  afterEach(() => all.close());

  const open = (more: Partial<ConnectionSettings> = {}): Session =>
    all.open(settingsOf(server.url, undefined, { patience: 0, dialect: AVI, ...more }));

  it('includes that a controller cannot show an object, and what was written there', async () => {
    const unreadable = { ...AVI, singlesReadable: false };
    for (const [auth, more] of [
      ['basic', {}],
      ['session', { signIn: 'session' }],
    ] as const) {
      const settings = { dialect: unreadable, auth, username: auth, tenant: auth };
      const session = open(settings);
      const state = { status: 'unreadable', code: 404, ...more };
      expect([await session.single(PATH), await session.single(PATH)]).to.deep.equal([state, state]);
      await session.replace(PATH, { a: 1 });
      expect(await open(settings).single(PATH)).to.deep.equal({ ...state, written: { a: 1 } });
      expect(await open({ ...settings, tenant: 'other' }).single(PATH)).to.deep.equal(state);
      const other = { status: 'found', object: { results: [{ uuid: 'p-1', name: 'web' }] }, ...more };
      expect(await session.single('/api/other')).to.deep.equal(other);
    }
    expect(asked.filter((one) => one === `GET ${PATH}`)).to.have.length(3);
    expect((await errorOf(open().single(PATH))).status).to.equal(404);
  });

  it('are the names of objects that were read, until they are deleted', async () => {
    const session = open();
    await session.find('/api/pool/', 'web');
    const name = async (): Promise<string | undefined> => (await session.references())?.knownName('/api/pool/', 'p-1');
    expect([await name(), (await open().references())?.knownName('/api/pool/', 'p-1')]).to.deep.equal(['web', 'web']);
    await session.remove('/api/pool/p-2');
    expect(await name()).to.equal('web');
    await session.remove('/api/pool/p-1');
    expect(await name()).to.equal(undefined);
    expect(await open({ dialect: DEFAULT_DIALECT }).references()).to.equal(undefined);
  });

  it('are what a check expected, until tasks really write', async () => {
    const session = open();
    const pools = '/api/pool/';
    await session.find(pools, 'web');
    const expected = await session.references({ asExpected: true });
    expected?.expect(pools, { uuid: 'p-1', name: 'web' }, { name: 'new' });
    for (const name of ['later', 'raw']) expected?.expect(pools, null, { name });
    const names = async () =>
      Promise.all(
        [true, false].map(async (asExpected) => (await session.references({ asExpected }))?.knownName(pools, 'p-1')),
      );
    const meant = async (name: string) =>
      (await (await session.references({ asExpected: true }))?.resolve({ collection: pools, name }))?.type;
    expect([await names(), await meant('later'), await meant('raw')]).to.deep.equal([
      ['new', 'web'],
      'expected',
      'expected',
    ]);
    await session.replace('/api/pool/p-2', { name: 'other' });
    expect(await names()).to.deep.equal(['new', 'web']);
    await session.replace('/api/pool/p-1', { name: 'web' });
    expect(await names()).to.deep.equal(['web', 'web']);
    await session.create(pools, 'later', { name: 'later' });
    expect([await meant('later'), await meant('raw')]).to.deep.equal(['missing', 'expected']);
  });

  it('are no longer that a tenant would be created, once a task has created it', async () => {
    for (const name of ['blue', 'green', 'red'])
      (await open().references({ asExpected: true }))?.expect('/api/tenant/', null, { name });
    const there = async () => {
      const found = ['blue', 'green', 'red'].map((tenant) => open({ tenant }).find('/api/pool/', 'web'));
      return (await Promise.all(found)).map((one) => one !== undefined);
    };
    expect(await there()).to.deep.equal([false, false, false]);
    await open().create('/api/tenant/', 'blue', { name: 'blue' });
    expect(await there()).to.deep.equal([true, false, false]);
    const raw = { method: 'POST', path: '/api/tenant', body: { name: 'green' } };
    await open().request({ ...raw, creates: { name: 'green' } });
    await open().request({ ...raw, body: { name: 'red' } });
    expect(await there()).to.deep.equal([true, true, false]);
  });

  it('is the tenant that a check would create: it has only what exists once, as the usual tenant shows it', async () => {
    (await open().references())?.expect('/api/tenant/', null, { name: 'blue' });
    const blue = open({ tenant: 'blue' });
    expect([await blue.find('/api/pool/', 'web'), await blue.list('/api/pool/', { paged: true })]).to.deep.equal([
      undefined,
      { objects: [] },
    ]);
    expect(asked).to.deep.equal([]);
    const object = { results: [{ uuid: 'p-1', name: 'web' }] };
    expect(await blue.single('/api/other')).to.deep.equal({ status: 'found', object });
    expect([asked.at(-1), tenants.at(-1)]).to.deep.equal(['GET /api/other', 'admin']);
    expect(await open({ tenant: 'red' }).find('/api/pool/', 'web')).to.deep.equal({ uuid: 'p-1', name: 'web' });
  });

  it('are in each tenant the objects of the usual one, until tasks change those', async () => {
    const [pools, blue] = ['/api/pool/', open({ tenant: 'blue' })];
    const isListed = async (): Promise<boolean> => {
      asked.length = 0;
      const meant = await (await blue.references())?.resolve({ collection: pools, name: 'web' });
      expect(meant).to.deep.equal({ type: 'found', path: '/api/pool/p-1' });
      return asked.length > 0;
    };
    expect([await isListed(), await isListed()]).to.deep.equal([true, false]);
    const raw = { method: 'PATCH', path: '/api/pool/p-2', body: {} };
    const changes: readonly ((session: Session) => Promise<unknown>)[] = [
      (session) => session.create(pools, 'web', { name: 'web' }),
      (session) => session.replace('/api/pool/p-2', { name: 'other' }),
      (session) => session.remove('/api/pool/p-2'),
      (session) => session.request(raw),
      (session) => session.create('/api/cloud/', 'edge', { name: 'edge' }),
    ];
    for (const change of changes) {
      await change(open({ tenant: 'red' }));
      expect(await isListed()).to.equal(false);
      await change(open({ tenant: 'admin' }));
      expect([await isListed(), await isListed()]).to.deep.equal([true, false]);
    }
    await open({ tenant: 'admin' }).create('/api/vrfcontext/', 'web', { name: 'web' });
    expect(await isListed()).to.equal(false);
  });

  it('are what a check expected, also after something unknown was done to other objects', async () => {
    const session = open();
    const meant = async () =>
      (await (await session.references({ asExpected: true }))?.resolve({ collection: '/api/pool/', name: 'later' }))
        ?.type;
    (await session.references({ asExpected: true }))?.expect('/api/pool/', null, { name: 'later' });
    await session.request({ method: 'PATCH', path: '/api/pool/p-1', body: {} });
    await session.create('/api/cloud/', 'edge', { name: 'edge' });
    expect(await meant()).to.equal('expected');
  });

  it('is whether a placeholder keeps a secret', async () => {
    const body = { name: 'a', password: '<sensitive>' };
    const raw = { method: 'PUT', path: '/api/pool/p-1', body };
    const own = open();
    await own.replace('/api/pool/p-1', body);
    await own.request({ ...raw, keepsSecrets: true });
    expect(asked).to.deep.equal(Array(2).fill(`PUT /api/pool/p-1 ${JSON.stringify(body)}`));
    const other = open({ dialect: DEFAULT_DIALECT });
    for (const refused of [
      () => own.request(raw),
      () => other.replace('/api/pool/p-1', body),
      () => other.request({ ...raw, keepsSecrets: true }),
    ])
      expect((await errorOf(refused())).message).to.match(/^PUT \/api\/pool\/p-1: not sent: /);
    expect(asked).to.have.length(2);
  });
});
