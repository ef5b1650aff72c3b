import { once } from 'node:events';
import { connect, createServer, Socket, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { connectsTo, receives, type ProbeLimits } from '../../modules/wait_for/probe.js';
import { PythonExpression } from '../../src/module/contract.js';

/** Uses a port on which each connection is handled so. */
async function withPort<T>(handle: (socket: Socket) => void, use: (port: number) => Promise<T>): Promise<T> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined));
    handle(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    for (const socket of open) socket.destroy();
    server.close();
  }
}

const limits = (connecting: number, listen: number, signal = new AbortController().signal): ProbeLimits => ({
  connect: connecting,
  listen,
  signal,
});
const nothing = (): void => undefined;

/** As behind a proxy: it is open before it is looked at. */
async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

async function failed(code: string): Promise<Socket> {
  const socket = new Socket();
  const closed = new Promise((resolve) => socket.on('error', nothing).once('close', resolve));
  socket.destroy(Object.assign(new Error(code), { code }));
  await closed;
  return socket;
}

describe('a port', () => {
  it('is open if it accepts a connection, and closed if it refuses one', async () => {
    const [isOpen, port] = await withPort(
      nothing,
      async (one) => [await connectsTo(connect(one, '127.0.0.1'), limits(5, 5)), one] as const,
    );
    expect([isOpen, await connectsTo(connect(port, '127.0.0.1'), limits(5, 5))]).to.deep.equal([true, false]);
  });

  it('is unknown if its route is down, and closed if its proxy says so', async () => {
    expect([
      await connectsTo(await failed('EROUTE'), limits(5, 5)),
      await connectsTo(await failed('ECONNREFUSED'), limits(5, 5)),
    ]).to.deep.equal([undefined, false]);
  });

  it('has no result once the wait is over', async () => {
    const abort = new AbortController();
    abort.abort();
    await withPort(nothing, async (port) => {
      const socket = connect(port, '127.0.0.1');
      expect([await connectsTo(socket, limits(5, 5, abort.signal)), socket.destroyed]).to.deep.equal([false, true]);
      const behind = await opened(port);
      expect([await connectsTo(behind, limits(5, 5, abort.signal)), behind.destroyed]).to.deep.equal([undefined, true]);
    });
  });

  it('behind a proxy is open if anything answers, closed if the connection ends, and unknown without an answer', async () => {
    const answers = (handle: (socket: Socket) => void, seconds = 5) =>
      withPort(handle, async (port) => connectsTo(await opened(port), limits(seconds, 5)));
    expect([
      await answers((socket) => socket.once('data', () => socket.write('220 hello, this is no TLS\r\n'))),
      await answers((socket) => socket.once('data', () => socket.end())),
      await answers(nothing, 0.05),
    ]).to.deep.equal([true, false, undefined]);
  });
});

describe('the text of a server', () => {
  const expression = new PythonExpression('^rea.y$', 'm', 'search');
  const text = (handle: (socket: Socket) => void, listen = 5) =>
    withPort(handle, (port) => receives(connect(port, '127.0.0.1'), expression, limits(5, listen)));

  it('matches as a whole, however it arrives', async () => {
    const parts = (socket: Socket): void => {
      socket.write('not yet\nrea');
      socket.once('data', nothing);
      setImmediate(() => socket.write('dy\nmore'));
    };
    const found = { match_groups: [], match_groupdict: {} };
    expect([await text(parts), await text((socket) => socket.end('ready'))]).to.deep.equal([found, found]);
  });

  it('does not match if the server ends, says nothing in time, or is interrupted', async () => {
    expect([await text((socket) => socket.end('unready')), await text(nothing, 0.05)]).to.deep.equal([false, false]);
    const abort = new AbortController();
    const interrupted = (socket: Socket): void => {
      socket.write('x');
      abort.abort();
    };
    const heard = await withPort(interrupted, (port) =>
      receives(connect(port, '127.0.0.1'), expression, limits(5, 5, abort.signal)),
    );
    expect(heard).to.equal(false);
  });
});
