import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { finishedOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';

const AVI = `all:
  hosts: { lb1: { controller_url: 'https://10.1.0.1' } }
  vars: { controller_dialect: avi, controller_api_version: 22.1.3 }
`;

describe('a plan whose tasks depend on its own writes', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({ 'inventory.yml': AVI });
  });
  afterEach(() => project.remove());

  function run(command: string, ...args: readonly string[]): Promise<Ended> {
    return evenkeel([command, ...args], { cwd: project.directory });
  }

  /** Runs tasks on the simulated controller, which keeps its objects. */
  async function carryOut(command: 'run' | 'plan', tasks: string, ...more: readonly string[]): Promise<Ended> {
    await project.write('site.yml', `- hosts: all\n  tasks:\n${tasks.trim().replaceAll(/^/gm, '    ')}\n`);
    const ended = await run(command, 'site.yml', '-i', 'inventory.yml', '--simulate', ...more);
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    return ended;
  }

  /** The recap of an apply that carries out the whole plan. */
  async function apply(tasks: string): Promise<string> {
    await carryOut('plan', tasks, '--out', 'site.plan');
    const { code, stdout, stderr } = await run('apply', 'site.plan');
    expect(code, stdout + stderr).to.equal(0);
    return stdout;
  }

  for (const [what, more, field] of [
    ['a field', '', 'default_license_tier: ENTERPRISE_WITH_CLOUD_SERVICES'],
    [
      'a list',
      'merge: { dns_configuration.server_list: [addr] }, ',
      'dns_configuration: { server_list: [{ type: V4, addr: 192.0.2.53 }] }',
    ],
  ] as const)
    it(`changes ${what} of an object that exists once, in a tenant that an earlier task creates`, async () => {
      const tasks = `
- tenant_present: { name: blue }
- resource_present: { path: /api/systemconfiguration, tenant: blue, ${more}properties: { ${field} } }
`;
      const checked = await carryOut('run', tasks, '--check');
      expect(checked.stdout)
        .to.match(/would update .*systemconfiguration/)
        .and.not.include('could not be compared');
      expect(await apply(tasks)).to.match(/changed=2/);
      expect((await carryOut('run', tasks)).stdout).to.match(/changed=0/);
    });

  const KNOWN = `
- pool_present: { name: web, default_server_port: 81 }
- pool_present: { name: db, default_server_port: 82 }
- cloud_present: { name: far, vtype: CLOUD_NONE }
`;
  const FACTS = `
- resource_facts: { kind: pool, name: web }
  register: web
- resource_facts: { kind: pool, name: db }
  register: db
`;
  const UUID = (name: string): string => `uuid: "{{ ${name}.objects[0].uuid }}"`;
  const LIST = `
- resource_facts: { path: /api/pool }
  register: all
- debug: { msg: "{{ all.objects | map(attribute='name') | sort | join(' ') }}" }
`;

  for (const [what, tasks, pools] of [
    [
      'its uuid, then its name',
      `- avi_pool: { ${UUID('web')}, description: a }\n- avi_pool: { name: web, default_server_port: 9 }`,
      'db web',
    ],
    [
      'its name, then its uuid',
      `- avi_pool: { name: web, default_server_port: 9 }\n- avi_pool: { ${UUID('web')}, description: a }`,
      'db web',
    ],
    [
      'its name for a time',
      `
- block: [{ avi_pool: { name: tmp } }, { avi_pool: { name: web, description: a } }]
  always: [{ resource_absent: { kind: pool, name: tmp } }]
- avi_pool: { name: db, description: a }`,
      'db web',
    ],
    [
      'its name, and deleted, created and deleted',
      `
- avi_pool: { name: web, state: absent }
- avi_pool: { name: web, default_server_port: 9 }
- avi_pool: { name: web, state: absent }`,
      'db',
    ],
    [
      'its old name after it was renamed, for a new one',
      `- avi_pool: { ${UUID('web')}, name: old }\n- avi_pool: { name: web, default_server_port: 9 }`,
      'db old web',
    ],
    [
      'its new name after it was renamed',
      `
- avi_pool: { ${UUID('web')}, name: old }
- avi_pool: { name: old, description: a }
- avi_pool: { name: old, state: absent }
- avi_pool: { name: db, description: a }`,
      'db',
    ],
    [
      'a name that another had',
      `
- avi_pool: { ${UUID('web')}, name: old }
- avi_pool: { ${UUID('db')}, name: web }
- avi_pool: { name: web, description: a }`,
      'old web',
    ],
    [
      'a name that each of two clouds has once',
      `
- pool_present: { name: x, cloud_ref: /api/cloud?name=Default-Cloud }
- pool_present: { name: x, cloud_ref: /api/cloud?name=far }
- pool_present: { name: x, cloud_ref: /api/cloud?name=Default-Cloud, description: a }
- pool_present: { name: x, cloud_ref: /api/cloud?name=far, description: b }`,
      'db web x x',
    ],
  ] as const)
    it(`changes an object by ${what}`, async () => {
      await carryOut('run', KNOWN);
      await apply(FACTS + tasks.trim());
      expect((await carryOut('run', LIST)).stdout).to.include(`: ${pools}\n`);
    });

  it('does not guess which object has a name that an earlier task takes away or gives', async () => {
    await carryOut('run', KNOWN);
    const tasks = `${FACTS.trim()}
- avi_pool: { ${UUID('web')}, name: old }
- { name: Old name, avi_pool: { name: web, default_server_port: 9 } }
- { name: New name, avi_pool: { name: old, description: a } }
- { name: Other, avi_pool: { name: db, description: a } }`;
    const { stdout } = await carryOut('plan', tasks, '--out', 'site.plan');
    expect(stdout).to.include('2 tasks cannot be planned');
    const shown = await run('plan', 'show', 'site.plan');
    for (const name of ['Old name', 'New name'])
      expect(shown.stdout).to.include(`cannot be planned, runs in its place: ${name} (avi_pool)`);
    const { stdout: checked } = await carryOut('run', tasks, '--check', '-o', 'json');
    for (const name of ['web', 'old'])
      expect(checked).to.include(`which object has the name \\"${name}\\" is known after apply`);
    const applied = await run('apply', 'site.plan');
    expect(applied.code, applied.stdout).to.equal(0);
    for (const line of ['Old name: created pool "web"', 'New name: updated pool "old"', 'Other: updated pool "db"'])
      expect(applied.stdout).to.include(line);
  });

  it('continues after a gate has rolled them back', async () => {
    const monitor = (text: string): string =>
      `- healthmonitor_present: { name: ready, type: HEALTH_MONITOR_TCP, description: ${text} }`;
    await carryOut('run', `${KNOWN.trim()}\n${monitor('closed')}`);
    await project.write(
      'gated.yml',
      `
- hosts: all
  gate:
    on_fail: rollback
    checks:
      - { resource_facts: { kind: healthmonitor, name: ready }, register: ready }
      - assert: { that: "ready.objects[0].description == 'open'" }
  tasks:
    - pool_present: { name: web, default_server_port: 9 }
    - pool_absent: { name: db }
`,
    );
    const planned = await run('plan', 'gated.yml', '-i', 'inventory.yml', '--simulate', '--out', 'site.plan');
    expect(planned.code, planned.stderr).to.equal(0);
    const applied = await run('apply', 'site.plan', '-o', 'json');
    expect(applied.code, applied.stdout).to.equal(6);
    await carryOut('run', monitor('open'));
    const resumed = await run('resume', finishedOf(applied.stdout).run);
    expect(resumed.code, resumed.stdout).to.equal(0);
    expect((await carryOut('run', LIST)).stdout).to.include(': web\n');
  });
});
