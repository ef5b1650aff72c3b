import path from 'node:path';
import { expect } from 'chai';
import { textOrEmpty } from '../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../rig/avi_controller.js';
import { emptyProject, evenkeel, playbookOf, type Ended, type Project } from '../rig/command.js';

describe('the lookup vmware.alb.avi', () => {
  let lb1: AviController;
  let project: Project;
  beforeEach(async () => {
    lb1 = await startAviController();
    project = await emptyProject();
    await lb1.writeInventory(project.directory, {
      controller_ca_file: path.join(project.directory, 'ca.pem'),
      avi_credentials: { controller: lb1.url, username: 'admin', password: 'simulated', api_version: '22.1.3' },
    });
  });
  afterEach(() => Promise.all([lb1.close(), project.remove()]));

  async function shown(call: string, ...args: readonly string[]): Promise<Ended> {
    const msg = `{{ ${call.replaceAll('CREDENTIALS', 'avi_credentials=avi_credentials')} | to_json }}`;
    await project.write('p.yml', playbookOf([{ debug: { msg } }]));
    return evenkeel(['run', 'p.yml', '-i', 'inventory.yml', ...args], { cwd: project.directory });
  }

  it('finds objects by name, by uuid and of a kind, over all pages, and signs out', async () => {
    const group = await lb1.add('stringgroup', { name: 'one', type: 'SG_TYPE_STRING' });
    const uuid = textOrEmpty(group['uuid']);
    await lb1.add('tenant', { name: 'blue' });
    const names = Array.from({ length: 203 }, (_, at) => `pool-${at}`);
    for (const name of names) await lb1.add('pool', { name });
    const call = `{
      "name": (lookup("vmware.alb.avi", CREDENTIALS, obj_type="stringgroup", obj_name="one")).uuid,
      "uuid": (query("vmware.alb.avi", CREDENTIALS, obj_type="stringgroup", obj_uuid="${uuid}") | first).name,
      "pools": query("vmware.alb.avi", CREDENTIALS, obj_type="pool") | length,
      "chosen": query("vmware.alb.avi", CREDENTIALS, obj_type="pool", params={"name.in": "pool-3,pool-7"}) | length,
      "elsewhere": query("avi", CREDENTIALS, obj_type="pool", tenant="blue") | length,
      "moved": query("avi", avi_credentials=avi_credentials | combine({"tenant_uuid": "tenant-admin"}), obj_type="pool", tenant="blue") | length,
      "none": query("vmware.alb.avi", CREDENTIALS, obj_type="pool", obj_name="nothing"),
      "gone": query("vmware.alb.avi", CREDENTIALS, obj_type="pool", obj_uuid="pool-0"),
    }`.replaceAll(/\s+/g, ' ');
    const { stdout, stderr } = await shown(call);
    expect(stdout + stderr).to.include(`"uuid": "one"`);
    for (const part of [
      `"name": "${uuid}"`,
      `"pools": ${names.length}`,
      '"chosen": 2',
      '"elsewhere": 0',
      '"moved": 0',
      '"none": []',
      '"gone": []',
    ])
      expect(stdout + stderr).to.include(part);
    expect(lb1.controller.requests.filter(({ path: at }) => at === '/logout')).to.have.lengthOf.at.least(5);
  });

  it('takes no part of a list for the whole', async () => {
    for (const name of ['a', 'b']) await lb1.add('pool', { name });
    const page = { type: 'answer', when: { path: '/api/pool' } } as const;
    const next = (link: string) => ({ ...page, status: 200, body: { results: [], next: link } });
    for (const [fault, expected] of [
      [{ ...page, when: { path: '/api/pool', after: 1 }, status: 404 }, 'answered 404'],
      [next('https://192.0.2.1/api/pool?page=2'), 'the next page is at another address (https://192.0.2.1)'],
      [next('/api/pool?page=2'), 'the pages of the list form a loop'],
    ] as const) {
      lb1.controller.behaviour = { faults: [fault] };
      const { stdout, stderr } = await shown('query("avi", CREDENTIALS, obj_type="pool", params={"page_size": 1})');
      expect(stdout + stderr).to.include(expected);
    }
    lb1.controller.behaviour = { faults: [next('')] };
    const { code, stdout } = await shown('query("avi", CREDENTIALS, obj_type="pool")');
    expect(code, stdout).to.equal(0);
  });

  it('tries a refused password once in a run', async () => {
    const credentials = `{"controller": "${lb1.url}", "username": "admin", "password": "wrong"}`;
    const task = (name: string) => ({
      debug: { msg: `{{ lookup('avi', obj_type='pool', obj_name='${name}', avi_credentials=${credentials}) }}` },
      ignore_errors: true,
    });
    await project.write('twice.yml', JSON.stringify([{ hosts: 'lb1', tasks: [task('one'), task('two')] }]));
    lb1.controller.clearRequests();
    const { stdout } = await evenkeel(['run', 'twice.yml', '-i', 'inventory.yml'], { cwd: project.directory });
    expect(stdout).to.include('it has refused these credentials before');
    expect(lb1.controller.requests.filter(({ path }) => path === '/login')).to.have.length(1);
  });

  it('signs in again after a controller that upgraded', async () => {
    const body = 'Upgrade is in progress';
    lb1.controller.behaviour = { faults: [{ type: 'answer', when: { path: '/login', first: 1 }, status: 403, body }] };
    const credentials = `{"controller": "${lb1.url}", "username": "admin", "password": "simulated"}`;
    const task = (name: string) => ({
      debug: { msg: `{{ lookup('avi', obj_type='pool', obj_name='${name}', avi_credentials=${credentials}) }}` },
      ignore_errors: true,
    });
    await project.write('again.yml', JSON.stringify([{ hosts: 'lb1', tasks: [task('one'), task('two')] }]));
    lb1.controller.clearRequests();
    const { stdout } = await evenkeel(['run', 'again.yml', '-i', 'inventory.yml'], { cwd: project.directory });
    expect(stdout).to.include('answered 403').and.not.include('refused these credentials');
    expect(lb1.controller.requests.filter(({ path }) => path === '/login')).to.have.length(2);
  });

  it('says what is missing, refused or not trusted, and sends nothing with --simulate or --no-exec', async () => {
    const call = 'lookup("vmware.alb.avi", CREDENTIALS, obj_type="pool")';
    const credentials = `{"controller": "${lb1.url}", "username": "admin", "password": "wrong"}`;
    const wrong = await shown(call.replace('CREDENTIALS', `avi_credentials=${credentials}`));
    expect(wrong.stdout + wrong.stderr).to.match(/answered 401[^]*check the user and password in avi_credentials/);
    const plain = await shown(call.replace('CREDENTIALS', `avi_credentials=${credentials.replace('https:', 'http:')}`));
    expect(plain.stdout + plain.stderr).to.include('credentials are not sent to http://127.0.0.1');
    await lb1.writeInventory(project.directory, {
      controller_verify_tls: false,
      avi_credentials: { controller: lb1.url, username: 'admin', password: 'simulated' },
    });
    const trusting = await shown(call, '-e', 'controller_ca_file=');
    expect(trusting.stdout + trusting.stderr).to.include('[]');
    const untrusted = await shown(call, '-e', 'controller_ca_file=', '-e', '{"controller_verify_tls": true}');
    const reason = `the certificate of ${lb1.url} is not trusted (`;
    expect(untrusted.stdout + untrusted.stderr).to.include(reason);
    const missing = await shown('lookup("vmware.alb.avi", obj_type="pool")');
    expect(missing.stdout + missing.stderr).to.include('obj_type and avi_credentials with a controller are needed');
    const refused = await shown(call, '--no-exec');
    expect(refused.stdout + refused.stderr).to.include('--no-exec');
  });
});
