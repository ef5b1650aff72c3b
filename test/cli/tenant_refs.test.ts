import { expect } from 'chai';
import type { Mapping, Value } from '../../src/core/model/values/value.js';
import { builtInKinds, type Field, type Kind, type Structure } from '../../src/kinds/kind_table.js';
import { textOrEmpty } from '../../src/simulator/protocol/exchange.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { needsOthers } from '../rig/needed_objects.js';
import { shareOf } from '../rig/random_seed.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

/** Kinds whose objects belong to a tenant, and can be declared. */
const DECLARED = builtInKinds().names.flatMap((name): readonly Kind[] => {
  const kind = builtInKinds().kind(name);
  if (kind === undefined || kind.single || kind.upload || kind.reported === true || needsOthers(kind.structure))
    return [];
  return kind.structure.fields.has('tenant_ref') ? [kind] : [];
});
const KINDS = shareOf(DECLARED, { change: 3, gate: 3 }, 0);

/** The fields that an object needs, beside its name. */
function required({ required: names, fields }: Structure): Mapping {
  return Object.fromEntries(
    names.flatMap((name) => (name === 'name' ? [] : [[name, sample(fields.get(name))] as const])),
  );
}

function sample(field: Field | undefined): Value {
  const { list = false, structure, choices, type, range, default: usual } = field ?? {};
  if (list) return structure === undefined ? [] : [required(structure)];
  if (structure !== undefined) return required(structure);
  if (usual !== undefined) return usual;
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? (range?.[0] ?? 1) : (choices?.[0] ?? 'text');
}

