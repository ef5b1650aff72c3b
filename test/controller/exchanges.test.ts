import { expect } from 'chai';
import type { ConnectionsOptions } from '../../src/controller/connections.js';
import type { Exchange, Retry, Throttling } from '../../src/core/model/run/event.js';
import { connections, settingsOf } from '../rig/controllers.js';
import { PlainServer } from '../rig/plain_server.js';

describe('the report of each request', () => {
  let server: PlainServer;
  before(async () => {
    server = await PlainServer.start();
  });
  after(() => {
    server.close();
  });

  /** The exchanges of two controllers at one address: each gets a POST and a GET. */
  async function told(options: Partial<ConnectionsOptions> = {}): Promise<readonly unknown[]> {
    const exchanges: Exchange[] = [];
    const all = connections({ onRequest: (one) => exchanges.push(one), retry: { attempts: 1 }, ...options });
    for (const controller of ['lb1', 'lb2']) {
      const session = all.open(settingsOf(server.url, undefined, { controller, patience: 0 }));
      await session.request({ method: 'POST', path: '/api/x', body: { a: 1 } }).catch(() => undefined);
      await session.request({ method: 'GET', path: '/api/y', query: { b: '2' } }).catch(() => undefined);
    }
    await all.close();
    return exchanges.map(({ seconds, ...rest }) => ({ ...rest, timed: seconds > 0 && seconds < 60 }));
  }

  it('is its answer, with the bodies if they are asked for', async () => {
    server.answer = (request, response) => response.writeHead(request.method === 'GET' ? 404 : 201).end('{"c":3}');
    const exchange = (controller: string, method: string, path: string, status: number) => {
      return { controller, method, url: server.url + path, status, timed: true };
    };
    const plain = ['lb1', 'lb2'].flatMap((name) => [
      exchange(name, 'POST', '/api/x', 201),
      exchange(name, 'GET', '/api/y?b=2', 404),
    ]);
    const [post, get, ...others] = plain;
    expect(await told()).to.deep.equal(plain);
    expect(others).to.have.length(2);
    const bodies = { responseBody: '{"c":3}' };
    expect((await told({ bodies: true })).slice(0, 2)).to.deep.equal([
      { ...post, requestBody: '{"a":1}', ...bodies },
      { ...get, ...bodies },
    ]);
  });

  it('says why there was no answer', async () => {
    server.answer = ({ socket }) => socket.destroy();
    const error = `the connection to ${server.url} broke before the answer was complete (UND_ERR_SOCKET)`;
    const failed = { controller: 'lb1', url: `${server.url}/api/x`, method: 'POST', error, timed: true };
    const [first, second] = await told({ bodies: true });
    expect(first).to.deep.equal({ ...failed, requestBody: '{"a":1}' });
    expect(second).to.deep.equal({ ...failed, method: 'GET', url: `${server.url}/api/y?b=2` });
  });

  it('is when it is sent again, and that the controller asked for fewer', async () => {
    const [retries, throttled]: [Retry[], Throttling[]] = [[], []];
    let answers = 0;
    server.answer = (_request, response) => response.writeHead((answers += 1) < 3 ? 429 : 200).end('{}');
    const all = connections({
      onRetry: (one) => retries.push(one),
      onThrottled: (one) => throttled.push(one),
      retry: { baseMs: 2, capMs: 2 },
    });
    const session = all.open(settingsOf(server.url, undefined, { controller: 'lb2' }));
    expect(await session.request({ method: 'GET', path: '/api/x' })).to.include({ status: 200 });
    await all.close();
    const again = { controller: 'lb2', awaited: 'lb2', reason: 'answered 429' };
    expect(retries.map(({ seconds: _seconds, left: _left, ...rest }) => rest)).to.deep.equal([
      { ...again, attempt: 2 },
      { ...again, attempt: 3 },
    ]);
    for (const { seconds, left } of retries) {
      expect(seconds).to.be.within(0.001, 0.01);
      expect(left).to.be.within(10, 15);
    }
    expect(throttled.map(({ seconds: _seconds, ...rest }) => rest)).to.deep.equal([
      { controller: 'lb2', status: 429 },
      { controller: 'lb2', status: 429 },
    ]);
  });
});
