import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { textOrEmpty } from '../../src/simulator/protocol/exchange.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';
import { TenantController } from '../rig/tenants.js';

const TENANTS = ['admin', 'blue'] as const;

/** Objects of the same names in two tenants, which refer to each other. */
const SETUP = `
- hosts: all
  tasks:
    - cloud_present: { name: edge, vtype: CLOUD_NONE, mtu: 9000, tenant: admin }
    - cloud_present: { name: edge, vtype: CLOUD_NONE, mtu: 1400, tenant: blue }
    - pool_present: { name: web, cloud_ref: edge, default_server_port: 80, tenant: admin }
    - pool_present: { name: web, cloud_ref: edge, default_server_port: 8080, tenant: blue }
    - pool_present: { name: 'only {{ item }}', tenant: '{{ item }}' }
      loop: [admin, blue]
`;

const KINDS = ['cloud', 'pool'].flatMap((kind) => ['--kind', kind]);

describe('a capture says where its objects are', () => {
  let fleet: Fleet;
  let project: Project;

  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi', controllers: 2 });
    project = await emptyProject({ 'setup.yml': SETUP });
    await ok('run', 'setup.yml');
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  const at = (args: readonly string[], ...inventory: readonly string[]): Promise<Ended> =>
    evenkeel([...args, ...inventory.flatMap((one) => ['-i', one])], { cwd: project.directory });
  const here = (...args: readonly string[]): Promise<Ended> => at(args, fleet.inventoryFile);
  const succeeds = async (run: Promise<Ended>): Promise<string> => {
    const { code, stdout, stderr } = await run;
    expect(code, stdout + stderr).to.equal(0);
    return stdout;
  };
  const ok = (...args: readonly string[]): Promise<string> => succeeds(here(...args));
  const file = (name: string): Promise<string> => readFile(path.join(project.directory, name), 'utf8');
  /** `name port tenant` of each pool. */
  const pools = (name: string): readonly string[] =>
    fleet
      .controller(name)
      .objects('/api/pool/')
      .map(
        (pool) =>
          `${textOrEmpty(pool['name'])} ${JSON.stringify(pool['default_server_port'])} ${textOrEmpty(pool['tenant_ref']).replace(/-.*/, '')}`,
      )
      .sort();

  it('in the tenant that was captured, whatever the run of the playbook is told elsewhere', async () => {
    for (const tenant of TENANTS)
      await ok('capture', '--out', tenant, ...KINDS, ...(tenant === 'admin' ? [] : ['-e', 'controller_tenant=blue']));
    expect(await file('blue/capture.yml')).to.include(
      '  vars:\n    controller_dialect: avi\n    controller_tenant: blue\n',
    );
    const before = pools('lb1');
    expect(before).to.have.length(4);
    await project.write('blue.yml', 'all: { vars: { controller_tenant: blue } }');
    for (const tenant of TENANTS) {
      const playbook = `${tenant}/capture.yml`;
      expect(await ok('run', playbook, '--check', '--detailed-exitcode')).to.include('2 ok');
      expect(await ok('drift', playbook, '--unmanaged')).to.include(
        'every object of the managed kinds belongs to a task',
      );
      expect(await ok('run', playbook, '--detailed-exitcode')).to.include('2 ok');
      // The inventory names another tenant since.
      await succeeds(at(['run', playbook, '--detailed-exitcode'], fleet.inventoryFile, 'blue.yml'));
    }
    for (const name of fleet.names) expect(pools(name)).to.deep.equal(before);
  });

  it('so that what was deleted comes back where it was', async () => {
    await ok('capture', '--out', 'blue', ...KINDS, '-e', 'controller_tenant=blue');
    const before = pools('lb2');
    await ok('task', 'all', '-m', 'pool_absent', '-a', 'name=web tenant=blue');
    await ok('task', 'all', '-m', 'cloud_absent', '-a', 'name=edge tenant=blue');
    expect(pools('lb2')).to.have.length(3);
    await ok('run', 'blue/capture.yml');
    expect(pools('lb2')).to.deep.equal(before);
    expect(fleet.controller('lb2').objects('/api/cloud/')).to.have.length(3);
  });

  it('if they are in another tenant on each controller, and one controller has no tenants', async () => {
    const plain = await startFleet({ controllers: ['lb3'] });
    try {
      const inventory = [fleet.inventoryFile, 'lb3.yml', 'tenants.yml'];
      const url = { controller_url: plain.url('lb3'), controller_ca_file: plain.caFile };
      await project.write(
        'lb3.yml',
        JSON.stringify({
          all: { hosts: { lb3: { ...url, controller_dialect: 'generic', controller_auth: 'basic' } } },
        }),
      );
      await project.write(
        'tenants.yml',
        'all: { hosts: { lb1: { controller_tenant: blue }, lb2: { controller_tenant: admin } } }',
      );
      await succeeds(
        at(['task', 'lb3', '-m', 'cloud_present', '-a', 'name=edge vtype=CLOUD_NONE mtu=9000'], ...inventory),
      );
      await succeeds(at(['capture', '--out', 'mixed', '--kind', 'cloud'], ...inventory));
      const playbook = await file('mixed/capture.yml');
      expect(playbook).to.include(
        "  vars:\n    controller_dialect: '{{ captured_controller_dialect }}'\n    controller_tenant: '{{ captured_controller_tenant }}'\n",
      );
      expect(await file('mixed/host_vars/lb1/captured.yml')).to.include('captured_controller_tenant: blue\n');
      expect(await file('mixed/host_vars/lb2/captured.yml')).to.include('captured_controller_tenant: admin\n');
      expect(await file('mixed/host_vars/lb3/captured.yml')).to.include('captured_controller_tenant: null\n');
      const said = await succeeds(
        at(['run', 'mixed/capture.yml', '--detailed-exitcode'], fleet.inventoryFile, 'lb3.yml'),
      );
      expect(said).to.include('3 ok');
    } finally {
      await plain.dispose();
    }
  });

  it('with the dialect', async () => {
    await project.write('generic.yml', 'all: { children: { fleet: { vars: { controller_dialect: generic } } } }');
    const inventory = [fleet.inventoryFile, 'generic.yml'];
    await succeeds(at(['capture', '--out', 'avi', ...KINDS, '-e', 'controller_dialect=avi'], ...inventory));
    await succeeds(at(['run', 'avi/capture.yml', '--detailed-exitcode'], ...inventory));
  });
});

