import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Connections } from '../../src/controller/connections.js';
import { LIMITS } from '../../src/controller/exchange/policy.js';
import type { Session } from '../../src/controller/session.js';
import { connections, errorOf, IMPATIENT, settingsOf } from '../rig/controllers.js';
import { answer, RudeServer, type Manners } from '../rig/rude_server.js';

const FIND = 'GET /api/cloud/?name=edge';

describe('time and size limits', () => {
  const cleanup: (() => Promise<unknown>)[] = [];
  let all: Connections;

  beforeEach(() => {
    all = connections({ retry: { ...IMPATIENT, attempts: 2 } });
    cleanup.push(() => all.close());
  });

  afterEach(async () => {
    for (const dispose of cleanup.splice(0)) await dispose();
  });

  async function serve(manners: Manners): Promise<RudeServer> {
    const server = await RudeServer.start(manners);
    cleanup.push(() => server.close());
    return server;
  }

  const findAt = (server: RudeServer, timeout: number) =>
    errorOf(all.open(settingsOf(server.url, server.certificate.ca, { timeout })).find('/api/cloud/', 'edge'));

  it('end an unanswered request', async () => {
    const server = await serve(() => undefined);
    const error = await findAt(server, 0.1);
    expect(error.message).to.equal(`${FIND}: no answer within 0.1 s, 2 attempts`);
    expect(error.hint).to.equal('controller_timeout sets how long a request may take');
    expect(error.outcome).to.equal('unreachable');
    expect(server.requests).to.have.length(2);
  });

  it('are a sign of overload only for a controller that has answered before', async () => {
    for (const [answered, expected] of [
      [0, ['unknown', 'unknown']],
      [1, ['answered', 'overloaded', 'overloaded']],
    ] as const) {
      const ends: string[] = [];
      const load = {
        sent: () => ({ at: 0, isFirst: false }),
        ended: (_: unknown, __: number, end: string) => ends.push(end),
      };
      const watched = connections({ retry: { ...IMPATIENT, attempts: 2 }, load });
      cleanup.push(() => watched.close());
      const server = await serve((socket, _, nth) => {
        if (nth <= answered) socket.write(answer('200 OK', '{"count":0,"results":[]}'));
      });
      const session = watched.open(settingsOf(server.url, server.certificate.ca, { timeout: 0.2 }));
      for (let before = 0; before < answered; before += 1) await session.find('/api/cloud/', 'edge');
      await errorOf(session.find('/api/cloud/', 'edge'));
      expect(ends, `after ${answered} answers`).to.deep.equal(expected);
    }
  });

  it('end an answer whose headers arrive too slowly', async () => {
    const server = await serve(drip('HTTP/1.1 200 OK\r\nx-a: ', 'b'));
    expect((await findAt(server, 0.2)).message).to.equal(`${FIND}: no answer within 0.2 s, 2 attempts`);
  });

  it('end an answer whose body arrives too slowly', async () => {
    const server = await serve(drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', ' '));
    expect((await findAt(server, 0.2)).message).to.equal(
      `${FIND}: the answer was not complete within 0.2 s, 2 attempts`,
    );
  });

  it('do not count the time for which a large answer waits for its place', async () => {
    const body = JSON.stringify({ count: 1, results: [{ name: 'edge', uuid: 'u1', notes: 'x'.repeat(2 ** 21) }] });
    const large = await serve((socket) => socket.write(answer('200 OK', body)));
    const slow = await serve(() => undefined);
    const open = (server: RudeServer, timeout: number): Session =>
      all.open(settingsOf(server.url, server.certificate.ca, { timeout }));
    const find = (session: Session): Promise<unknown> => session.find('/api/cloud/', 'edge');
    const holders = [open(large, 30), open(large, 30), open(large, 30)];
    await Promise.all(holders.map(find));
    const waiting = open(large, 2);
    let isAnswered = false;
    const answered = find(waiting).then(() => (isAnswered = true));
    // Both attempts of this request together exceed the time limit of the other one.
    while (large.requests.length < 4) await new Promise((resolve) => setImmediate(resolve));
    await errorOf(find(open(slow, 1.5)));
    expect(isAnswered, 'there is no place yet').to.equal(false);
    for (const session of holders) await session.close();
    await answered;
    expect(large.requests, 'nothing was asked twice').to.have.length(4);
  });

  /** Three sessions that have all places. */
  async function holdersAt(server: RudeServer): Promise<readonly Session[]> {
    const holders = [1, 2, 3].map(() => all.open(settingsOf(server.url, server.certificate.ca)));
    for (const session of holders) await session.find('/api/cloud/', 'edge');
    return holders;
  }

  it('do not stop reading the answer to a write, so that the server sees no broken connection', async () => {
    const body = JSON.stringify({ count: 1, results: [{ name: 'edge', uuid: 'u1', notes: 'x'.repeat(12 * 2 ** 20) }] });
    let whole: () => void = () => undefined;
    const isSent = new Promise<void>((resolve) => (whole = resolve));
    const server = await serve((socket, head) => {
      if (head.startsWith('GET')) return void socket.write(answer('200 OK', body));
      const giveUp = setTimeout(() => socket.destroy(), 6_000);
      socket.write(answer('200 OK', body), () => {
        clearTimeout(giveUp);
        whole();
      });
    });
    const holders = await holdersAt(server);
    let isAnswered = false;
    const writer = all.open(settingsOf(server.url, server.certificate.ca));
    const answered = writer.request({ method: 'POST', path: '/api/cloud/', body: {} }).then(() => (isAnswered = true));
    await Promise.race([isSent, answered]);
    expect(isAnswered, 'there is no place yet').to.equal(false);
    for (const session of holders) await session.close();
    await answered;
  });

  it('repeat a request with a reserved place if the server closed the waiting answer', async () => {
    const body = JSON.stringify({ count: 1, results: [{ name: 'edge', uuid: 'u1', notes: 'x'.repeat(12 * 2 ** 20) }] });
    const whole = answer('200 OK', body);
    let end: () => void = () => undefined;
    const isBroken = new Promise<void>((resolve) => (end = resolve));
    const server = await serve((socket, _head, nth) => {
      if (nth !== 4) socket.write(whole);
      else
        socket.write(whole.slice(0, 2 ** 21), () => {
          socket.destroy();
          end();
        });
    });
    const holders = await holdersAt(server);
    const found = all.open(settingsOf(server.url, server.certificate.ca)).find('/api/cloud/', 'edge');
    await isBroken;
    for (const session of holders) await session.close();
    expect(await found).to.include({ name: 'edge' });
    expect(server.requests).to.have.length(5);
  });

  it('close a connection on which an answer waits too long, and repeat the request with a reserved place', async () => {
    const body = JSON.stringify({ count: 1, results: [{ name: 'edge', uuid: 'u1', notes: 'x'.repeat(12 * 2 ** 20) }] });
    const connected = new Set<unknown>();
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const server = await serve((socket) => {
      connected.add(socket);
      socket.on('close', closed);
      socket.write(answer('200 OK', body));
    });
    all = connections({ limits: { ...LIMITS, pauseMs: 50 }, retry: { ...IMPATIENT, attempts: 1 } });
    cleanup.push(() => all.close());
    const holders = await holdersAt(server);
    const found = all.open(settingsOf(server.url, server.certificate.ca)).find('/api/cloud/', 'edge');
    await isClosed;
    expect(server.requests, 'it waits for a place first').to.have.length(4);
    for (const session of holders) await session.close();
    expect(await found).to.include({ name: 'edge' });
    expect(server.requests).to.have.length(5);
    expect(connected).to.have.length(5);
  });

  it('end a connection whose TLS handshake hangs', async () => {
    const silent = createServer((socket) => {
      socket.on('error', () => undefined).resume();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    cleanup.push(() => new Promise((resolve) => silent.close(resolve)));
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const error = await errorOf(all.open(settingsOf(url, undefined, { timeout: 0.2 })).find('/api/cloud/', 'edge'));
    expect(error.message).to.equal(`${FIND}: no connection to ${url} within 0.2 s, 2 attempts`);
    expect(error.outcome).to.equal('unreachable');
    await all.close();
  });

  it('abort an answer that is too large, and do not request it again', async () => {
    const server = await serve((socket) => socket.write(answer('200 OK', ' '.repeat(300_000))));
    const small = connections({ limits: { responseBytes: 2 ** 18 } });
    cleanup.push(() => small.close());
    const error = await errorOf(small.open(settingsOf(server.url, server.certificate.ca)).find('/api/cloud/', 'edge'));
    expect(error.message).to.equal(`${FIND}: the answer is larger than 0.25 MiB`);
    expect(error.outcome).to.equal('failed');
    expect(server.requests).to.have.length(1);
  });
});

/** Sends the start, then one piece every 10 ms for ever. */
function drip(start: string, piece: string): Manners {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 10);
    socket.once('close', () => {
      clearInterval(timer);
    });
    socket.on('error', () => {
      clearInterval(timer);
    });
  };
}
