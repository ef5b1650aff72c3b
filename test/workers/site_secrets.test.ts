import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { RunDescription } from '../../src/app/request/run_description.js';
import { encrypt } from '../../src/load/vault/cipher.js';
import { Vault } from '../../src/load/vault/vault.js';
import { envelopesIn } from '../../src/load/vault/envelope.js';
import { Secrets } from '../../src/secrets/secrets.js';
import { unpackBundle } from '../../src/workers/bundle/unpack_bundle.js';
import { openNatsWorker } from '../../src/workers/nats/worker.js';
import { serverCertificate } from '../rig/certificates.js';
import { emptyProject, ROOT, STARTED, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { Broker, NATS_SERVER, sayWithoutNats } from '../rig/nats.js';
import { Terminal } from '../rig/terminal.js';

const SITES = ['madrid', 'paris'] as const;
type Site = (typeof SITES)[number];

const INVENTORY = `madrid: { hosts: { m1: } }
paris: { hosts: { p1: } }
here: { hosts: { h1: } }
`;
/** Nothing in the output may show a secret, so it shows how long it is. */
const PLAYBOOK = `- hosts: all
  tasks:
    - debug: { msg: "{{ inventory_hostname }} has {{ token | default('') | length }}" }
`;

function connectionTo(controller: Server): string {
  const { port } = controller.address() as AddressInfo;
  const known = { controller_username: 'u', controller_api_version: '22.1.3' };
  return JSON.stringify({ ...known, controller_url: `https://127.0.0.1:${port}` });
}

describe('secrets of sites', () => {
  let broker: Broker;
  let project: Project;
  const ends: (() => Promise<unknown>)[] = [];

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('secrets of sites');
      this.skip();
    }
    broker = await Broker.start();
    project = await emptyProject({
      'inv.yml': INVENTORY.replace('p1:', 'p1: { evenkeel_site: paris }'),
      'none.yml': INVENTORY,
      'evenkeel.yml': 'environments: { other: { inventory: inv.yml, vault_ids: [other@.pass-other] } }',
      '.pass-other': 'password-of-other',
      'say.yml': PLAYBOOK,
    });
    const { directory } = project;
    for (const name of [...SITES, 'shared'])
      await writeFile(path.join(directory, `.pass-${name}`), `password-of-${name}\n`);
    const encrypted = (label: string, text: string): Promise<string> =>
      encrypt(Buffer.from(text), { label, bytes: Buffer.from(`password-of-${label}`) });
    const value = async (label: string, text: string): Promise<string> =>
      `token: !vault |\n${(await encrypted(label, text)).replace(/^/gm, '  ').trimEnd()}\n`;
    // A value of one site, and a whole file of the other.
    await project.write('group_vars/madrid.yml', `evenkeel_site: madrid\n${await value('madrid', 'planted-madrid')}`);
    const file = 'token: planted-paris-token\ncontroller_password: planted\n';
    await project.write('group_vars/paris.yml', await encrypted('paris', file));
    await project.write('vars/shared.yml', await value('shared', 'planted-shared'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  after(async () => {
    if (NATS_SERVER === undefined) return;
    await broker.dispose();
    await project.remove();
  });

  async function startWorker(
    site: Site,
    options: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<ChildProcess> {
    const own = path.join(project.directory, `.worker-${site}`);
    await mkdir(own, { recursive: true });
    const worker = spawn(
      process.execPath,
      [...STARTED, 'worker', '--site', site, '--nats', broker.url, '--name', site, ...options],
      {
        cwd: own,
        env: { PATH: process.env['PATH'] ?? '', HOME: own, ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    ends.push(async () => {
      worker.kill('SIGTERM');
      await once(worker, 'exit');
    });
    for await (const line of createInterface({ input: worker.stderr })) if (line.includes('works for site')) break;
    worker.stderr.resume();
    return worker;
  }

  /** A worker that records what it receives of a run, and does nothing. */
  async function spyAt(site: Site): Promise<{ readonly got: string[]; readonly files: Uint8Array[] }> {
    const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const stop = new AbortController();
    const got: string[] = [];
    const files: Uint8Array[] = [];
    const worker = await openNatsWorker({
      ...{ nats: { url: broker.url }, site, name: `spy ${site}`, version, concurrency: 1, report: () => undefined },
      stateFolder: path.join(project.directory, `.spy-${site}`),
    });
    const served = worker.serve({
      begin: (_, description, bundle) => {
        got.push(description);
        if (bundle !== undefined) files.push(bundle);
        return Promise.reject(new Error('a spy'));
      },
      walk: () => Promise.resolve(),
      onBroadcast: () => undefined,
      end: () => Promise.resolve(),
      signal: stop.signal,
    });
    ends.push(async () => {
      stop.abort();
      await served;
    });
    return { got, files };
  }

  function run(options: readonly string[], inventory = 'inv.yml', playbook = 'say.yml'): Promise<Ended> {
    const reached = ['--nats', broker.url, '-i', inventory, '-o', 'lines', '--site-timeout', '1'];
    // Workers have home folders of their own. This one is not the project, whose files are those of the bundle.
    const env = { HOME: `${project.directory}.home` };
    return evenkeel(['run', playbook, ...reached, ...options], { cwd: project.directory, env });
  }

  it('are decrypted at the site with its passwords, which the coordinator need not have', async () => {
    await startWorker('madrid', ['--vault-id', 'madrid@../.pass-madrid']);
    await startWorker('paris', ['--vault-id', 'paris@../.pass-paris']);
    const { code, stdout, stderr } = await run([]);
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout)
      .to.include(`m1 has ${'planted-madrid'.length}`)
      .and.include(`p1 has ${'planted-paris-token'.length}`);
    expect(stdout + stderr).not.to.include('planted');
  });

  it('are those of the run where the site has none', async () => {
    await startWorker('madrid');
    await startWorker('paris', ['--vault-password-file', '../.pass-paris']);
    const { code, stdout, stderr } = await run(['--vault-id', 'madrid@.pass-madrid']);
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout)
      .to.include(`m1 has ${'planted-madrid'.length}`)
      .and.include(`p1 has ${'planted-paris-token'.length}`);
  });

  it('say which password is missing, and where', async () => {
    await startWorker('madrid');
    await startWorker('paris');
    const { code, stdout } = await run([]);
    expect(code).to.equal(2);
    expect(stdout).to.include('group_vars/madrid.yml:2:15').and.include('with the password "madrid"');
    expect(stdout).to.include('the file group_vars/paris.yml is encrypted with the password "paris"');
    expect(stdout).to.include(
      'start the workers of site paris with --vault-id paris@FILE, or give the password to the run',
    );
  });

  it('are needed by the coordinator for controllers without a site, and for the site itself', async () => {
    const none = await run(['--limit', 'p1'], 'none.yml');
    expect(none.code).to.equal(1);
    expect(none.stderr).to.include('cannot find out the site of p1: the file group_vars/paris.yml is encrypted');
    expect(none.stderr).to.include('nothing was contacted').and.include('--vault-id paris@FILE');
    expect(none.stderr).to.include('or set evenkeel_site where this machine can read it');
  });

  it('reach the site that needs them, and no other', async () => {
    const spies = { madrid: await spyAt('madrid'), paris: await spyAt('paris') };
    const all = [...SITES, 'shared'].flatMap((name) => ['--vault-id', `${name}@.pass-${name}`]);
    await run(all);
    for (const [site, other] of [
      ['madrid', 'paris'],
      ['paris', 'madrid'],
    ] as const) {
      const [text = ''] = spies[site].got;
      expect(text).not.to.include(Buffer.from(`password-of-${other}`).toString('base64'));
      const { carried } = JSON.parse(text) as RunDescription;
      const given = (carried?.vaultPasswords ?? []).map(([label, bytes]) => ({
        label,
        bytes: Buffer.from(bytes, 'base64'),
      }));
      expect(given.map(({ label }) => label)).to.deep.equal([site, 'shared']);
      const vault = new Vault(given, new Secrets());
      const opened = async (name: string): Promise<readonly string[]> => {
        const file = await readFile(path.join(project.directory, 'group_vars', `${name}.yml`), 'utf8');
        return Promise.all(envelopesIn(file).map(async ({ envelope }) => (await vault.open(envelope)).status));
      };
      const cache = path.join(project.directory, `.cache-${site}`);
      const folder = await unpackBundle(spies[site].files[0] ?? Buffer.alloc(0), carried?.digest ?? '', cache);
      const names = (await readdir(folder, { recursive: true })).map((name) => path.basename(name));
      expect(names).to.include('paris.yml');
      expect(names.filter((name) => name.startsWith('.pass'))).to.deep.equal([]);
      expect(await opened(site)).to.deep.equal(['ok']);
      expect(await opened(other)).to.deep.equal(['refused']);
    }
  });

  it('reach the sites for a plan, although its files have changed since', async () => {
    const { directory } = project;
    await writeFile(path.join(directory, '.pass-planned'), 'password-of-planned\n');
    const password = { label: 'planned', bytes: Buffer.from('password-of-planned') };
    const value = (await encrypt(Buffer.from('four'), password)).replace(/^/gm, '      ').trimEnd();
    await project.write(
      'planned.yml',
      `- hosts: m1,p1
  vars:
    here: !vault |
${value}
  tasks: [{ debug: { msg: "{{ here | length }}" } }]
`,
    );
    const all = [...SITES, 'shared', 'planned'].flatMap((name) => ['--vault-id', `${name}@.pass-${name}`]);
    const command = ['plan', 'planned.yml', '-i', 'inv.yml', '-o', 'lines', '--out', 'planned.plan'];
    const { code, stdout, stderr } = await evenkeel([...command, ...all], { cwd: directory });
    expect(code, stdout + stderr).to.equal(0);
    await project.write('planned.yml', '- { hosts: m1, tasks: [] }\n');
    const spies = { madrid: await spyAt('madrid'), paris: await spyAt('paris') };
    await evenkeel(['apply', 'planned.plan', '-o', 'lines', '--nats', broker.url, '--site-timeout', '1'], {
      cwd: directory,
    });
    for (const site of SITES) {
      const { carried } = JSON.parse(spies[site].got[0] ?? '{}') as RunDescription;
      const labels = carried?.vaultPasswords.map(([label]) => label);
      expect(labels, site)
        .to.include('planned')
        .and.not.to.include(site === 'madrid' ? 'paris' : 'madrid');
    }
  });

  it('are sent to the coordinator when a task uses them, but never the vault passwords of the site', async () => {
    await startWorker('madrid', ['--vault-id', 'madrid@../.pass-madrid']);
    // The coordinator masks what it knows.
    await project.write(
      'mask.yml',
      `- hosts: m1
  tasks: [{ debug: { msg: "{{ token | length }}" } }]
- hosts: h1
  tasks:
    - debug: { msg: "the value is {{ 'planted-' ~ 'madrid' }}" }
    - debug: { msg: "the password is {{ 'password-of-' ~ 'madrid' }}" }
`,
    );
    const { code, stdout, stderr } = await run(['--limit', 'm1,h1'], 'inv.yml', 'mask.yml');
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.include('the value is ********').and.include('the password is password-of-madrid');
  });

  it('are typed for the sites whose controllers have no password', async () => {
    const spies = { madrid: await spyAt('madrid'), paris: await spyAt('paris') };
    const reached = ['--nats', broker.url, '-i', 'inv.yml', '--site-timeout', '1', '--vault-id', 'paris@.pass-paris'];
    const terminal = new Terminal(process.execPath, [...STARTED, 'run', 'say.yml', ...reached, '-k'], {
      ...{ columns: 100, rows: 30, cwd: project.directory },
    });
    await terminal.shows('Controller password:');
    terminal.press('typed-password\r');
    await terminal.exited;
    expect(spies.madrid.got[0]).to.include('typed-password');
    expect(spies.paris.got[0]).not.to.include('typed-password');
  });

  it('come from environment variables and files that only the site has', async () => {
    const password = "{{ lookup('env', 'SITE_PASSWORD') }}";
    await project.write(
      'outside.yml',
      JSON.stringify([
        {
          hosts: 'm1',
          vars: { controller_password: password, controller_ca_file: '~/site-ca.pem' },
          tasks: [
            { debug: { msg: "the site has {{ lookup('file', lookup('env', 'HOME') ~ '/site-file') | length }}" } },
            { cloud_present: { name: 'edge' } },
          ],
        },
      ]),
    );
    const own = path.join(project.directory, '.worker-madrid');
    await mkdir(own, { recursive: true });
    await writeFile(path.join(own, 'site-file'), 'four');
    const { ca, key, cert } = await serverCertificate();
    await writeFile(path.join(own, 'site-ca.pem'), ca);
    const asked: (string | undefined)[] = [];
    const controller = createServer({ key, cert }, ({ headers }, response) => {
      asked.push(headers.authorization);
      response.writeHead(400).end();
    });
    await new Promise<void>((resolve) => controller.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => controller.close(resolve)));
    await startWorker('madrid', [], { SITE_PASSWORD: 'planted-in-the-environment' });
    const { code, stdout, stderr } = await run(['-e', connectionTo(controller)], 'inv.yml', 'outside.yml');
    expect(stderr).to.equal('');
    expect(stdout, stderr).to.include('the site has 4');
    expect(code).to.equal(2);
    expect(asked).to.include(`Basic ${Buffer.from('u:planted-in-the-environment').toString('base64')}`);
  });

  it('are never asked for by a worker', async () => {
    const { code, stderr } = await evenkeel(
      ['worker', '--site', 'madrid', '--nats', broker.url, '--vault-id', 'x@prompt'],
      {
        cwd: project.directory,
      },
    );
    expect(code).to.equal(1);
    expect(stderr).to.include('a worker cannot ask for the vault password "x"').and.include('--vault-id x@FILE');
  });
});
