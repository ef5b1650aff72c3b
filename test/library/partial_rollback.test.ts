import path from 'node:path';
import { expect } from 'chai';
import { rollback, runPlaybook, type InventoryGroups } from '../../src/index.js';
import { emptyProject, type Project } from '../rig/command.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const WAY_OUT = 'to restore it, pass -i with an inventory that has its name and its address';

const PLAYBOOK = `- hosts: all
  tasks:
    - cloud_present: { name: edge, mtu: "{{ mtu }}" }
`;

describe('the rollback of a program', () => {
  let fleet: Fleet;
  let project: Project;
  before(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'p.yml': PLAYBOOK });
  });
  after(async () => {
    await project.remove();
    await fleet.dispose();
  });

  function inventory(...names: readonly string[]): InventoryGroups {
    const hosts = names.map((name) => {
      const variables = {
        controller_url: fleet.url(name),
        controller_username: 'admin',
        controller_password: fleet.password,
        controller_api_version: '22.1.3',
        controller_ca_file: fleet.caFile,
      };
      return [name, variables] as const;
    });
    return { all: { hosts: Object.fromEntries(hosts) } };
  }

  it('has failed if it skips a controller, and says why', async () => {
    const cwd = project.directory;
    const env = { EVENKEEL_LOCK_DIR: path.join(cwd, 'locks') };
    const options = { playbooks: ['p.yml'], cwd, env, inventory: inventory('lb1', 'lb2') };
    await runPlaybook({ ...options, extraVars: { mtu: 1500 } });
    const { run } = await runPlaybook({ ...options, extraVars: { mtu: 9000 } });
    const { status, exitCode, notRestored } = await rollback({ run, cwd, env, inventory: inventory('lb1') });
    expect({ status, exitCode, notRestored }).to.deep.equal({
      status: 'failed',
      exitCode: 2,
      notRestored: [{ controller: 'lb2', reason: `is no longer in the inventory: ${WAY_OUT}` }],
    });
    const mtu = (name: string) =>
      fleet
        .controller(name)
        .objects('/api/cloud/')
        .map((one) => one['mtu']);
    expect([mtu('lb1'), mtu('lb2')]).to.deep.equal([[1500], [9000]]);
  });
});
