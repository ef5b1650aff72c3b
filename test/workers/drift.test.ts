import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, evenkeel as built, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { NATS_SERVER, sayWithoutNats } from '../rig/nats.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { TwoSites, withSites } from './two_sites.js';

/** Everything that drift reports: differences, secrets, objects that cannot be compared, failures, files, includes. */
const SITE = `- name: Clouds
  hosts: fleet
  tasks:
    - name: The cloud
      cloud_present: { name: edge, mtu: "{{ mtu | default(9000) }}" }
      register: edge
    - name: A secret
      cloud_present: { name: hidden, properties: { note: "{{ 'very-' ~ 'secret' }}" } }
      no_log: true
    - name: For each controller
      cloud_present: { name: "for {{ inventory_hostname }}", mtu: 1400 }
    - name: Not compared
      api_request: { method: POST, path: /api/cloud/, body: { name: posted } }
      check_mode: false
    - name: Ignored
      resource_present: { path: /api/pool/, name: "{{ edge.missing if inventory_hostname == 'lb3' else 'web' }}" }
      ignore_errors: true
    - include_tasks: more.yml
`;
const FILES = {
  'site.yml': SITE,
  'more.yml': '- name: More\n  cloud_present: { name: more, mtu: "{{ edge.object.mtu | default(1) }}" }\n',
};

/** The last one is the coordinator's own. */
const SITES = { lb1: 'madrid', lb2: 'madrid', lb3: 'paris', lb4: 'paris' };

describe('drift through workers', () => {
  let fleet: Fleet;
  let sites: TwoSites | undefined;

  before(async () => {
    if (NATS_SERVER !== undefined) sites = await TwoSites.start();
  });
  after(async () => {
    if (sites !== undefined) expect(await sites.dispose()).to.deep.equal([0, 0]);
  });

  let own: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 5 });
    const inventory = withSites(fleet.inventory, SITES);
    own = await emptyProject({ ...FILES, 'inventory.yml': inventory });
  });
  afterEach(async () => {
    await fleet.dispose();
    await own.remove();
  });

  async function command(...args: readonly string[]): Promise<Ended> {
    // Local workers are processes of the built command.
    const start = args.includes('--workers') ? built : evenkeel;
    const { code, stdout, stderr } = await start([...args, '-i', 'inventory.yml'], {
      cwd: own.directory,
      env: { HOME: own.directory, EVENKEEL_LEASE_MS: '2000' },
    });
    const plain = (text: string): string =>
      text.replaceAll(/\d{8}T\d{6}Z-[\da-f]{6}|^evenkeel: evenkeel_site of .* is not used: .*\n/gm, (found) =>
        found.startsWith('evenkeel') ? '' : 'RUN',
      );
    return { code, stdout: plain(stdout), stderr: plain(stderr) };
  }

  /** Some controllers differ from the playbook. */
  async function differ(): Promise<void> {
    expect((await command('run', 'site.yml', '--tags', 'all')).code).to.equal(0);
    for (const name of ['lb1', 'lb2', 'lb4', 'lb5']) {
      const controller = fleet.controller(name);
      const clouds = controller.objects('/api/cloud/').map((cloud) => ({ ...cloud, mtu: 1500, note: 'by hand' }));
      controller.setObjects('/api/cloud/', name === 'lb4' ? [] : [...clouds, { name: 'by hand', uuid: 'cloud-1' }]);
    }
    for (const name of fleet.names) fleet.controller(name).clearRequests();
  }

  function writes(): readonly string[] {
    return fleet.names.flatMap((name) =>
      fleet.controller(name).requests.flatMap(({ method, path: to }) => (method === 'GET' ? [] : [`${method} ${to}`])),
    );
  }

  async function expectSame(through: readonly string[]): Promise<void> {
    await differ();
    for (const args of [[], ['--unmanaged', '--json'], ['--unmanaged'], ['--diff=host', '-l', 'lb1,lb3']]) {
      const alone = await command('drift', 'site.yml', ...args);
      expect(alone.code, alone.stderr).to.equal(4);
      expect(alone.stdout).to.include('edge').and.to.not.include('very-secret');
      expect(await command('drift', 'site.yml', ...args, ...through)).to.deep.equal(alone);
    }
    expect(writes()).to.deep.equal([]);
  }

  it('reports the same as one process: with local processes', () => expectSame(['--workers', '2']));

  it('reports the same as one process: with the workers of two sites', async function () {
    if (sites === undefined) {
      sayWithoutNats('drift through the workers of two sites');
      this.skip();
    }
    await expectSame(['--nats', sites.broker.url]);
  });

  it('is the same with the absolute name of a playbook at a site', async function () {
    if (sites === undefined) this.skip();
    await differ();
    const file = path.join(own.directory, 'site.yml');
    const alone = await command('drift', file);
    expect(alone.stdout).to.include('site.yml:');
    expect(await command('drift', file, '--nats', sites.broker.url)).to.deep.equal(alone);
  });

  it('does not treat as read what no worker has read', async function () {
    if (sites === undefined) this.skip();
    await own.write('inventory.yml', withSites(fleet.inventory, { lb5: 'nowhere' }));
    expect((await command('run', 'site.yml', '-l', 'lb1,lb2,lb3,lb4')).code).to.equal(0);
    const found = await command('drift', 'site.yml', '--nats', sites.broker.url, '--site-timeout', '1');
    expect(found.code, found.stderr).to.equal(4);
    expect(found.stdout).to.match(/not fully read: .*lb5/);
    expect(found.stderr).to.include('nowhere');
    const kept = await evenkeel(['runs', 'last', '--json'], { cwd: own.directory });
    expect((JSON.parse(kept.stdout) as { readonly sites: object }).sites).to.deep.equal({ lb5: 'nowhere' });
  });
});
