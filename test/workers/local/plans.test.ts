import { expect } from 'chai';
import { emptyProject, evenkeel, type Ended, type Project } from '../../rig/command.js';
import { cutOff } from '../../rig/cut_off.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

const WORKERS = ['-o', 'lines', '--workers', '2'];

describe('plans through local workers', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 3 });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  function run(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory });
  }

  async function plan(): Promise<Ended> {
    return run('plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan', ...WORKERS);
  }

  function setEdge(mtu: number): void {
    fleet.controller('lb1').setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-of-lb1', mtu }]);
  }

  describe('for two names of one controller', () => {
    beforeEach(async () => {
      setEdge(1400);
      project = await emptyProject({
        'inventory.yml': fleet.inventory.replace(fleet.url('lb2'), fleet.url('lb1')),
        'site.yml': `- { hosts: lb1, tasks: [{ cloud_present: { name: edge, mtu: 9000 } }] }
- { hosts: lb2, tasks: [{ cloud_present: { name: edge, properties: { note: two } } }] }
`,
      });
      expect((await plan()).code).to.equal(0);
    });

    it('know that the run has changed it', async () => {
      const { code, stdout } = await run('apply', 'site.plan', ...WORKERS);
      expect(code, stdout).to.equal(0);
    });

    it('write nothing under either name if someone else has changed it', async () => {
      setEdge(1500);
      const { code, stdout } = await run('apply', 'site.plan', ...WORKERS);
      expect(code, stdout).to.equal(5);
      const [edge] = fleet.controller('lb1').objects('/api/cloud/');
      expect([edge?.['mtu'], edge?.['properties']]).to.deep.equal([1500, undefined]);
    });
  });

  it('omit only the controller whose file cannot be read', async () => {
    project = await emptyProject({
      'inventory.yml': fleet.inventory,
      'site.yml': `- hosts: fleet
  tasks: [{ include_vars: "{{ inventory_hostname }}.yml" }, { cloud_present: { name: edge, mtu: "{{ mtu }}" } }]
`,
      ...{ 'lb1.yml': 'mtu: 1401', 'lb2.yml': 'mtu: [', 'lb3.yml': 'mtu: 1403' },
    });
    const { code, stdout } = await plan();
    expect(code, stdout).to.equal(2);
    expect(stdout)
      .to.include('2 of 3 controllers would change; the plan is in site.plan')
      .and.to.include('not in the plan, because they failed or were unreachable: lb2\n');
  });

  it('know after a kill what tasks of other controllers have written', async () => {
    fleet.controller('lb3').setObjects('/api/cloud/', [{ name: 'x', uuid: 'cloud-x', mtu: 1400 }]);
    project = await emptyProject({
      'inventory.yml': fleet.inventory,
      'site.yml': `- hosts: lb1
  tasks:
    - { cloud_present: { name: x, mtu: 1000 }, delegate_to: lb3 }
    - { cloud_present: { name: y }, delegate_to: lb3 }
    - { cloud_present: { name: x, mtu: 2000 }, delegate_to: lb3 }
- hosts: lb3
  tasks: [{ cloud_present: { name: x, properties: { note: last } } }]
`,
    });
    expect((await plan()).code).to.equal(0);
    await cutOff(['apply', 'site.plan', ...WORKERS], {
      ...{ cwd: project.directory, fleet, controller: 'lb3', nth: 2, signal: 'SIGKILL' },
    });
    const { code, stdout, stderr } = await run('resume', 'last', ...WORKERS, '--wait');
    expect(code, stdout + stderr).to.equal(0);
    const [x] = fleet.controller('lb3').objects('/api/cloud/');
    expect([x?.['mtu'], x?.['properties']]).to.deep.equal([2000, { note: 'last' }]);
  });
});
