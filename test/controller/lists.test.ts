import { expect } from 'chai';
import { ControllerError } from '../../src/controller/exchange/call.js';
import type { Session } from '../../src/controller/session.js';
import { DEFAULT_DIALECT, DIALECTS } from '../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { PlainServer } from '../rig/plain_server.js';

/** Answers by path: a status and a body. */
type Answers = Readonly<Record<string, readonly [status: number, body: unknown]>>;

const AVI = DIALECTS.get('avi') ?? DEFAULT_DIALECT;

describe('at a controller', () => {
  let server: PlainServer;
  const asked: string[] = [];
  const all = connections({ retry: { attempts: 1 }, limits: { pages: 3 } });
  before(async () => {
    server = await PlainServer.start();
  });
  after(async () => {
    await all.close();
    server.close();
  });
  beforeEach(() => {
    asked.length = 0;
  });

  function open(answers: Answers, more: Partial<ConnectionSettings> = {}): Session {
    server.answer = ({ method = '', url = '', headers }, response) => {
      const tenant = headers['x-avi-tenant'];
      asked.push(`${method} ${url}${typeof tenant === 'string' ? ` in ${tenant}` : ''}`);
      const [status, body] = answers[url] ?? [404, { error: 'no' }];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    return all.open(settingsOf(server.url, undefined, { patience: 0, dialect: AVI, ...more }));
  }
  const list = (names: readonly string[]) =>
    [200, { count: names.length, results: names.map((name) => ({ name, uuid: name })) }] as const;

  describe('a list', () => {
    const first = '/api/pool?page_size=200&include_name';

    it('has the objects of all pages, with the names of what they refer to, each once', async () => {
      const answers: Answers = {
        [first]: [200, { count: 3, results: [{ uuid: 'a', n: 1 }], next: '/api/pool?page=2' }],
        '/api/pool?page=2': [200, { results: [{ uuid: 'a', n: 1 }, { uuid: 'b' }, { n: 2 }, { n: 2 }] }],
      };
      expect(await open(answers).list('/api/pool/', { paged: true })).to.deep.equal({
        objects: [{ uuid: 'a', n: 1 }, { uuid: 'b' }, { n: 2 }, { n: 2 }],
      });
      expect(asked).to.deep.equal([`GET ${first}`, 'GET /api/pool?page=2']);
    });

    it('may have parameters, and may be one object', async () => {
      const answers: Answers = {
        '/api/pool/1?include_name&a=x+y&b': [200, { uuid: '1', n: 1 }],
        '/api/pool?include_name=no&page_size=5': [200, { results: [] }],
        '/api/pool/': [200, { results: [{ uuid: 'c' }] }],
      };
      expect(await open(answers).list('/api/pool/1', { paged: false, query: { a: 'x y', b: '' } })).to.deep.equal({
        objects: [{ uuid: '1', n: 1 }],
      });
      const own = { query: { include_name: 'no', page_size: '5' }, paged: false };
      expect(await open(answers).list('/api/pool', own)).to.deep.equal({ objects: [] });
      expect(await open(answers, { dialect: DEFAULT_DIALECT }).list('/api/pool/', { paged: true })).to.deep.equal({
        objects: [{ uuid: 'c' }],
      });
    });

    it('is read again, once, if objects were deleted between its pages', async () => {
      const [one, two] = [{ uuid: 'a' }, { uuid: 'b' }];
      const next = '/api/pool?page=2';
      const [whole, missing] = [
        [200, { results: [two] }],
        [200, { results: [] }],
      ] as const;
      const changing = async (count: number | undefined, ...last: Answers[string][]): Promise<unknown> => {
        let reads = -1;
        const answers = { [first]: [200, { count, results: [one], next }] } satisfies Answers;
        const session = open(
          new Proxy<Answers>(answers, {
            get: (known, path) => (path === next ? last[Math.min((reads += 1), last.length - 1)] : known[String(path)]),
          }),
        );
        asked.length = 0;
        const found = await session.list('/api/pool/', { paged: true }).catch((error: unknown) => error);
        return found instanceof ControllerError ? [found.message, found.status, asked.length] : [found, asked.length];
      };
      const gone = [404, { detail: 'Invalid page.' }] as const;
      const complete = { objects: [one, two] };
      for (const count of [2, undefined]) expect(await changing(count, gone, whole)).to.deep.equal([complete, 4]);
      expect(await changing(2, missing, whole)).to.deep.equal([complete, 4]);
      const text = `GET ${first}: the controller counts 2 objects but sent 1, so the list is incomplete`;
      // Not 404, which would mean that there is no such list.
      expect(await changing(2, missing)).to.deep.equal([text, undefined, 4]);
      const lost = `GET ${first}: the next page, ${next}, is gone, so the list is incomplete`;
      for (const count of [2, undefined]) expect(await changing(count, gone)).to.deep.equal([lost, undefined, 4]);
      expect(await changing(2, [403, { error: 'no' }])).to.deep.equal([
        `GET ${next}: the controller answered 403: no`,
        403,
        2,
      ]);
    });

    it('is refused if it is not complete, a circle, or too long', async () => {
      const said = async (answers: Answers) =>
        (await errorOf(open(answers).list('/api/pool/', { paged: true }))).message;
      const page = (next?: string, count?: number) => [200, { results: [{ uuid: next ?? 'z' }], next, count }] as const;
      const pages: Answers = {
        [first]: page('/api/pool?page=2'),
        '/api/pool?page=2': page('/api/pool?page=3'),
        '/api/pool?page=3': page(),
      };
      expect((await open(pages).list('/api/pool/', { paged: true })).objects).to.have.length(3);
      const at = `GET ${first}:`;
      expect(await said({ [first]: page(undefined, 2) })).to.equal(
        `${at} the controller counts 2 objects but sent 1, so the list is incomplete`,
      );
      expect(await said({ [first]: page(first) })).to.equal(`${at} the pages of the list form a loop`);
      expect(await said({ ...pages, '/api/pool?page=3': page('/api/pool?page=4') })).to.equal(
        `${at} the list has more than 3 pages`,
      );
      expect(await said({ [first]: [500, { error: 'no' }] })).to.equal(`${at} the controller answered 500: no`);
    });
  });

  describe('a tenant', () => {
    const question = '/api/tenant?name=blue';
    const every = '/api/tenant?page_size=200';
    const read = (session: Session) => session.request({ method: 'GET', path: '/api/pool/x' });
    const MISSING = 'GET /api/pool/x: the controller has no tenant "blue", or hides it from this user';

    it('that does not exist is why something is not found', async () => {
      const hint = async (names: readonly string[]) => {
        const answers = { [question]: list(['blue-2']), [every]: list(names) };
        const error = await errorOf(read(open(answers, { tenant: 'blue' })));
        expect(error).to.include({ message: MISSING, status: 404, outcome: 'failed' });
        return error.hint;
      };
      expect(await hint(['red', 'bleu'])).to.equal('did you mean "bleu"?');
      expect(asked).to.deep.equal(['GET /api/pool/x in blue', `GET ${question} in admin`, `GET ${every} in admin`]);
      const ten = Array.from({ length: 10 }, (_, at) => `tenant-${at}`);
      expect([await hint([]), await hint(ten), await hint([...ten, 'tenant-10'])]).to.deep.equal([
        undefined,
        `tenants of this user: ${ten.join(', ')}`,
        `tenants of this user: ${ten.join(', ')}, …`,
      ]);
      const slashed = open({}, { tenant: 'blue', dialect: { ...AVI, collectionSlash: true, paging: undefined } });
      asked.length = 0;
      expect((await read(slashed)).status).to.equal(404);
      expect(asked.at(-1)).to.equal('GET /api/tenant/?name=blue in admin');
    });

    it('is looked for once, and only if it can be', async () => {
      const session = open({ [question]: list(['blue']) }, { tenant: 'blue' });
      expect([(await read(session)).status, (await read(session)).status]).to.deep.equal([404, 404]);
      const log = ['GET /api/pool/x in blue', `GET ${question} in admin`, 'GET /api/pool/x in blue'];
      expect(asked.splice(0)).to.deep.equal(log);
      const hidden = open({ [question]: [403, { error: 'no' }] }, { tenant: 'blue' });
      expect([(await read(hidden)).status, asked.splice(0)]).to.deep.equal([404, log.slice(0, 2)]);
      for (const tenant of ['admin', '*', undefined]) {
        expect((await read(open({}, { tenant }))).status).to.equal(404);
        expect(asked.splice(0)).to.deep.equal([`GET /api/pool/x${tenant === undefined ? '' : ` in ${tenant}`}`]);
      }
      expect((await read(open({}, { dialect: DEFAULT_DIALECT, tenant: 'blue' }))).status).to.equal(404);
      expect(asked).to.deep.equal(['GET /api/pool/x']);
    });

    it('must be one for a write', async () => {
      const session = open({}, { tenant: '*' });
      const { message, hint } = await errorOf(session.request({ method: 'POST', path: '/api/pool', body: {} }));
      expect([message, hint, asked]).to.deep.equal([
        'POST /api/pool: not sent: a write needs one tenant, and "*" means all of them',
        'set controller_tenant, or tenant of the task, to a name',
        [],
      ]);
    });
  });

  it('a path of another server is not followed', async () => {
    server.answer = (_request, response) => response.writeHead(302, { location: 'https://other/' }).end();
    const session = all.open(settingsOf(server.url, undefined, { patience: 0 }));
    expect((await errorOf(session.request({ method: 'GET', path: '/api/x' }))).message).to.equal(
      'GET /api/x: the controller answered 302 and points to https://other/; redirects are not followed',
    );
    for (const [path, method, what] of [
      ['x', 'GET', 'the path must begin with "/"'],
      ['@other/', 'GET', 'the path must begin with "/"'],
      ['/x', 'GET /', 'the method must be a word such as GET or PUT'],
    ] as const)
      expect((await errorOf(session.request({ method, path }))).message).to.equal(`${method} ${path}: ${what}`);
  });
});
