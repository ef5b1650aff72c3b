import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { expect } from 'chai';
import { ConnectionFailure, type ApiCall } from '../../../src/controller/exchange/call.js';
import { LIMITS, RETRY } from '../../../src/controller/exchange/policy.js';
import type { LoadWatch } from '../../../src/controller/pace/slow_down.js';
import { AnswerMemory } from '../../../src/controller/transport/answer_memory.js';
import { headFailure, toAnswer, tooLarge } from '../../../src/controller/transport/answer_receiver.js';
import { SecureContexts } from '../../../src/controller/transport/dispatchers.js';
import { Transport } from '../../../src/controller/transport/transport.js';
import { DEFAULT_DIALECT, DIALECTS } from '../../../src/core/model/dialect.js';
import type { ConnectionSettings } from '../../../src/core/model/inventory/connection_variables.js';
import { serverCertificate, type ServerCertificate } from '../../rig/certificates.js';
import { settingsOf } from '../../rig/controllers.js';
import { PlainServer } from '../../rig/plain_server.js';

const GET: ApiCall = { method: 'GET', path: '/api/pool', repeatable: true };
const BASIC = `Basic ${Buffer.from('admin:pw').toString('base64')}`;

describe('the connection to a controller', () => {
  let server: PlainServer;
  const seen: (readonly [line: string, headers: Readonly<Record<string, unknown>>])[] = [];
  before(async () => {
    server = await PlainServer.start();
  });
  after(() => {
    server.close();
  });
  beforeEach(() => {
    seen.length = 0;
    answered((_request, response) => response.end('{}'));
  });

  function answered(answer: PlainServer['answer']): void {
    server.answer = (request, response) => {
      const { connection: _connection, host: _host, ...headers } = request.headers;
      seen.push([`${request.method} ${request.url}`, headers]);
      answer(request, response);
    };
  }

  function open(more: Partial<ConnectionSettings> = {}, load?: LoadWatch): Transport {
    const settings = settingsOf(server.url, undefined, { password: 'pw', ...more });
    const slot = new AnswerMemory().slot();
    const trust = new SecureContexts().trust(undefined);
    return new Transport(settings, { route: undefined, trust, limits: LIMITS, slot, load });
  }

  it('sends the credentials, the version and the tenant with each request, and more with one', async () => {
    const dialect = DIALECTS.get('avi') ?? DEFAULT_DIALECT;
    const header = dialect.tenants?.header.toLowerCase() ?? '';
    const url = `${server.url}/below/`;
    const transport = open({ url, dialect, tenant: 'blue', headers: { 'X-Site': 'west' } });
    await transport.send(GET);
    await transport.send({ ...GET, path: '/api/pool?name=a b', tenant: 'red' }, ['x-more', '1']);
    await transport.send({ ...GET, method: 'POST', body: '{}' });
    await transport.send({ ...GET, method: 'POST', path: '/login', body: '{}', outsideApi: true });
    await transport.close();
    const usual = { accept: 'application/json', 'user-agent': 'evenkeel', 'x-site': 'west', authorization: BASIC };
    const own = { ...usual, 'x-vendor-version': '22.1.3', [header]: 'blue' };
    const body = { 'content-length': '2' };
    expect(seen).to.deep.equal([
      ['GET /below/api/pool', own],
      ['GET /below/api/pool?name=a%20b', { ...own, [header]: 'red', 'x-more': '1' }],
      ['POST /below/api/pool', { ...own, ...body, 'content-type': 'application/json' }],
      ['POST /below/login', body],
    ]);
  });

  it('sends no password where a session signs in, and only its own headers outside of the API', async () => {
    const transport = open({ auth: 'session', apiVersion: undefined, headers: { 'X-Site': 'west' } });
    await transport.send(GET, ['cookie', 'a=b']);
    await transport.send({ ...GET, method: 'POST', path: '/login', body: '{}', outsideApi: true }, ['x-more', '1']);
    await transport.close();
    const own = { accept: 'application/json', 'user-agent': 'evenkeel', 'x-site': 'west' };
    expect(seen).to.deep.equal([
      ['GET /api/pool', { ...own, cookie: 'a=b' }],
      ['POST /login', { ...own, 'content-type': 'application/json', 'content-length': '2', 'x-more': '1' }],
    ]);
  });

  it('reports how much the controller can take', async () => {
    const reported: unknown[] = [];
    const load: LoadWatch = {
      sent: (at, isFirst) => ({ at, isFirst }),
      ended: (sent, now, end) => reported.push([sent.isFirst, now >= sent.at, end]),
    };
    const late = open({ timeout: 1 }, load);
    const failed = async (transport: Transport, call: ApiCall = GET): Promise<unknown> =>
      transport.send(call).then(
        ({ status }) => status,
        (error: unknown) => (error instanceof ConnectionFailure ? error.type : error),
      );
    const results: unknown[] = [];
    answered(() => undefined);
    results.push(await failed(late));
    answered((_request, response) => response.end());
    results.push(await failed(late), await failed(late, { ...GET, method: 'POST' }));
    answered((_request, response) => response.writeHead(429).end());
    results.push(await failed(late));
    answered((request) => request.socket.destroy());
    results.push(await failed(late));
    answered(() => undefined);
    results.push(await failed(late));
    await late.close();
    results.push(await failed(late));
    const refusing = open({ url: 'http://127.0.0.1:1' }, load);
    results.push(await failed(refusing));
    await refusing.close();
    expect(results).to.deep.equal(['timeout', 200, 200, 429, 'reset', 'timeout', 'closed', 'connect']);
    expect(reported).to.deep.equal([
      [true, true, 'unknown'],
      [true, true, 'answered'],
      [false, true, 'unknown'],
      [false, true, 'overloaded'],
      [false, true, 'overloaded'],
      [false, true, 'overloaded'],
      [false, true, 'unknown'],
      [true, true, 'unknown'],
    ]);
  });

  it('knows where it leads once it is open', async () => {
    const transport = open();
    expect(transport.connection).to.deep.equal({ socket: undefined, address: undefined, through: undefined });
    await transport.send(GET);
    const { socket, ...rest } = transport.connection;
    expect([socket?.remotePort, rest]).to.deep.equal([server.port, { address: '127.0.0.1', through: undefined }]);
    await transport.close();
  });
});