describe('a capture of several tenants', () => {
  const ALL_TENANTS = ['--tenant', 'all', ...KINDS, '--kind', 'systemconfiguration'];
  let fleet: Fleet;
  let project: Project;

  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi', controllers: 3 });
    project = await emptyProject({
      'setup.yml': `${SETUP}    - pool_present: { name: extra, tenant: blue }\n      when: inventory_hostname == 'lb3'\n`,
    });
    await ok('run', 'setup.yml');
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  const run = (args: readonly string[], inventory: string, where = project): Promise<Ended> =>
    evenkeel([...args, '-i', inventory], { cwd: where.directory });
  const ok = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args, fleet.inventoryFile);
    expect(code, stdout + stderr).to.equal(0);
    return stdout;
  };
  const text = (name: string): Promise<string> => readFile(path.join(project.directory, name), 'utf8');

  it('has a folder for each, and runs elsewhere unchanged: with another state, and on empty controllers', async () => {
    expect(await ok('capture', '--out', 'out', ...ALL_TENANTS)).to.match(
      /^captured \d+ objects of 3 controllers in 2 tenants in out/,
    );
    expect(await text('out/capture.yml')).to.equal(
      '# Captured by evenkeel: a folder for each tenant.\n---\n- import_playbook: admin/capture.yml\n- import_playbook: blue/capture.yml\n',
    );
    expect(await text('out/admin/group_vars/all/captured.yml'))
      .to.include('captured_tenant_list:\n  - name: blue\n')
      .and.to.include('captured_systemconfiguration:');
    expect(await text('out/blue/group_vars/all/captured.yml'))
      .to.include('tenant_ref: blue')
      .and.to.not.include('systemconfiguration');
    const elsewhere = await emptyProject({});
    const empty = await startFleet({ dialect: 'avi', controllers: fleet.names });
    try {
      await rename(path.join(project.directory, 'out'), path.join(elsewhere.directory, 'moved'));
      const moved = 'moved/capture.yml';
      for (const args of [
        ['plan', moved, '--out', 'first.plan'],
        ['drift', moved, '--unmanaged'],
        ['run', moved, '--detailed-exitcode'],
      ]) {
        const { code, stdout, stderr } = await run(args, fleet.inventoryFile, elsewhere);
        expect(code, `${args.join(' ')}\n${stdout}${stderr}`).to.equal(0);
        if (args[0] === 'drift') expect(stdout).to.include('every object of the managed kinds belongs to a task');
      }
      await ok('task', 'lb2', '-m', 'pool_present', '-a', 'name=stray tenant=blue');
      await ok('task', 'lb2', '-m', 'pool_present', '-a', 'name=web tenant=blue default_server_port=81');
      const drifted = await run(['drift', moved, '--unmanaged'], fleet.inventoryFile, elsewhere);
      expect(drifted.code).to.equal(3);
      expect(drifted.stdout).to.include('"web" in tenant "blue"').and.to.include('stray');
      const filled = await run(['run', moved], empty.inventoryFile, elsewhere);
      expect(filled.code, filled.stdout + filled.stderr).to.equal(0);
      const second = await run(['run', moved, '--detailed-exitcode'], empty.inventoryFile, elsewhere);
      expect(second.code, second.stdout).to.equal(0);
      expect(empty.controller('lb3').objects('/api/pool/')).to.have.length(5);
    } finally {
      await Promise.all([empty.dispose(), elsewhere.remove()]);
    }
  });

  it('is of those that are named; --force replaces it, and a tenant that does not exist is reported', async () => {
    await ok('capture', '--out', 'out', ...ALL_TENANTS);
    await ok('capture', '--out', 'out', '--force', '--tenant', 'blue', ...KINDS);
    expect(await text('out/capture.yml')).to.match(/---\n- import_playbook: blue\/capture.yml\n$/);
    expect(await readdir(path.join(project.directory, 'out/admin'), { recursive: true })).to.not.include('capture.yml');
    const args = ['capture', '--out', 'two', '--tenant', 'blue', '--tenant', 'bleu', ...KINDS];
    const { code, stdout } = await run(args, fleet.inventoryFile);
    expect(code).to.equal(4);
    expect(stdout)
      .to.include('in 1 tenant in two')
      .and.to.match(/not read: .*no tenant "bleu"/);
  });

  it('compares the objects of all tenants of the controllers', async () => {
    const { code, stdout } = await run(['compare', '--tenant', 'all', '--kind', 'pool', '--json'], fleet.inventoryFile);
    expect(code, stdout).to.equal(3);
    const { objects } = JSON.parse(stdout) as { objects: { name: string; tenant: string; missing: string[] }[] };
    expect(objects.filter(({ name }) => name === 'web').map(({ tenant }) => tenant)).to.deep.equal(['admin', 'blue']);
    expect(objects.find(({ name }) => name === 'extra')).to.deep.include({ tenant: 'blue', missing: ['lb1', 'lb2'] });
    const shown = await run(['compare', '--tenant', 'all', '--kind', 'pool'], fleet.inventoryFile);
    expect(shown.stdout).to.include('pool "extra" in Default-Cloud in tenant "blue": only on lb3');
  });
});

