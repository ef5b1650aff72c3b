import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { Simulator } from '../../src/simulator/simulator.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { freePort } from '../rig/free_port.js';
import { haveAll } from '../rig/programs.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { SocksServer } from '../rig/socks_server.js';
import { Bastion, end, SSH, start, Tunnel } from '../rig/ssh.js';

/** Someone has broken into the site lisbon, and has its key for the bastion. */
describe("an adversary with a site's key", function () {
  this.timeout(120_000);
  const cleanup: (() => Promise<unknown>)[] = [];
  let bastion: Bastion;
  /** A service of the bastion that only listens there. */
  let service: Server;
  let reached = 0;
  let own: number;
  let madrid: number;
  let fleet: Fleet;

  before(async function () {
    if (!haveAll("an adversary with a site's key", ...SSH)) this.skip();
    fleet = await startFleet();
    cleanup.push(() => fleet.dispose());
    [own, madrid] = [await freePort(), await freePort()];
    bastion = await Bastion.start([own, madrid]);
    cleanup.push(() => bastion.dispose());
    await bastion.addSite('lisbon', [own]);
    await bastion.addSite('madrid', [madrid]);
    service = createServer((socket) => {
      reached += 1;
      socket.end('secret');
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    cleanup.push(() => new Promise((resolve) => service.close(resolve)));
  });
  after(async () => {
    for (const dispose of cleanup.toReversed()) await dispose();
  });

  const port = (): number => {
    const address = service.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  };

  /** Runs ssh until it ends. */
  async function ssh(...args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
    const { child, log } = start('ssh', [...bastion.signIn('lisbon'), ...args]);
    const limit = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await once(child, 'close');
    clearTimeout(limit);
    return { code: child.exitCode, said: log.text };
  }

  const ends = ['-o', 'ExitOnForwardFailure=yes'];
  const attempts: readonly (readonly [what: string, args: () => readonly string[]])[] = [
    ['a command', () => ['127.0.0.1', 'id']],
    ['a shell', () => ['-tt', '127.0.0.1']],
    ['the transfer of files', () => ['-s', '127.0.0.1', 'sftp']],
    ['a service of the bastion', () => ['-W', `127.0.0.1:${port()}`, '127.0.0.1']],
    ['the tunnel of another site, from the bastion', () => ['-W', `127.0.0.1:${madrid}`, '127.0.0.1']],
    ["another site's port", () => ['-N', ...ends, '-R', `127.0.0.1:${madrid}`, '127.0.0.1']],
    ['any other port', () => ['-N', ...ends, '-R', '127.0.0.1:0', '127.0.0.1']],
    ['its own port for the network', () => ['-N', ...ends, '-R', `0.0.0.0:${own}`, '127.0.0.1']],
    ['a socket in the file system', () => ['-N', ...ends, '-R', `${bastion.file('socket')}:127.0.0.1:1`, '127.0.0.1']],
    ['a network device', () => ['-N', ...ends, '-w', '0:0', '127.0.0.1']],
    ['the agent of others', () => ['-A', '127.0.0.1', 'ssh-add', '-l']],
  ];
  for (const [what, args] of attempts)
    it(`does not get ${what}`, async () => {
      const { code, said } = await ssh(...args());
      expect(code, said).to.be.within(1, 255);
      expect(said).not.to.match(/remote forward success|secret|uid=/);
      expect(reached).to.equal(0);
    });

  it('does not reach through a SOCKS proxy of its own what the bastion reaches', async () => {
    const dynamic = await freePort();
    const args = [...bastion.signIn('lisbon'), '-v', '-N', '-D', `127.0.0.1:${dynamic}`, '127.0.0.1'];
    const tunnel = new Tunnel(dynamic, args, 'Entering interactive session');
    await tunnel.start();
    const run = connections();
    const settings = settingsOf(`https://127.0.0.1:${port()}`, fleet.ca, {
      route: { name: 'lisbon', proxies: [tunnel.proxy] },
    });
    const error = await errorOf(run.open(settings).find('/api/cloud/', 'edge'));
    expect(error.message).to.include('closed the connection to');
    expect(reached).to.equal(0);
    await run.close();
    await tunnel.stop();
  });

  it('gets no password of a controller through its own listen port', async () => {
    const rogue = await Simulator.start({});
    const { url } = await rogue.startController('lb1', {});
    const { port: real } = new URL(fleet.url('lb1'));
    const socks = await SocksServer.start({
      network: new Map([[`127.0.0.1:${real}`, Number(new URL(url).port)]]),
    });
    const { child, log } = start('ssh', [
      ...bastion.signIn('lisbon'),
      '-v',
      '-N',
      ...ends,
      '-R',
      `127.0.0.1:${own}:127.0.0.1:${socks.port}`,
      '127.0.0.1',
    ]);
    while (!log.text.includes('remote forward success')) await once(child.stderr ?? child, 'data');
    const run = connections();
    const route = { name: 'lisbon', proxies: [`socks5h://127.0.0.1:${own}`] };
    const error = await errorOf(
      run.open(settingsOf(fleet.url('lb1'), fleet.ca, { password: fleet.password, route })).find('/api/cloud/', 'edge'),
    );
    expect(error.message).to.include('is not trusted');
    expect(socks.asked.length).to.be.greaterThan(0);
    expect(rogue.controller('lb1').log.entries).to.deep.equal([]);
    await run.close();
    await end(child);
    await socks.close();
    await rogue.close();
  });
});