describe('the connections to a controller whose certificates are of several authorities', () => {
  let server: Server;
  let transport: Transport;
  let nodes: readonly ServerCertificate[];
  beforeEach(async () => {
    nodes = [await serverCertificate(), await serverCertificate()];
    server = createServer(nodes[1] ?? {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const trust = nodes.map(
      ({ ca }) =>
        () =>
          createSecureContext({ ca }),
    );
    const settings = settingsOf(`https://127.0.0.1:${port}`, undefined, { maxRequests: 4 });
    const slot = new AnswerMemory().slot();
    transport = new Transport(settings, { route: undefined, trust, limits: LIMITS, slot });
  });
  afterEach(async () => {
    await transport.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const post = (): Promise<number | string> =>
    transport.send({ ...GET, method: 'POST', body: '{}', repeatable: false }).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof ConnectionFailure ? error.type : String(error)),
    );

  it('are opened again with the next authorities, and all requests are sent, once', async () => {
    let requests = 0;
    server.on('request', (_, response: ServerResponse) => {
      requests += 1;
      response.end('{}');
    });
    const sent = Array.from({ length: 6 }, post);
    expect(await Promise.all(sent)).to.deep.equal([200, 200, 200, 200, 200, 200]);
    expect(requests).to.equal(6);
  });

  /** A request that the first node has, and has not answered, while the second one answers others. */
  async function runningAtFirst(): Promise<{ readonly sent: Promise<number | string>; readonly answer: () => void }> {
    server.setSecureContext(nodes[0] ?? {});
    const arrived = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    const sent = post();
    const [, response] = await arrived;
    server.setSecureContext(nodes[1] ?? {});
    server.on('request', (_, other: ServerResponse) => other.end('{}'));
    expect(await post()).to.equal(200);
    return { sent, answer: () => response.end('{}') };
  }

  it('finish what they have sent', async () => {
    const { sent, answer } = await runningAtFirst();
    answer();
    expect(await sent).to.equal(200);
  });

  it('are closed, the former ones too', async () => {
    const { sent } = await runningAtFirst();
    await transport.close();
    expect(await sent).to.equal('closed');
  });
});

describe('an answer', () => {
  it('has what requests need of its headers, and its text', () => {
    const none = { contentType: undefined, location: undefined, retryAfter: undefined, setCookies: undefined };
    expect(toAnswer(204, {}, Buffer.of())).to.deep.equal({ status: 204, text: '', ...none });
    const headers = { 'content-type': 'text/plain', location: '/x', 'retry-after': '5', 'set-cookie': ['a=b', 'c=d'] };
    expect(toAnswer(302, headers, Buffer.from('ü\ufffd'))).to.deep.equal({
      status: 302,
      text: 'ü\ufffd',
      contentType: 'text/plain',
      location: '/x',
      retryAfter: '5',
      setCookies: ['a=b', 'c=d'],
    });
    expect(toAnswer(200, {}, Buffer.of(0x61, 0xff))).to.deep.equal({
      status: 200,
      text: 'a\ufffd',
      garbled: true,
      ...none,
    });
  });

  it('asks to wait until a time of its own clock', () => {
    const date = 'Mon, 30 Nov 2020 10:00:00 GMT';
    const waits = (after: string, now = date) =>
      toAnswer(503, { 'retry-after': after, date: now }, Buffer.of()).retryAfter;
    expect(waits('Mon, 30 Nov 2020 10:00:05 GMT')).to.equal('5');
    expect(waits('Mon, 30 Nov 2020 09:59:00 GMT')).to.equal('0');
    for (const after of ['5', 'soon']) expect(waits(after)).to.equal(after);
    const until = 'Mon, 30 Nov 2020 10:00:05 GMT';
    expect(waits(until, 'today')).to.equal(until);
    expect(toAnswer(503, { 'retry-after': until }, Buffer.of()).retryAfter).to.equal(until);
  });

  it('must not be compressed, or have a status that does not exist, or be too large', () => {
    const shown = (failure: ConnectionFailure | undefined) => failure && [failure.type, failure.message, failure.hint];
    const HINT =
      'if this answer is right, max_registered in evenkeel.yml or EVENKEEL_MAX_REGISTERED allows larger ones';
    expect(headFailure(599, { 'content-encoding': 'identity' })).to.equal(undefined);
    expect(
      [headFailure(200, { 'content-encoding': 'gzip' }), headFailure(600, {}), tooLarge(16 * 2 ** 20)].map(shown),
    ).to.deep.equal([
      ['malformed', 'the answer is compressed (gzip), which was not requested', undefined],
      ['malformed', 'the answer has the status 600, which does not exist', undefined],
      ['oversized', 'the answer is larger than 16 MiB', HINT],
    ]);
  });

  it('is limited, and so is the patience with what gives none', () => {
    expect(LIMITS).to.deep.equal({ responseBytes: 16 * 2 ** 20, pauseMs: 5000, pages: 100 });
    expect(RETRY).to.deep.equal({ attempts: Infinity, baseMs: 500, capMs: 8000, deadlineSeconds: 60 });
  });
});
