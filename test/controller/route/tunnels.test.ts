import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { ConnectionSettings } from '../../../src/core/model/inventory/connection_variables.js';
import type { Route } from '../../../src/core/model/inventory/route.js';
import { connections, errorOf, settingsOf, through } from '../../rig/controllers.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';
import { SocksServer, type SocksOptions } from '../../rig/socks_server.js';

describe('routes through SOCKS proxies', () => {
  const cleanup: (() => Promise<unknown>)[] = [];
  let fleet: Fleet;

  before(async () => {
    fleet = await startFleet({ controllers: 12 });
  });
  afterEach(async () => {
    for (const dispose of cleanup.splice(0).toReversed()) await dispose();
  });
  after(() => fleet.dispose());

  async function start(options: SocksOptions = {}): Promise<SocksServer> {
    const server = await SocksServer.start(options);
    cleanup.push(() => server.close());
    return server;
  }

  function pool(options: Parameters<typeof connections>[0] = {}) {
    const all = connections(options);
    cleanup.push(() => all.close());
    return all;
  }

  const portOf = (name: string): string => new URL(fleet.url(name)).port;
  const settings = (route: Route, overrides: Partial<ConnectionSettings> = {}): ConnectionSettings =>
    settingsOf(fleet.url('lb1'), fleet.ca, { password: fleet.password, route, ...overrides });
  const open = (route: Route, overrides: Partial<ConnectionSettings> = {}) => pool().open(settings(route, overrides));
  const madrid = (...proxies: readonly string[]): Route => ({ name: 'madrid', proxies });

  describe('open one connection', () => {
    it('for all requests of a controller, and as many as it allows at once', async () => {
      const socks = await start();
      const session = open(through(`socks5h://${socks.address}`));
      for (const name of ['one', 'two', 'three']) await session.find('/api/cloud/', name);
      expect(socks.asked).to.deep.equal([`127.0.0.1:${portOf('lb1')}`]);
      const busy = open(through(`socks5h://${socks.address}`), { maxRequests: 3 });
      await busy.find('/api/cloud/', 'one');
      await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => busy.find('/api/cloud/', name)));
      expect(socks.asked.length).to.be.within(2, 4);
    });

    it('whose name the proxy resolves with socks5h, and this machine with socks5', async () => {
      const socks = await start();
      const url = `https://localhost:${portOf('lb1')}`;
      await open(through(`socks5h://${socks.address}`), { url }).find('/api/cloud/', 'edge');
      await open(through(`socks5://${socks.address}`), { url }).find('/api/cloud/', 'edge');
      const [there = '', here = ''] = socks.asked;
      expect(there).to.equal(`localhost:${portOf('lb1')}`);
      expect(here).to.match(/^(?:127\.0\.0\.1|0:0:0:0:0:0:0:1):\d+$/);
      const error = await errorOf(
        open(through(`socks5://${socks.address}`), { url: 'https://lb.invalid' }).find('/api/cloud/', 'edge'),
      );
      expect(error.message).to.match(
        /: the proxy 127\.0\.0\.1:\d+ was not asked: the name lb\.invalid is unknown on this machine \((?:ENOTFOUND|EAI_AGAIN)\)$/,
      );
      expect(error.hint).to.equal('socks5h:// resolves names at the far end of the route');
    });

    it('with the TLS of the controller, whose certificate is verified for its own name', async () => {
      const network = new Map([
        ['127.0.0.1:443', Number(portOf('lb1'))],
        ['10.0.0.1:443', Number(portOf('lb1'))],
      ]);
      const socks = await start({ network });
      const route = madrid(`socks5h://${socks.address}`);
      await open(route, { url: 'https://127.0.0.1' }).find('/api/cloud/', 'edge');
      const other = await errorOf(open(route, { url: 'https://10.0.0.1' }).find('/api/cloud/', 'edge'));
      expect(other.message).to.include('the certificate of https://10.0.0.1 is for another name');
      const unknown = await errorOf(open(route, { ca: undefined }).find('/api/cloud/', 'edge'));
      expect(unknown.message).to.include('is not trusted');
    });
  });

  describe('sign in to the proxy', () => {
    const user = ['ann', 'p@ss/word'] as const;
    const as = (address: string, password: string): Route =>
      madrid(`socks5h://ann:${encodeURIComponent(password)}@${address}`);

    it('with a user name and a password', async () => {
      const socks = await start({ user });
      await open(as(socks.address, user[1])).find('/api/cloud/', 'edge');
      expect(socks.asked).to.have.length(1);
    });

    it('and say that it refuses them, without showing them', async () => {
      const socks = await start({ user });
      const error = await errorOf(open(as(socks.address, 'hush-hush')).find('/api/cloud/', 'edge'));
      expect(error).to.include({
        message: `route madrid: ${socks.address} refuses the user name or the password`,
        hint: 'check controller_proxy_username and controller_proxy_password; credentials in the URL of the proxy count first',
        outcome: 'unreachable',
        temporary: false,
      });
      expect(inspect(error, { depth: 20, showHidden: true })).not.to.include('hush-hush');
      const none = await errorOf(open(madrid(`socks5h://${socks.address}`)).find('/api/cloud/', 'edge'));
      expect(none.message).to.equal(`route madrid: ${socks.address} wants a user name and a password`);
    });
  });

  describe('say why the proxy cannot reach the controller:', () => {
    const reasons: readonly [code: number, reason: string, temporary: boolean][] = [
      [1, 'general failure', true],
      [2, 'its rules do not allow it', false],
      [3, 'network unreachable', true],
      [4, 'host unreachable', true],
      [5, 'connection refused', true],
      [6, 'no answer on the way (TTL expired)', true],
      [7, 'it opens no connections (command not supported)', false],
      [8, 'it does not support this kind of address', false],
      [9, 'unknown reason', true],
    ];
    for (const [refusal, reason, temporary] of reasons)
      it(reason, async () => {
        const socks = await start({ refusal });
        const error = await errorOf(open(madrid(`socks5h://${socks.address}`)).find('/api/cloud/', 'edge'));
        const tried = temporary ? ', 4 attempts' : '';
        expect(error.message).to.equal(
          `GET /api/cloud/?name=edge: route madrid: ${socks.address} cannot reach 127.0.0.1:${portOf('lb1')}: ${reason}${tried}`,
        );
        expect(error).to.include({ outcome: 'unreachable', temporary });
      });

    const statuses: readonly [status: number, temporary: boolean][] = [
      [400, false],
      [403, false],
      [404, false],
      [429, true],
      [500, true],
      [502, true],
      [503, true],
    ];
    for (const [status, temporary] of statuses)
      it(`it answers ${status}`, async () => {
        const proxy = createServer((socket) => {
          socket.on('error', () => undefined).once('data', () => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
        }).listen(0, '127.0.0.1');
        await once(proxy, 'listening');
        cleanup.push(() => new Promise((resolve) => proxy.close(resolve)));
        const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
        const error = await errorOf(open(madrid(`http://${address}`)).find('/api/cloud/', 'edge'));
        expect(error.message).to.equal(
          `GET /api/cloud/?name=edge: route madrid: ${address} cannot reach 127.0.0.1:${portOf('lb1')}: it answers ${status}${temporary ? ', 4 attempts' : ''}`,
        );
        expect(error).to.include({ outcome: 'unreachable', temporary });
      });

    it('OpenSSH does not say why', async () => {
      const socks = await start({ isHasty: true, network: new Map([[`127.0.0.1:${portOf('lb1')}`, 1]]) });
      const error = await errorOf(open(madrid(`socks5h://${socks.address}`)).find('/api/cloud/', 'edge'));
      expect(error.message).to.equal(
        `GET /api/cloud/?name=edge: route madrid: ${socks.address} closed the connection to 127.0.0.1:${portOf('lb1')} before an answer, 4 attempts`,
      );
      expect(error.hint).to.match(/^ssh does not say why: /);
      expect(error).to.include({ outcome: 'unreachable', uncertain: false, temporary: true });
    });
  });

  describe('that are down', () => {
    it('are found once, and are one failure of all their controllers', async () => {
      let connected = 0;
      const closing = createServer((socket) => {
        connected += 1;
        socket.destroy();
      }).listen(0, '127.0.0.1');
      await once(closing, 'listening');
      cleanup.push(() => new Promise((resolve) => closing.close(resolve)));
      const address = closing.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const route = madrid(`socks5h://127.0.0.1:${port}`);
      const all = pool({ retry: { attempts: 1, baseMs: 1, capMs: 1, deadlineSeconds: 1 } });
      const messages = await Promise.all(
        fleet.names.map(async (name) => {
          const session = all.open(settings(route, { controller: name, url: fleet.url(name) }));
          const { message, route: down, uncertain } = await errorOf(session.find('/api/cloud/', name));
          return JSON.stringify([message, down, uncertain]);
        }),
      );
      const message = `route madrid: 127.0.0.1:${port} closes connections: is the tunnel up?`;
      expect([...new Set(messages)]).to.deep.equal([JSON.stringify([message, 'madrid', false])]);
      expect(connected).to.equal(1);
    });

    it('say what is wrong with each of their proxies', async () => {
      const gone = await SocksServer.start();
      const port = await gone.close();
      const http = createServer((socket) => {
        socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
        socket.resume();
      }).listen(0, '127.0.0.1');
      await once(http, 'listening');
      cleanup.push(() => new Promise((resolve) => http.close(resolve)));
      const address = http.address();
      const other = typeof address === 'object' ? address?.port : 0;
      const error = await errorOf(
        open(madrid(`socks5h://127.0.0.1:${port}`, `socks5h://127.0.0.1:${other}`)).find('/api/cloud/', 'edge'),
      );
      expect(error.message).to.equal(
        `route madrid: 127.0.0.1:${port} refuses connections, 127.0.0.1:${other} does not speak SOCKS5: is the tunnel up?`,
      );
    });
  });

  describe('with several proxies', () => {
    it('use the next one when one refuses, and the first again when it is back', async () => {
      const port = await (await SocksServer.start()).close();
      const second = await start();
      const all = pool();
      const route = madrid(`socks5h://127.0.0.1:${port}`, `socks5h://${second.address}`);
      const ask = async (name: string): Promise<void> => {
        const session = all.open(settings(route, { controller: name, url: fleet.url(name) }));
        await session.find('/api/cloud/', 'edge');
        await session.close();
      };
      await ask('lb1');
      await ask('lb2');
      expect(second.asked).to.have.length(2);
      const first = await start({ port });
      while (first.asked.length === 0) await ask('lb3');
      const before = second.asked.length;
      await ask('lb4');
      expect([first.asked.length, second.asked.length - before]).to.deep.equal([2, 0]);
    });

    it('stay with the connection that they have, and open the next one elsewhere when it breaks', async () => {
      const [first, second] = [await start(), await start()];
      const session = open(madrid(`socks5h://${first.address}`, `socks5h://${second.address}`));
      await session.find('/api/cloud/', 'edge');
      await first.close();
      cleanup.splice(0, 1);
      await session.find('/api/cloud/', 'edge');
      await session.find('/api/cloud/', 'edge');
      expect([first.asked.length, second.asked.length]).to.deep.equal([1, 1]);
    });

    it('leave one through which nothing arrives', async () => {
      const [first, second] = [await start(), await start()];
      const all = pool();
      const route = madrid(`socks5h://${first.address}`, `socks5h://${second.address}`);
      const session = all.open(settings(route, { timeout: 0.5 }));
      await session.find('/api/cloud/', 'edge');
      first.stall();
      await session.find('/api/cloud/', 'edge');
      await session.find('/api/cloud/', 'edge');
      expect(first.asked.length + second.asked.length).to.equal(2);
      const other = all.open(settings(route, { controller: 'lb2', url: fleet.url('lb2') }));
      await other.find('/api/cloud/', 'edge');
      expect([first.asked.length, second.asked.length]).to.deep.equal([1, 2]);
    });
  });
});
