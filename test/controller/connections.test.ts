import { expect } from 'chai';
import { DEFAULT_DIALECT, DIALECTS } from '../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import { connections, settingsOf } from '../rig/controllers.js';
import { answer, EMPTY_LIST, RudeServer, type Manners } from '../rig/rude_server.js';

const OBJECT = answer('200 OK', '{"uuid":"default"}', ['set-cookie: sessionid=abc; Secure', 'connection: keep-alive']);

describe('connections', () => {
  const cleanup: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const dispose of cleanup.splice(0)) await dispose();
  });

  async function serve(manners: Manners): Promise<RudeServer> {
    const server = await RudeServer.start(manners);
    cleanup.push(() => server.close());
    return server;
  }

  function open(server: RudeServer, overrides: Partial<ConnectionSettings> = {}) {
    const all = connections();
    cleanup.push(() => all.close());
    return all.open(settingsOf(server.url, server.certificate.ca, overrides));
  }

  it('are not opened before the first request', async () => {
    const server = await serve((socket) => socket.write(OBJECT));
    await open(server).close();
    expect(server.connections).to.equal(0);
  });

  it('are opened once for a controller, from its first request to its last', async () => {
    const server = await serve((socket, head) => socket.write(head.includes('/api/cloud/') ? EMPTY_LIST : OBJECT));
    const session = open(server);
    await session.find('/api/cloud/', 'edge');
    await session.single('/api/systemconfiguration');
    await session.replace('/api/systemconfiguration', { a: 1 });
    await session.single('/api/systemconfiguration');
    await Promise.all([1, 2, 3].map((number) => session.find('/api/cloud/', `edge-${number}`)));
    expect(server.connections).to.equal(1);
    expect(server.requests).to.have.length(7);
  });

  it('are several if the settings allow several requests at once', async () => {
    let waiting: (() => void)[] = [];
    const server = await serve((socket, _, nth) => {
      waiting.push(() => socket.write(EMPTY_LIST));
      // The first request runs alone, to test the credentials.
      if (nth > 1 && waiting.length < 3) return;
      for (const go of waiting) go();
      waiting = [];
    });
    const session = open(server, { maxRequests: 3 });
    await Promise.all([0, 1, 2, 3].map((number) => session.find('/api/cloud/', `edge-${number}`)));
    expect(server.connections).to.equal(3);
  });

  it('never have more running requests than the settings allow', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const server = await serve((socket, _, nth) => {
      waiting.push(() => socket.write(EMPTY_LIST));
      most = Math.max(most, waiting.length);
      // The first request runs alone, to test the credentials; a third would arrive while two wait.
      if (nth > 1 && waiting.length !== 2) return;
      setTimeout(() => {
        for (const go of waiting.splice(0)) go();
      }, 20);
    });
    const session = open(server, { maxRequests: 2 });
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map((number) => session.find('/api/cloud/', `edge-${number}`)));
    expect(most).to.equal(2);
  });

  it('keep the limit of a controller until the last session to it closes, whichever closes first', async () => {
    let [running, most] = [0, 0];
    const server = await serve((socket) => {
      most = Math.max(most, ++running);
      // So that another request would arrive meanwhile.
      setTimeout(() => {
        running -= 1;
        socket.write(EMPTY_LIST);
      }, 20);
    });
    const all = connections();
    cleanup.push(() => all.close());
    const next = (maxRequests = 1) => all.open(settingsOf(server.url, server.certificate.ca, { maxRequests }));
    const findWith = (sessions: readonly ReturnType<typeof next>[]) =>
      Promise.all(sessions.flatMap((session) => [session.find('/api/cloud/', 'a'), session.find('/api/cloud/', 'b')]));
    const open = [next(), next()];
    for (const closed of [0, 1]) {
      await findWith(open);
      await open.splice(closed, 1)[0]?.close();
      open.push(next());
    }
    await findWith(open);
    expect(most).to.equal(1);
    for (const session of open) await session.close();
    await findWith([next(2)]);
    expect(most).to.equal(2);
  });

  it('space requests as configured', async () => {
    const server = await serve((socket) => socket.write(EMPTY_LIST));
    const session = open(server, { requestsPerSecond: 20 });
    const started = performance.now();
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) await session.find('/api/cloud/', `edge-${number}`);
    // Four of them may start at once.
    expect(performance.now() - started).to.be.above(195);
  });

  it('close with their session', async () => {
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const server = await serve((socket) => {
      socket.once('close', closed).write(EMPTY_LIST);
    });
    const session = open(server);
    await session.find('/api/cloud/', 'edge');
    await session.close();
    await gone;
  });

  it('ignore cookies', async () => {
    const server = await serve((socket) => socket.write(OBJECT));
    const session = open(server);
    await session.single('/api/systemconfiguration');
    await session.single('/api/systemconfiguration');
    expect(server.requests.filter((head) => /cookie/i.test(head))).to.deep.equal([]);
  });

  it('carry the headers of the settings, and the version in its header', async () => {
    const server = await serve((socket) => socket.write(OBJECT));
    const session = open(server, {
      headers: { 'X-Tenant': 'blue', Accept: 'text/json' },
      versionHeader: 'X-Api-Version',
    });
    await session.single('/api/systemconfiguration');
    const [head = ''] = server.requests;
    expect(head.split('\r\n').filter((line) => /^(x-|accept)/i.test(line))).to.have.members([
      'accept: text/json',
      'x-tenant: blue',
      'x-api-version: 22.1.3',
    ]);
  });

  it('send nothing beyond the API document', async () => {
    const server = await serve((socket) => socket.write(EMPTY_LIST));
    await open(server).find('/api/cloud/', 'edge');
    const [head = ''] = server.requests;
    expect(head.split('\r\n').filter((line) => !/^(host|authorization):/.test(line))).to.deep.equal([
      'GET /api/cloud/?name=edge HTTP/1.1',
      'connection: keep-alive',
      'accept: application/json',
      'user-agent: evenkeel',
      'x-vendor-version: 22.1.3',
      '',
      '',
    ]);
  });

  it('follow the dialect: tenant, version header, collections without a slash', async () => {
    const server = await serve((socket) => socket.write(EMPTY_LIST));
    const dialect = DIALECTS.get('avi') ?? DEFAULT_DIALECT;
    await open(server, { dialect, versionHeader: dialect.versionHeader, tenant: 'blue' }).find('/api/cloud/', 'edge');
    const [head = ''] = server.requests;
    expect(head.split('\r\n').filter((line) => /^(GET|x-)/.test(line))).to.deep.equal([
      'GET /api/cloud?name=edge HTTP/1.1',
      'x-avi-version: 22.1.3',
      'x-avi-tenant: blue',
    ]);
  });

  it('keep the path of the base URL, also when pages follow', async () => {
    const server = await serve((socket, _, nth) => {
      const next = nth === 1 ? `"${server.url}/lb/7/api/cloud/?page=2"` : 'null';
      socket.write(answer('200 OK', `{"count":0,"results":[],"next":${next}}`));
    });
    const all = connections();
    cleanup.push(() => all.close());
    await all.open(settingsOf(`${server.url}/lb/7`, server.certificate.ca)).find('/api/cloud/', 'edge');
    expect(server.requests.map((head) => head.split(' ')[1])).to.deep.equal([
      '/lb/7/api/cloud/?name=edge',
      '/lb/7/api/cloud/?page=2',
    ]);
  });

  describe('for raw requests', () => {
    it('return any answer, parsed if it is JSON', async () => {
      const server = await serve((socket, head) =>
        socket.write(head.includes('text') ? answer('200 OK', 'plain') : answer('404 Not Found', '{"error":"none"}')),
      );
      const session = open(server);
      expect(await session.request({ method: 'get', path: '/api/x', query: { 'a b': 'c&d' } })).to.deep.equal({
        status: 404,
        body: { error: 'none' },
        says: 'none',
        hint: 'check controller_url, and the path: that of a collection ends with a slash',
      });
      expect(await session.request({ method: 'GET', path: '/api/text' })).to.deep.equal({
        status: 200,
        body: 'plain',
        says: 'plain',
      });
      expect(server.requests.map((head) => head.split('\r\n')[0])).to.deep.equal([
        'GET /api/x?a+b=c%26d HTTP/1.1',
        'GET /api/text HTTP/1.1',
      ]);
    });

    it('encode characters that a path must not contain, and keep encoded ones', async () => {
      const server = await serve((socket) => socket.write(OBJECT));
      await open(server).request({ method: 'GET', path: '/api/a b/ü/%2F' });
      expect(server.requests[0]?.split('\r\n')[0]).to.equal('GET /api/a%20b/%C3%BC/%2F HTTP/1.1');
    });

    for (const method of ['POST', 'PATCH', 'DELETE']) {
      it(`never repeat a ${method}`, async () => {
        const server = await serve((socket) => socket.write(answer('503 Service Unavailable', '{}')));
        const body = method === 'DELETE' ? {} : { body: { a: 1 } };
        const { status } = await open(server).request({ method, path: '/api/x', ...body });
        expect([status, server.requests.length]).to.deep.equal([503, 1]);
      });
    }

    for (const path of ['api/x', '@elsewhere.invalid/', 'https://elsewhere.invalid/']) {
      it(`refuse a path that would leave the controller: ${path}`, async () => {
        const server = await serve((socket) => socket.write(OBJECT));
        const session = open(server);
        const results = await Promise.allSettled([
          session.request({ method: 'GET', path }),
          session.single(path),
          session.replace(path, {}),
        ]);
        for (const [at, method] of ['GET', 'GET', 'PUT'].entries())
          expect(results[at]).to.have.nested.property(
            'reason.message',
            `${method} ${path}: the path must begin with "/"`,
          );
        expect(server.connections).to.equal(0);
      });
    }
  });
});
