import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { textOrEmpty } from '../../../src/simulator/protocol/exchange.js';
import { startAviController, type AviController } from '../../rig/avi_controller.js';
import { emptyProject, playbookOf, type Ended, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';

describe('signing in with a token, and the own account', () => {
  let lb1: AviController;
  let project: Project;
  beforeEach(async () => {
    lb1 = await startAviController();
    project = await emptyProject();
  });
  afterEach(() => Promise.all([lb1.close(), project.remove()]));

  async function run(task: Mapping, variables: Mapping, ...args: readonly string[]): Promise<Ended> {
    await lb1.writeInventory(project.directory, variables);
    await project.write('p.yml', playbookOf([task]));
    return evenkeel(['run', 'p.yml', '-i', 'inventory.yml', ...args], { cwd: project.directory });
  }
  const newToken = async (): Promise<string> =>
    textOrEmpty((await lb1.client.object('POST', '/api/user-token', { hours: 1 }))['token']);

  it('takes controller_token instead of a password, and never shows it', async () => {
    const token = await newToken();
    const pool = { pool_present: { name: 'web' } };
    const signedIn = await run(pool, { controller_token: token, controller_password: 'wrong' }, '-vvvv');
    expect(signedIn.stdout + signedIn.stderr).to.match(/changed=1 .*failed=0/);
    expect(signedIn.stdout + signedIn.stderr).to.not.include(token);
    const wrong = await run(pool, { controller_token: `${token}0` });
    expect(wrong.stdout + wrong.stderr).to.include('cannot sign in');
    const basic = await run(pool, { controller_token: token, controller_auth: 'basic' });
    expect(basic.stderr).to.include('controller_token needs controller_auth: session');
  });

  it('takes avi_credentials.token, also to find out the name of a tenant', async () => {
    const avi_credentials = { controller: lb1.url, username: 'admin', token: await newToken(), tenant_uuid: 'admin' };
    const { token } = avi_credentials;
    const { stdout, stderr } = await run(
      { avi_pool: { avi_credentials: { ...avi_credentials, token: '{{ handed }}' }, name: 'web' } },
      { controller_password: 'wrong' },
      '-e',
      `handed=${token}`,
    );
    expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
    // Only the task shows that the variable is a secret.
    const runs = await evenkeel(['runs', '--json'], { cwd: project.directory });
    expect(runs.stdout).to.include('handed=********').and.not.include(token);
  });

  it('takes the password of a task, and sends no token of the inventory to its controller', async () => {
    const avi_credentials = { controller: lb1.url, username: 'admin', password: 'simulated' };
    const other = { controller_token: 'token-of-another' };
    const { stdout, stderr } = await run({ avi_pool: { avi_credentials, name: 'web' } }, other);
    expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
    const account = { avi_useraccount: { ...avi_credentials, old_password: 'simulated' } };
    expect((await run(account, other)).stdout).to.match(/ok=1 .*failed=0/);
    const signIns = lb1.controller.requests.filter(({ path }) => path === '/login');
    expect(signIns.map(({ body }) => body).join())
      .to.include('simulated')
      .and.not.include('token-of-another');
  });

  it('signs in again with the password that user_password has verified, not as with a token', async () => {
    lb1.controller.behaviour = { faults: [{ type: 'expire', when: { path: '/api/pool*', first: 1 } }] };
    await lb1.writeInventory(project.directory, { controller_token: await newToken() });
    const tasks = [{ user_password: { password: 'simulated' } }, { pool_present: { name: 'web' } }];
    await project.write('p.yml', JSON.stringify([{ hosts: 'all', tasks }]));
    const { stdout, stderr } = await evenkeel(['run', 'p.yml', '-i', 'inventory.yml'], { cwd: project.directory });
    expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
    const signIns = lb1.controller.requests.filter(
      ({ path, headers }) => path === '/login' && headers['user-agent'] === 'evenkeel',
    );
    const signIn = '{"username":"admin","password":"simulated"}';
    expect(signIns.map(({ body }) => body)).to.deep.equal([signIn, signIn]);
  });

  it('needs no inventory for tasks of localhost, nor to roll them back', async () => {
    await lb1.writeInventory(project.directory);
    const cwd = project.directory;
    const credentials = { controller: lb1.url, username: 'admin', password: 'simulated' };
    const play = (port: number): Mapping => ({
      hosts: 'localhost',
      vars: { controller_ca_file: 'ca.pem' },
      tasks: [{ avi_pool: { avi_credentials: credentials, name: 'web', default_server_port: port } }],
    });
    for (const port of [80, 81]) {
      await project.write('p.yml', JSON.stringify([play(port)]));
      const { stdout, stderr } = await evenkeel(['run', 'p.yml'], { cwd });
      expect(stdout + stderr).to.match(/changed=1 .*failed=0/);
    }
    const { stdout, stderr } = await evenkeel(['rollback', 'last', '--yes'], { cwd });
    expect(stdout + stderr).to.include('restored 1 object');
    expect(lb1.controller.objects('/api/pool/').at(-1)).to.include({ default_server_port: 80 });
  });

  it('sets the fields of the own account, also without a new password', async () => {
    const [username, password] = ['admin', 'simulated'];
    const task = { avi_useraccount: { username, password, old_password: password, full_name: 'A B', email: 'a@b.c' } };
    expect((await run(task, {}, '--check')).stdout).to.include('changed=1');
    expect((await run(task, {})).stdout).to.include('changed=1');
    expect(await lb1.client.object('GET', '/api/useraccount')).to.include({ full_name: 'A B', email: 'a@b.c' });
    expect((await run(task, {})).stdout).to.match(/ok=1 .*changed=0|changed=0/);
    const nothing = { avi_useraccount: { username, old_password: password, full_name: 'C D' } };
    const { stdout, stderr } = await run(nothing, { controller_token: await newToken(), controller_password: null });
    expect(stdout + stderr).to.include('there is no new password: give "password", or "password" in avi_credentials');
  });
});
