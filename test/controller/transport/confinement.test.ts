import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  NetworkRefusal,
  openSocket,
  parseHostAndPort,
  requireReachable,
  type HostAndPort,
} from '../../../src/controller/transport/confinement.js';

describe('the addresses that a run may reach', () => {
  it('are hosts and ports of URLs', () => {
    for (const [url, host, port] of [
      ['https://lb1', 'lb1', 443],
      ['http://lb1/x', 'lb1', 80],
      ['https://lb1:8443', 'lb1', 8443],
      ['http://[fd00::7]:8080', 'fd00::7', 8080],
      ['https://[::1]/', '::1', 443],
      ['socks5h://bastion:1080', 'bastion', 1080],
    ] as const)
      expect(parseHostAndPort(url), url).to.deep.equal({ host, port });
  });

  it('are checked before a connection, and must be the ones that are shown', () => {
    const asked: unknown[] = [];
    const same = (to: HostAndPort, route?: string): HostAndPort => {
      asked.push([to, route]);
      return to;
    };
    requireReachable('https://lb1:8443', same, 'madrid');
    expect(asked).to.deep.equal([[{ host: 'lb1', port: 8443 }, 'madrid']]);
    for (const other of [
      { host: 'lb2', port: 443 },
      { host: 'lb1', port: 444 },
    ])
      expect(() => {
        requireReachable('https://lb1', () => other);
      }).to.throw(
        NetworkRefusal,
        'lb1:443 cannot be reached: with --simulate, only tasks reach its simulated controller',
      );
    const refusal = new NetworkRefusal('no', 'ask');
    expect([refusal.name, refusal.message, refusal.hint]).to.deep.equal(['NetworkRefusal', 'no', 'ask']);
  });

  it('may stand for others, also where nothing listens', async () => {
    const server = createServer((socket) => socket.end('here')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const asked: unknown[] = [];
    const read = async (...[to, confine, route]: Parameters<typeof openSocket>): Promise<string> => {
      let text = '';
      const socket = openSocket(to, confine, route).setEncoding('utf8');
      socket.on('data', (some: string) => (text += some));
      await new Promise((resolve) => socket.once('close', resolve));
      return text;
    };
    const confine = (to: HostAndPort, route?: string): HostAndPort => {
      asked.push([to, route]);
      return { host: '127.0.0.1', port };
    };
    expect(await read({ host: 'nowhere.invalid', port: 1 }, confine, 'madrid')).to.equal('here');
    expect(asked).to.deep.equal([[{ host: 'nowhere.invalid', port: 1 }, 'madrid']]);
    expect(await read({ host: '127.0.0.1', port })).to.equal('here');
    server.close();
    await once(server, 'close');
    expect(await read({ host: '127.0.0.1', port })).to.equal('');
  });
});
