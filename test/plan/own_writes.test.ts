import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { finishedOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';

const AVI = `all:
  hosts: { lb1: { controller_url: 'https://10.1.0.1' } }
  vars: { controller_dialect: avi, controller_api_version: 22.1.3 }
`;

const HANDLERS = '  handlers:\n    - { name: Told, debug: { msg: told } }\n';

interface Outcome {
  readonly type: string;
  readonly module?: string;
  readonly status?: string;
  readonly message?: string;
  readonly change?: { readonly kind: string };
}

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
    await project.write('site.yml', `- hosts: all\n  tasks:\n${tasks.trim().replaceAll(/^/gm, '    ')}\n${HANDLERS}`);
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

  it('changes an object that exists once in one tenant, and finds it as it left it in another', async () => {
    const once = (tenant: string): string =>
      `- resource_present: { path: /api/systemconfiguration, ${tenant}properties: { default_license_tier: ENTERPRISE_WITH_CLOUD_SERVICES } }`;
    const tasks = `- tenant_present: { name: blue }\n${once('')}\n${once('tenant: blue, ')}`;
    expect((await carryOut('run', tasks, '--check')).stdout).to.match(/changed=2/);
    expect(await apply(tasks)).to.match(/changed=2/);
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
  const PATCH = (name: string, description: string): string =>
    `api_request: { method: PATCH, path: "/api/pool/{{ ${name}.objects[0].uuid }}", body: { replace: { description: ${description} } } }`;
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
    [
      'its name in one cloud, after it was deleted and created in another',
      `
- pool_absent: { name: web }
- pool_present: { name: web, cloud_ref: /api/cloud?name=far }
- pool_present: { name: web, cloud_ref: /api/cloud?name=Default-Cloud, description: a }
- pool_absent: { name: web, match: { cloud_ref: far } }`,
      'db web',
    ],
    [
      'requests of its own, before and after other tasks',
      `
- ${PATCH('web', 'a')}
- avi_pool: { name: web, default_server_port: 9 }
- ${PATCH('web', 'b')}
- avi_pool: { name: web, description: c }
- api_request: { method: POST, path: /api/pool, body: { name: new } }
- avi_pool: { name: new, description: a }`,
      'db new web',
    ],
  ] as const)
    it(`changes an object by ${what}`, async () => {
      await carryOut('run', KNOWN);
      await apply(FACTS + tasks.trim());
      expect((await carryOut('run', LIST)).stdout).to.include(`: ${pools}\n`);
    });

  /** What each task did, or would do, in their order: its kind of change or its status, and the messages of `debug`. */
  function outcomes({ stdout }: Ended): readonly string[] {
    const events = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Outcome]));
    return events.flatMap(({ type, module, status = '', change, message = '' }) =>
      type !== 'task-finished' ? [] : [module === 'debug' ? message : (change?.kind ?? status)],
    );
  }

  for (const [what, inventory, before, tasks, expected] of [
    [
      'an object that an earlier task deletes, creates or changes',
      AVI,
      KNOWN,
      `
- pool_absent: { name: web }
- { pool_present: { name: web, cloud_ref: Default-Cloud, description: a }, notify: Told }
- { pool_present: { name: web, default_server_port: 9 }, register: web }
- pool_present: { name: web, description: a, cloud_ref: Default-Cloud }
- pool_present: { name: web, cloud_ref: far }
- pool_absent: { name: web, match: { cloud_ref: far } }
- { pool_present: { name: db, default_server_port: 9 }, register: db }
- { pool_present: { name: db, default_server_port: 9 }, register: same }
- debug: { msg: "{{ web.object.description }} {{ db.object.default_server_port }} {{ same.object.default_server_port }}" }
- { pool_absent: { name: db }, register: db }
- debug: { msg: "{{ db.object is none }}" }
- system_config: { dns_configuration: { search_domain: a.example } }
- system_config: { dns_configuration: { search_domain: a.example } }`,
      'delete create update ok create delete update ok a 9 9 delete true update ok told',
    ],
    [
      'what has a name after a rename',
      AVI,
      KNOWN + FACTS.trim(),
      `${FACTS.trim()}
- avi_pool: { ${UUID('web')}, name: old }
- avi_pool: { name: web, default_server_port: 9 }
- avi_pool: { name: old, description: a }
- avi_pool: { ${UUID('web')}, state: absent }
- avi_pool: { ${UUID('db')}, name: old }
- poolgroup_present: { name: both, members: [{ pool_ref: old, ratio: 2 }, { pool_ref: web }] }
- avi_pool: { name: db, state: absent }`,
      'ok ok update create update delete update create ok',
    ],
    [
      'that a task never writes that has check_mode itself',
      AVI,
      KNOWN,
      `
- { pool_present: { name: web, default_server_port: 9 }, check_mode: true, register: web }
- { pool_present: { name: web, default_server_port: 9 }, when: web is changed }
- { pool_present: { name: new }, check_mode: true }
- { poolgroup_present: { name: both, members: [{ pool_ref: new }] }, check_mode: true }
- pool_present: { name: new }
- { pool_present: { name: new }, check_mode: true }
- poolgroup_present: { name: both, members: [{ pool_ref: new }] }`,
      'update update create create create ok create',
    ],
    [
      'an object that an earlier task creates again, without references by name',
      AVI.replace('dialect: avi', 'dialect: generic'),
      '- cloud_present: { name: edge, mtu: 1500 }',
      `
- cloud_absent: { name: edge }
- { cloud_present: { name: edge, mtu: 1500 }, notify: Told }
- cloud_present: { name: edge, match: { mtu: '1500' }, obj_name_prefix: x }
- cloud_present: { name: edge, mtu: 9000 }
- cloud_absent: { name: edge }
- cloud_absent: { name: edge }`,
      'delete create update update delete ok told',
    ],
  ] as const)
    it(`knows in a check and in a plan ${what}`, async () => {
      await project.write('inventory.yml', inventory);
      await carryOut('run', before);
      const checked = await carryOut('run', tasks, '--check', '-o', 'json');
      expect(outcomes(checked).join(' ')).to.equal(expected);
      await carryOut('plan', tasks, '--out', 'site.plan');
      const applied = await run('apply', 'site.plan', '-o', 'json');
      expect([applied.code, outcomes(applied).join(' ')]).to.deep.equal([0, expected], applied.stderr);
    });

  it('does not mean in a check what an earlier task deletes, or one of several objects of a name', async () => {
    await carryOut('run', KNOWN);
    const tasks = `- pool_absent: { name: web }\n- poolgroup_present: { name: both, members: [{ pool_ref: web }] }`;
    await project.write('site.yml', `- hosts: all\n  tasks:\n${tasks.replaceAll(/^/gm, '    ')}\n`);
    const checked = await run('run', 'site.yml', '-i', 'inventory.yml', '--simulate', '--check');
    expect(checked.stdout).to.include('members[0].pool_ref refers to the pool "web", and the controller has none');
    await project.write(
      'site.yml',
      '- hosts: all\n  tasks: [{ pool_present: { name: web, cloud_ref: far } }, { pool_absent: { name: web } }]\n',
    );
    const several = await run('run', 'site.yml', '-i', 'inventory.yml', '--simulate', '--check');
    expect(several.stdout).to.include('2 objects would be named "web"');
  });

  it('means in a check what a task with check_mode would create only if a run that is no check writes it', async () => {
    const checked = async (mode: string, before = ''): Promise<string> => {
      const present = `{ pool_present: { name: new }, vars: { mode: '{{ ansible_check_mode }}' }, check_mode: ${mode} }`;
      const group = '{ poolgroup_present: { name: both, members: [{ pool_ref: new }] } }';
      await project.write('site.yml', `- hosts: all\n  tasks: [${before}${present}, ${group}]\n`);
      return (await run('run', 'site.yml', '-i', 'inventory.yml', '--simulate', '--check')).stdout;
    };
    expect(await checked('true')).to.include('refers to the pool "new", and the controller has none of that name');
    expect(await checked("'{{ mode }}'")).to.match(/changed=2 .* failed=0/);
    for (const { set, mode } of [
      { set: 'set_fact: { dry: "{{ ansible_check_mode }}" }', mode: 'dry' },
      { set: 'debug: { var: ansible_check_mode }, register: dry', mode: 'dry.ansible_check_mode' },
      { set: 'set_fact: { dry: "{{ ansible_check_mode }}" }', mode: 'hostvars.lb1.dry' },
    ])
      expect(await checked(`'{{ ${mode} }}'`, `{ ${set} }, `), mode).to.match(/changed=2 .* failed=0/);
  });

  it('writes nothing in one tenant if something has changed in another, which it may also create', async () => {
    const inBlue = '- pool_present: { name: api, tenant: blue, default_server_port: 82 }';
    const tasks = `- pool_present: { name: web, default_server_port: 82 }\n- tenant_present: { name: blue }\n${inBlue}`;
    expect(await apply(tasks)).to.match(/changed=3/);
    await carryOut('plan', tasks.replaceAll('82', '83'), '--out', 'site.plan');
    await carryOut('run', inBlue.replace('82', '84'));
    const { code, stdout } = await run('apply', 'site.plan');
    expect([code, stdout.includes('changed=0')], stdout).to.deep.equal([5, true]);
    expect(stdout).to.include('stale: pool "api" in tenant "blue" was changed since the plan was made');
  });

  it('does not pass a gate that has no controller left to check', async () => {
    await project.write('inventory.yml', AVI.replace(' } }', " }, lb2: { controller_url: 'https://10.1.0.2' } }"));
    await carryOut('run', '- pool_present: { name: web, default_server_port: 81 }');
    const gated = (serial: string, port: number): string =>
      `- hosts: all\n  serial: ${serial}\n  gate: { checks: [{ ping: }] }\n  tasks: [{ pool_present: { name: web, default_server_port: ${port} } }]\n`;
    await project.write('gated.yml', gated('1', 82));
    await run('plan', 'gated.yml', '-i', 'inventory.yml', '--simulate', '--out', 'site.plan');
    await run(
      'task',
      'lb1',
      '-i',
      'inventory.yml',
      '--simulate',
      '-m',
      'pool_present',
      '-a',
      'name=web default_server_port=83',
    );
    const { code, stdout } = await run('apply', 'site.plan', '-o', 'json');
    expect([code, finishedOf(stdout).reason], stdout).to.deep.equal([
      6,
      'the gate of batch 1 of 2 failed: no controller of it is left to check',
    ]);
    expect(finishedOf(stdout).unstarted).to.deep.equal(['lb2']);
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
