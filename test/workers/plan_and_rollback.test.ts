import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { NATS_SERVER, sayWithoutNats } from '../rig/nats.js';
import { RawClient } from '../rig/raw_client.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { SiteWorker } from './fleet_rig.js';
import { TwoSites, withSites } from './two_sites.js';

/** What a plan must contain of what the sites read. */
const SITE = `- name: Clouds
  hosts: fleet
  vars_files: ["{{ inventory_hostname }}.yml"]
  tasks:
    - name: First
      cloud_present: { name: first, mtu: "{{ mtu }}" }
      register: first
      notify: Tell
    - name: Left out
      cloud_present: { name: never }
      when: mtu > 9000
    - name: One for each file
      cloud_present: { name: "{{ item | basename }}" }
      loop: "{{ query('fileglob', playbook_dir ~ '/clouds/*') }}"
    - include_tasks: "{{ playbook_dir }}/more.yml"
    - include_role: { name: pool }
    - name: There
      cloud_present: { name: "for {{ inventory_hostname }}" }
      delegate_to: lb4
  handlers:
    - name: Tell
      cloud_present: { name: told }
- name: Again
  hosts: fleet
  tasks:
    - name: Larger
      cloud_present: { name: first, properties: { note: again } }
    - add_host: { name: added, groups: [later] }
- name: Later
  hosts: later
  tasks:
    - debug: { msg: "{{ said }}" }
`;
const FILES = {
  'site.yml': SITE,
  'more.yml': '- name: More\n  cloud_present: { name: more }\n- include_tasks: most.yml\n',
  'most.yml': '- name: Most\n  cloud_present: { name: most }\n',
  'clouds/a': '',
  'clouds/b': '',
  'roles/pool/tasks/main.yml': `- name: Pool
  resource_present: { path: /api/pool/, name: web, properties: { cloud_uuid: "{{ first.object.uuid }}" } }
`,
  'change.yml': '- { hosts: fleet, tasks: [{ cloud_present: { name: edge, mtu: 9000 } }] }\n',
  'gate.yml': `- hosts: fleet
  gate: { checks: [{ fail: , when: inventory_hostname == 'lb3' }], failures: 1, on_fail: rollback }
  tasks: [{ cloud_present: { name: edge, mtu: 9000 } }]
`,
  'host_vars/added.yml': 'evenkeel_site: paris\nsaid: beside the inventory\n',
  'lb1.yml': 'mtu: 1401\n',
  'lb2.yml': 'mtu: 1402\n',
  'lb3.yml': 'mtu: 1403\n',
  'lb4.yml': 'mtu: 1404\n',
};

/** The last one is the coordinator's own. */
const SITES: Readonly<Record<string, string>> = { lb1: 'madrid', lb2: 'madrid', lb3: 'paris' };