describe('a capture with headers', () => {
  const WHERE = '{"controller_headers": {"X-Tenant": "lb2"}}';
  let fleet: Fleet;
  let tenants: TenantController;
  let project: Project;

  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    tenants = await TenantController.start(fleet);
    const variables = {
      controller_url: tenants.url,
      controller_ca_file: 'ca.pem',
      controller_username: fleet.username,
    };
    const more = { controller_password: fleet.password, controller_api_version: '22.1.3' };
    project = await emptyProject({
      'ca.pem': tenants.ca,
      'inventory.yml': JSON.stringify({ all: { hosts: { here: { ...variables, ...more } } } }),
    });
  });
  afterEach(async () => {
    await tenants.close();
    await Promise.all([fleet.dispose(), project.remove()]);
  });

  const command = (...args: readonly string[]): Promise<Ended> =>
    evenkeel([...args, '-i', 'inventory.yml'], { cwd: project.directory });
  const playbook = (): Promise<string> => readFile(path.join(project.directory, 'out/capture.yml'), 'utf8');

  it('sends them again, because they may select where its objects are', async () => {
    await command('task', 'all', '-m', 'cloud_present', '-a', 'name=edge', '-e', WHERE);
    expect((await command('capture', '--out', 'out', '-e', WHERE)).code).to.equal(0);
    const { code, stdout } = await command('run', 'out/capture.yml', '--detailed-exitcode');
    expect(code, stdout).to.equal(0);
    expect(fleet.controller('lb1').objects('/api/cloud/')).to.deep.equal([]);
  });

  it('leaves them to the inventory if one of them is a secret', async () => {
    const secret = '{"controller_headers": {"X-Tenant": "lb2", "X-Auth-Token": "Blue-Whale-42"}}';
    expect((await command('capture', '--out', 'out', '-e', secret)).code).to.equal(0);
    expect(await playbook()).to.not.match(/Blue-Whale|headers/);
  });
});
