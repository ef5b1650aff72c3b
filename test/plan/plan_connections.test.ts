import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, evenkeel, type Ended, type Project } from '../rig/command.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const SITE = `- hosts: lb1,lb2
  tasks:
    - cloud_present: { name: "edge-{{ inventory_hostname }}" }
    - resource_facts: { path: /api/cloud/ }
`;

const DIALECT = `dialects:
  tenanted: { tenant_header: X-Tenant, default_tenant: admin, all_tenants: '*', tenant_collection: /api/tenant }
`;

/** What a plan was made for is what an apply reaches, whatever its lookups say by then. */
describe('the connections of a plan', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: ['lb1', 'lb2', 'lb3'] });
    project = await emptyProject({ 'site.yml': SITE, 'ca.pem': fleet.ca, at: fleet.url('lb2') });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  /** `lb2` is at the first simulated controller of that name until its lookups change. */
  const inventory = (url: string, more = ''): string => `all:
  vars:
    controller_username: admin
    controller_password: '${fleet.password}'
    controller_api_version: 22.1.3
    controller_ca_file: ca.pem
  hosts:
    lb1: { controller_url: '${fleet.url('lb1')}' }
    lb2:
      controller_url: ${url}
      ${more}
`;

  function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory, env });
  }

  async function plan(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const ended = await run(['plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan'], env);
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    for (const name of fleet.names) fleet.controller(name).clearRequests();
  }

  const apply = (env: Readonly<Record<string, string>> = {}, ...args: readonly string[]): Promise<Ended> =>
    run(['apply', 'site.plan', ...args], env);

  const requests = (): Readonly<Record<string, number>> =>
    Object.fromEntries(fleet.names.map((name) => [name, fleet.controller(name).requests.length]));

  it('are compared before the first request: an environment variable that has changed', async () => {
    await project.write('inventory.yml', inventory(`"{{ lookup('env', 'AT') }}"`));
    const then = { AT: fleet.url('lb2') };
    await plan(then);
    const { code, stderr } = await apply({ AT: fleet.url('lb3') });
    expect(code).to.equal(1);
    expect(stderr).to.include(
      `error: lb2 is at ${fleet.url('lb3')} now, and the plan was made for ${fleet.url('lb2')}\n  --> inventory.yml:10:23\n`,
    );
    expect(stderr).to.include('hint: make a new plan, or set what has changed as it was\n');
    expect(stderr).to.include('evenkeel: no controller was contacted');
    expect(requests()).to.deep.equal({ lb1: 0, lb2: 0, lb3: 0 });
    const again = await apply(then);
    expect(again.code, again.stdout + again.stderr).to.equal(0);
    expect(requests()['lb3']).to.equal(0);
  });

  for (const [what, address] of [
    ['a file', "{{ lookup('file', 'at') }}"],
    ['a command', "{{ lookup('pipe', 'cat at') }}"],
  ] as const)
    it(`are compared before the first request: ${what} that has changed`, async () => {
      const password = "controller_password: \"{{ lookup('pipe', 'echo read >> asked; cat password') }}\"";
      await project.write('password', fleet.password);
      await project.write('inventory.yml', inventory(`"${address}"`, password));
      await plan();
      const asked = await readFile(path.join(project.directory, 'asked'), 'utf8');
      await project.write('at', fleet.url('lb3'));
      const { code, stderr } = await apply();
      expect(code, stderr).to.equal(1);
      expect(stderr).to.include(
        `error: lb2 is at ${fleet.url('lb3')} now, and the plan was made for ${fleet.url('lb2')}\n  --> inventory.yml:10:23\n`,
      );
      expect(requests()).to.deep.equal({ lb1: 0, lb2: 0, lb3: 0 });
      expect(await readFile(path.join(project.directory, 'asked'), 'utf8')).to.equal(asked);
      await project.write('at', fleet.url('lb2'));
      const again = await apply();
      expect(again.code, again.stdout + again.stderr).to.equal(0);
    });

  it('are compared at the task if the address is known only during the run', async () => {
    await project.write('inventory.yml', inventory(fleet.url('lb2')));
    const own = `      vars: { controller_url: "{{ where.value }}" }\n`;
    const where = `    - set_fact: { where: { value: "{{ (known.count | int > 99) | ternary('', lookup('file', 'at')) }}" } }\n`;
    await project.write(
      'site.yml',
      `- hosts: lb2\n  tasks:\n    - { resource_facts: { path: /api/cloud/ }, register: known }\n${where}    - resource_facts: { path: /api/cloud/ }\n${own}`,
    );
    await plan();
    await writeFile(path.join(project.directory, 'at'), fleet.url('lb3'));
    const { code, stdout } = await apply();
    expect(code, stdout).to.equal(5);
    expect(stdout)
      .to.include(`stale: lb2 is at ${fleet.url('lb3')} now`)
      .and.to.include('; nothing is sent to it\n')
      .and.to.include('hint: make a new plan\n');
    expect(requests()['lb3']).to.equal(0);
  });

  it('are those of a task, too', async () => {
    await project.write('inventory.yml', inventory(fleet.url('lb2')));
    const own = `      vars: { controller_url: "{{ lookup('file', 'at') }}" }\n`;
    await project.write(
      'site.yml',
      `${SITE}- hosts: lb2\n  tasks:\n    - resource_facts: { path: /api/cloud/ }\n${own}`,
    );
    await plan();
    await writeFile(path.join(project.directory, 'at'), fleet.url('lb3'));
    const { code, stderr, stdout } = await apply();
    expect(code, stderr + stdout).to.equal(1);
    expect(stderr).to.include(`lb2 is at ${fleet.url('lb3')} now`);
    expect(requests()).to.deep.equal({ lb1: 0, lb2: 0, lb3: 0 });
  });

  for (const [what, variable, then, now] of [
    ['another user', 'controller_username', 'admin', 'root'],
    ['other headers', 'controller_headers', '{ X-Tenant: a }', '{ X-Tenant: b }'],
    ['another check of certificates', 'controller_verify_tls', 'true', 'false'],
    ['another version header', 'controller_version_header', 'X-Vendor-Version', 'X-Other'],
    ['another tenant', 'controller_tenant', 'admin', 'blue'],
  ] as const)
    it(`include everything that decides what a request acts on: ${what}`, async () => {
      const dialect = variable === 'controller_tenant' ? 'controller_dialect: tenanted' : '';
      await project.write('evenkeel.yml', DIALECT);
      await project.write(
        'inventory.yml',
        inventory(`'${fleet.url('lb2')}'`, `${variable}: "{{ lookup('env', 'WAY') | from_yaml }}"\n      ${dialect}`),
      );
      await plan({ WAY: then });
      const { code, stderr } = await apply({ WAY: now });
      expect(code).to.equal(1);
      expect(stderr).to.include(
        `error: lb2 is reached with ${what} than when the plan was made\n  --> inventory.yml:11:`,
      );
      expect(requests()).to.deep.equal({ lb1: 0, lb2: 0, lb3: 0 });
    });

  it('may have another password, and another pace', async () => {
    const more = `controller_password: "{{ lookup('env', 'PASS') }}"\n      controller_timeout: "{{ lookup('env', 'TIME') }}"`;
    await project.write('inventory.yml', inventory(`'${fleet.url('lb2')}'`, more));
    await plan({ PASS: fleet.password, TIME: '5' });
    const ended = await apply({ PASS: fleet.password, TIME: '20' });
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
  });

  it('leave what a plan cannot know to the apply, at the same address', async () => {
    await project.write('inventory.yml', inventory(`'${fleet.url('lb2')}'`));
    await project.write(
      'site.yml',
      `- hosts: lb2
  tasks:
    - { cloud_present: { name: a }, register: made }
    - cloud_present: { name: b }
      vars: { controller_headers: { X-Of: "{{ made.object.uuid }}" } }
