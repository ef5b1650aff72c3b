import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet, type TestedDialect } from '../rig/simulated.js';

/** Each of the two names asks another controller first: one that answers late makes its name the last. */
const ASKED = { lb1: 'lb3', lb2: 'lb4' };
const ASK = `- { api_request: { path: /api/cluster }, delegate_to: "{{ {'lb1': 'lb3', 'lb2': 'lb4'}[inventory_hostname] }}" }`;

describe('a plan for two names of one controller', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(() => begin('generic'));

  async function begin(dialect: TestedDialect): Promise<void> {
    fleet = await startFleet({ controllers: 4, dialect });
    const inventory = fleet.inventory.replace(fleet.url('lb2'), fleet.url('lb1'));
    project = await emptyProject({
      'inventory.yml': inventory.replaceAll(/^( *lb[12]: .*) }$/gm, '$1, controller_shared: true }'),
    });
  }
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  function run(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory });
  }

  /** The last one is held back until the other has begun: the controller has one task at a time. */
  function inOrder(last: keyof typeof ASKED, ...args: readonly string[]): Promise<Ended> {
    return held(last, 'lb1', () => true, ...args);
  }

  /** The last one is held back until a controller receives such a request. */
  async function held(
    last: keyof typeof ASKED,
    controller: string,
    isAwaited: (request: { readonly method: string; readonly path: string }) => boolean,
    ...args: readonly string[]
  ): Promise<Ended> {
    const other = new Promise<void>((resolve) => {
      fleet.controller(controller).watch = (moment, request) => {
        if (moment === 'answered' && isAwaited(request)) resolve();
        return Promise.resolve();
      };
    });
    fleet.controller(ASKED[last]).watch = () => other;
    const ended = await run(...args);
    for (const name of fleet.names) fleet.controller(name).watch = undefined;
    return ended;
  }

  async function plan(tasks: string, more = ''): Promise<void> {
    const all = `${ASK}\n${tasks.trim()}`.replaceAll(/^/gm, '    ');
    await project.write('site.yml', `- hosts: lb1,lb2\n  tasks:\n${all}\n${more}`);
    const ended = await inOrder('lb2', 'plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan');
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
  }

  const written = (): readonly string[] =>
    fleet
      .controller('lb1')
      .requests.filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => `${method} ${path} ${/"name":"(\w+)"/.exec(body)?.[1] ?? ''}`);

  it('sends what depends on a change in the name for which it is planned, whichever makes it', async () => {
    await plan(
      `
- { cloud_present: { name: edge }, register: made, notify: tell }
- { api_request: { method: POST, path: /api/cloud/, body: { name: raw } }, when: made is changed }
`,
      '  handlers: [{ name: tell, api_request: { method: POST, path: /api/cloud/, body: { name: told } } }]\n',
    );
    const { code, stdout } = await inOrder('lb1', 'apply', 'site.plan', '-o', 'json');
    expect(code, stdout).to.equal(0);
    expect(written()).to.deep.equal(['POST /api/cloud/ edge', 'POST /api/cloud/ raw', 'POST /api/cloud/ told']);
    const presents = tasksOf(stdout).filter(({ module }) => module === 'cloud_present');
    expect(presents.map(({ controller, status, message }) => [controller, status, message])).to.deep.equal([
      ['lb2', 'ok', 'made as planned for lb1'],
      ['lb1', 'changed', undefined],
    ]);
  });

  it("sends what depends on a change that another name's raw request makes", async () => {
    await plan(
      `
- { cloud_present: { name: edge }, when: inventory_hostname == 'lb1', register: made, notify: tell }
- { api_request: { method: POST, path: /api/cloud/, body: { name: edge } }, when: inventory_hostname == 'lb2' }
- { api_request: { method: POST, path: /api/cloud/, body: { name: raw } }, when: made is changed }
`,
      '  handlers: [{ name: tell, api_request: { method: POST, path: /api/cloud/, body: { name: told } } }]\n',
    );
    const { code, stdout } = await held('lb1', 'lb1', ({ method }) => method === 'POST', 'apply', 'site.plan');
    expect(code, stdout).to.equal(0);
    expect(written()).to.deep.equal(['POST /api/cloud/ edge', 'POST /api/cloud/ raw', 'POST /api/cloud/ told']);
  });

  it('uploads what a request of another name has removed, which came after it in the plan', async () => {
    await Promise.all([fleet.dispose(), project.remove()]);
    await begin('avi');
    const upload = '{ name: Upload, file_upload: { path: /api/fileservice/hsmpackages, src: hsm.tar } }';
    await project.write('hsm.tar', 'content');
    await project.write('site.yml', `[{ hosts: lb2, tasks: [${upload}, { pool_present: { name: web } }] }]\n`);
    const before = await run('run', 'site.yml', '-i', 'inventory.yml');
    expect(before.code, before.stdout).to.equal(0);
    const tasks = `${ASK}
- when: inventory_hostname == 'lb1'
  block:
    - { api_request: { method: POST, path: /api/purge }, failed_when: false }
- when: inventory_hostname == 'lb2'
  block:
    - ${upload}
    - { pool_present: { name: web, description: planned } }
    - { api_request: { path: /api/cloud }, delegate_to: lb4 }
`.replaceAll(/^(?=.)/gm, '    ');
    await project.write('site.yml', `- hosts: lb1,lb2\n  tasks:\n${tasks}`);
    const planned = ['plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan'];
    const made = await held('lb1', 'lb4', ({ path }) => path === '/api/cloud', ...planned);
    expect(made.code, made.stdout).to.equal(0);
    expect((await run('plan', 'show', 'site.plan')).stdout).to.include(
      'runs in its place: Upload (file_upload), on lb2',
    );
    const lb1 = fleet.controller('lb1');
    lb1.setObject('/api/fileservice', { files: [] });
    const pools = lb1.objects('/api/pool/');
    lb1.setObjects(
      '/api/pool/',
      pools.map((pool) => ({ ...pool, description: 'by another' })),
    );
    lb1.clearRequests();
    const stale = await run('apply', 'site.plan', '-l', 'lb2');
    expect(stale.code, stale.stdout).to.equal(5);
    expect(stale.stdout).to.include('Upload: stale: pool "web" was changed since the plan was made');
    expect(written().filter((request) => !request.includes('/log'))).to.deep.equal([]);
    lb1.setObjects('/api/pool/', pools);
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(0);
    expect(stdout).to.include('uploaded hsm.tar');
  });

  it('makes no change that the plan does not show for either, so that none of the tasks after it is lost', async () => {
    await plan(`
- { cloud_present: { name: edge }, when: inventory_hostname == 'lb1', register: made }
- { api_request: { method: POST, path: /api/cloud/, body: { name: raw } }, when: [inventory_hostname == 'lb1', made is changed] }
- { cloud_present: { name: edge, mtu: 9000 }, when: inventory_hostname == 'lb2' }
`);
    const other = await inOrder('lb1', 'apply', 'site.plan');
    expect(other.code, other.stdout).to.equal(5);
    expect(other.stdout).to.include(
      'would be changed differently than planned: hosts of the same controller (lb1) came',
    );
    expect(written()).to.deep.equal([]);
    const { code, stdout } = await inOrder('lb2', 'apply', 'site.plan');
    expect(code, stdout).to.equal(0);
    expect(written().map((one) => one.split(' ')[0])).to.have.members(['POST', 'POST', 'PUT']);
  });
});
