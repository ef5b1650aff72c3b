import { createServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { ConnectionsOptions } from '../../src/controller/connections.js';
import type { ConnectionSettings } from '../../src/core/model/inventory/connection_variables.js';
import { serverCertificate } from '../rig/certificates.js';
import { connections, errorOf, settingsOf, through } from '../rig/controllers.js';
import { ProxyServer } from '../rig/proxy_server.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

describe('proxies', () => {
  const cleanup: (() => Promise<unknown>)[] = [];
  let fleet: Fleet;

  before(async () => {
    fleet = await startFleet();
  });

  afterEach(async () => {
    for (const dispose of cleanup.splice(0)) await dispose();
  });

  after(() => fleet.dispose());

  async function start(refusal?: string): Promise<ProxyServer> {
    const proxy = await ProxyServer.start(refusal);
    cleanup.push(() => proxy.close());
    return proxy;
  }

  function open(options: Partial<ConnectionsOptions>, overrides: Partial<ConnectionSettings> = {}) {
    const all = connections(options);
    cleanup.push(() => all.close());
    return all.open(settingsOf(fleet.url('lb1'), fleet.ca, { password: fleet.password, ...overrides }));
  }

  const target = () => new URL(fleet.url('lb1')).host;

  it('of the environment are used, with their credentials, over one tunnel', async () => {
    const proxy = await start();
    const session = open({ env: { HTTPS_PROXY: `http://user:p%40ss@${proxy.address}` } });
    await session.find('/api/cloud/', 'edge');
    await session.single('/api/systemconfiguration');
    const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    expect(proxy.tunnels).to.deep.equal([{ to: target(), authorization }]);
  });

  it('of the controller override those of the environment', async () => {
    const [own, other] = [await start(), await start()];
    const session = open(
      { env: { HTTPS_PROXY: `http://${other.address}` } },
      { route: through(`http://${own.address}`) },
    );
    await session.find('/api/cloud/', 'edge');
    expect([own.tunnels.length, other.tunnels.length]).to.deep.equal([1, 0]);
  });

  it('are not used if NO_PROXY or an empty controller_proxy excludes them', async () => {
    const proxy = await start();
    const env = { HTTPS_PROXY: `http://${proxy.address}` };
    await open({ env: { ...env, NO_PROXY: 'localhost,127.0.0.0/8' } }).find('/api/cloud/', 'edge');
    await open({ env }, { route: through() }).find('/api/cloud/', 'edge');
    expect(proxy.tunnels).to.deep.equal([]);
  });

  it('that refuse a request make the controller unreachable, and their credentials stay secret', async () => {
    const proxy = await start('407 Proxy Authentication Required');
    const error = await errorOf(
      open({}, { route: through(`http://user:hush-hush@${proxy.address}`) }).find('/api/cloud/', 'edge'),
    );
    expect(error.message).to.equal(`the proxy ${proxy.address} refuses the user name or the password (407)`);
    expect(error.hint).to.equal(
      'check controller_proxy_username and controller_proxy_password; credentials in the URL of the proxy count first',
    );
    expect(error.outcome).to.equal('unreachable');
    expect(inspect(error, { depth: 20, showHidden: true })).not.to.include('hush-hush');
    expect(proxy.tunnels).to.have.length(1);
  });

  it('of the environment are named by their variable, which says what to do', async () => {
    const [refusing, forbidding] = [await start('407 Proxy Authentication Required'), await start('403 Forbidden')];
    const failing = (address: string) =>
      errorOf(open({ env: { ALL_PROXY: `http://${address}` } }).find('/api/cloud/', 'edge'));
    const direct = 'if the controllers need no proxy, name them in NO_PROXY, or set controller_proxy to an empty text';
    for (const [address, message, hint] of [
      [
        refusing.address,
        'wants a user name and a password (407)',
        'write them into ALL_PROXY, before the host: USER:PASSWORD@',
      ],
      [
        `ann:pw@${refusing.address}`,
        'refuses the user name or the password (407)',
        'check the credentials in ALL_PROXY',
      ],
      [forbidding.address, `cannot reach ${target()}: it answers 403`, direct],
      ['127.0.0.1:1', 'refuses connections: is the proxy up?', direct],
    ] as const) {
      const error = await failing(address);
      expect(error.message).to.include(`the proxy ${address.replace('ann:pw@', '')} (ALL_PROXY) ${message}`);
      expect(error.hint).to.equal(hint);
    }
  });

  it('with TLS learn by which name they are reached, and must be trusted', async () => {
    const { key, cert } = await serverCertificate();
    const names: string[] = [];
    const proxy = createTlsServer({
      key,
      cert,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    cleanup.push(() => new Promise((resolve) => proxy.close(resolve)));
    const { port } = proxy.address() as AddressInfo;
    for (const host of ['localhost', '127.0.0.1']) {
      const error = await errorOf(open({}, { route: through(`https://${host}:${port}`) }).find('/api/cloud/', 'edge'));
      expect(error.message).to.include(`the proxy ${host}:${port} has a certificate that is not trusted (`);
    }
    // RFC 6066 allows no addresses.
    expect(names).to.deep.equal(['localhost']);
  });

  it('that do not exist make the controller unreachable', async () => {
    const proxy = await start();
    const { address } = proxy;
    await proxy.close();
    cleanup.pop();
    const error = await errorOf(open({}, { route: through(`http://${address}`) }).find('/api/cloud/', 'edge'));
    expect(error.message).to.equal(`the proxy ${address} refuses connections: is the proxy up?`);
  });

  for (const [form, answer, said] of [
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', /^the proxy 127\.0\.0\.1:\d+ does not answer as an HTTP proxy \(.*\)/],
    ['no status', 'HTTP/1.1 abc\r\n\r\n', /^the proxy 127\.0\.0\.1:\d+ does not answer as an HTTP proxy \(.*\)/],
    ['an end', undefined, /^the proxy 127\.0\.0\.1:\d+ does not answer as an HTTP proxy \(other side closed\)/],
    [
      'no tunnel',
      'HTTP/1.1 200 OK\r\n\r\n<html>',
      /: no TLS connection to https:.* through the proxy 127\.0\.0\.1:\d+ \(/,
    ],
    ['half an answer', 'HTTP/1.1 200', /: no connection to https:.* through the proxy 127\.0\.0\.1:\d+ within 0\.2 s/],
  ] as const)
    it(`are named if they answer CONNECT with ${form}`, async () => {
      const proxy = createServer((socket) => {
        socket
          .on('error', () => undefined)
          .once('data', () => {
            if (answer === undefined) socket.end();
            else socket.write(answer);
          });
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      cleanup.push(() => new Promise((resolve) => proxy.close(resolve)));
      const route = through(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
      // On a busy machine any answer may take longer than the time that one of them waits out.
      const timeout = form === 'half an answer' ? 0.2 : 20;
      const error = await errorOf(open({}, { route, timeout }).find('/api/cloud/', 'edge'));
      expect(error.message).to.match(said);
      expect(error.outcome).to.equal('unreachable');
    });

  it('do not weaken the check of the certificate', async () => {
    const proxy = await start();
    const error = await errorOf(
      open({}, { ca: undefined, route: through(`http://${proxy.address}`) }).find('/api/cloud/', 'edge'),
    );
    expect(error.message).to.match(
      /^GET \/api\/cloud\/\?name=edge: the certificate of https:\/\/127\.0\.0\.1:\d+ is not trusted/,
    );
  });
});