describe('tenant_ref in the arguments of a task', () => {
  let fleet: Fleet;
  let project: Project;
  /** The same tenant in every form. */
  let forms: readonly string[];

  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi' });
    project = await emptyProject({ 'evenkeel.yml': `inventory: ${fleet.inventoryFile}\n` });
    await play({ tenant_present: { name: 'green' } });
    const controller = fleet.controller('lb1');
    const uuid = textOrEmpty(controller.objects('/api/tenant/').find(({ name }) => name === 'blue')?.['uuid']);
    forms = [
      'blue',
      '/api/tenant?name=blue',
      '/api/tenant/?name=blue',
      `${fleet.url('lb1')}/api/tenant?name=blue`,
      uuid,
      `/api/tenant/${uuid}`,
      `${fleet.url('lb1')}/api/tenant/${uuid}`,
      `/api/tenant/${uuid}#blue`,
    ];
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  const command = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
  const write = (...tasks: readonly Mapping[]): Promise<void> =>
    project.write('p.yml', JSON.stringify([{ hosts: 'all', tasks }]));
  /** The status of each task, which must all succeed. */
  async function play(...tasks: readonly Mapping[]): Promise<readonly string[]> {
    await write(...tasks);
    const { code, stdout, stderr } = await command('run', 'p.yml', '-o', 'json');
    expect(
      code,
      `${stderr}${tasksOf(stdout)
        .map(({ message, hint }) => `${message} ${hint}`)
        .join('\n')}`,
    ).to.equal(0);
    return tasksOf(stdout).map(({ status }) => status);
  }
  const tenantsOf = (path: string, wanted: string): readonly string[] => {
    const controller = fleet.controller('lb1');
    const tenants = new Map(
      controller
        .objects('/api/tenant/')
        .map(({ uuid, name }) => [`/api/tenant/${textOrEmpty(uuid)}`, textOrEmpty(name)]),
    );
    return controller
      .objects(path)
      .filter(({ name }) => name === wanted)
      .map(({ tenant_ref }) => tenants.get(textOrEmpty(tenant_ref)) ?? '')
      .sort();
  };
  const all = (status: string, tasks: readonly unknown[]): readonly string[] => tasks.map(() => status);

  /** A task of one of the modules for a kind: both the module of the kind, and that of the vendor's collection. */
  const present = ({ name }: Kind, at: number, args: Mapping): Mapping =>
    at % 3 === 0
      ? { [`avi_${name}`]: args }
      : at % 3 === 1
        ? { [`${name}_present`]: args }
        : { resource_present: { kind: name, name: args['name'] ?? '', properties: args } };

  it('is where the task acts, for every kind and in every form: it creates, finds again, and is rolled back', async () => {
    expect(KINDS.length).to.be.greaterThan(20);
    const twins = KINDS.map((kind, at) => present(kind, at, { name: 'web', ...required(kind.structure) }));
    expect(await play(...twins)).to.deep.equal(all('changed', KINDS));
    for (const round of [0, 1, 2]) {
      const name = 'web';
      const tasks = KINDS.map((kind, at) =>
        present(kind, at + round, {
          name,
          ...required(kind.structure),
          tenant_ref: forms[(at + round) % forms.length] ?? '',
        }),
      );
      expect(await play(...tasks), `round ${round}`).to.deep.equal(all('changed', KINDS));
      for (const { path } of KINDS) expect(tenantsOf(path, name), path).to.deep.equal(['admin', 'blue']);
      expect(await play(...tasks)).to.deep.equal(all('ok', KINDS));
      expect(await play(...absentIn(round))).to.deep.equal(all('changed', KINDS));
      for (const { path } of KINDS) expect(tenantsOf(path, name), path).to.deep.equal(['admin']);
      const undone = await command('rollback', 'last', '--yes');
      expect(undone.code, undone.stdout + undone.stderr).to.equal(0);
      for (const { path } of KINDS) expect(tenantsOf(path, name), path).to.deep.equal(['admin', 'blue']);
      await play(...absentIn(round));
      expect(await play(...absentIn(round))).to.deep.equal(all('ok', KINDS));
    }
  });

  const absentIn = (round: number): readonly Mapping[] =>
    KINDS.map(({ name: kind }, at) => {
      const tenant_ref = forms[at % forms.length] ?? '';
      return (at + round) % 2 === 0
        ? { [`avi_${kind}`]: { name: 'web', state: 'absent', tenant_ref } }
        : { resource_absent: { kind, name: 'web', match: { tenant_ref } } };
    });

  it('is where the task acts in a check, a plan and a check after it', async () => {
    const tasks = ['green', 'blue'].map((tenant_ref) => ({ pool_present: { name: 'web', tenant_ref } }));
    await write(...tasks);
    const check = await command('run', 'p.yml', '--check', '-o', 'json');
    expect(tasksOf(check.stdout).map(({ status, tenant }) => [status, tenant])).to.deep.equal([
      ['changed', 'green'],
      ['changed', 'blue'],
    ]);
    expect((await command('plan', 'p.yml', '--out', 'plan')).code).to.equal(0);
    const applied = await command('apply', 'plan');
    expect(applied.code, applied.stdout + applied.stderr).to.equal(0);
    expect(tenantsOf('/api/pool/', 'web')).to.deep.equal(['blue', 'green']);
    expect((await command('run', 'p.yml', '--check', '--detailed-exitcode')).code).to.equal(0);
  });

  it('is where avi_api_session looks an object up', async () => {
    const send = (tenant: string): Mapping => ({
      avi_api_session: {
        http_method: 'post',
        path: 'pool',
        data: { name: 'web', tenant_ref: `/api/tenant?name=${tenant}`, description: tenant },
      },
    });
    await play({ pool_present: { name: 'web' } });
    expect(await play(send('blue'), send('green'))).to.deep.equal(['changed', 'changed']);
    expect(await play(send('blue'), send('green'))).to.deep.equal(['ok', 'ok']);
    expect(tenantsOf('/api/pool/', 'web')).to.deep.equal(['admin', 'blue', 'green']);
  });

  describe('refuses a task', () => {
    const refused: readonly (readonly [what: string, task: string, options: readonly string[], message: string])[] = [
      [
        'that names another tenant',
        'pool_present: { name: web, tenant: green, tenant_ref: @ }',
        [],
        'but the task names "green"',
      ],
      [
        'whose controller has another one',
        'resource_present: { kind: pool, name: web, properties: { tenant_ref: @ } }',
        ['-e', 'controller_tenant=admin'],
        'properties.tenant_ref names the tenant "blue", but controller_tenant names "admin"',
      ],
      [
        'of which the vendor’s credentials name another one',
        'avi_pool: { name: web, avi_credentials: { tenant: green }, tenant_ref: @ }',
        [],
        'but the task names "green"',
      ],
      [
        'that names two of them',
        'pool_present: { name: web, tenant_ref: green, match: { tenant_ref: @ } }',
        [],
        'match.tenant_ref names the tenant "blue", but the task names "green"',
      ],
      [
        'that sends an object of another tenant',
        'avi_api_session: { http_method: put, path: pool, tenant: green, data: { name: web, tenant_ref: @ } }',
        [],
        'data.tenant_ref names the tenant "blue", but the task names "green"',
      ],
    ];
    for (const [what, task, options, message] of refused)
      it(`${what}, with the position, before anything is written`, async () => {
        for (const [at, form] of forms.entries()) {
          await project.write(
            'p.yml',
            `- hosts: all
  tasks:
    - ${task.replace('@', JSON.stringify(form))}
`,
          );
          fleet.controller('lb1').clearRequests();
          const { code, stdout, stderr } = await command('run', 'p.yml', ...options);
          expect(code, form).to.not.equal(0);
          expect(stdout + stderr).to.include(message);
          const column = task.indexOf('tenant_ref: @') + 'tenant_ref: '.length + '    - '.length + 1;
          expect(stdout + stderr).to.include(`p.yml:3:${column}`);
          const { requests } = fleet.controller('lb1');
          // Whose uuid it is, only the controller knows.
          if (at < 4 && !what.includes('two')) expect(requests).to.deep.equal([]);
          expect(requests.filter(({ path }) => path.includes('/api/pool'))).to.deep.equal([]);
        }
      });
  });

  it('that does not exist fails, and nothing is written', async () => {
    for (const tenant of ['bleu', '/api/tenant/tenant-00000000-0000-4000-8000-000000000000']) {
      await write({ pool_present: { name: 'web', tenant_ref: tenant } });
      const { code, stdout } = await command('run', 'p.yml');
      expect(code).to.equal(2);
      expect(stdout).to.match(
        /no tenant "bleu"(?:.|\n)*did you mean "blue"|tenant_ref refers to the tenant .* does not have/,
      );
    }
    expect(tenantsOf('/api/pool/', 'web')).to.deep.equal([]);
  });

  it('is only a field where controllers have no tenants', async () => {
    const generic = await startFleet();
    try {
      await write({ pool_present: { name: 'web', tenant_ref: '/api/tenant/t1' } });
      const { code, stdout } = await command('run', 'p.yml', '-i', generic.inventoryFile);
      expect(code, stdout).to.equal(0);
      expect(generic.controller('lb1').objects('/api/pool/')[0]).to.include({ tenant_ref: '/api/tenant/t1' });
    } finally {
      await generic.dispose();
    }
  });
});

