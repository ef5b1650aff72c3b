import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import { textOrEmpty, type JsonObject } from '../../src/simulator/protocol/exchange.js';
import { evenkeel as built, emptyProject, ROOT, type Ended, type Project } from '../rig/command.js';
import { tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const POOL = `
- hosts: all
  tasks:
    - pool_present:
        name: web
        default_server_port: 8080
        servers:
          - { ip: { type: V4, addr: 10.0.0.1 } }
          - { ip: { type: V4, addr: 10.0.0.9 } }
    - virtualservice_present: { name: web, pool_ref: web }
`;

/** Its servers have monitors, so they can be down. */
const MONITORED = POOL.replace('default_server_port', 'health_monitor_refs: [System-TCP]\n        default_server_port');

/** A play with one role that ships with Evenkeel. */
const job = (role: string, variables: string): string =>
  `- hosts: all\n  roles: [{ role: evenkeel.${role}, ${variables} }]\n`;

describe('a role that ships with Evenkeel', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi', controllers: 2, behaviour: { drained_after: 0 } });
    project = await emptyProject({ 'evenkeel.yml': `inventory: ${fleet.inventoryFile}\n` });
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  const command = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
  async function run(text: string, ...options: readonly string[]): Promise<Ended> {
    await project.write('job.yml', text);
    return command('run', 'job.yml', '-o', 'json', ...options);
  }
  async function changes(text: string, ...options: readonly string[]): Promise<readonly string[]> {
    const { code, stdout, stderr } = await run(text, ...options);
    expect(code, stdout + stderr).to.equal(0);
    const changed = tasksOf(stdout).filter(({ status, controller }) => status === 'changed' && controller === 'lb1');
    return changed.map(({ task }) => task.replace(/^.* : /, ''));
  }
  async function failure(text: string, ...options: readonly string[]): Promise<string | undefined> {
    const { stdout } = await run(text, ...options);
    return tasksOf(stdout).find(({ status, controller }) => status === 'failed' && controller === 'lb1')?.message;
  }
  /** Check, run, run again; the rollback restores `state`. */
  async function runsAndRollsBack(text: string, changed: readonly string[], state: () => unknown): Promise<void> {
    const before = state();
    expect(await changes(text, '--check')).to.deep.equal(changed);
    expect(state()).to.deep.equal(before);
    expect(await changes(text)).to.deep.equal(changed);
    const [id = ''] = /\d{8}T\d{6}Z-\w+/.exec((await command('runs')).stdout) ?? [];
    expect(await changes(text)).to.deep.equal([]);
    const { code, stderr } = await command('rollback', id, '--yes');
    expect(code, stderr).to.equal(0);
    expect(state()).to.deep.equal(before);
  }
  const objects = (kind: string): readonly JsonObject[] =>
    fleet
      .controller('lb1')
      .objects(`/api/${kind}/`)
      .map(({ _last_modified, ...fields }) => fields);

  it('is part of the built command', async () => {
    await project.write('job.yml', job('backup', 'backup_least: 1'));
    const { code, stdout, stderr } = await built(['run', 'job.yml', '--list-tasks'], { cwd: project.directory });
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.contain('evenkeel.backup : The configuration is saved');
  });

  describe('evenkeel.drain', () => {
    const drain = (more = ''): string =>
      job('drain', `drain_pool: web, drain_server: 10.0.0.9, drain_interval: 0.1${more}`);
    const servers = (): unknown => objects('pool')[0]?.['servers'];
    const STEPS = ['The server gets no new connections', 'The server is gone'];
    beforeEach(() => changes(POOL));

    it('drains a server and removes it, once, and can be rolled back', async () => {
      await runsAndRollsBack(drain(), STEPS, servers);
    });

    it('waits for the connections of the server, and leaves it disabled if they do not end', async () => {
      for (const name of fleet.names) fleet.controller(name).behaviour = { drained_after: 1e9 };
      const message = await failure(drain(', drain_timeout: 0.1'));
      expect(message).to.equal('gave up after 0.1 s: series.0.data.0.value is 10, not <= 0');
      expect(servers()).to.have.nested.property('[1].enabled', false);
      expect(await changes(drain(', drain_timeout: 0, drain_force: true'))).to.deep.equal(STEPS.slice(1));
      expect(servers()).to.have.length(1);
    });

    it('leaves the last enabled server alone', async () => {
      expect(await changes(drain(', drain_remove: false'))).to.deep.equal(STEPS.slice(0, 1));
      const last = job('drain', 'drain_pool: web, drain_server: 10.0.0.1');
      expect(await failure(last)).to.contain('10.0.0.1 is the last enabled server of the pool web');
    });

    it('leaves the last server that is up alone', async () => {
      await changes(MONITORED);
      for (const name of fleet.names)
        fleet.controller(name).behaviour = { servers_down: ['10.0.0.1'], drained_after: 0 };
      expect(await failure(drain())).to.contain('no other server of the pool web is up; with drain_last');
      // Controllers may show the servers without their sum.
      const runtime = { type: 'answer', status: 404, when: { path: '/api/pool/*/runtime' } } as const;
      for (const name of fleet.names) fleet.controller(name).behaviour = { drained_after: 0, faults: [runtime] };
      expect(await changes(drain(), '--check')).to.deep.equal(STEPS);
      expect(await changes(drain(', drain_last: true'))).to.deep.equal(STEPS);
    });

    it('tells servers of one address by their ports', async () => {
      const ports = POOL.replaceAll('{ ip: { type: V4, addr: 10.0.0.9 } }', (text) =>
        [80, 81].map((port) => text.replace(/ }$/, `, port: ${port} }`)).join('\n          - '),
      ).replace('addr: 10.0.0.1 }', 'addr: 10.0.0.1 }, port: 80');
      await changes(ports);
      expect(await failure(drain())).to.equal(
        'the pool web has 2 servers 10.0.0.9: set drain_port\nAssertion failed: drain_found | length <= 1',
      );
      expect(await changes(drain(', drain_port: 81'))).to.deep.equal(STEPS);
      expect(servers()).to.have.length(2).and.have.nested.property('[1].port', 80);
    });

    it('fails without the pool, and without its variables', async () => {
      const other = job('drain', 'drain_pool: wbe, drain_server: 10.0.0.9');
      expect(await failure(other)).to.equal('0 pools are named wbe\nAssertion failed: drain_pools.count == 1');
      expect(await failure(job('drain', 'drain_pool: web'))).to.contain('missing required arguments: drain_server');
    });
  });

  describe('evenkeel.certificate', () => {
    const swap = (more = ''): string =>
      job(
        'certificate',
        `certificate_old: web-2025, certificate_new: web-2026, certificate_pem: NEW, certificate_key: K${more}`,
      );
    const STEPS = ['The new certificate is there', 'The virtual services use the new certificate'];
    const certificates = (): readonly unknown[] =>
      objects('sslkeyandcertificate')
        .slice(3)
        .map(({ name }) => name);
    const used = (): readonly unknown[] =>
      objects('virtualservice').map(({ name, ssl_key_and_certificate_refs: refs }) => [
        name,
        (refs as unknown as readonly string[] | undefined)?.map(
          (ref) => objects('sslkeyandcertificate').find(({ uuid }) => ref.endsWith(`/${textOrEmpty(uuid)}`))?.['name'],
        ),
      ]);
    beforeEach(() =>
      changes(`
- hosts: all
  tasks:
    - sslkeyandcertificate_present: { name: '{{ item }}', certificate: { certificate: OLD }, key: K }
      loop: [web-2025, web-ec]
    - virtualservice_present: { name: '{{ item.name }}', ssl_key_and_certificate_refs: '{{ item.refs | default(omit) }}' }
      loop:
        - { name: both, refs: [web-2025, web-ec] }
        - { name: one, refs: [web-2025] }
        - { name: other, refs: [web-ec] }
        - { name: plain }
`),
    );

    it('replaces a certificate wherever it is used, once, and can be rolled back', async () => {
      await runsAndRollsBack(swap(), STEPS, used);
      // A rollback deletes nothing, so the new certificate is still there.
      expect(await changes(swap())).to.deep.equal(STEPS.slice(1));
      expect(used()).to.deep.equal([
        ['both', ['web-2026', 'web-ec']],
        ['one', ['web-2026']],
        ['other', ['web-ec']],
        ['plain', undefined],
      ]);
      expect(certificates()).to.deep.equal(['web-2025', 'web-ec', 'web-2026']);
    });

    it('deletes the old certificate if it should, once', async () => {
      const remove = swap(', certificate_remove: true');
      expect(await changes(remove)).to.deep.equal([...STEPS, 'The old certificate is gone']);
      expect(certificates()).to.deep.equal(['web-ec', 'web-2026']);
      expect(await changes(remove)).to.deep.equal([]);
    });

    it('fails without the certificates', async () => {
      const names = (old: string, name: string): string =>
        job('certificate', `certificate_old: ${old}, certificate_new: ${name}`);
      const missing = (name: string, condition: string): string =>
        `the controller has no certificate ${name}\nAssertion failed: ${condition}`;
      expect(await failure(names('web-2025', 'web-2026'))).to.equal(
        missing(
          'web-2026',
          'certificate_new in certificate_names or (certificate_pem is defined and ansible_check_mode)',
        ),
      );
      expect(await failure(names('web-2024', 'web-ec'))).to.equal(
        missing('web-2024', 'certificate_old in certificate_names or certificate_remove'),
      );
      expect(await failure(names('web-ec', 'web-ec'))).to.contain('are the same name');
    });
  });

  describe('evenkeel.backup', () => {
    const file = (name: string): Promise<string> =>
      readFile(path.join(project.directory, 'backups', `${name}.json`), 'utf8');

    it('saves the configuration beside the playbook, and again only if it changed', async () => {
      const backup = job('backup', 'backup_least: 1000');
      const checked = tasksOf((await run(backup, '--check')).stdout).filter(({ controller }) => controller === 'lb1');
      expect(checked.map(({ status }) => status)).to.not.include('changed');
      expect(checked.at(-1)?.message).to.equal(
        'check mode sends no GET /api/configuration/export, and backups/lb1.json stays as it is',
      );
      expect(await changes(backup)).to.deep.equal(['The configuration is saved']);
      expect(await changes(backup)).to.deep.equal([]);
      expect(await file('lb2')).to.contain('System-HTTP');
      await changes(POOL);
      expect(await changes(backup)).to.deep.equal(['The configuration is saved']);
      expect(await file('lb1')).to.contain('10.0.0.9');
    });

    it('fails if the backup is too small, and does not show its passphrase', async () => {
      const { stdout, stderr } = await run(
        job('backup', 'backup_passphrase: of-the-backup, backup_least: 9999999'),
        '-vvv',
      );
      expect(stdout).to.match(/lb1\.json has only \d+ bytes/);
      expect(stdout + stderr).to.not.contain('of-the-backup');
      const asked = fleet
        .controller('lb1')
        .requests.find(({ path: asking }) => asking.startsWith('/api/configuration'));
      expect(asked?.query).to.deep.equal({ full_system: 'true', passphrase: 'of-the-backup' });
    });
  });

  describe('evenkeel.tenant', () => {
    it('makes a tenant with its users, once, and a rollback restores the access of other users', async () => {
      const onboard = job(
        'tenant',
        'tenant_name: Team Red, tenant_description: of the shop, tenant_users: [{ name: ann, password: of-ann }, { name: bob, role: Application-Operator }]',
      );
      const STEPS = ['The tenant exists', 'Its users may work in it'];
      expect(await changes(onboard, '--check')).to.deep.equal(STEPS);
      expect(await changes(onboard)).to.deep.equal(STEPS);
      expect(await changes(onboard)).to.deep.equal([]);
      expect(objects('user').map(({ name }) => name)).to.deep.equal(['admin', 'ann', 'bob']);
      const more = job('tenant', 'tenant_name: Team Green, tenant_users: [{ name: ann }]');
      const access = (): unknown => objects('user').find(({ name }) => name === 'ann')?.['access'];
      await runsAndRollsBack(more, STEPS, access);
      expect(access()).to.have.length(1);
      expect(await changes(more)).to.deep.equal(STEPS.slice(1));
      expect(access()).to.have.length(2);
    });
  });

  describe('evenkeel.password', () => {
    it('changes the password of the user, once', async () => {
      const rotate = job('password', 'password_new: a-new-one');
      expect(await changes(rotate, '--check')).to.deep.equal(['The new password is in force']);
      expect(await changes(rotate)).to.deep.equal(['The new password is in force']);
      expect(await changes(rotate)).to.deep.equal([]);
      expect((await command('run', 'job.yml', '-e', 'controller_password=a-new-one')).code).to.equal(0);
    });
  });

  describe('playbooks/upgrade.yml', () => {
    const VERSION = ['-e', 'version=22.1.6-9191', '-e', 'interval=0.1'];
    const upgrade = (): string => readFileSync(path.join(ROOT, 'playbooks/upgrade.yml'), 'utf8');
    const behave = (upgrading: NonNullable<Behaviour['upgrade']>): void => {
      for (const name of fleet.names) fleet.controller(name).behaviour = { upgrade: upgrading };
    };
    const version = async (): Promise<unknown> => {
      const { stdout } = await run(
        `- hosts: all\n  tasks: [{ api_request: { path: /api/cluster/version }, register: it }, { debug: { msg: '{{ it.json.Version }}' } }]\n`,
      );
      return tasksOf(stdout).at(-1)?.message;
    };
    beforeEach(() => project.write('images/controller-22.1.6-9191.pkg', 'the image'));

    it('upgrades each controller, once', async () => {
      behave({ disallowed: 100, unavailable: 100, refused: 100 });
      const STEPS = ['The image is uploaded', 'The upgrade starts'];
      expect(await changes(upgrade(), ...VERSION)).to.deep.equal(STEPS);
      expect(await version()).to.equal('22.1.6');
      expect(await changes(upgrade(), ...VERSION)).to.deep.equal([]);
    });

    it('stops at the first controller whose upgrade fails', async () => {
      behave({ disallowed: 100, fails: true });
      const message = await failure(upgrade(), ...VERSION);
      expect(message).to.equal('state.state of results is UPGRADE_FSM_ERROR');
      expect(await version()).to.equal('22.1.3');
      expect(fleet.controller('lb2').requests.some(({ path: asked }) => asked === '/api/upgrade')).to.equal(false);
    });
  });
});
