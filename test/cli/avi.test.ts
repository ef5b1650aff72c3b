import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Mapping } from '../../src/core/model/values/value.js';
import { textOrEmpty, type JsonObject } from '../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../rig/avi_controller.js';
import { emptyProject, playbookOf, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';

describe('runs over controllers of the dialect avi', () => {
  let lb1: AviController;
  let project: Project;

  beforeEach(async () => {
    lb1 = await startAviController();
    project = await emptyProject();
    await lb1.writeInventory(project.directory);
  });

  afterEach(async () => {
    await lb1.close();
    await project.remove();
  });

  /** @param tasks by module */
  async function run(tasks: readonly Mapping[], ...args: readonly string[]): Promise<Ended> {
    await project.write('p.yml', playbookOf(tasks));
    return evenkeel(['run', 'p.yml', '-i', 'inventory.yml', ...args], { cwd: project.directory });
  }

  /** Runs twice: all tasks but `reads` are changed, then nothing is written. Returns the requests of the second run. */
  async function converges(tasks: readonly Mapping[], changed = tasks.length): Promise<readonly string[]> {
    const first = await run(tasks);
    expect(first.stdout + first.stderr).to.match(new RegExp(`changed=${changed} .*failed=0`));
    lb1.take();
    const second = await run(tasks);
    expect(second.stdout + second.stderr).to.match(/changed=0 .*failed=0/);
    const requests = lb1.take();
    expect(requests.filter((request) => !/^(?:GET|POST \/log)/.test(request))).to.deep.equal([]);
    return requests;
  }

  const get = (path: string): Promise<JsonObject> => lb1.client.object('GET', path);
  const create = (kind: string, body: JsonObject): Promise<JsonObject> =>
    lb1.client.object('POST', `/api/${kind}`, body);
  const countOf = async (path: string): Promise<unknown> => (await get(path))['count'];

  async function one(path: string): Promise<JsonObject> {
    const { results } = await get(path);
    const [first] = results as unknown as readonly JsonObject[];
    if (first === undefined) throw new Error(`nothing at ${path}`);
    return first;
  }

  const SERVER = { ip: { addr: '10.0.0.1', type: 'V4' }, port: 80 };
  const APPLICATION: readonly Mapping[] = [
    { cloud_present: { name: 'edge', vtype: 'CLOUD_NONE' } },
    { healthmonitor_present: { name: 'web', type: 'HEALTH_MONITOR_HTTP' } },
    {
      pool_present: {
        name: 'web',
        cloud_ref: '/api/cloud?name=edge',
        vrf_ref: '/api/vrfcontext/?name=global&cloud=edge',
        health_monitor_refs: ['/api/healthmonitor?name=web', 'System-TCP'],
        servers: [SERVER],
      },
    },
    { vsvip_present: { name: 'web', cloud_ref: 'edge', vip: [{ vip_id: '1', ip_address: SERVER.ip }] } },
    {
      virtualservice_present: {
        name: 'web',
        cloud_ref: '/api/cloud?name=edge',
        pool_ref: '/api/pool?name=web',
        vsvip_ref: 'web',
        application_profile_ref: '/api/applicationprofile?name=System-HTTP',
        services: [{ port: 80 }],
      },
    },
  ];

  it("accept references by name in lists, as the vendor's playbooks do", async () => {
    const refs = (...names: readonly string[]) => names.map((name) => `/api/healthmonitor?name=${name}`);
    await run([{ avi_pool: { name: 'web', health_monitor_refs: refs('System-TCP', 'System-HTTP') } }]);
    const patch = { name: 'web', avi_api_update_method: 'patch', avi_api_patch_op: 'delete' };
    await converges([{ avi_pool: { ...patch, health_monitor_refs: refs('System-TCP', 'unheard-of') } }]);
    const { health_monitor_refs } = await one('/api/pool?name=web&include_name');
    expect(JSON.stringify(health_monitor_refs)).to.match(/^\["[^"]*#System-HTTP"\]$/);
    const empty = await run([{ avi_pool: { ...patch, health_monitor_refs: [], servers: [{ ip: {} }] } }]);
    expect(empty.stdout + empty.stderr).to.include(
      'avi_api_patch_op: delete: an element to remove from "servers" has no values, so it would match every element',
    );
  });

  it('checks tasks in a tenant that an earlier task would create', async () => {
    const tasks = [
      { tenant_present: { name: 'blue' } },
      { pool_present: { name: 'web', tenant: 'blue', health_monitor_refs: ['System-TCP'], servers: [SERVER] } },
      { resource_facts: { kind: 'pool', tenant: 'blue' } },
      { pool_absent: { name: 'old', tenant: 'blue' } },
      { wait_until: { kind: 'pool', name: 'web', field: 'enabled', value: true, tenant: 'blue' } },
      { api_request: { path: '/api/pool', query: { name: 'web' }, tenant: 'blue' } },
      { avi_api_session: { http_method: 'get', path: 'pool', tenant: 'blue' } },
    ];
    await project.write('hsm.tar', 'the package');
    const upload = { file_upload: { path: '/api/fileservice/hsmpackages', src: 'hsm.tar', tenant: 'blue' } };
    const checked = await run([...tasks, upload], '--check');
    expect(checked.stdout + checked.stderr).to.match(/ok=8 +changed=3 .*failed=0/);
    expect(lb1.take().filter((request) => !/^(?:GET|POST \/log)/.test(request))).to.deep.equal([]);
    await converges(tasks, 2);
    const unknown = await run([{ pool_present: { name: 'web', tenant: 'bluu' } }], '--check');
    expect(unknown.stdout + unknown.stderr).to.include('the controller has no tenant "bluu"');
  });

  it('reads a tenant that a task which never writes would create as the controller has it', async () => {
    const tenant = { tenant_present: { name: 'blue' }, check_mode: true };
    const own = { tenant_present: { name: 'blue' }, check_mode: '{{ not ansible_check_mode }}' };
    const read = { api_request: { path: '/api/pool', query: { name: 'web' }, tenant: 'blue' } };
    for (const first of [tenant, own]) {
      const ran = await run([first, read]);
      expect(ran.stdout + ran.stderr).to.match(/no tenant "blue"[^]*ok=1 +changed=1 .*failed=1/);
    }
    const checked = await run([tenant, { pool_present: { name: 'web', tenant: 'blue' } }], '--check');
    expect(checked.stdout + checked.stderr).to.include('the controller has no tenant "blue"');
  });

  it('apply the rest of a plan after a request that took effect although its answer was lost', async () => {
    await run([{ pool_present: { name: 'web' } }]);
    await project.write(
      'p.yml',
      playbookOf([
        { avi_api_session: { http_method: 'put', path: 'pool', data: { name: 'web', description: 'new' } } },
        { pool_present: { name: 'web', default_server_port: 81 } },
      ]),
    );
    const inProject = { cwd: project.directory };
    await evenkeel(['plan', 'p.yml', '-i', 'inventory.yml', '--out', 'a.plan'], inProject);
    lb1.controller.behaviour = {
      faults: [{ type: 'answer', status: 504, applied: true, when: { method: 'PUT', first: 1 } }],
    };
    const { code, stdout, stderr } = await evenkeel(['apply', 'a.plan'], inProject);
    expect(stdout + stderr).to.match(/ok=2 +changed=2 .*failed=0/);
    expect(stdout).to.not.include('not confirmed');
    expect(code).to.equal(0);
  });

  it('checks references in a tenant to what an earlier task would create in the usual one', async () => {
    const pool = { tenant: 'blue', servers: [SERVER] };
    const tasks = [
      { tenant_present: { name: 'blue' } },
      { cloud_present: { name: 'edge', vtype: 'CLOUD_NONE' }, register: 'edge' },
    ];
    await converges(tasks.slice(0, 1), 1);
    const checked = await run(
      [
        ...tasks,
        { pool_present: { name: 'named', cloud_ref: '/api/cloud?name=edge', ...pool } },
        { pool_present: { name: 'direct', cloud_ref: '{{ edge.object.url }}', ...pool } },
      ],
      '--check',
    );
    expect(checked.stdout + checked.stderr).to.match(/ok=4 +changed=3 .*failed=0/);
  });

  it('write references by name once, and look each kind up once at most', async () => {
    const requests = await converges(APPLICATION);
    const lists = requests.filter((request) => request.includes('page_size'));
    expect(new Set(lists).size).to.equal(lists.length);
    expect(requests.length).to.be.at.most(2 + APPLICATION.length + 6);
    const { pool_ref } = await one('/api/virtualservice?name=web');
    expect(pool_ref).to.equal((await one('/api/pool?name=web'))['url']);
  });

  it('refuse a reference to a missing object before any write, and suggest the nearest name', async () => {
    const { code, stdout } = await run([{ pool_present: { name: 'web', health_monitor_refs: ['System-TPC'] } }]);
    expect(code).to.equal(2);
    expect(stdout).to.include('"System-TCP"');
    expect(await countOf('/api/pool')).to.equal(0);
  });

  it('sign in once and out at the end, and again when the session expires', async () => {
    const tasks = [1, 2, 3].map((number) => ({ pool_present: { name: `pool ${number}` } }));
    await run(tasks);
    const logins = (): readonly string[] => lb1.take().filter((request) => request.startsWith('POST /log'));
    expect(logins()).to.deep.equal(['POST /login', 'POST /logout']);
    lb1.controller.behaviour = { faults: [{ type: 'expire', when: { path: '/api/pool', nth: 2 } }] };
    expect((await run(tasks)).stdout).to.match(/ok=3 .*failed=0/);
    expect(logins()).to.deep.equal(['POST /login', 'POST /login', 'POST /logout']);
  });

  it('stop after one refused password, far from locking the account', async () => {
    await lb1.writeInventory(project.directory, { controller_password: 'wrong' });
    const { code } = await run([{ pool_present: { name: 'a' } }, { pool_present: { name: 'b' } }]);
    expect(code).not.to.equal(0);
    expect(lb1.take()).to.deep.equal(['POST /login']);
  });

  it('ask for the version of a controller once if the inventory has none', async () => {
    await lb1.writeInventory(project.directory, { controller_api_version: null });
    const { stdout } = await run([{ pool_present: { name: 'a' } }, { pool_present: { name: 'b', tenant: 'admin' } }]);
    expect(stdout).to.match(/changed=2 .*failed=0/);
    const [login, version, ...others] = lb1.take();
    expect([login, version]).to.deep.equal(['POST /login', 'GET /api/initial-data']);
    expect(others).not.to.include('GET /api/initial-data');
    await lb1.writeInventory(project.directory);
    await run([{ pool_present: { name: 'a' } }]);
    expect(lb1.take()).not.to.include('GET /api/initial-data');
  });

  describe('without controller_dialect', () => {
    const LINE = 'answers as controllers of the dialect avi do: add "controller_dialect: avi" to its variables';
    const generic = { controller_dialect: null, controller_auth: null };
    const warnings = ({ stdout, stderr }: Ended): number => (stdout + stderr).split(LINE).length - 1;

    it('are asked by a ping without credentials whether they have one, if Basic authentication is off', async () => {
      await lb1.writeInventory(project.directory, generic);
      expect(warnings(await run([{ ping: {} }]))).to.equal(1);
      const asked = lb1.controller.requests.slice(-2).map(({ path: at, headers }) => [at, 'authorization' in headers]);
      expect(asked).to.deep.equal([
        ['/api/cloud/', true],
        ['/api/initial-data', false],
      ]);
    });

    it('warn once if an answer sets the cookie of a session', async () => {
      const answer = { type: 'answer', status: 401, headers: { 'set-cookie': 'csrftoken=a1b2; Path=/' } } as const;
      lb1.controller.behaviour = { faults: [answer] };
      await lb1.writeInventory(project.directory, generic);
      expect(warnings(await run([{ pool_present: { name: 'a' } }]))).to.equal(1);
      expect(lb1.take()).to.have.length(1);
    });

    it('warn once if Basic authentication is on', async () => {
      await lb1.close();
      lb1 = await startAviController({ basic: true });
      await lb1.writeInventory(project.directory, generic);
      const facts = ['cloud', 'healthmonitor'].map((kind) => ({ resource_facts: { kind } }));
      expect(warnings(await run(facts))).to.equal(1);
      expect(lb1.take()).not.to.include('GET /api/initial-data');
      expect(warnings(await run([{ ping: {} }]))).to.equal(1);
    });

    it('do not warn if the dialect is chosen, be it another one', async () => {
      await lb1.writeInventory(project.directory, { ...generic, controller_dialect: 'generic' });
      expect(warnings(await run([{ ping: {} }]))).to.equal(0);
    });
  });

  it('say what to do if Basic authentication is off', async () => {
    await lb1.writeInventory(project.directory, { controller_auth: 'basic' });
    const { stdout } = await run([{ pool_present: { name: 'a' } }]);
    expect(stdout).to.include('controller_auth: session');
  });

  it('plan again if the controller itself changed the object, and give up if it does so every time', async () => {
    await create('pool', { name: 'web', description: 'old' });
    const task = { pool_present: { name: 'web', description: 'new' } };
    lb1.controller.behaviour = { faults: [{ type: 'touch', when: { method: 'PUT', first: 2 } }] };
    expect((await run([task])).stdout).to.match(/changed=1 .*failed=0/);
    lb1.controller.behaviour = { faults: [{ type: 'touch', when: { method: 'PUT' } }] };
    const { stdout } = await run([{ pool_present: { name: 'web', description: 'newer' } }]);
    expect(stdout)
      .to.include('412')
      .and.match(/changed by/);
    expect(await one('/api/pool?name=web')).to.include({ description: 'new' });
  });

  it('are rolled back: what was changed is restored, with its references and lists', async () => {
    const before = await create('pool', { name: 'web', description: 'old', servers: [SERVER] });
    await run([
      { pool_present: { name: 'web', description: 'new', servers: [] } },
      { pool_present: { name: 'other' } },
    ]);
    const { code, stdout, stderr } = await evenkeel(['rollback', 'last', '--yes'], { cwd: project.directory });
    expect(code, stderr).to.equal(0);
    expect(stdout + stderr).to.include('pool "other" was created: a rollback deletes nothing (lb1)');
    const after = await get(`/api/pool/${textOrEmpty(before['uuid'])}`);
    expect(after['description']).to.equal('old');
    expect(after['servers']).to.deep.equal(before['servers']);
  });

  it('act in the tenant of the controller, and leave objects of that name in others alone', async () => {
    await create('tenant', { name: 'blue' });
    await create('pool', { name: 'web', description: 'of admin' });
    await lb1.writeInventory(project.directory, { controller_tenant: 'blue' });
    await converges([{ pool_present: { name: 'web', description: 'of blue', health_monitor_refs: ['System-TCP'] } }]);
    expect(await one('/api/pool?name=web')).to.include({ description: 'of admin' });
    lb1.client.tenant = 'blue';
    expect(await one('/api/pool?name=web')).to.include({ description: 'of blue' });
  });

  it('refuse a tenant that does not exist', async () => {
    await create('tenant', { name: 'blue' });
    await lb1.writeInventory(project.directory, { controller_tenant: 'blu' });
    const { code, stdout } = await run([{ pool_present: { name: 'web' } }]);
    expect(code).to.equal(2);
    expect(stdout).to.include('the controller has no tenant "blu"').and.include('did you mean "blue"?');
  });

  it('act in the tenant of a task, which an earlier one may create, and are rolled back in it', async () => {
    const pool = { name: 'web', tenant: 'blue', health_monitor_refs: ['System-TCP'], vrf_ref: 'global' };
    await converges([
      { tenant_present: { name: 'blue' } },
      { pool_present: { ...pool, description: 'of blue' } },
      { pool_present: { name: 'web', description: 'of admin' } },
    ]);
    await run([{ pool_present: { ...pool, description: 'changed' } }]);
    const { code, stdout, stderr } = await evenkeel(['rollback', 'last', '--yes'], { cwd: project.directory });
    expect(code, stdout + stderr).to.equal(0);
    expect(await one('/api/pool?name=web')).to.include({ description: 'of admin' });
    lb1.client.tenant = 'blue';
    expect(await one('/api/pool?name=web')).to.include({ description: 'of blue' });
  });

  it('distinguish objects of one name in two clouds', async () => {
    const tasks = ['edge', 'core'].flatMap((cloud): readonly Mapping[] => [
      { cloud_present: { name: cloud, vtype: 'CLOUD_NONE' } },
      {
        pool_present: {
          name: 'web',
          cloud_ref: `/api/cloud?name=${cloud}`,
          description: `in ${cloud}`,
          vrf_ref: 'global',
        },
      },
    ]);
    await converges(tasks);
    for (const cloud of ['edge', 'core']) {
      const pool = await one(`/api/pool?name=web&cloud_ref.name=${cloud}`);
      expect(pool).to.include({ description: `in ${cloud}` });
      expect(pool['vrf_ref']).to.equal((await one(`/api/vrfcontext?name=global&cloud_ref.name=${cloud}`))['url']);
    }
    const { stdout } = await run([{ pool_absent: { name: 'web' } }]);
    expect(stdout).to.match(/2 objects are named "web": pool-\S+ in cloud "edge", pool-\S+ in cloud "core"/);
  });

  it('write secrets once, and never show them', async () => {
    const tasks = [{ user_present: { name: 'ops', username: 'ops', password: 'p4ssw0rd of ops' } }];
    await converges(tasks);
    const { stdout, stderr } = await run(
      [{ user_present: { ...tasks[0]?.user_present, full_name: 'Ops' } }],
      '-D',
      '-vvvv',
    );
    expect(stdout + stderr).not.to.include('p4ssw0rd');
    expect(lb1.controller.objects('/api/user/').at(-1)).to.include({ password: 'p4ssw0rd of ops', full_name: 'Ops' });
    const created = await run([{ user_present: { name: 'dev', username: 'dev', password: 'p4ssw0rd of dev' } }]);
    expect(created.stdout + created.stderr).not.to.include('"password" cannot be read');
  });

  for (const ofVendor of [false, true])
    it(`write a secret once more if it changes in the variables, and not otherwise${ofVendor ? ", as the vendor's playbooks declare it" : ''}`, async () => {
      const of = (kind: string) => (ofVendor ? `avi_${kind}` : `${kind}_present`);
      const user = (password: string): Mapping => ({
        [of('user')]: ofVendor
          ? { name: 'ops', obj_username: 'ops', obj_password: password }
          : { name: 'ops', username: 'ops', password },
      });
      const configuration = (passphrase: string): Mapping => ({
        [of('backupconfiguration')]: { name: 'nightly', save_local: true, backup_passphrase: passphrase },
      });
      const monitor = (password: string): Mapping => ({
        [of('healthmonitor')]: {
          name: 'web',
          type: 'HEALTH_MONITOR_HTTP',
          authentication: { username: 'probe', password },
        },
      });
      const all = [user, configuration, monitor];
      const tasks = (secret: string): readonly Mapping[] =>
        all.map((task) => ({ vars: { secret }, ...task('{{ secret }}') }));
      const writes = (): readonly string[] => lb1.take().filter((request) => !/^(?:GET|POST \/log)/.test(request));
      await converges(tasks('first-secret'));
      const checked = await run(tasks('second-secret'), '--check', '-D');
      expect(checked.stdout).to.match(/changed=3 .*failed=0/);
      expect(writes()).to.deep.equal([]);
      const rotated = await run(tasks('second-secret'), '-D', '-vvvv');
      expect(rotated.stdout).to.match(/changed=3 .*failed=0/);
      expect(rotated.stdout + rotated.stderr).not.to.match(/first-secret|second-secret/);
      expect(writes().map((request) => request.replace(/[^/]*$/, ''))).to.have.members([
        'PUT /api/user/',
        'PUT /api/backupconfiguration/',
        'PUT /api/healthmonitor/',
      ]);
      expect(lb1.controller.objects('/api/user/').at(-1)).to.include({ password: 'second-secret' });
      const again = await run([
        ...tasks('second-secret'),
        { avi_user: { name: 'ops', obj_password: 'second-secret' } },
      ]);
      expect(again.stdout + again.stderr).to.match(/changed=0 .*failed=0/);
      expect(writes()).to.deep.equal([]);
    });

  it('add to a list and take from it, and leave the secrets of its other elements alone', async () => {
    const site = (name: string): Mapping => ({
      name,
      cluster_uuid: `cluster-${name}`,
      username: 'gslb',
      password: `secret of ${name}`,
      ip_addresses: [{ type: 'V4', addr: '192.0.2.1' }],
      port: 443,
    });
    const patch = (op: string, sites: readonly Mapping[]): Mapping => ({
      avi_gslb: { name: 'global', avi_api_update_method: 'patch', avi_api_patch_op: op, sites },
    });
    await converges([{ avi_gslb: { name: 'global', leader_cluster_uuid: 'cluster-a', sites: [site('a')] } }]);
    await converges([patch('add', [site('b')])]);
    const passwords = () => JSON.stringify(lb1.controller.objects('/api/gslb/')).match(/secret of ./g);
    expect(passwords()).to.deep.equal(['secret of a', 'secret of b']);
    const unknown = await run([patch('delete', [site('a')])]);
    expect(unknown.stdout + unknown.stderr).to.include('the controller hides a secret in "sites"');
    const inserting = {
      avi_gslb: {
        name: 'global',
        avi_api_update_method: 'patch',
        avi_patch_path: '/sites/0',
        avi_patch_value: site('c'),
      },
    };
    for (const task of [patch('delete', [{ name: 'a' }]), inserting]) {
      const refused = await run([task]);
      expect(refused.stdout + refused.stderr).to.include('other elements would move and lose the secrets');
    }
    expect(passwords()).to.deep.equal(['secret of a', 'secret of b']);
    await converges([patch('delete', [{ name: 'b' }])]);
    expect(passwords()).to.deep.equal(['secret of a']);
    expect((await run([patch('add', [site('b')])])).code).to.equal(0);
    const undone = await evenkeel(['rollback', 'last', '--yes'], { cwd: project.directory });
    expect(undone.stdout + undone.stderr)
      .to.match(/changed=1 .*failed=0/)
      .and.not.include('never showed');
    expect(passwords()).to.deep.equal(['secret of a']);
  });

  it('keep a rotated secret as it was if the write is refused, and write it in the next run', async () => {
    const task = (password: string): Mapping => ({ user_present: { name: 'ops', username: 'ops', password } });
    await converges([task('first-secret')]);
    const faults = [{ type: 'answer', status: 403, when: { method: 'PUT', path: '/api/user/*' } }] as const;
    lb1.controller.behaviour = { faults: [...faults] };
    expect((await run([task('second-secret')])).code).to.equal(2);
    lb1.controller.behaviour = {};
    expect((await run([task('second-secret')])).stdout).to.match(/changed=1 .*failed=0/);
    expect((await run([task('second-secret')])).stdout).to.match(/changed=0 .*failed=0/);
    expect(lb1.controller.objects('/api/user/').at(-1)).to.include({ password: 'second-secret' });
  });

  it('upload a file once, find out what became of an upload that was cut off, and send a changed file again', async () => {
    await project.write('hsm.tar', 'the package');
    const tasks = [
      { file_upload: { path: '/api/fileservice/hsmpackages', src: 'hsm.tar' } },
      { file_upload: { path: '/api/image', src: 'hsm.tar' } },
    ];
    await converges(tasks);
    await project.write('hsm.tar', 'another package');
    const [first] = tasks;
    if (first === undefined) throw new Error('there is no task');
    const faults = (applied: boolean) => [
      { type: 'drop', applied, when: { method: 'POST', path: '/api/fileservice/*', first: 1 } } as const,
    ];
    lb1.controller.behaviour = { faults: faults(false) };
    const cut = await run([first]);
    expect(cut.code).not.to.equal(0);
    expect(cut.stdout).to.include('it may have taken effect');
    const uploads = (): number => lb1.take().filter((request) => request.startsWith('POST /api')).length;
    expect(uploads()).to.equal(1);
    lb1.controller.behaviour = { faults: faults(true) };
    expect((await run([first])).stdout).to.match(/changed=1 .*failed=0/);
    expect(uploads()).to.equal(1);
    await project.write('hsm.tar', 'the third');
    lb1.controller.behaviour = {
      faults: [{ type: 'expire', when: { method: 'POST', path: '/api/fileservice/*', first: 1 } }],
    };
    await converges([first]);
    await lb1.client.login();
    expect(await one('/api/fileservice?uri=controller://hsmpackages')).to.include({ size: 'the third'.length });
  });

  it('save a backup of the tenant that is asked for', async () => {
    await create('tenant', { name: 'blue' });
    await create('pool', { name: 'of admin' });
    lb1.client.tenant = 'blue';
    await create('pool', { name: 'of blue' });
    const download = { file_download: { path: '/api/configuration/export', dest: 'blue.json', tenant: 'blue' } };
    await converges([download]);
    const saved = await readFile(path.join(project.directory, 'blue.json'), 'utf8');
    expect(saved).to.include('of blue');
    expect(saved).not.to.include('of admin');
  });

  it('delete what is there, twice without complaint, but nothing that is in use', async () => {
    await run(APPLICATION);
    const inUse = await run([{ pool_absent: { name: 'web', match: { cloud_ref: '/api/cloud?name=edge' } } }]);
    expect(inUse.code).to.equal(2);
    expect(inUse.stdout).to.include("'VirtualService web'");
    const kinds = ['virtualservice', 'vsvip', 'pool', 'healthmonitor', 'cloud'];
    await converges(kinds.map((kind) => ({ [`${kind}_absent`]: { name: kind === 'cloud' ? 'edge' : 'web' } })));
    for (const kind of kinds) expect(await countOf(`/api/${kind}?name=web`), kind).to.equal(0);
  });

  it('add elements to lists by their keys and take them away, and leave the others as they are', async () => {
    const other = { ip: { addr: '10.0.0.9', type: 'V4' }, port: 80, ratio: 7 };
    await create('pool', { name: 'web', servers: [other] });
    const merge = { servers: ['ip.addr', 'port'] };
    await converges([{ pool_present: { name: 'web', servers: [SERVER], merge } }]);
    expect((await one('/api/pool?name=web'))['servers']).to.have.length(2);
    await converges([{ pool_present: { name: 'web', without: { servers: [{ ip: { addr: '10.0.0.9' } }] } } }]);
    expect((await one('/api/pool?name=web'))['servers']).to.have.length(1);
  });

  it('wait for a cloud that needs some time, and read all pages', async () => {
    lb1.controller.behaviour = { cloud_ready_after: 500 };
    for (let number = 1; number <= 30; number += 1) await create('pool', { name: `pool ${number}` });
    const { stdout } = await run([
      { cloud_present: { name: 'edge', vtype: 'CLOUD_NONE' } },
      { resource_facts: { kind: 'cloud', name: 'edge' }, register: 'clouds' },
      {
        wait_until: {
          path: '/api/cloud/{{ clouds.objects[0].uuid }}/status',
          field: 'state',
          value: 'CLOUD_STATE_PLACEMENT_READY',
          interval: 0.1,
        },
      },
      { resource_facts: { kind: 'pool' }, register: 'pools' },
      { assert: { that: ['pools.count == 30', 'pools.by_name | length == 30'] } },
    ]);
    expect(stdout).to.match(/changed=1 .*failed=0/);
    expect(lb1.take().filter((request) => request.endsWith('/status')).length).to.be.greaterThan(1);
  });

  it('wait until an upgrade is over', async () => {
    lb1.controller.behaviour = {
      faults: [{ type: 'upgrade', when: { path: '/api/tenant' }, disallowed: 300, unavailable: 500, refused: 500 }],
    };
    const { stdout } = await run([
      { api_request: { method: 'POST', path: '/api/tenant', body: { name: 'red' } } },
      { wait_for: { timeout: 1 } },
      {
        wait_until: {
          path: '/api/cluster/runtime',
          field: 'cluster_state.state',
          value: 'CLUSTER_UP_NO_HA',
          unavailable: 'wait',
          interval: 0.2,
        },
      },
      { pool_present: { name: 'web' } },
    ]);
    expect(stdout).to.match(/changed=2 .*failed=0/);
  });

  it('lose nothing but time while a controller is upgraded, restarts and forgets its sessions', async () => {
    lb1.controller.behaviour = { upgrade: { disallowed: 300, unavailable: 300, refused: 300 } };
    lb1.controller.setObjects('/api/image/', [{ uuid: 'image-1', name: '22.1.6-9191' }]);
    const upgrade = { method: 'POST', path: '/api/upgrade', body: { image_uuid: 'image-1' } };
    const { stdout } = await run([
      { pool_present: { name: 'old' } },
      { api_request: upgrade },
      { file_upload: { path: '/api/image', src: 'p.yml', filename: 'controller-22.1.9.pkg' } },
      { pool_present: { name: 'web' } },
      { pool_absent: { name: 'old' } },
      { api_request: { method: 'POST', path: '/api/pool', body: { name: 'raw' } } },
    ]);
    expect(stdout).to.match(/changed=6 .*failed=0/);
    expect(lb1.all('pool').map(({ name }) => name)).to.deep.equal(['web', 'raw']);
    const version = await run([
      { api_request: { path: '/api/cluster/version' }, register: 'r' },
      { assert: { that: 'r.json.Version == "22.1.6"' } },
    ]);
    expect(version.stdout).to.match(/ok=2 .*failed=0/);
  });

  it('bring up a factory-fresh controller with --simulate', async () => {
    await lb1.writeInventory(project.directory, {
      controller_password: 'the new one',
      controller_simulation: { first_boot: { password: 'factory default' } },
    });
    const password = { username: 'admin', password: 'the new one', old_password: 'factory default' };
    const fresh = { controller_password: 'factory default' };
    const tasks = [
      { vars: fresh, api_request: { method: 'PUT', path: '/api/useraccount', body: password } },
      { pool_present: { name: 'web' } },
    ];
    const early = await run([{ vars: fresh, pool_present: { name: 'web' } }], '--simulate');
    expect(early.stdout).to.include('The default password must be changed first');
    expect((await run(tasks, '--simulate')).stdout).to.match(/changed=2 .*failed=0/);
    expect((await run(tasks.slice(1), '--simulate')).stdout).to.match(/changed=0 .*failed=0/);
    expect((await run(tasks.slice(0, 1), '--simulate')).stdout).to.match(/unreachable=1/);
    expect(lb1.take()).to.deep.equal([]);
  });

  it('find objects beyond the first pages', async () => {
    for (let number = 1; number <= 230; number += 1) {
      await create('healthmonitor', { name: `monitor ${number}`, type: 'HEALTH_MONITOR_TCP' });
    }
    const requests = await converges([
      { pool_present: { name: 'web', health_monitor_refs: ['monitor 230', 'monitor 1'] } },
    ]);
    expect(requests.filter((request) => request.includes('/healthmonitor'))).to.have.length(2);
  });

  it("fail with the controller's message if a value is not allowed", async () => {
    const task = { resource_present: { path: '/api/pool', name: 'web', properties: { default_server_port: 70_000 } } };
    const { code, stdout } = await run([task]);
    expect(code).to.equal(2);
    expect(stdout).to.include('70000').and.include('default_server_port');
  });

  it('show with --simulate what a real controller would refuse, and write nothing to it', async () => {
    const missing = { pool_present: { name: 'web', pki_profile_ref: '/api/pkiprofile?name=nope' } };
    const unknown = { resource_present: { path: '/api/pool', name: 'web', properties: { nope: 1 } } };
    for (const [task, message] of [
      [missing, 'nope'],
      [unknown, 'has no field named "nope"'],
    ] as const) {
      const { code, stdout } = await run([task], '--simulate');
      expect(code, stdout).to.equal(2);
      expect(stdout).to.include(message);
    }
    expect((await run(APPLICATION, '--simulate', '--check')).stdout).to.match(/changed=5 .*failed=0/);
    expect((await run(APPLICATION, '--simulate')).stdout).to.match(/changed=5 .*failed=0/);
    expect((await run(APPLICATION, '--simulate')).stdout).to.match(/changed=0 .*failed=0/);
    expect(lb1.take()).to.deep.equal([]);
  });
});