describe('plans and rollbacks through workers of sites', () => {
  let sites: TwoSites;
  let fleet: Fleet;

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('plans and rollbacks through workers of sites');
      this.skip();
    }
    sites = await TwoSites.start();
  });
  after(async () => {
    if (NATS_SERVER !== undefined) expect(await sites.dispose()).to.deep.equal([0, 0]);
  });

  let own: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 4 });
    const inventory = withSites(fleet.inventory, SITES);
    own = await emptyProject({ ...FILES, '.evenkeel/ca.pem': fleet.ca });
    // It does not travel, so it is that of the worker's machine.
    await own.write('inventory.yml', inventory.replace(fleet.caFile, path.join(own.directory, '.evenkeel/ca.pem')));
  });
  afterEach(async () => {
    await fleet.dispose();
    await own.remove();
  });

  async function run(...args: readonly string[]): Promise<Ended> {
    const ended = await evenkeel(args, {
      cwd: own.directory,
      env: { HOME: own.directory, EVENKEEL_LEASE_MS: '2000' },
    });
    return ended;
  }

  async function succeed(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run(...args);
    expect(code, stdout + stderr).to.equal(0);
    return stdout;
  }

  const plan = (file: string, ...more: readonly string[]) =>
    succeed('plan', 'site.yml', '-i', 'inventory.yml', '-o', 'lines', '--out', file, ...more);

  /** Without what differs between two plans of the same. */
  async function shown(file: string): Promise<string> {
    const text = await succeed('plan', 'show', file);
    return text.replaceAll(/\d{8}T\d{6}Z?-\w+|\d{4}-\d\d-\d\dT?[ \d:.Z]+|\d+ s(?:econds)? ago/g, '…');
  }

  function state(): object {
    return fleet.names.map((name) =>
      ['/api/cloud/', '/api/pool/'].map((collection) =>
        fleet
          .controller(name)
          .objects(collection)
          .map(({ name: object, mtu, properties }) => ({ object, mtu, properties })),
      ),
    );
  }

  const NATS = () => ['--nats', sites.broker.url];

  it('makes the plan that one process makes', async () => {
    await plan('here.plan');
    const printed = await plan('sites.plan', ...NATS());
    expect(printed).to.include('the plan is in sites.plan');
    expect(await shown('sites.plan')).to.equal(await shown('here.plan'));
  });

  it('applies a plan, whoever made it, and nothing else', async () => {
    await plan('sites.plan', ...NATS());
    await plan('here.plan');
    const applied = await succeed('apply', 'here.plan', '-o', 'lines', ...NATS());
    expect(applied).to.include('lb3').and.to.include('beside the inventory');
    const after = state();
    expect(JSON.stringify(after)).to.include('for lb1').and.to.include('again');
    // The other plan was made for another state, so its controllers are stale.
    expect((await run('apply', 'sites.plan', '-o', 'lines', ...NATS())).code).to.equal(5);
    expect(state()).to.deep.equal(after);
  });

  it('is applied through the broker with which it was made', async () => {
    await plan('sites.plan', ...NATS());
    const applied = await succeed('apply', 'sites.plan', '-o', 'lines', '-v');
    expect(applied).to.include('madrid/madrid-1').and.to.include('paris/paris-1');
  });

  it('writes nothing to a controller that has changed', async () => {
    await plan('sites.plan', ...NATS());
    const client = new RawClient(fleet.ca);
    await client.send('POST', `${fleet.url('lb2')}/api/cloud/`, { body: { name: 'most' } });
    await client.close();
    const { code, stdout } = await run('apply', 'sites.plan', '-o', 'lines', ...NATS());
    expect(code).to.equal(5);
    expect(stdout).to.include('stale');
    expect(
      fleet
        .controller('lb2')
        .objects('/api/cloud/')
        .map(({ name }) => name),
    ).to.deep.equal(['most']);
  });

  it('puts back what a run changed, at the sites', async () => {
    const cloud = (name: string) =>
      fleet
        .controller(name)
        .objects('/api/cloud/')
        .find((one) => one['name'] === 'edge');
    for (const name of fleet.names)
      fleet.controller(name).setObjects('/api/cloud/', [{ name: 'edge', uuid: `cloud-of-${name}`, mtu: 1400 }]);
    await succeed('run', 'change.yml', '-i', 'inventory.yml', '-o', 'lines', ...NATS());
    expect(fleet.names.map((name) => cloud(name)?.['mtu'])).to.deep.equal([9000, 9000, 9000, 9000]);
    const back = await succeed('rollback', 'last', '--yes', '-o', 'lines', '-v');
    expect(back).to.include('madrid/madrid-1').and.to.include('paris/paris-1');
    expect(fleet.names.map((name) => cloud(name)?.['mtu'])).to.deep.equal([1400, 1400, 1400, 1400]);
    expect(await succeed('rollback', 'last', '--yes', '-o', 'lines')).to.include('4 controllers');
    expect(fleet.names.map((name) => cloud(name)?.['mtu'])).to.deep.equal([9000, 9000, 9000, 9000]);
    const strict = new SiteWorker('strict', 'rome', sites.broker.url, path.join(sites.project.directory, 'madrid'), [
      '--allow-module',
      'cloud_present',
    ]);
    await strict.start();
    const atRome = ['-e', 'evenkeel_site=rome', '-l', 'lb1'];
    const refused = await run('rollback', 'last', '--yes', '-o', 'lines', ...atRome);
    expect(await strict.stop()).to.equal(0);
    expect(refused.stderr).to.include('strict does not carry out rollback: its --allow-module names cloud_present');
  });

  it('puts a batch back, at its sites, if its gate does not pass', async () => {
    for (const name of fleet.names)
      fleet.controller(name).setObjects('/api/cloud/', [{ name: 'edge', uuid: `cloud-of-${name}`, mtu: 1400 }]);
    const { code, stdout, stderr } = await run(
      'run',
      'gate.yml',
      '-i',
      'inventory.yml',
      '-o',
      'lines',
      '-v',
      ...NATS(),
    );
    expect(code, stdout + stderr).to.equal(6);
    expect(stdout).to.include('the batch was rolled back');
    const mtus = fleet.names.map((name) => fleet.controller(name).objects('/api/cloud/')[0]?.['mtu']);
    expect(mtus).to.deep.equal([1400, 1400, 1400, 1400]);
  });
});
