import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const GROUP =
  '{ name: a, algorithm: GSLB_ALGORITHM_ROUND_ROBIN, members: [{ ip: { type: V4, addr: 10.0.0.1 }, fqdn: a.example.com }] }';
const SETUP = `
- hosts: all
  tasks:
    - gslbservice_present: { name: shop, domain_names: [shop.example.com], groups: [${GROUP}] }
    - natpolicy_present: { name: nat }
    - controllerproperties_present: { dns_refresh_period: 30 }
    - serviceengine_present: { name: engine }
`;

describe('capture --kind all', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi', controllers: 2 });
    project = await emptyProject({ 'setup.yml': SETUP });
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  async function ok(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await evenkeel([...args, '-i', fleet.inventoryFile], { cwd: project.directory });
    expect(code, stdout + stderr).to.equal(0);
    return stdout;
  }

  it('reads every kind that can be declared, also from controllers that lack some, and changes nothing again', async () => {
    await ok('run', 'setup.yml');
    const when = { method: 'GET', path: '/api/natpolicy' };
    fleet.controller('lb2').behaviour = { faults: [{ type: 'answer', status: 404, when }] };
    await ok('capture', '--out', 'captured', '--kind', 'all');
    const playbook = await readFile(path.join(project.directory, 'captured/capture.yml'), 'utf8');
    const captured = [...playbook.matchAll(/kind: (\w+)/g)].map(([, kind]) => kind);
    expect(captured).to.include.members(['cluster', 'controllerproperties', 'gslbservice', 'natpolicy']);
    expect(captured).to.not.include('serviceengine');
    fleet.controller('lb2').behaviour = {};
    expect(await ok('run', 'captured/capture.yml', '--check')).to.match(/lb1 .*changed=0/);
  });
});
