import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const SETUP = `
- hosts: all
  tasks:
    - pool_present:
        name: web
        servers:
          - { ip: { type: V4, addr: 10.0.0.1 }, port: 80 }
          - { ip: { type: V4, addr: 10.0.0.9 }, port: 80 }
    - pool_present: { name: '{{ item }}' }
      loop: [old, new]
    - poolgroup_present: { name: all, members: [{ pool_ref: old, ratio: 5 }, { pool_ref: new, ratio: 5 }] }
`;

const DRAIN = `
- hosts: all
  tasks:
    - pool_present:
        name: web
        servers: [{ ip: { type: V4, addr: 10.0.0.9 }, enabled: false }]
        merge: { servers: { by: [ip.addr], add: false } }
    - poolgroup_present:
        name: all
        members: [{ pool_ref: old, ratio: 0 }]
        merge: { members: { by: [pool_ref], add: false } }
`;

const REMOVE = `
    - pool_present: { name: web, without: { servers: [{ ip: { addr: 10.0.0.9 } }] } }
    - poolgroup_present: { name: all, without: { members: [{ pool_ref: old }] } }
    - pool_absent: { name: old }
`;

describe('an element that is drained where it is present, and then removed', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi', controllers: 2 });
    project = await emptyProject({
      'evenkeel.yml': `inventory: ${fleet.inventoryFile}\n`,
      'setup.yml': SETUP,
      'drain.yml': DRAIN,
      'both.yml': DRAIN + REMOVE,
    });
    await ok('run', 'setup.yml');
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  const command = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
  async function ok(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await command(...args);
    expect(code, stdout + stderr).to.equal(0);
    return stdout;
  }
  const statuses = (json: string): readonly string[] => tasksOf(json).map(({ status }) => status);
  const servers = (name: string): unknown =>
    fleet
      .controller(name)
      .objects('/api/pool/')
      .find((pool) => pool['name'] === 'web')?.['servers'];

  it('changes nothing in the second run, and not a controller that does not have it', async () => {
    await ok('run', 'both.yml', '-l', 'lb2');
    expect(statuses(await ok('run', 'both.yml', '-l', 'lb2', '-o', 'json'))).to.deep.equal(Array(5).fill('ok'));
    const tasks = tasksOf(await ok('run', 'both.yml', '-o', 'json'));
    const changed = tasks.filter(({ status }) => status === 'changed').map(({ controller }) => controller);
    expect(changed).to.deep.equal(Array(5).fill('lb1'));
    expect(servers('lb1')).to.deep.equal(servers('lb2')).and.have.length(1);
    await ok('run', 'both.yml', '--check', '--detailed-exitcode');
    await ok('drift', 'both.yml');
  });

  it('is shown in a diff, planned, applied and rolled back', async () => {
    const before = servers('lb1');
    const diff = await ok('run', 'drain.yml', '--check', '--diff');
    expect(diff)
      .to.match(/^\s+\+ servers\[1\]\.enabled: false/m)
      .and.to.include('members[0].ratio: 0');
    await ok('plan', 'drain.yml', '--out', 'plan');
    await ok('apply', 'plan');
    expect(servers('lb1')).to.have.nested.property('[1].enabled', false);
    await ok('rollback', 'last', '--yes');
    expect(servers('lb1')).to.deep.equal(before);
  });

  it('is not a typo', async () => {
    await project.write('typo.yml', DRAIN.replace('add: false', 'added: false'));
    const { code, stderr } = await command('run', 'typo.yml');
    expect(code).to.equal(1);
    expect(stderr).to.include('"merge.servers"').and.to.include('typo.yml:7');
  });
});
