import { expect } from 'chai';
import { ConnectionFailure, type ApiCall } from '../../../src/controller/exchange/call.js';
import { LIMITS } from '../../../src/controller/exchange/policy.js';
import { AnswerMemory } from '../../../src/controller/transport/answer_memory.js';
import { SecureContexts } from '../../../src/controller/transport/dispatchers.js';
import { Transport } from '../../../src/controller/transport/transport.js';
import type { Destination, Form } from '../../../src/core/model/run/session.js';
import { settingsOf } from '../../rig/controllers.js';
import { PlainServer } from '../../rig/plain_server.js';

const GET: ApiCall = { method: 'GET', path: '/api/x', repeatable: true };
const POST: ApiCall = { ...GET, method: 'POST', repeatable: false };

describe('a transfer', () => {
  let server: PlainServer;
  let transport: Transport;
  before(async () => {
    server = await PlainServer.start();
  });
  after(() => {
    server.close();
  });
  afterEach(() => transport.close());

  function open(timeout = 10, responseBytes = LIMITS.responseBytes): void {
    const settings = settingsOf(server.url, undefined, { password: 'pw', timeout });
    const limits = { ...LIMITS, responseBytes };
    const trust = new SecureContexts().trust(undefined);
    transport = new Transport(settings, { route: undefined, trust, limits, slot: new AnswerMemory().slot() });
  }

  /** The status and the text of the answer, or the failure. */
  async function sent(call: ApiCall): Promise<readonly unknown[]> {
    try {
      const { status, text } = await transport.send(call);
      return [status, text];
    } catch (error) {
      if (!(error instanceof ConnectionFailure)) throw error;
      return [error.type, error.message, error.hint];
    }
  }

  /** Keeps what it gets, or fails with its second part. */
  function target(taken: unknown[], fails = false): Destination {
    return {
      start: (type) => {
        taken.push(type);
        return Promise.resolve();
      },
      take: (chunk) => {
        taken.push(Buffer.from(chunk).toString());
        return fails ? Promise.reject(new Error('the disk is full')) : Promise.resolve();
      },
    };
  }

  it('sends a form with the headers of other requests', async () => {
    open();
    const seen: unknown[] = [];
    server.answer = (request, response) => {
      const { authorization, accept, 'content-type': type, 'content-length': length } = request.headers;
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        seen.push([authorization, request.headers['x-vendor-version'], accept, type, length, body]);
        response.writeHead(201).end('done');
      });
    };
    const form = (parts: Form['parts']): Form => ({ contentType: 'multipart/x', length: 4, parts });
    const whole = form(async function* () {
      yield Buffer.from('ab');
      yield await Promise.resolve(Buffer.from('cd'));
    });
    expect(await sent({ ...POST, form: whole })).to.deep.equal([201, 'done']);
    const basic = `Basic ${Buffer.from('admin:pw').toString('base64')}`;
    expect(seen).to.deep.equal([[basic, '22.1.3', 'application/json', 'multipart/x', '4', 'abcd']]);
    const broken = form(async function* () {
      yield await Promise.resolve(Buffer.from('ab'));
      throw new Error('the file is gone');
    });
    expect(await sent({ ...POST, form: broken })).to.deep.equal(['local', 'the file is gone', undefined]);
  });

  it('receives a body piece by piece, of an answer with status 200 that says how long it is', async () => {
    open();
    const taken: unknown[] = [];
    let accepted: unknown;
    server.answer = (request, response) => {
      accepted = request.headers.accept;
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('ab');
      setImmediate(() => response.end('cd'));
    };
    expect(await sent({ ...GET, into: target(taken) })).to.deep.equal([200, '']);
    expect([accepted, taken[0], taken.slice(1).join('')]).to.deep.equal(['*/*', 'text/plain', 'abcd']);
    server.answer = (_request, response) => response.writeHead(404).end('none');
    expect(await sent({ ...GET, into: target(taken) })).to.deep.equal([404, 'none']);
    const headers = { 'content-type': 'text/x', location: '/y', 'retry-after': '7' };
    server.answer = (_request, response) => response.writeHead(503, headers).end();
    expect(await transport.send({ ...GET, into: target(taken) })).to.deep.include({
      status: 503,
      contentType: 'text/x',
      location: '/y',
      retryAfter: '7',
    });
    server.answer = ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc');
    expect(await sent({ ...GET, into: target(taken) })).to.deep.equal([
      'malformed',
      'the answer does not say how long it is, so it may be cut off',
      undefined,
    ]);
    server.answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    const packed = ['malformed', 'the answer is compressed (gzip), which was not requested', undefined];
    expect([await sent({ ...GET, into: target(taken) }), await sent(GET)]).to.deep.equal([packed, packed]);
    server.answer = (_request, response) => response.end('ab');
    expect(await sent({ ...GET, into: target([], true) })).to.deep.equal(['local', 'the disk is full', undefined]);
  });

  it('has a limit for what stays in memory', async () => {
    open(10, 2 ** 20);
    for (const into of [undefined, target([])]) {
      server.answer = (_request, response) => response.writeHead(500).end('x'.repeat(2 ** 20));
      expect((await sent({ ...GET, into }))[0]).to.equal(500);
      server.answer = (_request, response) => response.writeHead(500).end('x'.repeat(2 ** 20 + 1));
      expect((await sent({ ...GET, into })).slice(0, 2)).to.deep.equal([
        'oversized',
        'the answer is larger than 1 MiB',
      ]);
    }
  });

  it('ends when nothing comes any more', async () => {
    open(0.2);
    server.answer = () => undefined;
    const hint = 'controller_timeout sets how long a request may take';
    expect(await sent(GET)).to.deep.equal(['timeout', 'no answer within 0.2 s', hint]);
    const stopped = [
      'timeout',
      'no data was sent or received for 0.2 s',
      'controller_timeout sets how long a transfer may stop',
    ];
    expect(await sent({ ...GET, into: target([]) })).to.deep.equal(stopped);
    server.answer = (_request, response) => void response.writeHead(200, { 'content-length': '4' }).write('ab');
    expect(await sent(GET)).to.deep.equal(['timeout', 'the answer was not complete within 0.2 s', hint]);
    const taken: unknown[] = [];
    expect(await sent({ ...GET, into: target(taken) })).to.deep.equal(stopped);
    expect(taken).to.deep.equal([undefined, 'ab']);
  });
});