`,
    );
    await plan();
    const ended = await apply();
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    expect(fleet.controller('lb2').objects('/api/cloud/')).to.have.length(2);
  });

  it('are refused if the plan is from the future, or too old', async () => {
    await project.write('inventory.yml', inventory(fleet.url('lb2')));
    await plan();
    const back = (ms: number) => {
      const shim = `const now = Date.now; Date.now = () => now() - ${ms};`;
      return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shim)}` };
    };
    const options = { cwd: project.directory, env: back(3_600_000) };
    const { code, stderr } = await evenkeel(['apply', 'site.plan'], options);
    expect(code).to.equal(1);
    expect(stderr).to.match(
      /^error: site\.plan was made in the future, at \d{4}-.*: the clock of this machine, or of the one that made the plan, is wrong\n {2}= hint: set the clock; then make a new plan if this one is old\n/,
    );
    const old = await evenkeel(['apply', 'site.plan'], { ...options, env: back(-8 * 24 * 3_600_000) });
    expect(old.stderr).to.include(
      'error: site.plan is 8 days old, and plans are applied for 7\n  = hint: make a new plan; or apply this one with --max-age DAYS\n',
    );
    expect(requests()).to.deep.equal({ lb1: 0, lb2: 0, lb3: 0 });
    fleet.controller('lb2').behaviour = { faults: [{ type: 'answer', status: 400, when: { method: 'POST' } }] };
    const close = await evenkeel(['apply', 'site.plan'], { ...options, env: back(30_000) });
    expect(close.code, close.stdout + close.stderr).to.equal(2);
    const again = await evenkeel(['run', '--rerun', 'last'], { ...options, env: back(-8 * 24 * 3_600_000) });
    expect(again.stderr).to.match(/^error: plan \S+ is 8 days old, and plans are applied for 7\n/);
  });
});
