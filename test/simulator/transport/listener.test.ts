import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Listener } from '../../../src/simulator/transport/listener.js';

describe('a listener that refuses connections', () => {
  /** Whether something at the port accepts a connection. */
  async function accepts(port: number): Promise<boolean> {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }

  async function opened(): Promise<{ readonly listener: Listener; readonly sockets: readonly Socket[] }> {
    const sockets: Socket[] = [];
    return { listener: await Listener.open(0, (socket) => sockets.push(socket)), sockets };
  }

  /** Returns when the listener itself has got one more connection. */
  async function connectedAgain({ listener, sockets }: Awaited<ReturnType<typeof opened>>): Promise<void> {
    const before = sockets.length;
    while (sockets.length === before) {
      await accepts(listener.port);
      await setImmediate();
    }
  }

  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  it('keeps its process running, and listens again', async () => {
    const one = await opened();
    const before = timers();
    one.listener.pause(50);
    expect(timers()).to.equal(before + 1);
    expect(await accepts(one.listener.port)).to.equal(false);
    await connectedAgain(one);
    await one.listener.close();
  });

  it('does not listen again after its end, whenever it was told to refuse', async () => {
    const { listener } = await opened();
    listener.pause(1);
    await listener.close();
    listener.pause(1);
    await setTimeout(1);
    await setImmediate();
    expect(await accepts(listener.port)).to.equal(false);
  });

  it('waits for its port if another program has it meanwhile', async () => {
    const one = await opened();
    one.listener.pause(1);
    const other = createServer().listen(one.listener.port, '127.0.0.1');
    await once(other, 'listening');
    // Due after the first attempt to listen again.
    await setTimeout(1);
    await setImmediate();
    other.close();
    await connectedAgain(one);
    await one.listener.close();
  });
});
