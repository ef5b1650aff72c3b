import { expect } from 'chai';
import { connections, errorOf, settingsOf } from '../../rig/controllers.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';
import { SocksServer } from '../../rig/socks_server.js';

/** Sites use the same private addresses: here 10.0.0.1 is one controller behind each of two routes. */
describe('two controllers with one address behind two routes', () => {
  let fleet: Fleet;
  const servers: SocksServer[] = [];

  before(async () => {
    fleet = await startFleet({ controllers: ['madrid', 'lisbon'] });
    for (const name of fleet.names) {
      fleet.controller(name).setObjects('/api/cloud/', [{ name: 'core', uuid: 'cloud-1' }]);
      servers.push(
        await SocksServer.start({ network: new Map([['127.0.0.1:443', Number(new URL(fleet.url(name)).port)]]) }),
      );
    }
  });
  after(async () => {
    for (const server of servers) await server.close();
    await fleet.dispose();
  });

  const settings = (at: number, password = fleet.password) =>
    settingsOf('https://127.0.0.1', fleet.ca, {
      controller: fleet.names[at] ?? '',
      password,
      route: { name: fleet.names[at], proxies: [`socks5h://${servers[at]?.address ?? ''}`] },
    });
  const methods = (name: string): readonly string[] => fleet.controller(name).log.entries.map(({ method }) => method);

  it('do not share what the run knows about a create', async () => {
    const all = connections();
    const [madrid, lisbon] = [all.open(settings(0)), all.open(settings(1))];
    const before = fleet.names.map((name) => methods(name).length);
    await Promise.all([madrid, lisbon].map((session) => session.create('/api/cloud/', 'edge', { name: 'edge' })));
    const since = fleet.names.map((name, at) => methods(name).slice(before[at]));
    expect(since).to.deep.equal([['POST'], ['POST']]);
    await all.close();
  });

  it('do not share a refusal of credentials, which ends only the controller that refused', async () => {
    const all = connections();
    const [madrid, lisbon] = [all.open(settings(0)), all.open(settings(1))];
    expect(await madrid.signIn('wrong')).to.equal(false);
    const before = methods('lisbon').length;
    expect(await lisbon.signIn('wrong')).to.equal(false);
    // Only a guess that this controller has refused itself is not sent again.
    expect(methods('lisbon').length - before).to.equal(1);
    expect(await lisbon.find('/api/cloud/', 'core')).to.have.property('name', 'core');
    const error = await errorOf(all.open(settings(0, 'wrong')).find('/api/cloud/', 'core'));
    expect(error.message).to.include('this controller has refused these credentials before');
    expect(await madrid.find('/api/cloud/', 'core')).to.have.property('name', 'core');
    await all.close();
  });
});
