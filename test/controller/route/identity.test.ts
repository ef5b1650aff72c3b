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
    for (const name of fleet.names)
      servers.push(
        await SocksServer.start({ network: new Map([['127.0.0.1:443', Number(new URL(fleet.url(name)).port)]]) }),
      );
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
  const creates = (name: string): number =>
    fleet.controller(name).log.entries.filter(({ method }) => method === 'POST').length;

  it('do not share what the run knows about a create', async () => {
    const all = connections();
    const [madrid, lisbon] = [all.open(settings(0)), all.open(settings(1))];
    await Promise.all([madrid, lisbon].map((session) => session.create('/api/cloud/', 'edge', { name: 'edge' })));
    expect([creates('madrid'), creates('lisbon')]).to.deep.equal([1, 1]);
    expect(fleet.controller('lisbon').log.entries.map(({ method }) => method)).to.deep.equal(['POST']);
    await all.close();
  });

  it('do not share a refusal of credentials, which ends only the controller that refused', async () => {
    const all = connections();
    const [madrid, lisbon] = [all.open(settings(0)), all.open(settings(1))];
    expect(await madrid.signIn('wrong')).to.equal(false);
    const before = fleet.controller('lisbon').log.entries.length;
    expect(await lisbon.signIn('wrong')).to.equal(false);
    // Only a guess that this controller has refused itself is not sent again.
    expect(fleet.controller('lisbon').log.entries.length - before).to.equal(1);
    expect(await lisbon.find('/api/cloud/', 'edge')).to.have.property('name', 'edge');
    const error = await errorOf(all.open(settings(0, 'wrong')).find('/api/cloud/', 'edge'));
    expect(error.message).to.include('this controller has refused these credentials before');
    expect(await madrid.find('/api/cloud/', 'edge')).to.have.property('name', 'edge');
    await all.close();
  });
});
