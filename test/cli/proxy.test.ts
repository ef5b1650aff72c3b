import { expect } from 'chai';
import { emptyProject, evenkeel, type Project } from '../rig/command.js';
import { ProxyServer } from '../rig/proxy_server.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

/** The bundle contains only the used parts of the HTTP library: only the built command shows that the proxy's are among them. */
describe('the built command behind a proxy', () => {
  let fleet: Fleet;
  let proxy: ProxyServer;
  let project: Project;

  before(async () => {
    [fleet, proxy, project] = await Promise.all([startFleet(), ProxyServer.start(), emptyProject()]);
  });
  after(() => Promise.all([fleet.dispose(), proxy.close(), project.remove()]));

  it('signs in to it and goes through it', async () => {
    const uri = `controller_proxy=http://relay:s3cret-of-the-relay@${proxy.address}`;
    const task = ['task', 'lb1', '-i', fleet.inventoryFile, '-m', 'cloud_present', '-a', 'name=edge', '-e', uri];
    const { code, stdout } = await evenkeel(task, { cwd: project.directory });
    expect(stdout).to.include('lb1  ok=1   changed=1');
    expect(code).to.equal(0);
    const authorization = `Basic ${Buffer.from('relay:s3cret-of-the-relay').toString('base64')}`;
    expect(proxy.tunnels).to.deep.equal([{ to: new URL(fleet.url('lb1')).host, authorization }]);
  });
});
