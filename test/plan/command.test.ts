import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { keepCopy, planFolder } from '../../src/launch/planned/plan_copies.js';
import { readPlanHeader } from '../../src/record/plan/plan_file.js';
import type { LoggedRequest } from '../../src/simulator/controller/controller.js';
import { emptyProject, evenkeel as builtEvenkeel, type Ended, type Project } from '../rig/command.js';
import { cutOff } from '../rig/cut_off.js';
import { finishedOf, tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { RawClient } from '../rig/raw_client.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const SITE = `- name: Site
  hosts: fleet
  tasks:
    - name: First
      cloud_present: { name: first, mtu: "{{ mtu }}" }
      register: first
      notify: Tell
    - name: Left out
      cloud_present: { name: never }
      when: mtu | int > 9000
    - name: Loop
      cloud_present: { name: "{{ item }}" }
      loop: [x, y]
    - include_tasks: more.yml
  handlers:
    - name: Tell
      cloud_present: { name: told }
`;
const MORE = "- name: More\n  cloud_present: { name: more, properties: { was: \"{{ lookup('file', 'was') }}\" } }\n";
/** The name of the role is looked up when the playbook is loaded. */
const ROLE = "    - import_role: { name: \"{{ lookup('pipe', 'cat flavour') }}\" }\n";
const CHOSEN = "- hosts: all\n  tasks:\n    - include_tasks: \"{{ lookup('file', 'was') }}.yml\"\n";
/** Controllers that show references with their address, which is another at each start of the simulator. */
const AVI = `all:
  hosts: { lb1: { controller_url: 'https://10.1.0.1' }, lb2: { controller_url: 'https://10.1.0.2' } }
  vars: { controller_dialect: avi, controller_auth: session, controller_api_version: 22.1.3 }
`;
const POOLS = `- hosts: all
  tasks:
    - pool_present: { name: a, description: '{{ text }}' }
    - pool_present: { name: b, description: '{{ text }}' }
`;
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const PLAN = ['plan', 'site.yml', '-i', 'inventory.yml', '-e', 'mtu=1400', '--out', 'site.plan'];

describe('evenkeel plan and apply', () => {
  let fleet: Fleet;
  let project: Project;
  const forgotten = new Map<string, number>();
  beforeEach(async () => {
    forgotten.clear();
    fleet = await startFleet({ controllers: 3 });
    project = await emptyProject({ 'site.yml': SITE, 'more.yml': MORE, was: 'then', 'inventory.yml': fleet.inventory });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  function run(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory });
  }

  async function plan(...args: readonly string[]): Promise<Ended> {
    const ended = await run(...PLAN, ...args);
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    return ended;
  }

  /** Requests of other clients, and those before `forget`, do not count. */
  function sent(controller: string): readonly LoggedRequest[] {
    const { requests } = fleet.controller(controller);
    return requests.slice(forgotten.get(controller) ?? 0).filter(({ headers }) => headers['user-agent'] === 'evenkeel');
  }

  function forget(): void {
    for (const name of fleet.names) forgotten.set(name, fleet.controller(name).requests.length);
  }

  function written(controller: string): readonly string[] {
    const requests = sent(controller).filter(({ method }) => method !== 'GET');
    return requests.map(({ method, body }) => `${method} ${/"name":"(\w+)"/.exec(body)?.[1] ?? ''}`);
  }

  /** Another client creates a cloud, or gives it another MTU. */
  async function change(controller: string, name: string): Promise<void> {
    const client = new RawClient(fleet.ca);
    const clouds = `${fleet.url(controller)}/api/cloud/`;
    const known = fleet
      .controller(controller)
      .objects('/api/cloud/')
      .find((one) => one['name'] === name);
    const { status } =
      known === undefined
        ? await client.send('POST', clouds, { body: { name, mtu: 9000 } })
        : await client.send('PUT', `${clouds}${asText(known['uuid'])}`, { body: { ...known, mtu: 8000 } });
    await client.close();
    expect(status).to.be.within(200, 201);
  }

  const ALL = ['first', 'x', 'y', 'more', 'told'].map((name) => `POST ${name}`);

  it('is named as it can be typed where it is not below the working directory', async () => {
    const other = await emptyProject({});
    const file = path.join(other.directory, 'site.plan');
    const { stdout } = await run(...PLAN.map((one) => (one === 'site.plan' ? file : one)));
    expect(stdout).to.include(`the plan is in ${file}\n`).and.to.include(`evenkeel apply ${file}\n`);
    await other.remove();
  });

  it('writes nothing while the plan is made, and then exactly what it says', async () => {
    const { stdout } = await plan();
    expect(stdout).to.include('3 of 3 controllers would change; the plan is in site.plan');
    expect(fleet.names.flatMap(written)).to.deep.equal([]);
    expect((await stat(path.join(project.directory, 'site.plan'))).mode & 0o777).to.equal(0o600);
    const { code, stdout: shown } = await run('apply', 'site.plan');
    expect(code, shown).to.equal(0);
    for (const name of fleet.names) expect(written(name)).to.deep.equal(ALL);
  });

  it('says on which controllers delegated tasks change something', async () => {
    const tasks = [
      'cloud_present: { name: a }',
      'cloud_present: { name: b }\n      no_log: true',
      'pause: { seconds: 0 }',
    ];
    const delegated = tasks.map((task) => `    - ${task}\n      delegate_to: lb2\n`);
    await project.write('site.yml', `- hosts: lb1\n  tasks:\n${delegated.join('')}`);
    await plan();
    const { stdout } = await run('plan', 'show', 'site.plan');
    expect(stdout.match(/on lb1.*/g)).to.deep.equal(Array(3).fill('on lb1 → lb2'));
    const json = await run('plan', 'show', 'site.plan', '--json');
    expect(json.stdout.match(/"target":"lb2"/g)).to.have.lengthOf(3);
  });

  it('ignores later changes of playbooks, variables, files and the inventory', async () => {
    await plan();
    await project.write('site.yml', 'no playbook');
    await project.write('more.yml', '[]');
    await project.write('was', 'now');
    await project.write('inventory.yml', 'all: { hosts: { other: } }');
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(0);
    expect(written('lb2')).to.deep.equal(ALL);
    const more = sent('lb2').find(({ body }) => body.includes('more'));
    expect(more?.body).to.include('"was":"then"');
  });

  it('loads the project from the plan: roles, programs, lookups before the run and passwords may be gone', async () => {
    const role =
      '- cloud_present: { name: role, properties: { port: "{{ port }}", said: "{{ said }}", key: "{{ key }}" } }\n';
    await project.write(
      'site.yml',
      SITE.replace('  tasks:', '  vars_files: [key.yml]\n  tasks:').replace('  handlers:', `${ROLE}  handlers:`),
    );
    await project.write('roles/web/tasks/main.yml', role);
    await project.write('roles/web/defaults/main.yml', 'port: 8443\n');
    await project.write(
      'said.sh',
      `#!/bin/sh\necho '{"all": {"vars": {"said": "then"}}, "_meta": {"hostvars": {}}}'\n`,
    );
    await chmod(path.join(project.directory, 'said.sh'), 0o755);
    await project.write('key.yml', 'key: planted-key\n');
    await project.write('word', 'secret');
    const vault = ['--vault-password-file', 'word'];
    expect((await run('vault', 'encrypt', 'key.yml', ...vault)).code).to.equal(0);
    await project.write('flavour', 'web');
    await plan('-i', './said.sh', ...vault);
    expect((await run('plan', 'show', 'site.plan')).stdout).to.not.include('planted-key');
    for (const name of ['roles', 'site.yml', 'more.yml', 'said.sh', 'key.yml'])
      await rm(path.join(project.directory, name), { recursive: true });
    for (const name of ['word', 'flavour']) await project.write(name, 'another');
    const { code, stdout, stderr } = await run('apply', 'site.plan');
    expect(code, stdout + stderr).to.equal(0);
    expect(written('lb2')).to.deep.equal(['POST first', 'POST x', 'POST y', 'POST more', 'POST role', 'POST told']);
    const sentByRole = sent('lb2').find(({ body }) => body.includes('"role"'));
    expect(sentByRole?.body).to.include('"port":8443').and.include('"said":"then"').and.include('planted-key');
  });

  it('is refused if a plugin in Python has changed that it ran', async () => {
    const plugin = (text: string): string =>
      `class FilterModule:\n    def filters(self):\n        return {'mark': lambda name: name + '${text}'}\n`;
    await project.write('filter_plugins/own.py', plugin('-1'));
    await project.write('site.yml', '- hosts: all\n  tasks: [{ cloud_present: { name: "{{ \'first\' | mark }}" } }]\n');
    await plan();
    await project.write('filter_plugins/own.py', plugin('-2'));
    const { code, stderr } = await run('apply', 'site.plan');
    expect(stderr).to.match(/filter_plugins\/own\.py has changed since the plan was made, and the plan depends on it/);
    expect([code, written('lb1')]).to.deep.equal([1, []]);
    await project.write('filter_plugins/own.py', plugin('-1'));
    expect((await run('apply', 'site.plan')).code).to.equal(0);
  });

  it('refuses a file that the plan does not have, at the task that needs it', async () => {
    await project.write('site.yml', CHOSEN);
    await project.write('other.yml', MORE);
    await project.write('was', 'more');
    await plan();
    await project.write('was', 'other');
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code).to.equal(2);
    expect(stdout).to.include('other.yml was not read when the plan was made');
    expect(written('lb1')).to.deep.equal([]);
  });

  it('is not stale because the same controllers are at other addresses: references are compared as paths', async () => {
    await project.write('avi.yml', AVI);
    await project.write('pools.yml', POOLS);
    const at = ['pools.yml', '-i', 'avi.yml', '--simulate'];
    expect(await run('run', ...at, '-e', 'text=one')).to.include({ code: 0 });
    expect(await run('plan', ...at, '-e', 'text=two', '--out', 'site.plan')).to.include({ code: 0 });
    const applied = await run('apply', 'site.plan');
    expect(applied.code, applied.stdout).to.equal(0);
    expect(applied.stdout)
      .to.match(/lb1 .*changed=2/)
      .and.to.match(/lb2 .*changed=2/);
    const again = await run('run', ...at, '-e', 'text=two');
    expect(again.stdout)
      .to.match(/lb1 .*changed=0/)
      .and.to.match(/lb2 .*changed=0/);
  });

  it('stops a controller before its first write if anything that its plan rests on has changed; the others go on', async () => {
    await change('lb2', 'more');
    await plan();
    await change('lb2', 'told');
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(5);
    expect(written('lb2')).to.deep.equal([]);
    expect(written('lb1')).to.deep.equal(ALL);
    expect(stdout).to.include('stale: cloud "told" was changed since the plan was made');
    expect(stdout).to.not.include('--rerun');
  });

  it('lets the batches after a stale controller start', async () => {
    await project.write(
      'site.yml',
      SITE.replace('hosts: fleet', 'hosts: fleet\n  serial: 1\n  max_fail_percentage: 0'),
    );
    await plan();
    await change('lb1', 'first');
    expect((await run('apply', 'site.plan')).code).to.equal(5);
    expect(written('lb1')).to.deep.equal([]);
    expect(written('lb3')).to.deep.equal(ALL);
  });

  it('is stale when it is applied twice, and writes nothing', async () => {
    await plan();
    await run('apply', 'site.plan');
    forget();
    const { code, stdout, stderr } = await run('apply', 'site.plan', '-o', 'json');
    expect(code, stdout).to.equal(5);
    expect(stderr).to.match(
      /^evenkeel: run \S+ has applied this plan to 3 controllers, stale now because a plan is applied once$/m,
    );
    expect(finishedOf(stdout).status).to.equal('stale');
    expect(fleet.names.flatMap(written)).to.deep.equal([]);
    const listed = await run('runs', 'last');
    expect(listed.stdout).to.include('stale').and.not.include('continue with');
  });

  it('suggests the command of a new plan after a failure, as the old one is stale where it wrote', async () => {
    const fails = `- hosts: fleet
  tasks:
    - cloud_present: { name: first }
    - api_request: { path: /api/nope, method: POST, body: {} }
      when: inventory_hostname == 'lb2'
`;
    await project.write('site.yml', fails);
    await plan();
    await project.write('site.yml', `# later\n${fails}`);
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(2);
    expect(stdout).to.match(
      /--> site\.yml:4:7 .*\n {4}the file has changed since it was read, so its lines are not shown\n/,
    );
    expect(stdout).to.match(/\n\nmake a new plan with: evenkeel plan site\.yml -i .* -e mtu=1400 --out site\.plan\n$/);
    expect((await run('runs', 'last')).stdout).to.not.include('continue with');
  });

  it('rolls back a batch whose gate fails', async () => {
    const gate = '{ on_fail: rollback, interval: 0, failures: 1, checks: [{ fail: }] }';
    const task = 'cloud_present: { name: first, mtu: 1400 }';
    await change('lb1', 'first');
    await project.write('site.yml', `- hosts: fleet\n  serial: 1\n  gate: ${gate}\n  tasks: [{ ${task} }]\n`);
    await plan();
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(6);
    expect(stdout).to.include('rolling back the batch');
    expect(stdout).to.not.include('not in the plan');
    const [first] = fleet.controller('lb1').objects('/api/cloud/');
    expect(first?.['mtu']).to.equal(9000);
  });

  it('runs the checks of a gate like any run, but changes no object in them', async () => {
    for (const [mtu, code] of [
      [1400, 0],
      [1500, 6],
    ] as const) {
      const probe = `{ api_request: { method: POST, path: /api/cloud/, body: { name: probe${mtu} } } }`;
      const gate = `{ interval: 0, checks: [${probe}, { cloud_present: { name: first, mtu: ${mtu} } }] }`;
      const task = '{ cloud_present: { name: first, mtu: 1400 } }';
      await project.write('site.yml', `- hosts: lb1\n  gate: ${gate}\n  tasks: [${task}]\n`);
      await plan();
      const applied = await run('apply', 'site.plan');
      expect(applied.code, applied.stdout).to.equal(code);
      expect(applied.stdout.includes('cloud_present is not in the plan, so it is not carried out')).to.equal(code > 0);
    }
    expect(written('lb1')).to.deep.equal(['POST first', 'POST probe1400', 'POST probe1500']);
  });

  it('sends the checks of a gate to no other address than that of the plan', async () => {
    const check = `{ api_request: { method: POST, path: /api/cloud/, body: { name: probe } }, vars: { controller_url: "{{ where.object.url }}" } }`;
    const task = `{ cloud_present: { name: first, properties: { url: '${fleet.url('lb3')}' } }, register: where }`;
    await project.write('site.yml', `- hosts: lb1\n  gate: { interval: 0, checks: [${check}] }\n  tasks: [${task}]\n`);
    await plan();
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(6);
    expect(stdout).to.include('; nothing is sent to it');
    expect([written('lb1'), written('lb3')]).to.deep.equal([['POST first'], []]);
  });

  it('sends nothing twice when it is applied twice, also what cannot be compared', async () => {
    const raw = '{ name: Raw, api_request: { method: POST, path: /api/cloud/, body: { name: raw } } }';
    await project.write('site.yml', `- hosts: fleet\n  tasks: [${raw}]\n`);
    await plan();
    expect((await run('apply', 'site.plan', '-l', 'lb1')).code).to.equal(0);
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(5);
    expect(stdout).to.match(/stale: Raw is not carried out, because run \S+ began to apply this plan here;/);
    for (const name of fleet.names) expect(written(name)).to.deep.equal(['POST raw']);
  });

  it('sends nothing twice after so many other plans that its copy is gone', async () => {
    const raw = '{ name: Raw, api_request: { method: POST, path: /api/cloud/, body: { name: raw } } }';
    await project.write('site.yml', `- hosts: lb1\n  tasks: [${raw}]\n`);
    await plan();
    expect((await run('apply', 'site.plan')).code).to.equal(0);
    const file = path.join(project.directory, 'site.plan');
    const state = path.join(project.directory, '.evenkeel');
    for (let number = 10; number < 30; number++) await keepCopy(file, state, `9${number}`);
    expect(await readdir(planFolder(state))).to.not.include(`${readPlanHeader(file).id}.plan`);
    const { code, stderr } = await run('apply', 'site.plan');
    expect(code, stderr).to.equal(5);
    expect(stderr).to.match(/^evenkeel: run \S+ has applied this plan to 1 controller, /m);
    expect(written('lb1')).to.deep.equal(['POST raw']);
  });

  it('stops before a later write if its object changes during the apply', async () => {
    await plan();
    fleet.controller('lb1').watch = async (moment, { method, body }) => {
      if (moment !== 'carried out' || method !== 'POST' || !body.includes('first')) return;
      fleet.controller('lb1').watch = undefined;
      await change('lb1', 'y');
    };
    const { code } = await run('apply', 'site.plan', '-l', 'lb1');
    expect(code).to.equal(5);
    expect(written('lb1')).to.deep.equal(['POST first', 'POST x']);
  });

  it('stops at an object that changes between its read and its write', async () => {
    await change('lb1', 'first');
    fleet.controller('lb1').behaviour = { locking: true };
    await project.write('site.yml', '- hosts: lb1\n  tasks: [{ cloud_present: { name: first, mtu: 1400 } }]\n');
    await plan();
    fleet.controller('lb1').watch = async (moment, { method }) => {
      if (moment !== 'received' || method !== 'PUT') return;
      fleet.controller('lb1').watch = undefined;
      await change('lb1', 'first');
    };
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(5);
    expect(stdout).to.include('stale: cloud "first" was changed since the plan was made');
    expect(
      fleet
        .controller('lb1')
        .objects('/api/cloud/')
        .map(({ mtu }) => mtu),
    ).to.deep.equal([8000]);
  });

  it('does not update an object that is created between its read and its write', async () => {
    await project.write('site.yml', '- hosts: lb1\n  tasks: [{ cloud_present: { name: first, mtu: 1400 } }]\n');
    await plan();
    fleet.controller('lb1').watch = async (moment, { method }) => {
      if (moment !== 'received' || method !== 'POST') return;
      fleet.controller('lb1').watch = undefined;
      await change('lb1', 'first');
    };
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(5);
    expect(stdout).to.include('stale: cloud "first" was changed since the plan was made');
    expect(written('lb1')).to.deep.equal(['POST first']);
  });

  for (const changed of ['first', 'x'])
    it(`overwrites no change to "${changed}" between the two writes of each of two objects`, async () => {
      await project.write(
        'site.yml',
        `- hosts: fleet
  tasks:
    - cloud_present: { name: first, mtu: 1400 }
    - cloud_present: { name: x, mtu: 1400 }
    - cloud_present: { name: between }
    - cloud_present: { name: first, dhcp_enabled: true }
    - cloud_present: { name: x, dhcp_enabled: true }
`,
      );
      await plan();
      fleet.controller('lb1').watch = async (moment, { method, body }) => {
        if (moment !== 'carried out' || method !== 'POST' || !body.includes('between')) return;
        fleet.controller('lb1').watch = undefined;
        await change('lb1', changed);
      };
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(5);
      expect(stdout).to.include(`stale: cloud "${changed}" was changed since the plan was made`);
      const all = ['POST first', 'POST x', 'POST between', 'PUT first', 'PUT x'];
      expect(written('lb1')).to.deep.equal(all.slice(0, changed === 'first' ? 3 : 4));
      for (const name of ['lb2', 'lb3']) expect(written(name)).to.deep.equal(all);
    });

  for (const isChanged of [false, true])
    it(`knows what it wrote where nothing was planned, and ${isChanged ? 'overwrites no change to it' : 'goes on'}`, async () => {
      const inPlace = 'when: "made.object.uuid is defined"';
      await project.write(
        'site.yml',
        `- hosts: lb1
  tasks:
    - { cloud_present: { name: new }, register: made }
    - { cloud_present: { name: x }, ${inPlace} }
    - cloud_present: { name: x, mtu: 1400 }
    - cloud_present: { name: between }
    - { cloud_present: { name: x, dhcp_enabled: true }, ${inPlace} }
`,
      );
      await plan();
      fleet.controller('lb1').watch = async (moment, { method, body }) => {
        if (!isChanged || moment !== 'carried out' || method !== 'POST' || !body.includes('between')) return;
        fleet.controller('lb1').watch = undefined;
        await change('lb1', 'x');
      };
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(isChanged ? 5 : 0);
      const all = ['POST new', 'POST x', 'PUT x', 'POST between', 'PUT x'];
      expect(written('lb1')).to.deep.equal(isChanged ? all.slice(0, 4) : all);
    });

  it('narrows to a part of its controllers', async () => {
    await plan();
    expect((await run('apply', 'site.plan', '-l', 'lb3')).code).to.equal(0);
    expect(fleet.names.map((name) => written(name).length)).to.deep.equal([0, 0, 5]);
  });

  it('leaves out controllers that could not be planned', async () => {
    const fails = '- hosts: lb2\n  tasks: [{ fail: }]\n';
    await project.write('site.yml', SITE + fails);
    const { code, stdout } = await run(...PLAN);
    expect(code, stdout).to.equal(2);
    expect(stdout).to.include(
      '2 of 3 controllers would change; the plan is in site.plan\nnot in the plan, because they failed or did not finish: lb2\n',
    );
    const text = (await run('plan', 'show', 'site.plan')).stdout.split('\n');
    expect(text.filter((line) => / on \d+ of |^not in the plan/.test(line))).to.deep.equal([
      '10 changes on 2 of 2 controllers',
      'not in the plan: lb2 (failed)',
    ]);
    const applied = await run('apply', 'site.plan');
    expect(applied.code, applied.stderr).to.equal(0);
    expect(fleet.names.map((name) => written(name).length)).to.deep.equal([5, 0, 5]);
  });

  it('leaves out controllers that it could not read, whatever their tasks ignore', async () => {
    const tasks = '[{ cloud_present: { name: first } }, { cloud_present: { name: more } }]';
    await project.write('site.yml', `- { hosts: fleet, ignore_unreachable: true, tasks: ${tasks} }\n`);
    fleet.controller('lb2').behaviour = { faults: [{ type: 'drop' }] };
    const { code, stdout } = await run(...PLAN, '-e', 'controller_patience=0');
    expect(code, stdout).to.equal(4);
    expect(stdout).to.include(
      '2 of 3 controllers would change; the plan is in site.plan\nnot in the plan, because they failed or did not finish: lb2\n',
    );
    expect((await run('plan', 'show', 'site.plan')).stdout).to.include('\nnot in the plan: lb2 (unreachable)\n');
    expect((await run(...PLAN.slice(0, -2), '-e', 'controller_patience=0')).code).to.equal(4);
    // A playbook that looks first, and leaves such controllers out, is planned as it runs.
    const looks = '[{ ping: , register: there }, { meta: end_host, when: there is unreachable }]';
    await project.write('site.yml', `- { hosts: fleet, ignore_unreachable: true, tasks: ${looks} }\n`);
    const looked = await run(...PLAN, '-e', 'controller_patience=0');
    expect(looked.code, looked.stdout).to.equal(0);
    expect(looked.stdout).to.not.include('not in the plan');
  });

  it('leaves out controllers that a failure of another one stopped in the middle', async () => {
    const tasks = '[{ cloud_present: { name: first } }, { fail: , when: "inventory_hostname == \'lb1\'" }]';
    const rest = '- hosts: lb2\n  tasks: [{ cloud_present: { name: more } }]\n';
    await project.write(
      'site.yml',
      `- hosts: fleet\n  strategy: linear\n  any_errors_fatal: true\n  tasks: ${tasks}\n${rest}`,
    );
    const { code, stdout } = await run(...PLAN);
    expect(code, stdout).to.equal(2);
    expect(stdout)
      .to.include('1 of 3 controllers would change; the plan is in site.plan')
      .and.to.include('did not finish: lb1, lb2\n');
    expect((await run('plan', 'show', 'site.plan')).stdout).to.include(
      'not in the plan: lb1 (failed), lb2 (cut off)\n',
    );
    await run('apply', 'site.plan');
    expect(fleet.names.map(written)).to.deep.equal([[], [], ['POST first']]);
  });

  it('has the forks of a run that writes', async () => {
    const forks = async (...args: readonly string[]): Promise<unknown> =>
      (
        JSON.parse((await run('apply', 'site.plan', '-o', 'json', ...args)).stdout.split('\n', 1)[0] ?? '') as {
          forks: number;
        }
      ).forks;
    await plan();
    expect(await forks()).to.equal(50);
    await plan('-f', '7');
    expect([await forks(), await forks('-f', '8')]).to.deep.equal([7, 8]);
  });

  it('needs a state folder for its key', async () => {
    const env = { EVENKEEL_STATE_DIR: '/proc/none' };
    const { code, stderr } = await evenkeel([...PLAN], { cwd: project.directory, env });
    expect([code, stderr]).to.deep.equal([
      1,
      'error: cannot read or create the key in /proc/none: no such file or directory\n  = hint: state_dir in evenkeel.yml, or EVENKEEL_STATE_DIR, names another folder\n\n1 error\n',
    ]);
  });

  it('names as many of them as a line of a log holds', async () => {
    await project.write('site.yml', '- hosts: all\n  tasks: [{ fail: , when: "inventory_hostname != \'lb1\'" }]\n');
    const names = Array.from({ length: 12 }, (_, index) => `lb${index + 10}.controllers.madrid.example.com`);
    const { stdout } = await run('plan', 'site.yml', '-i', [...names, 'lb1'].join(','), '--out', 'long.plan');
    const [line = ''] = stdout.split('\n').filter((one) => one.startsWith('not in the plan'));
    expect(line).to.match(/: lb10\.controllers\.madrid\.example\.com, .* and \d+ more$/);
    expect(line.length).to.be.at.most(160);
  });

  it('leaves out only the controller whose file of variables cannot be read', async () => {
    await project.write(
      'site.yml',
      '- hosts: fleet\n  tasks: [{ include_vars: "{{ inventory_hostname }}.yml" }, { cloud_present: { name: x, mtu: "{{ mtu }}" } }]\n',
    );
    for (const [name, text] of [
      ['lb1', 'mtu: 1401'],
      ['lb2', 'mtu: ['],
      ['lb3', 'mtu: 1403'],
    ] as const)
      await project.write(`${name}.yml`, text);
    const { code, stdout } = await run(...PLAN);
    expect(code, stdout).to.equal(2);
    expect(stdout)
      .to.include('2 of 3 controllers would change; the plan is in site.plan')
      .and.to.include('not in the plan, because they failed or did not finish: lb2\n');
  });

  describe('for two names of one controller', () => {
    const edge = () => fleet.controller('lb1').objects('/api/cloud/')[0];
    beforeEach(async () => {
      fleet.controller('lb1').setObjects('/api/cloud/', [{ name: 'x', uuid: 'cloud-x', mtu: 1400 }]);
      const inventory = fleet.inventory.replace(fleet.url('lb2'), fleet.url('lb1'));
      await project.write(
        'inventory.yml',
        inventory.replaceAll(/^( *lb[12]: .*) }$/gm, '$1, controller_shared: true }'),
      );
      await project.write(
        'site.yml',
        `- { hosts: lb1, tasks: [{ cloud_present: { name: x, mtu: 9000 } }] }
- { hosts: lb2, tasks: [{ cloud_present: { name: x, properties: { note: two } } }] }
`,
      );
      await plan();
    });

    it('knows that the run itself has changed it', async () => {
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(0);
      expect(edge()).to.deep.include({ mtu: 9000, properties: { note: 'two' } });
    });

    it('shows what both declare once, and makes it once', async () => {
      const tasks = '[{ cloud_present: { name: y, mtu: 9000 } }, { cloud_absent: { name: x } }]';
      await project.write('site.yml', `- { hosts: 'lb1,lb2', tasks: ${tasks} }\n`);
      await plan();
      const { stdout } = await run('plan', 'show', 'site.plan', '--json');
      const { controllers } = JSON.parse(stdout) as { controllers: Record<string, readonly { planned: string }[]> };
      const planned = Object.values(controllers).flatMap((steps) => steps.map((step) => step.planned));
      expect(planned.sort()).to.deep.equal(['create', 'delete', 'none', 'none']);
      const applied = await run('apply', 'site.plan');
      expect(applied.code, applied.stdout).to.equal(0);
      expect(
        fleet
          .controller('lb1')
          .objects('/api/cloud/')
          .map(({ name }) => name),
      ).to.deep.equal(['y']);
    });

    it('makes nothing that is planned only for a name that is left out of the plan, or of the apply', async () => {
      const tasks = "[{ cloud_absent: { name: x } }, { fail: , when: inventory_hostname == 'lb1' and left_out }]";
      await project.write('site.yml', `- { hosts: 'lb1,lb2', strategy: linear, tasks: ${tasks} }\n`);
      for (const [isLeftOut, limit] of [
        [true, ''],
        [false, 'lb2'],
      ] as const) {
        await run(...PLAN, '-e', JSON.stringify({ left_out: isLeftOut }));
        const { code, stdout } = await run('apply', 'site.plan', ...(limit === '' ? [] : ['--limit', limit]));
        expect(code, stdout).to.equal(5);
        expect(stdout).to.include(
          'stale: cloud "x" would be deleted, which the plan does not show, and the apply leaves out hosts of the same controller (lb1); nothing more is written',
        );
        expect(edge()).to.deep.include({ name: 'x' });
      }
    });

    it('writes nothing under either name if someone else has changed it', async () => {
      await change('lb1', 'x');
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(5);
      expect([edge()?.['mtu'], edge()?.['properties']]).to.deep.equal([8000, undefined]);
    });
  });

  it('runs in its place what cannot be planned, and lists it', async () => {
    const tasks = `- name: Raw
  api_request: { method: POST, path: /api/cloud/, body: { name: raw } }
- name: Wait
  pause: { seconds: 0 }
- name: After
  cloud_present: { name: after }
`;
    await project.write('site.yml', `- hosts: fleet\n  tasks:\n${tasks.replaceAll(/^/gm, '    ')}`);
    expect((await plan()).stdout).to.include(
      '2 tasks cannot be planned: what they do is known when the plan is applied (evenkeel plan show site.plan)',
    );
    const { stdout } = await run('plan', 'show', 'site.plan');
    expect(stdout).to.include('cannot be planned, runs in its place: Raw (api_request), on lb1, lb2, lb3');
    expect(stdout)
      .to.include('cannot be planned, runs in its place: Wait (pause)')
      .and.include('\n3 changes on 3 of 3 controllers\n')
      .and.not.include('not in the plan');
    expect((await run('apply', 'site.plan')).code).to.equal(0);
    expect(written('lb1')).to.deep.equal(['POST raw', 'POST after']);
  });

  it('never guesses what only a write makes known', async () => {
    const tasks = `- name: New
  cloud_present: { name: new, mtu: 1400 }
  register: made
- name: Field
  cloud_present: { name: field, properties: { was: "{{ made.object.uuid }}", mtu: "{{ made.object.mtu }}" } }
- name: Condition
  cloud_present: { name: condition }
  when: made.object.uuid is search('cloud')
- name: Each
  cloud_present: { name: "{{ item }}" }
  loop: ["{{ made.object.name }}x", "{{ made.object.vtype }}"]
- name: Flags
  cloud_present: { name: flags }
  ignore_errors: "{{ made.object.uuid is search('none') }}"
  delegate_facts: "{{ made.object.uuid is search('none') }}"
  throttle: "{{ made.object.uuid | length }}"
  timeout: "{{ made.object.uuid | length }}"
  retries: "{{ made.object.uuid | length }}"
  delay: "{{ made.object.uuid | length }}"
  delegate_to: lb1
`;
    await project.write('site.yml', `- hosts: lb1\n  tasks:\n${tasks.replaceAll(/^/gm, '    ')}`);
    expect((await plan()).stdout).to.include('lb1  Flags: would create');
    const { stdout } = await run('plan', 'show', 'site.plan');
    expect(stdout).to.include('was: "(known after apply)"');
    expect(stdout).to.include('mtu: 1400');
    for (const name of ['Condition', 'Each']) expect(stdout).to.include(`runs in its place: ${name} (cloud_present)`);
    expect(stdout).to.include('diff of Flags').and.not.include('Flags (');
    const { code, stdout: shown } = await run('apply', 'site.plan');
    expect(code, shown).to.equal(0);
    const names = ['new', 'field', 'condition', 'newx', 'CLOUD_NONE', 'flags'];
    expect(written('lb1')).to.deep.equal(names.map((name) => `POST ${name}`));
    const field = sent('lb1').find(({ body }) => body.includes('"field"'));
    expect(field?.body).to.match(/"was":"cloud-/);
  });

  it('has the step of each controller if only apply knows whether one runs it for all', async () => {
    const made = '    - { name: Made, cloud_present: { name: made }, register: made }\n';
    const task = (name: string): string =>
      `    - { cloud_present: { name: ${name} }, run_once: "{{ made.object.uuid is search('${name}') }}" }\n`;
    await project.write('site.yml', `- hosts: fleet\n  tasks:\n${made}${task('cloud')}${task('each')}`);
    await plan();
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(0);
    expect(written('lb1')).to.deep.equal(['POST made', 'POST cloud', 'POST each']);
    expect(written('lb2')).to.deep.equal(['POST made', 'POST each']);
  });

  it('shows where an argument is written that apply cannot fill in', async () => {
    const made = '- cloud_present: { name: new }\n  register: made\n';
    const tasks = [
      'cloud_present: { name: field, properties: { was: "{{ made.object.nothing }}" } }',
      'debug: { msg: "{{ made.object.nothing }}" }',
      'api_request: { method: POST, path: "/api/{{ made.object.nothing }}" }',
    ];
    for (const [index, task] of tasks.entries()) {
      await project.write(
        'site.yml',
        `- hosts: lb${index + 1}\n  tasks:\n${`${made}- ${task}\n`.replaceAll(/^(?=.)/gm, '    ')}`,
      );
      await plan();
      const { stdout } = await run('apply', 'site.plan');
      const place = `--> site.yml:5:${6 + task.indexOf('"') + 1}`;
      expect(stdout).to.include('has no "nothing"').and.to.include(place);
    }
  });

  it('refuses what it does not have: items that a controller shows only since', async () => {
    const names = "{{ known.json.results | map(attribute='name') }}";
    const loop = `\n      loop: "${names}"\n      ignore_errors: true\n`;
    await project.write(
      'site.yml',
      `- hosts: lb1
  tasks:
    - { api_request: { path: /api/cloud/ }, register: known }
    - cloud_present: { name: "{{ item }}_x" }${loop}    - api_request: { method: POST, path: /api/cloud/, body: { name: "{{ item }}_y" } }${loop}`,
    );
    const there = (...clouds: readonly string[]): void => {
      fleet.controller('lb1').setObjects(
        '/api/cloud/',
        clouds.map((name) => ({ name, uuid: `cloud-${name}` })),
      );
    };
    there('a');
    await plan();
    there('a', 'b');
    const { stdout } = await run('apply', 'site.plan', '-o', 'json');
    expect(written('lb1')).to.deep.equal(['POST a_x', 'POST a_y']);
    const refused = tasksOf(stdout).slice(1);
    expect(refused.map(({ status, message, hint }) => [status, message, hint])).to.deep.equal(
      ['cloud_present', 'api_request'].map((module) => [
        'failed',
        `1 of 2 items failed; item b: ${module} is not in the plan, so it is not carried out`,
        'what runs differs from the run that made the plan: a loop over other items, a rescue, a check of a gate, or run_once on another controller; make a new plan',
      ]),
    );
  });

  it('refuses an include and a notification that depend on what only a write makes known', async () => {
    const again = `- include_tasks: again.yml\n  when: made.object.uuid is search('cloud')\n`;
    const made = '    - cloud_present: { name: new }\n      register: made\n';
    await project.write('again.yml', again);
    await project.write('site.yml', `- hosts: lb1\n  tasks:\n${made}    - include_tasks: again.yml\n`);
    const { code, stdout, stderr } = await run(...PLAN);
    expect(code, stdout).to.equal(2);
    expect(stdout).to.include(
      'failed: "uuid" of cloud "new" is known after apply, and what is included depends on it, so it cannot be planned\n  --> again.yml:1:3',
    );
    expect(stdout).to.include('hint: apply a plan of the tasks before it first (--tags); then plan the rest\n');
    expect(stdout + stderr).to.include('no plan was saved');
    expect(written('lb1')).to.deep.equal([]);
    const unsaved = await run(...PLAN.slice(0, -2));
    expect(unsaved.code, unsaved.stdout).to.equal(2);
    const task = '    - { cloud_present: { name: x }, notify: "{{ made.object.uuid }}" }\n';
    await project.write('site.yml', `- hosts: lb1\n  tasks:\n${made}${task}`);
    const notifying = await run(...PLAN);
    expect(notifying.stdout).to.include(
      'known after apply, and what it notifies depends on it, so it cannot be planned',
    );
    expect((await run('run', ...PLAN.slice(1, -2), '--check')).code).to.equal(0);
    const inner = '{ cloud_present: { name: "{{ item }}" }, register: made }';
    for (const loop of ['[a, b], loop_control: { break_when: made.object.uuid == 1 }', '["{{ made.object.uuid }}"]']) {
      await project.write('site.yml', `- hosts: lb1\n  tasks:\n${made}    - { block: [${inner}], loop: ${loop} }\n`);
      const looped = await run(...PLAN);
      expect(looped.stdout).to.include('known after apply, and what the block does depends on it, so it cannot be');
    }
    await project.write(
      'site.yml',
      `- hosts: lb1\n  tasks:\n${made}    - { meta: end_host, when: made.object.uuid == 1 }\n`,
    );
    expect((await run(...PLAN)).stdout).to.include(
      'known after apply, and what the meta step does depends on it, so it',
    );
  });

  it('has a retried task once', async () => {
    await project.write(
      'site.yml',
      `- hosts: fleet
  tasks:
    - cloud_present: { name: tried }
      register: tried
      until: tried.attempts > 2
      delay: 0
`,
    );
    await plan();
    expect((await run('plan', 'show', 'site.plan')).stdout).to.include('3 changes on 3 of 3 controllers');
    const applied = await run('apply', 'site.plan', '-o', 'lines');
    expect(applied.code, applied.stdout + applied.stderr).to.equal(0);
    expect(fleet.controller('lb1').objects('/api/cloud/')).to.have.lengthOf(1);
  });

  it('shows a plan as text and as JSON', async () => {
    await plan();
    const { stdout } = await run('plan', 'show', 'site.plan');
    expect(stdout).to.include('15 changes on 3 of 3 controllers');
    expect(stdout).to.include(' on 3 controllers: lb1, lb2, lb3\n');
    const { stdout: json } = await run('plan', 'show', 'site.plan', '--json');
    const { controllers } = JSON.parse(json) as {
      controllers: Record<string, { planned: string; because?: string }[]>;
    };
    expect(controllers['lb1']?.map(({ planned }) => planned)).to.deep.equal([
      'create',
      'skip',
      'create',
      'create',
      'create',
      'create',
    ]);
    expect(controllers['lb1']?.[1]?.because).to.equal('mtu | int > 9000');
  });

  it('names the project file in the command that comes next, if it was named, and a file with a dash', async () => {
    await mkdir(path.join(project.directory, 'settings'));
    await project.write('settings/evenkeel.yml', 'state_dir: state\n');
    await project.write(
      'site.yml',
      '- hosts: lb1\n  tasks: [{ cloud_present: { name: a } }, { pause: { seconds: 0 } }]\n',
    );
    const lines = (await plan('--config', 'settings/evenkeel.yml', '--out=-x.plan')).stdout
      .trimEnd()
      .split('\n')
      .slice(-2);
    const file = './-x.plan --config settings/evenkeel.yml';
    expect(lines).to.deep.equal([
      `1 task cannot be planned: what it does is known when the plan is applied (evenkeel plan show ${file})`,
      `to carry it out: evenkeel apply ${file}`,
    ]);
    for (const words of ['plan show', 'apply']) expect((await run(...`${words} ${file}`.split(' '))).code).to.equal(0);
    expect(written('lb1')).to.deep.equal(['POST a']);
  });

  it('says what comes next, also if nothing would change, or the plan cannot be kept', async () => {
    const end = ({ stdout }: Ended, lines: number): readonly string[] => stdout.trimEnd().split('\n').slice(-lines);
    await project.write('site.yml', '- hosts: fleet\n  tasks: [{ debug: }]\n');
    expect(end(await plan(), 2)).to.deep.equal([
      'nothing would change on 3 controllers; the plan is in site.plan',
      'there is nothing to carry out',
    ]);
    expect((await run('plan', 'show', 'site.plan')).stdout).to.include('\nnothing would change on 3 controllers\n');
    expect(end(await run(...PLAN.slice(0, -2)), 1)).to.deep.equal(['nothing would change on 3 controllers']);
    const rescued = 'block: [{ cloud_present: { name: a }, failed_when: true }], rescue: [{ debug: }]';
    await project.write('site.yml', `- hosts: fleet\n  tasks: [{ ${rescued} }]\n`);
    const changing = await run(...PLAN, '--detailed-exitcode');
    expect([changing.code, end(changing, 2)[0]]).to.deep.equal([
      3,
      '3 of 3 controllers would change; the plan is in site.plan',
    ]);
    await project.write('site.yml', '- hosts: fleet\n  tasks: [{ cloud_present: { name: hidden }, no_log: true }]\n');
    expect(end(await plan(), 2)).to.deep.equal([
      '3 of 3 controllers would change; the plan is in site.plan',
      'to carry it out: evenkeel apply site.plan',
    ]);
    expect((await run('plan', 'show', 'site.plan')).stdout).to.include(
      '\nmasked by no_log: cloud_present, on lb1, lb2, lb3\n',
    );
    const { id } = readPlanHeader(path.join(project.directory, 'site.plan'));
    await project.write(`.evenkeel/plans/${id}.plan/in the way`, '');
    const { code, stderr } = await run('apply', 'site.plan');
    expect([code, fleet.names.flatMap(written)]).to.deep.equal([1, []]);
    expect(stderr).to.match(/^error: cannot copy the plan to \S*\.evenkeel\/plans, where a resume would need it: .+\n/);
    await rm(path.join(project.directory, '.evenkeel/plans'), { recursive: true });
    await project.write('.evenkeel/plans', '');
    expect((await run('apply', 'site.plan')).stderr).to.match(
      /^error: cannot copy the plan to \S*\.evenkeel\/plans, where a resume would need it: not a directory\n/,
    );
  });

  it('counts what apply would write, whatever changed_when says, and nothing of a task that never writes', async () => {
    const cloud = 'cloud_present: { name: edge, mtu: 9000 }';
    const nothing = 'nothing would change on 3 controllers';
    for (const [task, code, said, shown] of [
      [`${cloud}, changed_when: false`, 3, '3 of 3 controllers would change', '3 changes on 3 of 3 controllers'],
      ['debug: , changed_when: true', 0, nothing, nothing],
      [`${cloud}, check_mode: true`, 0, nothing, nothing],
    ] as const) {
      await project.write('site.yml', `- hosts: fleet\n  tasks: [{ ${task} }]\n`);
      const made = await run(...PLAN, '--detailed-exitcode');
      expect([task, made.code, made.stdout.includes(`${said}; the plan is in site.plan\n`)]).to.deep.equal([
        task,
        code,
        true,
      ]);
      const unsaved = await run(...PLAN.slice(0, -2), '--detailed-exitcode');
      expect([unsaved.code, unsaved.stdout.endsWith(`${said}\n`)]).to.deep.equal([code, true]);
      expect((await run('plan', 'show', 'site.plan')).stdout).to.include(`\n${shown}\n`);
      if (task.includes('check_mode'))
        expect((await run('plan', 'show', 'site.plan', '--json')).stdout).to.include('"planned":"none"');
      const { code: applied, stdout } = await run('apply', 'site.plan');
      expect(applied, stdout).to.equal(0);
      expect(fleet.names.flatMap(written)).to.have.length(3);
    }
  });

  it('counts what cannot be planned as something to carry out, but not a pause', async () => {
    const nothing = 'nothing would change on 3 controllers';
    const raw = 'api_request: { method: POST, path: /api/cloud/, body: { name: edge } }';
    const known = 'what would change on 3 of 3 controllers is known when the plan is applied';
    for (const [tasks, code, said, shown, next, writes] of [
      [`{ ${raw} }`, 3, '3 of 3 controllers would change', known, 'to carry it out: evenkeel apply site.plan', 3],
      [
        '{ ansible.builtin.pause: { seconds: 0 } }, { debug: , changed_when: true }, { cloud_present: { name: new }, check_mode: true }',
        0,
        nothing,
        nothing,
        'there is nothing to carry out',
        3,
      ],
    ] as const) {
      await project.write('site.yml', `- hosts: fleet\n  tasks: [${tasks}]\n`);
      const made = await run(...PLAN, '--detailed-exitcode');
      const lines = made.stdout.trimEnd().split('\n');
      expect([made.code, lines.at(-3), lines.at(-1)]).to.deep.equal([code, `${said}; the plan is in site.plan`, next]);
      const unsaved = await run(...PLAN.slice(0, -2), '--detailed-exitcode');
      expect([unsaved.code, unsaved.stdout.endsWith(`${said}\n`)]).to.deep.equal([code, true]);
      expect((await run('plan', 'show', 'site.plan')).stdout).to.include(`\n${shown}\n`);
      const { code: applied, stdout } = await run('apply', 'site.plan');
      expect(applied, stdout).to.equal(0);
      expect(fleet.names.flatMap(written)).to.have.length(writes);
    }
  });

  it('counts a task that only downloads as none, and each controller that only apply decides once', async () => {
    const download = '{ file_download: { path: /api/cloud/, dest: "{{ inventory_hostname }}.json" } }';
    await project.write('site.yml', `- hosts: fleet\n  tasks: [${download}]\n`);
    const backup = await run(...PLAN, '--detailed-exitcode');
    expect([backup.code, backup.stdout.includes('there is nothing to carry out')]).to.deep.equal([0, true]);
    const shown = (await run('plan', 'show', 'site.plan')).stdout;
    expect(shown).to.include('\nnothing would change on 3 controllers\n').and.to.include('runs in its place: ');
    const first = (module: string, host: string): string => `{ ${module}, when: inventory_hostname == '${host}' }`;
    const raw = 'api_request: { method: POST, path: /api/cloud/, body: { name: edge } }';
    const [lb1 = '', lb2 = ''] = fleet.names;
    await project.write(
      'site.yml',
      `- hosts: fleet\n  tasks: [${first('cloud_present: { name: new }', lb1)}, ${first(raw, lb2)}]\n`,
    );
    expect((await run(...PLAN)).stdout).to.include('2 of 3 controllers would change');
    expect((await run('plan', 'show', 'site.plan')).stdout).to.include(
      '\n1 change on 1 of 3 controllers; what would change on 1 more is known when the plan is applied\n',
    );
  });

  it('shows each change of a loop', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `edge-${at}`);
    await project.write(
      'site.yml',
      `- hosts: lb1\n  tasks: [{ cloud_present: { name: "{{ item }}" }, loop: [${names.join()}] }]\n`,
    );
    await plan();
    const { stdout } = await run('plan', 'show', 'site.plan');
    expect(stdout).to.include('12 changes on 1 of 1 controller');
    for (const name of names) expect(stdout).to.include(`cloud "${name}" (new) on lb1`);
    expect(stdout).to.not.include('--diff');
  });

  it('refuses a plan that was changed, cut off, or made in another project; nothing is contacted', async () => {
    await plan();
    forget();
    const file = path.join(project.directory, 'site.plan');
    const whole = await readFile(file);
    const step = Math.floor(whole.length / 40);
    for (let at = 0; at < whole.length; at += step) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(file, changed);
      const { code, stdout, stderr } = await run('apply', 'site.plan');
      expect(code, `byte ${at}: ${stdout}${stderr}`).to.equal(1);
    }
    for (const part of [whole.subarray(0, -1), Buffer.concat([whole, Buffer.from('x')]), Buffer.alloc(0)]) {
      await writeFile(file, part);
      expect((await run('apply', 'site.plan')).code).to.equal(1);
    }
    const other = await emptyProject({ 'site.yml': SITE, 'more.yml': MORE, was: '', 'inventory.yml': fleet.inventory });
    await writeFile(path.join(other.directory, 'site.plan'), whole);
    const foreign = await evenkeel(['apply', 'site.plan'], { cwd: other.directory });
    await other.remove();
    expect(foreign.code).to.equal(1);
    expect(foreign.stderr).to.include('there is no key');
    expect(fleet.names.flatMap(sent)).to.deep.equal([]);
  });

  it('lets only a plan write in an environment with require_plan', async () => {
    await project.write('evenkeel.yml', 'environments: { live: { inventory: inventory.yml, require_plan: true } }\n');
    const direct = await run('run', 'site.yml', '-E', 'live', '-e', 'mtu=1400');
    expect(direct.code).to.equal(1);
    expect(direct.stderr).to.include('make one with "evenkeel plan … --out FILE", then "evenkeel apply FILE"');
    expect((await run('plan', 'site.yml', '-E', 'live', '-e', 'mtu=1400', '--out', 'site.plan')).code).to.equal(0);
    expect((await run('apply', 'site.plan')).code).to.equal(0);
    expect(written('lb1')).to.deep.equal(ALL);
  });

  it('is finished by a resume after it was killed', async () => {
    await plan();
    const cut = await cutOff(['apply', 'site.plan', '-f', '1'], {
      cwd: project.directory,
      fleet,
      controller: 'lb2',
      nth: 2,
      signal: 'SIGKILL',
    });
    expect(cut.code).to.equal(null);
    await project.write('site.yml', 'no playbook');
    await rm(path.join(project.directory, 'site.plan'));
    const { code, stdout } = await run('resume', 'last', '-o', 'json');
    expect(code, stdout).to.equal(0);
    for (const name of fleet.names) expect(written(name)).to.deep.equal(ALL);
  });

  it('is stale when it is resumed if what it wrote before it was killed has changed since', async () => {
    await project.write(
      'site.yml',
      `- hosts: lb2
  tasks:
    - cloud_present: { name: first, mtu: 1400 }
    - cloud_present: { name: x }
    - cloud_present: { name: first, dhcp_enabled: true }
`,
    );
    await plan();
    await cutOff(['apply', 'site.plan'], {
      cwd: project.directory,
      fleet,
      controller: 'lb2',
      nth: 2,
      signal: 'SIGKILL',
    });
    await change('lb2', 'first');
    const { code, stdout } = await run('resume', 'last');
    expect(code, stdout).to.equal(5);
    expect(stdout).to.include('stale: cloud "first" was changed since the plan was made');
    expect(written('lb2')).to.deep.equal(['POST first', 'POST x']);
  });

  it('is stale when it is resumed if the object of an unknown write is neither as before nor as planned', async () => {
    await project.write('site.yml', '- hosts: lb2\n  tasks:\n    - cloud_present: { name: first, mtu: 1400 }\n');
    await change('lb2', 'first');
    await plan();
    await cutOff(['apply', 'site.plan'], {
      cwd: project.directory,
      fleet,
      controller: 'lb2',
      nth: 1,
      signal: 'SIGKILL',
    });
    await change('lb2', 'first');
    const { code, stdout } = await run('resume', 'last');
    expect(code, stdout).to.equal(5);
    expect(written('lb2')).to.deep.equal(['PUT first']);
  });

  it('can be rolled back', async () => {
    await change('lb1', 'first');
    await plan();
    expect((await run('apply', 'site.plan')).code).to.equal(0);
    const back = await run('rollback', 'last', '--yes', '-o', 'json');
    expect(tasksOf(back.stdout).some(({ status }) => status === 'changed')).to.equal(true);
  });

  it('covers controllers that are added during the run', async () => {
    const adds = '- hosts: lb1\n  tasks: [{ add_host: { name: lb3, groups: fresh } }]\n';
    await project.write('site.yml', `${adds}- hosts: fresh\n  tasks: [{ cloud_present: { name: added } }]\n`);
    await plan();
    expect((await run('plan', 'show', 'site.plan')).stdout).to.include('1 change on 1 of 2 controllers');
    expect((await run('apply', 'site.plan')).code).to.equal(0);
    expect(written('lb3')).to.deep.equal(['POST added']);
  });

  it('writes nothing for others to a controller that is stale', async () => {
    const play = '- hosts: fleet\n  serial: 1\n  order: reverse_inventory\n  tasks:\n';
    const tasks = `    - cloud_present: { name: own }
    - cloud_present: { name: "for_{{ inventory_hostname }}" }
      delegate_to: lb3
    - api_request: { method: POST, path: /api/cloud/, body: { name: raw } }
      delegate_to: lb3
      ignore_errors: true
`;
    await project.write('site.yml', play + tasks);
    await plan();
    await change('lb3', 'own');
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(5);
    expect(fleet.names.map(written)).to.deep.equal([['POST own'], ['POST own'], []]);
    expect(stdout).to.include('would write to a controller that has changed since the plan was made');
  });

  it('keeps a run with a stale controller readable: it can be rolled back', async () => {
    for (const name of fleet.names)
      fleet.controller(name).setObjects('/api/cloud/', [{ name: 'first', uuid: 'cloud-first', mtu: 1200 }]);
    await plan();
    await change('lb1', 'first');
    expect((await run('apply', 'site.plan')).code).to.equal(5);
    const { code, stderr } = await run('rollback', 'last', '--yes');
    expect(code, stderr).to.equal(0);
    const [first] = fleet.controller('lb2').objects('/api/cloud/');
    expect(first?.['mtu']).to.equal(1200);
  });

  it('rescues no controller that is stale', async () => {
    const block = 'block: [{ cloud_present: { name: x } }]\n      rescue: [{ cloud_present: { name: y } }]';
    const always = 'always: [{ cloud_present: { name: told } }]';
    await project.write('site.yml', `- hosts: lb1\n  tasks:\n    - ${block}\n      ${always}\n`);
    await plan();
    await change('lb1', 'x');
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(5);
    expect(written('lb1')).to.deep.equal([]);
    expect(stdout).to.include('failed=1   skipped=0   rescued=0');
    expect(stdout).to.include('hint: find out what changed it, and make a new plan for this controller');
  });

  it('brings no controller back that is stale', async () => {
    const play = (...tasks: readonly string[]): string =>
      `- hosts: fleet\n  strategy: linear\n  tasks: [${tasks.join(', ')}]\n`;
    const first = play('{ cloud_present: { name: x } }', '{ meta: clear_host_errors }');
    await project.write('site.yml', first + play('{ debug: { msg: later } }'));
    await plan();
    await change('lb1', 'x');
    const { code, stdout } = await run('apply', 'site.plan', '-o', 'lines');
    expect(code, stdout).to.equal(5);
    expect(stdout.match(/lb\d(?= +debug: later)/g)).to.deep.equal(['lb2', 'lb3']);
  });

  it('ends the batch, and loses only one controller, if what runs once is stale', async () => {
    const tasks = '[{ cloud_present: { name: x }, run_once: true }, { cloud_present: { name: y } }]';
    await project.write(
      'site.yml',
      `- hosts: fleet\n  tasks: ${tasks}\n- hosts: fleet\n  tasks: [{ cloud_present: { name: z } }]\n`,
    );
    await plan();
    await change('lb1', 'x');
    const { code, stdout } = await run('apply', 'site.plan', '-o', 'json');
    expect(code, stdout).to.equal(5);
    expect(fleet.names.flatMap(written)).to.deep.equal([]);
    expect(finishedOf(stdout).unstarted).to.deep.equal(['lb2', 'lb3']);
    expect(finishedOf(stdout).reason).to.equal('"cloud_present" was stale on lb1, which run_once makes fatal for all');
  });

  it('shows no secrets of conditions and titles', async () => {
    const password = 'wordy-9xQ2';
    const asked = `when: db_password == '${password}'\n      changed_when: "'${password}' != ''"`;
    const task = `- name: with ${password}\n      api_request: { method: POST, path: /api/cloud/ }\n      ${asked}`;
    await project.write(
      'site.yml',
      `- hosts: lb1\n  name: as ${password}\n  vars: { db_password: ${password} }\n  tasks:\n    ${task}\n`,
    );
    await plan();
    for (const option of [[], ['--json']]) {
      const { code, stdout } = await run('plan', 'show', 'site.plan', ...option);
      expect(code).to.equal(0);
      expect(stdout).to.include('with ****').and.to.not.include(password);
    }
  });

  it('overwrites nothing but plans, and what a killed run has left is no obstacle', async () => {
    await plan();
    await plan();
    for (const [file, why] of [
      ['site.yml', 'site.yml exists and is not a plan, so it is not overwritten'],
      ['.', 'it is a folder'],
      ['no/such.plan', 'cannot write the plan'],
    ] as const) {
      forget();
      const { code, stderr } = await run(...PLAN, '--out', file);
      expect(code, stderr).to.equal(1);
      expect(stderr).to.include(why);
      expect(fleet.names.flatMap(sent)).to.deep.equal([]);
    }
    await project.write('.site.plan.new', 'left');
    await plan();
    expect((await readdir(project.directory)).filter((name) => name.startsWith('.site.plan'))).to.have.length(1);
  });

  it('leaves no draft if the process exits while the plan is made', async () => {
    const leaves =
      "import { defineAction, Type } from 'evenkeel';\nexport default defineAction({ name: 'leaves', summary: 'x', args: Type.Object({}), examples: [], check: true, run: () => process.exit() });\n";
    await project.write('modules/leaves.ts', leaves);
    await project.write('site.yml', '- hosts: lb1\n  tasks: [{ leaves: }]\n');
    const { code, stderr } = await builtEvenkeel(PLAN, { cwd: project.directory });
    expect(code, stderr).to.equal(13);
    expect((await readdir(project.directory)).filter((name) => name.includes('site.plan'))).to.deep.equal([]);
  });

  it('saves no plan if nothing could be planned', async () => {
    await project.write('site.yml', '- hosts: fleet\n  tasks: [{ fail: }]\n');
    const { code, stdout } = await run(...PLAN);
    expect(code).to.equal(2);
    expect(stdout).to.include('no plan was saved: every controller failed, was unreachable or did not finish');
    expect((await readdir(project.directory)).filter((name) => name.includes('site.plan'))).to.deep.equal([]);
    expect((await run(...PLAN.slice(0, -2))).stdout).to.match(
      /\nnothing could be planned: every controller failed, was unreachable or did not finish\n$/,
    );
  });

  it('writes nothing while a plan is made, even if an included task has "check_mode: false"', async () => {
    await project.write('more.yml', '- cloud_present: { name: hidden }\n  check_mode: false\n');
    const include = '- hosts: lb1\n  vars: { file: more.yml }\n  tasks: [{ include_tasks: "{{ file }}" }]\n';
    await project.write('site.yml', include);
    await plan();
    expect(written('lb1')).to.deep.equal([]);
    expect((await run('apply', 'site.plan')).code).to.equal(0);
    expect(written('lb1')).to.deep.equal(['POST hidden']);
  });

  it('refuses a plan in which a task would write while it is made', async () => {
    await project.write('site.yml', '- hosts: fleet\n  tasks: [{ cloud_present: { name: a }, check_mode: false }]\n');
    const { code, stderr } = await run(...PLAN);
    expect(code).to.equal(1);
    expect(stderr).to.include(
      'a task with "check_mode: false" would write while the plan is made\n  = hint: leave it out of the plan (--skip-tags), or remove check_mode\n',
    );
    await project.write(
      'site.yml',
      '- hosts: fleet\n  tasks: [{ cloud_present: { name: a }, check_mode: false, tags: a }, { debug: , check_mode: false }]\n',
    );
    expect((await run(...PLAN)).code).to.equal(1);
    await plan('--skip-tags', 'a');
  });
});
