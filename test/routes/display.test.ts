import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { freePort } from '../rig/free_port.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { SocksServer } from '../rig/socks_server.js';

const PLAYBOOK = `
- hosts: all
  name: Roll out
  gather_facts: false
  tasks: [{ name: Create it, cloud_present: { name: edge } }]
`;

describe('the output of a run through routes', () => {
  let fleet: Fleet;
  let project: Project;
  let socks: SocksServer;
  let dead: number;

  before(async () => {
    [fleet, socks, dead] = await Promise.all([startFleet({ controllers: 5 }), SocksServer.start(), freePort()]);
    project = await emptyProject({
      'evenkeel.yml': `routes: { madrid: socks5h://${socks.address}, lisbon: socks5h://127.0.0.1:${dead} }\n`,
      'play.yml': PLAYBOOK,
      'routes.yml': `
madrid: { vars: { controller_route: madrid }, hosts: { lb1: {}, lb2: {} } }
lisbon: { vars: { controller_route: lisbon }, hosts: { lb3: {}, lb4: {} } }
`,
    });
  });
  after(() => Promise.all([fleet.dispose(), project.remove(), socks.close()]));

  it('names the route of failures, once, and of each controller', async () => {
    const args = ['run', 'play.yml', '-i', fleet.inventoryFile, '-i', 'routes.yml', '-o', 'lines'];
    const { code, stdout } = await evenkeel(args, { cwd: project.directory });
    expect(stdout).to.include(
      `unreachable: route lisbon: 127.0.0.1:${dead} refuses connections: is the tunnel up? 2 controllers wait for it\n`,
    );
    expect(stdout).to.include('  = 2 controllers: lb3, lb4\n  = route: lisbon\n');
    expect(stdout.match(/is the tunnel up/g)).to.have.length.within(1, 3);
    expect(stdout).to.match(/\nlb3 .* via lisbon\n/);
    expect(stdout).to.include('5 controllers');
    expect(code).to.equal(4);
    expect(socks.asked.length).to.equal(2);
  });
});
