import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'chai';
import type { Route } from '../../src/core/model/inventory/route.js';
import { ROOT } from '../rig/command.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { freePort } from '../rig/free_port.js';
import { haveAll } from '../rig/programs.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { Bastion, SSH, type Tunnel } from '../rig/ssh.js';

describe('routes through OpenSSH, as docs/examples configures it', function () {
  this.timeout(120_000);
  const cleanup: (() => Promise<unknown>)[] = [];
  let fleet: Fleet;
  let bastion: Bastion;
  let ports: readonly number[];
  let tunnels: readonly Tunnel[];

  before(async function () {
    if (!haveAll('routes through OpenSSH', ...SSH)) this.skip();
    fleet = await startFleet({ controllers: 3 });
    cleanup.push(() => fleet.dispose());
    ports = [await freePort(), await freePort()];
    bastion = await Bastion.start(ports);
    cleanup.push(() => bastion.dispose());
    await bastion.addSite('madrid', ports);
    const permitted = ['lb1', 'lb2'].map((name) => new URL(fleet.url(name)).host).join(' ');
    tunnels = await Promise.all(ports.map((port) => bastion.tunnel('madrid', port, permitted)));
  });
  after(async () => {
    for (const dispose of cleanup.toReversed()) await dispose();
  });

  const madrid = (): Route => ({ name: 'madrid', proxies: tunnels.map(({ proxy }) => proxy) });
  /** With the pauses of a real run. */
  const all = (): ReturnType<typeof connections> => connections({ retry: {} });
  const settings = (name: string) =>
    settingsOf(fleet.url(name), fleet.ca, { controller: name, password: fleet.password, route: madrid() });

  it("run the bastion's /bin/false once, so that its sshd sends small packets at once", async () => {
    await bastion.said("Starting session: forced-command (config) '/bin/false'", tunnels.length);
  });

  it('reach the controllers that the site permits, and no others', async () => {
    const run = all();
    for (const name of ['lb1', 'lb2']) await run.open(settings(name)).create('/api/cloud/', 'edge', { name: 'edge' });
    const error = await errorOf(run.open(settings('lb3')).find('/api/cloud/', 'edge'));
    expect(error.message).to.match(
      /route madrid: 127\.0\.0\.1:\d+ closed the connection to 127\.0\.0\.1:\d+ before an answer/,
    );
    expect(error.hint).to.match(/^ssh does not say why: /);
    expect(error.outcome).to.equal('unreachable');
    await run.close();
  });

  it('go through the other tunnel when one is killed, and through the first when it is back', async () => {
    const run = all();
    const session = run.open(settings('lb1'));
    await session.find('/api/cloud/', 'edge');
    await tunnels[0]?.stop();
    await session.find('/api/cloud/', 'edge');
    await tunnels[0]?.start();
    await tunnels[1]?.stop();
    await session.find('/api/cloud/', 'edge');
    await tunnels[1]?.start();
    await run.close();
  });

  it('serve two coordinators, which forward its port to themselves', async () => {
    const [near, other] = [await freePort(), await freePort()];
    const jump = await Bastion.jumpHost([`127.0.0.1:${ports[0]}`]);
    cleanup.push(() => jump.dispose());
    const found = await Promise.all(
      [near, other].map(async (port, person) => {
        await jump.addSite(`person${person}`, []);
        const { proxy } = await jump.forward(`person${person}`, port, [
          '-L',
          `127.0.0.1:${port}:127.0.0.1:${ports[0]}`,
        ]);
        const run = all();
        await run.open({ ...settings('lb2'), route: { name: 'madrid', proxies: [proxy] } }).find('/api/cloud/', 'edge');
        return run.close();
      }),
    );
    expect(found).to.have.length(2);
  });

  it('lead through a jump host with ssh -D, to the controllers that it permits', async () => {
    const jump = await Bastion.jumpHost([new URL(fleet.url('lb1')).host]);
    cleanup.push(() => jump.dispose());
    await jump.addSite('ann', []);
    const port = await freePort();
    const { proxy } = await jump.forward('ann', port, ['-D', `127.0.0.1:${port}`]);
    const run = connections({ retry: { attempts: 1, baseMs: 1, capMs: 1, deadlineSeconds: 1 } });
    const through = (name: string) => run.open({ ...settings(name), route: { name: undefined, proxies: [proxy] } });
    await through('lb1').find('/api/cloud/', 'edge');
    const error = await errorOf(through('lb2').find('/api/cloud/', 'edge'));
    expect(error.message).to.include(`the proxy 127.0.0.1:${port}`);
    await run.close();
  });

  it('have a unit that systemd accepts', function () {
    if (!haveAll('the unit of systemd', 'systemd-analyze')) this.skip();
    const unit = path.join(ROOT, 'docs/examples/evenkeel-tunnel.service');
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    // It speaks of the other units of this machine, too.
    expect(stderr.split('\n').filter((line) => line.includes('evenkeel-tunnel'))).to.deep.equal([]);
    expect(status).to.equal(0);
  });
});