describe('an object that another tenant shares', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ dialect: 'avi' });
    project = await emptyProject({
      'evenkeel.yml': `inventory: ${fleet.inventoryFile}
`,
    });
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  async function run(task: Mapping, ...options: readonly string[]): Promise<readonly string[]> {
    await project.write('p.yml', JSON.stringify([{ hosts: 'all', tasks: [task] }]));
    const { stdout } = await evenkeel(['run', 'p.yml', '-o', 'json', ...options], { cwd: project.directory });
    return tasksOf(stdout).map(({ status, message }) => (status === 'failed' ? `failed: ${message ?? ''}` : status));
  }
  const clouds = (): readonly unknown[] =>
    fleet
      .controller('lb1')
      .objects('/api/cloud/')
      .filter(({ name }) => name === 'edge')
      .map(({ mtu }) => mtu);
  const IN_BLUE = ['-e', 'controller_tenant=blue'];
  const edge = (mtu: number, more: Mapping = {}): Mapping => ({
    cloud_present: { name: 'edge', vtype: 'CLOUD_NONE', mtu, ...more },
  });

  it('is not changed or deleted by a task of another tenant', async () => {
    await run(edge(9000));
    expect(await run(edge(9000), ...IN_BLUE)).to.deep.equal(['ok']);
    const [message] = await run(edge(1400), ...IN_BLUE);
    expect(message).to.equal(
      'failed: cloud "edge" belongs to the tenant "admin", and the task acts in "blue", so it was not changed: give the task "tenant: admin", or declare "tenant_ref: blue" to have another one there',
    );
    expect(await run({ cloud_absent: { name: 'edge' } }, ...IN_BLUE)).to.deep.equal(['ok']);
    expect(clouds()).to.deep.equal([9000]);
  });

  for (const more of [{ tenant: 'blue' }, { tenant_ref: 'blue' }])
    it(`is another one for a task with ${JSON.stringify(more)}`, async () => {
      await run(edge(9000));
      expect(await run(edge(1400, more))).to.deep.equal(['changed']);
      expect(await run(edge(1400, more))).to.deep.equal(['ok']);
      expect(await run(edge(1401), ...IN_BLUE)).to.deep.equal(['changed']);
      expect(clouds()).to.deep.equal([9000, 1401]);
      expect(await run({ pool_present: { name: 'web', cloud_ref: 'edge' } }, ...IN_BLUE)).to.deep.equal(['changed']);
      expect(await run({ pool_present: { name: 'web', cloud_ref: 'edge' } }, ...IN_BLUE)).to.deep.equal(['ok']);
    });

  it('has a name in the drift of an object that refers to it', async () => {
    await run({ pool_present: { name: 'web', health_monitor_refs: ['System-HTTP'] } }, ...IN_BLUE);
    await project.write('p.yml', '[{ hosts: all, tasks: [{ pool_present: { name: web, health_monitor_refs: [] } }] }]');
    const { code, stdout } = await evenkeel(['drift', 'p.yml', ...IN_BLUE], { cwd: project.directory });
    expect(code).to.equal(3);
    expect(stdout).to.match(/- {3}- \S+\/api\/healthmonitor\/healthmonitor-[\w-]+#System-HTTP\n/);
  });

  it('is looked up in the tenant that a reference names, and compared by uuid', async () => {
    const monitor = { healthmonitor_present: { name: 'System-Own', type: 'HEALTH_MONITOR_TCP' } };
    await run(monitor);
    await run({ healthmonitor_present: { ...monitor.healthmonitor_present, tenant: 'blue', tenant_ref: 'blue' } });
    const lb1 = fleet.controller('lb1');
    const [ofAdmin = '', ofBlue = ''] = lb1
      .objects('/api/healthmonitor/')
      .flatMap(({ name, uuid }) => (name === 'System-Own' && typeof uuid === 'string' ? [uuid] : []));
    const pool = (more: Mapping, ...options: readonly string[]) =>
      run({ resource_present: { path: '/api/pool', name: 'web', ...more } }, ...IN_BLUE, ...options);
    const named = (tenant: string) => [`/api/healthmonitor?name=System-Own&tenant=${tenant}`];
    const shown = (): string => JSON.stringify(lb1.objects('/api/pool/').map((one) => one['health_monitor_refs']));
    for (const [tenant, uuid] of [
      ['blue', ofBlue],
      ['admin', ofAdmin],
    ] as const) {
      const properties = { health_monitor_refs: named(tenant) };
      expect(await pool({ properties }), tenant).to.deep.equal(['changed']);
      expect(shown()).to.include(`/${uuid}`);
      expect(await pool({ properties }), tenant).to.deep.equal(['ok']);
      expect(await pool({ properties }, '--check'), tenant).to.deep.equal(['ok']);
    }
    const without = (tenant: string) => pool({ without: { health_monitor_refs: named(tenant) } });
    expect([await without('blue'), shown()]).to.deep.equal([['ok'], shown()]);
    expect(shown()).to.include(ofAdmin);
    const matching = (tenant: string) =>
      pool({ match: { health_monitor_refs: named(tenant) }, properties: { enabled: false } }, '--check');
    expect(await matching('admin')).to.deep.equal(['changed']);
    expect(await matching('blue')).to.not.deep.equal(['changed']);
    expect(await without('admin')).to.deep.equal(['changed']);
    expect(shown()).to.not.include(ofAdmin);
  });
});
