import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { emptyProject, evenkeel, type Project } from '../rig/command.js';
import { freePort } from '../rig/free_port.js';
import { answer, RudeServer } from '../rig/rude_server.js';
import { SocksServer } from '../rig/socks_server.js';

/** What runs send besides requests to controllers goes the same way. In the built command, as the test of the lookup. */
describe('behind a route', () => {
  let servers: readonly RudeServer[];
  let silent: Server;
  let banner: Server;
  let madrid: SocksServer;
  let lisbon: SocksServer;
  let project: Project;
  let dead: number;

  before(async () => {
    dead = await freePort();
    silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    banner = createServer((socket) => socket.on('error', () => undefined).write('SSH-2.0-x\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await Promise.all([once(silent, 'listening'), once(banner, 'listening')]);
    const start = (text: string) => RudeServer.start((socket) => socket.write(answer('200 OK', text)));
    servers = [await start('of madrid'), await start('of lisbon')];
    const [first, second] = servers.map(({ url }) => Number(new URL(url).port));
    const network = (web: number) =>
      new Map([
        ['127.0.0.1:443', web],
        ['127.0.0.1:22', (banner.address() as AddressInfo).port],
        ['127.0.0.1:25', (silent.address() as AddressInfo).port],
        ['127.0.0.1:99', dead],
      ]);
    madrid = await SocksServer.start({ isHasty: true, user: ['ann', 'swordfish-77'], network: network(first ?? 0) });
    lisbon = await SocksServer.start({ isHasty: true, network: network(second ?? 0) });
    project = await emptyProject({
      'evenkeel.yml': `routes: { madrid: [socks5h://127.0.0.1:${dead}, socks5h://${madrid.address}], lisbon: socks5://${lisbon.address} }\n`,
      'inv.yml': `
all: { vars: { controller_url: https://127.0.0.1, controller_username: a, controller_password: b, controller_api_version: 22.1.3 } }
madrid: { vars: { controller_route: madrid, controller_proxy_username: ann, controller_proxy_password: swordfish-77 }, hosts: { lb1: {} } }
lisbon: { vars: { controller_route: lisbon }, hosts: { lb2: {} } }
`,
      'madrid.pem': servers[0]?.certificate.ca ?? '',
      'lisbon.pem': servers[1]?.certificate.ca ?? '',
    });
  });
  after(async () => {
    await Promise.all([...servers, madrid, lisbon].map((one) => one.close()));
    await project.remove();
    for (const server of [silent, banner]) server.close();
  });

  const task = (pattern: string, module: string, args: object, ...more: readonly string[]) =>
    evenkeel(['task', pattern, '-i', 'inv.yml', '-m', module, '-a', JSON.stringify(args), ...more], {
      cwd: project.directory,
    });

  it('the lookup url reaches the servers of its site', async () => {
    const text =
      '{{ inventory_hostname }} {{ lookup("url", "https://127.0.0.1/x", ca_path=controller_route ~ ".pem") }}';
    const { code, stdout, stderr } = await task('all', 'debug', { msg: text });
    expect(stdout + stderr)
      .to.include('lb1 of madrid')
      .and.to.include('lb2 of lisbon')
      .and.not.to.include('swordfish');
    expect(code).to.equal(0);
    expect(madrid.asked.slice(-1)).to.deep.equal(['127.0.0.1:443']);
    const before = lisbon.asked.length;
    const direct = await task('lb2', 'debug', {
      msg: `{{ lookup("url", "${servers[0]?.url ?? ''}/x", ca_path="madrid.pem", use_proxy=false) }}`,
    });
    expect(direct.stdout).to.include('of madrid');
    expect(lisbon.asked).to.have.length(before);
  });

  it('the lookup url says which proxies do not work', async () => {
    const args = { msg: '{{ lookup("url", "https://127.0.0.1/x", ca_path=controller_route ~ ".pem") }}' };
    const { code, stdout } = await task('lb1', 'debug', args, '-e', 'controller_proxy_password=wrong');
    expect(stdout).to.match(
      /no connection to https:\/\/127\.0\.0\.1: the proxy 127\.0\.0\.1:\d+ refuses connections, the proxy 127\.0\.0\.1:\d+ says: Socks5 Authentication failed/,
    );
    expect(code).to.equal(2);
  });

  const found: readonly [port: number, state: string, status: 'ok' | 'failed', why: string][] = [
    [443, 'started', 'ok', 'TLS answers'],
    [22, 'started', 'ok', 'something answers'],
    [99, 'started', 'failed', 'the far end cannot reach it, although the proxy said yes'],
    [25, 'started', 'failed', 'nothing answers'],
    [99, 'stopped', 'ok', 'the proxy closes the connection'],
    [22, 'stopped', 'failed', 'something answers'],
    [25, 'stopped', 'failed', 'it may be open'],
  ];
  for (const [port, state, status, why] of found)
    it(`wait_for until port ${port} has ${state}: ${status}, because ${why}`, async () => {
      const args = { port, state, timeout: status === 'ok' ? 30 : 2, sleep: 0.1, connect_timeout: 1 };
      const { code, stdout } = await task('all', 'wait_for', args);
      expect(code, stdout).to.equal(status === 'ok' ? 0 : 2);
      expect(stdout).to.match(status === 'ok' ? /2 controllers · 2 ok/ : /2 controllers · 2 failed/);
    });

  it('wait_for does not take a route that is down for a closed port', async () => {
    const down = [
      '-e',
      `{"controller_shared": true, "controller_route": "", "controller_proxy": "socks5h://127.0.0.1:${dead}"}`,
    ];
    const args = { port: 99, state: 'stopped', timeout: 1, sleep: 0.1 };
    const { code } = await task('lb1', 'wait_for', args, ...down);
    expect(code).to.equal(2);
  });
});
