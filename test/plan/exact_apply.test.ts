import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const FILES = '/api/fileservice/hsmpackages';

/** Declares no writes, and does not say that its request was refused. */
const SLY = `export default {
  type: 'action', name: 'sly', summary: 'writes', args: { type: 'object' }, examples: ['- sly: {}'], check: true,
  run: async (request, context) => {
    if (!context.checkMode) await context.request(request).catch(() => undefined);
    return { status: 'ok' };
  },
};
`;

describe('an apply', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 3 });
    project = await emptyProject({ 'inventory.yml': fleet.inventory, 'hsm.tar': 'content' });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  function run(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory });
  }

  async function plan(site: string): Promise<string> {
    await project.write('site.yml', site);
    const ended = await run('plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan');
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    for (const name of fleet.names) fleet.controller(name).clearRequests();
    return ended.stdout;
  }

  const written = (): readonly (readonly string[])[] =>
    fleet.names.map((name) =>
      fleet
        .controller(name)
        .requests.filter(({ method }) => method !== 'GET')
        .map(({ method, body }) => `${method} ${/"name":"(\w+)"/.exec(body)?.[1] ?? ''}`.trim()),
    );

  /** The name of the only cloud of `lb1`, which tasks read. */
  const setLeader = (name: string): void => {
    fleet.controller('lb1').setObjects('/api/cloud/', [{ name, uuid: 'cloud-leader' }]);
  };
  const LEADER = '    - { api_request: { path: /api/cloud/ }, register: known }\n';
  const RAW = '    - api_request: { method: POST, path: /api/cloud/, body: { name: raw } }\n';

  for (const [what, others] of [
    ['of the plan', '- { hosts: lb3, tasks: [{ cloud_present: { name: own } }] }\n'],
    ['that is in no plan', ''],
  ])
    it(`sends a raw request to no other controller ${what}`, async () => {
      setLeader('lb2');
      const delegated = '      delegate_to: "{{ known.json.results[0].name }}"\n';
      await plan(`${others}- hosts: lb1\n  tasks:\n${LEADER}${RAW}${delegated}`);
      setLeader('lb3');
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(5);
      expect(stdout).to.include(
        'stale: the task would act on lb3 in another way than when the plan was made, or it acted on another controller then; nothing is sent to it',
      );
      expect(written()).to.deep.equal([[], [], others === '' ? [] : ['POST own']]);
      setLeader('lb2');
    });

  it('sends a raw request to no other address that the plan knows for its host', async () => {
    setLeader('lb2');
    const address = `      vars: { controller_url: "{{ {'lb2': '${fleet.url('lb2')}', 'lb3': '${fleet.url('lb3')}'}[known.json.results[0].name] }}" }\n`;
    const other = `    - { api_request: { path: /api/cloud/ }, vars: { controller_url: '${fleet.url('lb3')}' } }\n`;
    await plan(`- hosts: lb1\n  tasks:\n${LEADER}${other}${RAW}${address}`);
    setLeader('lb3');
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(5);
    expect(written()).to.deep.equal([[], [], []]);
    setLeader('lb2');
    const again = await run('apply', 'site.plan');
    expect(again.code, again.stdout).to.equal(0);
    expect(written()).to.deep.equal([[], ['POST raw'], []]);
  });

  for (const [settings, limit] of [
    ['strategy: linear', ['--limit', 'lb2']],
    ['strategy: linear, serial: 1', ['--limit', 'lb2']],
    ['strategy: linear', []],
  ] as const)
    it(`runs the handlers of a role that others do not include before it (${settings}, ${limit.join(' ')})`, async () => {
      const cloud = (name: string, notify = ''): string =>
        `- { name: ${name}, cloud_present: { name: ${name} }${notify} }\n`;
      await project.write('roles/web/tasks/main.yml', cloud('web'));
      await project.write('roles/web/handlers/main.yml', cloud('first') + cloud('second'));
      await project.write('roles/mail/tasks/main.yml', cloud('mail', ', notify: [third, fourth]'));
      await project.write(
        'roles/mail/handlers/main.yml',
        `${cloud('third')}- { name: fourth, include_tasks: more.yml }\n`,
      );
      await project.write('more.yml', cloud('fifth'));
      const roles = "{{ { 'lb1': 'web', 'lb2': 'mail' }[inventory_hostname] }}";
      await plan(
        `- { hosts: 'lb1,lb2', ${settings}, tasks: [${cloud('own').slice(2, -1)}, { include_role: { name: "${roles}" } }] }\n`,
      );
      if (limit.length === 0) setLeader('own');
      const { code, stdout } = await run('apply', 'site.plan', ...limit);
      expect(code, stdout).to.equal(limit.length === 0 ? 5 : 0);
      expect(written()).to.deep.equal([[], ['POST own', 'POST mail', 'POST third', 'POST fifth'], []]);
    });

  it('uploads nothing that was there when the plan was made', async () => {
    const download = '{ file_download: { path: /api/fileservice, dest: files.json } }';
    const site = `- hosts: lb1\n  tasks: [${download}, { file_upload: { path: ${FILES}, src: hsm.tar } }]\n`;
    await fleet.dispose();
    fleet = await startFleet({ dialect: 'avi' });
    await project.write('inventory.yml', fleet.inventory);
    await project.write('site.yml', site);
    const before = await run('run', 'site.yml', '-i', 'inventory.yml');
    expect(before.code, before.stdout).to.equal(0);
    await plan(site);
    fleet.controller('lb1').setObject('/api/fileservice', { files: [] });
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(2);
    expect(stdout).to.include('file_upload is not in the plan, so it is not carried out');
    expect(stdout).to.include('hint: it had nothing to do when the plan was made');
    expect(
      fleet
        .controller('lb1')
        .requests.filter(({ path }) => path === FILES)
        .map(({ method }) => method),
    ).to.not.include('POST');
  });

  it('uploads what an earlier task of the plan has removed', async () => {
    await fleet.dispose();
    fleet = await startFleet({ dialect: 'avi' });
    await project.write('inventory.yml', fleet.inventory);
    const upload = `    - { name: Upload, file_upload: { path: ${FILES}, src: hsm.tar } }\n`;
    await project.write('site.yml', `- hosts: lb1\n  tasks:\n${upload}`);
    const before = await run('run', 'site.yml', '-i', 'inventory.yml');
    expect(before.code, before.stdout).to.equal(0);
    const there = fleet.controller('lb1').object('/api/fileservice');
    fleet.controller('lb1').setObjects('/api/cloud/', [{ name: 'old', uuid: 'cloud-old' }]);
    for (const task of ['api_request: { method: POST, path: /api/purge }', 'cloud_absent: { name: old }']) {
      fleet.controller('lb1').setObject('/api/fileservice', there);
      await plan(`- hosts: lb1\n  tasks:\n    - { ${task}, failed_when: false }\n${upload}`);
      expect((await run('plan', 'show', 'site.plan')).stdout).to.include(
        'runs in its place: Upload (file_upload), on lb1',
      );
      fleet.controller('lb1').setObject('/api/fileservice', { files: [] });
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(0);
      expect(stdout).to.include('uploaded hsm.tar');
    }
  });

  it('uploads nothing that was there after a task that only reads, or before one of its own host', async () => {
    await fleet.dispose();
    fleet = await startFleet({ controllers: 2, dialect: 'avi' });
    await project.write('inventory.yml', fleet.inventory);
    const upload = (name: string): string => `    - { name: ${name}, file_upload: { path: ${FILES}, src: hsm.tar } }\n`;
    const first = `- hosts: lb1,lb2\n  tasks:\n${upload('First')}`;
    await project.write('site.yml', first);
    const before = await run('run', 'site.yml', '-i', 'inventory.yml');
    expect(before.code, before.stdout).to.equal(0);
    fleet.controller('lb1').setObjects('/api/cloud/', [{ name: 'old', uuid: 'cloud-old', vtype: 'CLOUD_NONE' }]);
    const made = '    - { cloud_present: { name: new, vtype: CLOUD_NONE }, register: made }\n';
    const open = "when: made.object.uuid is search('cloud')";
    const never = 'check_mode: true';
    const reads = [
      `debug: { msg: made }, ${open}`,
      `api_request: { path: '/api/{{ kind }}' }, vars: { kind: cluster }, ${open}`,
      "avi_api_fileservice: { upload: false, path: '{{ file }}', file_path: saved }, vars: { file: uploads }",
      `cloud_absent: { name: old }, ${never}`,
      `cloud_absent: { name: old }, ${never}, ${open}`,
      `name: Never, api_request: { method: POST, path: /api/purge }, ${never}`,
      `api_request: { method: POST, path: /api/purge }, ${never}, ${open}`,
    ].map((task) => `    - { ${task} }\n`);
    const unknown = '    - { cloud_absent: { name: old }, delegate_to: "{{ made.object.uuid }}" }\n';
    await plan(`${first}- hosts: lb1\n  tasks:\n${made}${reads.join('')}${upload('Second')}${unknown}`);
    const { stdout } = await run('plan', 'show', 'site.plan');
    expect(stdout).to.include('runs in its place: First (file_upload), on lb2\n').and.not.to.include('Second');
    expect(stdout).not.to.include('Never');
  });

  it('can be repeated if it has only read', async () => {
    await plan('- hosts: lb1\n  tasks: [{ file_download: { path: /api/cloud/, dest: clouds.json } }]\n');
    for (const what of ['first', 'second']) {
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, `${what} ${stdout}`).to.equal(0);
    }
  });

  it('is refused with --simulate for a plan of real controllers, which stays unused', async () => {
    await plan('- { hosts: lb1, tasks: [{ cloud_present: { name: new } }] }\n');
    const { code, stderr } = await run('apply', 'site.plan', '--simulate');
    expect(code, stderr).to.equal(1);
    expect(stderr).to.include(
      'a plan of real controllers cannot be applied with --simulate: simulated ones have other objects, and it would count as applied\n',
    );
    expect((await run('apply', 'site.plan')).code).to.equal(0);
    expect(written()).to.deep.equal([['POST new'], [], []]);
  });

  it("reads what a host's tasks depend on before that host's first write, not before that of another host", async () => {
    const task = `    - { cloud_present: { name: other }, delegate_to: lb3, when: inventory_hostname == 'lb1' }\n`;
    const own = `    - { cloud_present: { name: own, mtu: 9000 }, when: inventory_hostname == 'lb3' }\n`;
    fleet.controller('lb3').setObjects('/api/cloud/', [{ name: 'own', uuid: 'cloud-own', mtu: 1400 }]);
    await plan(`- hosts: lb1,lb3\n  serial: 1\n  tasks:\n${task}${own}`);
    fleet.controller('lb3').setObjects('/api/cloud/', [{ name: 'own', uuid: 'cloud-own', mtu: 1500 }]);
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(5);
    expect(stdout).to.include('lb3  cloud_present: stale: cloud "own" was changed since the plan was made');
    expect(written()).to.deep.equal([[], [], ['POST other']]);
  });

  it('deletes in a task that it decides, which the plan lists', async () => {
    setLeader('old');
    await plan(`- hosts: lb1
  tasks:
    - { cloud_present: { name: new }, register: made }
    - { name: Retire, cloud_absent: { name: old }, when: made.object.uuid is search('cloud') }
`);
    const shown = await run('plan', 'show', 'site.plan');
    expect(shown.stdout).to.include('cannot be planned, runs in its place: Retire (cloud_absent), on lb1');
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(0);
    expect(written()).to.deep.equal([['POST new', 'DELETE'], [], []]);
  });

  describe('of a task that it decides', () => {
    const MADE = '    - { cloud_present: { name: new }, register: made }\n';
    const OPEN = "when: made.object.uuid is search('cloud')";
    const UNKNOWN = "\"{{ made.object.uuid is search('cloud') | ternary(known.json.results[0].name, 'lb1') }}\"";
    const isDeleted = (): boolean => fleet.controller('lb2').objects('/api/cloud/').length === 0;
    beforeEach(() => {
      fleet.controller('lb2').setObjects('/api/cloud/', [{ name: 'old', uuid: 'cloud-old' }]);
      return project.write('modules/sly.js', SLY);
    });

    for (const task of [
      'api_request: { method: POST, path: /api/cloud/, body: { name: raw } }',
      'cloud_present: { name: raw }',
      'cloud_absent: { name: old }',
      'user_password: { password: new-password, old_password: old-password }',
      'sly: { method: POST, path: /api/cloud/, body: { name: raw } }',
    ])
      for (const [what, delegate] of [
        ['known', '"{{ known.json.results[0].name }}"'],
        ['unknown', UNKNOWN],
      ])
        it(`goes to no other controller, with an ${what} delegate: ${task}`, async () => {
          setLeader('lb3');
          await plan(`- hosts: lb1\n  tasks:\n${LEADER}${MADE}    - { ${task}, delegate_to: ${delegate}, ${OPEN} }\n`);
          setLeader('lb2');
          const { code, stdout } = await run('apply', 'site.plan');
          expect(code, stdout).to.equal(5);
          expect(stdout).to.include('stale: the task would ').and.to.include('; nothing is written to it');
          expect(written()).to.deep.equal([['POST new'], [], []]);
        });

    it('stays stale, whatever its failed_when says', async () => {
      setLeader('lb2');
      await plan(
        `- hosts: lb1\n  tasks:\n${LEADER}${MADE}${RAW}      delegate_to: ${UNKNOWN}\n      failed_when: false\n`,
      );
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(5);
      expect(written()).to.deep.equal([['POST new'], [], []]);
    });

    for (const task of [
      'api_request: { path: /api/cloud/ }',
      'file_download: { path: /api/cloud/, dest: clouds.json }',
      'sly: { method: GET, path: /api/cloud/ }',
    ])
      it(`reads on any controller: ${task}`, async () => {
        setLeader('lb2');
        await plan(`- hosts: lb1\n  tasks:\n${LEADER}${MADE}    - { ${task}, delegate_to: ${UNKNOWN}, ${OPEN} }\n`);
        const { code, stdout } = await run('apply', 'site.plan');
        expect(code, stdout).to.equal(0);
        expect(fleet.controller('lb2').requests.map(({ path }) => path)).to.include('/api/cloud/');
      });

    it('acts on the controller that the plan shows, or on one of its own tasks', async () => {
      setLeader('lb2');
      const tasks = `    - { cloud_absent: { name: old }, delegate_to: "{{ known.json.results[0].name }}", ${OPEN} }
    - { cloud_present: { name: there }, delegate_to: lb3 }
    - { cloud_present: { name: late }, delegate_to: ${UNKNOWN.replace('known.json.results[0].name', "'lb3'")} }
`;
      await plan(`- hosts: lb1\n  tasks:\n${LEADER}${MADE}${tasks}`);
      const { stdout: shown } = await run('plan', 'show', 'site.plan');
      expect(shown).to.include('runs in its place: cloud_absent (cloud_absent), on lb1 → lb2\n');
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(0);
      expect(isDeleted()).to.equal(true);
      expect(written()).to.deep.equal([['POST new'], ['DELETE'], ['POST there', 'POST late']]);
    });

    for (const task of [
      'cloud_absent: { name: old }',
      'api_request: { method: DELETE, path: /api/cloud/cloud-old }',
      'avi_api_session: { http_method: delete, path: cloud/cloud-old }',
      'sly: { method: delete, path: /api/cloud/cloud-old }',
    ])
      it(`deletes nothing on a controller of its own tasks that the plan does not show: ${task}`, async () => {
        setLeader('lb2');
        const there = '    - { cloud_present: { name: there }, delegate_to: lb2 }\n';
        await plan(
          `- hosts: lb1\n  tasks:\n${LEADER}${MADE}${there}    - { ${task}, delegate_to: ${UNKNOWN}, ${OPEN} }\n`,
        );
        const { code, stdout } = await run('apply', 'site.plan');
        expect(code, stdout).to.equal(5);
        expect(stdout).to.include('stale: the task would delete on lb2, and the plan does not show that it acts there');
        expect(written()).to.deep.equal([['POST new'], ['POST there'], []]);
      });

    it('is planned for no item of the loop around it', async () => {
      const items = `loop: "{{ ['lb3'] if made.object.uuid is search('cloud') else [] }}"`;
      const own = `delegate_to: "{{ item }}", when: item == 'lb3'`;
      await project.write('more.yml', `- { cloud_present: { name: late }, ${items}, ${own} }\n`);
      const there = '    - { cloud_present: { name: there }, delegate_to: lb3 }\n';
      await plan(`- hosts: lb1\n  tasks:\n${MADE}${there}    - { include_tasks: more.yml, loop: [lb2] }\n`);
      const { stdout: shown } = await run('plan', 'show', 'site.plan');
      expect(shown).to.include('runs in its place: cloud_present (cloud_present), on lb1\n');
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(0);
      expect(written()).to.deep.equal([['POST new'], [], ['POST there', 'POST late']]);
    });

    it('goes to the delegate that an item of a loop names', async () => {
      const items = 'loop: [lb2], delegate_to: "{{ item }}"';
      await plan(`- hosts: lb1\n  tasks:\n${MADE}    - { cloud_absent: { name: old }, ${items}, ${OPEN} }\n`);
      const { stdout: shown } = await run('plan', 'show', 'site.plan');
      expect(shown).to.include('runs in its place: cloud_absent (cloud_absent), on lb1 → lb2\n');
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(0);
      expect(written()).to.deep.equal([['POST new'], ['DELETE'], []]);
    });

    it('goes to the controller that its own arguments name', async () => {
      await fleet.dispose();
      fleet = await startFleet({ controllers: 3, dialect: 'avi' });
      await project.write('inventory.yml', fleet.inventory);
      fleet.controller('lb2').setObjects('/api/cloud/', [{ name: 'old', uuid: 'cloud-old' }]);
      const { username, password } = fleet;
      const avi_credentials = JSON.stringify({ controller: fleet.url('lb2'), username, password });
      const request = `{ http_method: delete, path: cloud/cloud-old, avi_credentials: ${avi_credentials} }`;
      const made = '    - { cloud_present: { name: new, vtype: CLOUD_NONE }, delegate_to: lb1, register: made }\n';
      const here = `- hosts: localhost\n  vars: { controller_ca_file: ${fleet.caFile} }\n  tasks:\n`;
      await plan(`${here}${made}    - { avi_api_session: ${request}, ${OPEN} }\n`);
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(0);
      expect(fleet.controller('lb2').requests.map(({ method }) => method)).to.include('DELETE');
    });

    describe('and whose arguments name the controller in part', () => {
      const LATER = "made.object.uuid is search('cloud')";
      const NEW = '    - { cloud_present: { name: new, vtype: CLOUD_NONE }, register: made }\n';

      async function begin(): Promise<void> {
        await fleet.dispose();
        fleet = await startFleet({ controllers: 3, dialect: 'avi' });
        await project.write('inventory.yml', fleet.inventory);
      }

      async function ofSession(method: string, credentials: object, more: string): Promise<Ended> {
        await begin();
        const { username, password } = fleet;
        const named = JSON.stringify({ controller: fleet.url('lb2'), username, password, ...credentials });
        const request = `{ http_method: ${method}, path: cloud, data: { name: late, vtype: CLOUD_NONE }, avi_credentials: ${named} }`;
        const loop = more.replace('LB2', fleet.url('lb2'));
        await plan(`- hosts: lb1\n  tasks:\n${NEW}    - { avi_api_session: ${request}, ${loop} }\n`);
        return run('apply', 'site.plan');
      }
      const unknown = [{ controller: '{{ item }}' }, `loop: "{{ ['LB2'] if ${LATER} else [] }}"`] as const;
      const posted = (): boolean => written()[1]?.includes('POST late') === true;

      for (const [what, named, more] of [
        ['as one value', 'avi_credentials: "{{ item }}"', `loop: "{{ [known] if ${LATER} else [] }}"`],
        ['by a variable that is set later', 'avi_credentials: "{{ late }}"', OPEN],
        ['in arguments that are one value', undefined, `loop: "{{ [known] if ${LATER} else [] }}"`],
        ['as JSON text', `avi_credentials: "{{ known | to_json }}"`, OPEN],
        [
          'but for a port that is set later',
          'controller: "{{ known.controller }}", avi_credentials: "{{ late }}"',
          OPEN,
        ],
      ] as const)
        it(`writes ${what} where its host has another task`, async () => {
          const post = (name: string) => `http_method: post, path: cloud, data: { name: ${name}, vtype: CLOUD_NONE }`;
          const all = `"{{ { 'http_method': 'post', 'path': 'cloud', 'data': { 'name': 'late', 'vtype': 'CLOUD_NONE' }, 'avi_credentials': item } }}"`;
          const late = named === undefined ? all : `{ ${post('late')}, ${named} }`;
          await begin();
          const { username, password } = fleet;
          const { hostname: controller, port } = new URL(fleet.url('lb2'));
          const known = JSON.stringify({ controller, port, username, password });
          const tasks = `    - { avi_api_session: { ${post('there')}, avi_credentials: "{{ known }}" } }
    - { set_fact: { late: "{{ known }}" }, ${OPEN} }
    - { avi_api_session: ${late}, ${more} }
`;
          await plan(`- hosts: lb1\n  vars: { known: ${known} }\n  tasks:\n${NEW}${tasks}`);
          const { code, stdout } = await run('apply', 'site.plan');
          expect(code, stdout).to.equal(0);
          expect(written()[1]).to.include.members(['POST there', 'POST late']);
        });

      it('writes on one that an argument names besides credentials that are set later', async () => {
        await begin();
        const { username, password } = fleet;
        const known = JSON.stringify({ username, password });
        const named = `controller: '${fleet.url('lb2')}', avi_credentials: "{{ late }}"`;
        const request = `http_method: post, path: cloud, data: { name: late, vtype: CLOUD_NONE }, ${named}`;
        const tasks = `    - { set_fact: { late: ${known} }, ${OPEN} }\n    - { avi_api_session: { ${request} }, ${OPEN} }\n`;
        await plan(`- hosts: lb1\n  tasks:\n${NEW}${tasks}`);
        const { code, stdout } = await run('apply', 'site.plan');
        expect(code, stdout).to.equal(0);
        expect(posted()).to.equal(true);
      });

      it('evaluates no templates in what a controller shows, in arguments that are one value', async () => {
        await begin();
        const field = (name: string) => `{{ lookup('pipe', 'echo ${name} >> evaluated') }}`;
        const shown = {
          name: 'old',
          vtype: 'CLOUD_NONE',
          uuid: 'cloud-old',
          tenant: field('tenant'),
          host: field('host'),
        };
        fleet.controller('lb1').setObjects('/api/cloud/', [shown]);
        const seen = '    - { api_request: { path: /api/cloud/cloud-old }, register: seen }\n';
        const tasks = `    - { pool_present: "{{ { 'name': 'late', 'tenant': seen.json.tenant } }}", ${OPEN} }
    - { avi_pool: "{{ { 'name': 'late', 'controller': seen.json.host, 'tenant': seen.json.tenant } }}", ${OPEN} }
`;
        await plan(`- hosts: lb1\n  tasks:\n${seen}${NEW}${tasks}`);
        expect(await readdir(project.directory)).not.to.include('evaluated');
      });

      it('evaluates no templates of fields, which do not say where a task acts', async () => {
        await begin();
        const description = `"{{ lookup('pipe', 'echo description >> evaluated') }}"`;
        const late = `    - { avi_pool: { name: late, description: ${description}, tenant: admin }, ${OPEN} }\n`;
        await plan(`- hosts: lb1\n  tasks:\n${NEW}${late}`);
        expect(await readdir(project.directory)).not.to.include('evaluated');
      });

      it('reads on one that the plan does not know', async () => {
        const { code, stdout } = await ofSession('get', ...unknown);
        expect(code, stdout).to.equal(0);
        expect(fleet.controller('lb2').requests.map(({ path }) => path)).to.include('/api/cloud');
      });

      it('writes on none that the plan does not know', async () => {
        const { code, stdout } = await ofSession('post', ...unknown);
        expect(code, stdout).to.equal(5);
        expect(stdout).to.include(`stale: the task would write on ${fleet.url('lb2')}, and the plan does not show`);
        expect(posted()).to.equal(false);
      });

      for (const [method, credentials] of [
        ['post', { tenant: `{{ 'admin' if ${LATER} else 'blue' }}` }],
        ["post, tenant: '{{ nothing | default(omit) }}'", {}],
      ] as const)
        it(`writes on one that the plan knows: ${method}`, async () => {
          const { code, stdout } = await ofSession(method, credentials, OPEN);
          expect(code, stdout).to.equal(0);
          expect(posted()).to.equal(true);
        });
    });
  });
});
