import { expect } from 'chai';
import type { Route } from '../../src/model/inventory/route.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { haveAll } from '../rig/programs.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { Bastion, freePort, SSH, type Tunnel } from '../rig/ssh.js';

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
});
