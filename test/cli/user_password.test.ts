import { spawn } from 'node:child_process';
import { expect } from 'chai';
import type { Fault } from '../../src/simulator/behaviour/fault.js';
import { startAviController, type AviController } from '../rig/avi_controller.js';
import { emptyProject, exampleProject, STARTED, type Ended, type Project, ownHome } from '../rig/command.js';
import { tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { SessionController } from '../rig/session_controller.js';

const SITE = JSON.stringify([
  {
    name: 'Site',
    hosts: 'all',
    tasks: [
      { user_password: { password: 'brand-new-1', old_password: 'published-1' } },
      { cloud_present: { name: 'edge' } },
    ],
  },
]);

describe('user_password', () => {
  let controller: SessionController;
  let project: Project;
  beforeEach(async () => {
    controller = await SessionController.start();
    controller.passwords.set('admin', 'published-1');
    await use('brand-new-1');
  });
  afterEach(async () => {
    await controller.close();
    await project.remove();
  });

  /** @param password the one of the inventory */
  async function use(password: string): Promise<void> {
    const [[name, variables] = ['lb1', {}]] = Object.entries(controller.variables());
    const hosts = { [name]: { ...(variables as object), controller_password: password } };
    project = await emptyProject({ 'site.yml': SITE, 'inventory.yml': JSON.stringify({ all: { hosts } }) });
  }

  const run = (...args: string[]): Promise<Ended> =>
    evenkeel(['run', 'site.yml', '-i', 'inventory.yml', ...args], { cwd: project.directory });
  const tried = (): readonly string[] =>
    controller.asked
      .filter(({ path }) => path === '/login')
      .map(({ body }) => (JSON.parse(body) as { password: string }).password);
  const changes = (): number => controller.log.filter((line) => line.startsWith('PUT /api/useraccount')).length;

  it('signs in with the new one, or changes it; the second run changes nothing', async () => {
    const first = await run();
    expect(first.code, first.stdout + first.stderr).to.equal(0);
    expect(first.stdout).to.include('ok=2   changed=2');
    expect(tried()).to.deep.equal(['brand-new-1', 'published-1', 'brand-new-1']);
    const second = await run();
    expect(second.stdout).to.include('ok=2   changed=0');
    expect(tried().slice(3)).to.deep.equal(['brand-new-1']);
    expect([changes(), controller.sessions.length]).to.deep.equal([1, 0]);
  });

  it('is not refused twice if a plan had nothing to change', async () => {
    controller.passwords.set('admin', 'brand-new-1');
    const inProject = (...args: string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
    const made = await inProject('plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan');
    expect(made.code, made.stdout + made.stderr).to.equal(0);
    controller.passwords.set('admin', 'published-1');
    const before = tried().length;
    const { code, stdout } = await inProject('apply', 'site.plan');
    expect(code, stdout).to.equal(2);
    expect(stdout).to.include('user_password is not in the plan, so it is not carried out');
    expect([tried().slice(before), changes()]).to.deep.equal([['brand-new-1', 'published-1'], 0]);
  });

  it('makes the rest of the run use the new one, although the inventory has the old one', async () => {
    await project.remove();
    await use('published-1');
    const { code, stdout } = await run();
    expect(code, stdout).to.equal(0);
    expect(controller.objects('cloud')).to.have.length(1);
    expect(tried()).to.deep.equal(['brand-new-1', 'published-1', 'brand-new-1']);
  });

  it('tries each password once, and no third one', async () => {
    controller.passwords.set('admin', 'something-else');
    await project.write(
      'site.yml',
      SITE.replace('{"user_password"', '{"retries":3,"delay":0,"until":false,"user_password"'),
    );
    const { code, stdout } = await run('-o', 'json');
    expect(code).not.to.equal(0);
    expect(tasksOf(stdout)[0]?.message).to.include(
      'the controller refuses both passwords of "admin"; neither is tried again in this run',
    );
    expect(tried()).to.deep.equal(['brand-new-1', 'published-1']);
  });

  it('is resolved by signing in when the reply is lost', async () => {
    controller.losesReply = ({ path }) => path === '/api/useraccount' && changes() === 1;
    const { code, stdout } = await run();
    expect(code, stdout).to.equal(0);
    expect(stdout).to.include('ok=2   changed=2').and.to.not.include('not confirmed');
  });

  it('finds the new one again in a resume, and writes nothing', async () => {
    await project.remove();
    await use('published-1');
    await project.write('site.yml', SITE.replace('"name":"edge"', '"name":"edge","properties":{"bad":true}'));
    const child = spawn(process.execPath, [...STARTED, 'run', 'site.yml', '-i', 'inventory.yml'], {
      cwd: project.directory,
      env: { ...ownHome(project.directory) },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    controller.losesReply = ({ method, path }) => method === 'POST' && path === '/api/cloud' && child.kill('SIGKILL');
    await ended;
    controller.losesReply = () => false;
    controller.expire();
    const { code, stdout, stderr } = await evenkeel(['resume', 'last'], { cwd: project.directory });
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('ok=2   changed=2');
    expect([changes(), controller.objects('cloud').length]).to.deep.equal([1, 1]);
    expect(tried().slice(3)).to.deep.equal(['brand-new-1']);
  });

  it('is that of the user at the controller that the task is delegated to', async () => {
    controller.passwords.set('ann', 'published-1');
    const [variables = {}] = Object.values(controller.variables());
    const hosts = {
      lb1: { ...(variables as object), controller_url: 'https://127.0.0.1:1', controller_username: 'bob' },
      lb2: { ...(variables as object), controller_username: 'ann', controller_password: 'brand-new-1' },
    };
    const tasks = [
      { user_password: { password: 'brand-new-1', old_password: 'published-1' }, delegate_to: 'lb2' },
      {
        avi_useraccount: { old_password: 'brand-new-1' },
        delegate_to: 'lb2',
      },
    ];
    await project.write('site.yml', JSON.stringify([{ hosts: 'lb1', tasks }]));
    await project.write('inventory.yml', JSON.stringify({ all: { hosts } }));
    const { code, stdout, stderr } = await run();
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.include('ok=2   changed=1');
    expect([...controller.passwords])
      .to.deep.include(['ann', 'brand-new-1'])
      .and.to.deep.include(['admin', 'published-1']);
    const [change] = controller.asked.filter(({ path }) => path === '/api/useraccount');
    expect(JSON.parse(change?.body ?? '')).to.include({ username: 'ann' });
  });

  it('changes nothing in check mode', async () => {
    await project.write('site.yml', SITE.replace(/,\{"cloud_present".*?\}\}/, ''));
    const { stdout } = await run('--check');
    expect(stdout).to.include('changed=1');
    expect([tried(), changes()]).to.deep.equal([['brand-new-1'], 0]);
  });

  it('does not stop a fleet of new controllers, and shows no password', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => SessionController.start()));
    const fleet = [controller, ...others];
    for (const one of fleet) one.passwords.set('admin', 'published-1');
    const entries = fleet.flatMap((one, at) =>
      Object.entries(one.variables(`lb${at}`)).map(([name, of]): readonly [string, object] => [
        name,
        { ...(of as object), controller_password: 'brand-new-1' },
      ]),
    );
    await project.write('inventory.yml', JSON.stringify({ all: { hosts: Object.fromEntries(entries) } }));
    const { code, stdout } = await run('-vvvv');
    expect(code, stdout).to.equal(0);
    expect(fleet.map((one) => one.passwords.get('admin'))).to.deep.equal(fleet.map(() => 'brand-new-1'));
    expect(stdout).not.to.match(/brand-new-1|published-1/);
    await Promise.all(others.map((one) => one.close()));
  });
});

const PROBED = { path: '/api/systemconfiguration' };

describe('user_password over Basic authentication', () => {
  let lb1: AviController;
  let project: Project;

  /** @param basic whether the controller allows it */
  async function begin(basic: boolean, password = 'brand-new-1'): Promise<void> {
    lb1 = await startAviController({ basic, first_boot: { password: 'published-1' } });
    project = await emptyProject({ 'site.yml': SITE.replace('cloud_present', 'pool_present') });
    await lb1.writeInventory(project.directory, { controller_auth: 'basic', controller_password: password });
  }
  afterEach(async () => {
    await lb1.close();
    await project.remove();
  });

  const run = (...args: string[]): Promise<Ended> =>
    evenkeel(['run', 'site.yml', '-i', 'inventory.yml', ...args], { cwd: project.directory });
  /** The passwords of the requests so far, each once for requests in a row. */
  function tried(): readonly string[] {
    const all = lb1.controller.requests
      .filter(({ headers }) => headers['user-agent'] === 'evenkeel')
      .map(({ headers }) => Buffer.from(String(headers.authorization).slice('Basic '.length), 'base64').toString());
    lb1.controller.clearRequests();
    return all.filter((one, at) => one !== all[at - 1]);
  }

  it('changes the password, uses it for the rest of the run, and has nothing to do in the second run', async () => {
    for (const inventory of ['brand-new-1', 'published-1']) {
      await begin(true, inventory);
      const first = await run();
      expect(first.stdout + first.stderr).to.include('ok=2   changed=2');
      expect(tried()).to.deep.equal(['admin:brand-new-1', 'admin:published-1', 'admin:brand-new-1']);
      expect((await run()).stdout).to.include('ok=2   changed=0');
      expect(tried()).to.deep.equal(['admin:brand-new-1']);
      expect(lb1.take().filter((request) => request.startsWith('POST /log'))).to.deep.equal([]);
      if (inventory === 'brand-new-1') {
        await lb1.close();
        await project.remove();
      }
    }
  });

  it('changes it once for all names of a controller, which send one wrong password', async () => {
    for (const auth of ['basic', 'session']) {
      await begin(true);
      const { inventory } = lb1.textInventory({
        controller_auth: auth,
        controller_password: 'brand-new-1',
        controller_shared: true,
      });
      const { all } = JSON.parse(inventory) as { readonly all: { readonly hosts: { readonly lb1: object } } };
      const hosts = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, all.hosts.lb1]));
      await project.write('inventory.yml', JSON.stringify({ all: { hosts } }));
      const { code, stdout } = await run();
      expect(code, stdout).to.equal(0);
      const ofRun = lb1.controller.requests.filter(({ headers }) => headers['user-agent'] === 'evenkeel');
      expect(ofRun.filter(({ method, path }) => `${method} ${path}` === 'PUT /api/useraccount')).to.have.length(1);
      expect(ofRun.filter(({ status }) => status === 401)).to.have.length(1);
      if (auth === 'basic') {
        await lb1.close();
        await project.remove();
      }
    }
  });

  it('is resolved by signing in when the reply is lost', async () => {
    await begin(true);
    lb1.controller.behaviour = {
      basic: true,
      first_boot: { password: 'published-1' },
      faults: [{ type: 'drop', applied: true, when: { path: '/api/useraccount', first: 1 } }],
    };
    expect((await run()).stdout)
      .to.include('ok=2   changed=2')
      .and.to.not.include('not confirmed');
  });

  it('fails if the controller does not say whether the password is right', async () => {
    await begin(true);
    for (const [status, code] of [
      [503, 1],
      [500, 1],
      [429, 1],
      [400, 1],
      // Only the read is not allowed, or not possible.
      [403, 0],
      [404, 0],
      [501, 0],
    ] as const) {
      const fault: Fault = { type: 'answer', status, when: PROBED };
      lb1.controller.behaviour = { basic: true, first_boot: { password: 'brand-new-1' }, faults: [fault] };
      await project.write('site.yml', SITE.replace(/,\{"cloud_present".*?\}\}/, ''));
      const ran = await run();
      expect(ran.code === 0 ? 0 : 1, `${status} ${ran.stdout}`).to.equal(code);
      expect(ran.stdout).to.include(code === 0 ? 'ok=1' : `${status} Configured to answer ${status}.`);
    }
    for (const [fault, why] of [
      [{ type: 'garbage', form: 'html' }, 'answered 200, but not with JSON'],
      [{ type: 'answer', status: 200, body: { error: 'starting' } }, 'answered 200 with an error: starting'],
      [{ type: 'answer', status: 202 }, '202 Configured to answer 202.'],
      [{ type: 'answer', status: 204 }, 'user_password: 204'],
      // A gateway answers so to everybody.
      [{ type: 'answer', status: 403, body: '<html>no</html>' }, 'answered 403, but not with JSON: <html>no</html>'],
      [{ type: 'answer', status: 404, body: 'default backend' }, 'answered 404, but not with JSON: default backend'],
      [{ type: 'answer', status: 404, body: '' }, 'answered 404, but not with JSON'],
    ] as const) {
      const probed: Fault = { ...fault, when: PROBED };
      lb1.controller.behaviour = { basic: true, first_boot: { password: 'brand-new-1' }, faults: [probed] };
      const ran = await run();
      expect(ran.code, why).not.to.equal(0);
      expect(ran.stdout, ran.stdout).to.include(why);
    }
  });

  it('tries each password once, and says what to do if Basic authentication is off', async () => {
    await begin(false);
    const { code, stdout } = await run();
    expect(code).not.to.equal(0);
    expect(stdout).to.include('controller_auth: session');
    expect(tried().length).to.be.at.most(2);
  });
});

describe('playbooks/first_boot.yml', () => {
  it('runs twice on simulated controllers', async () => {
    const project = await exampleProject();
    const run = (): Promise<Ended> =>
      evenkeel(['run', 'playbooks/first_boot.yml', '--simulate', '--limit', 'all[0]'], { cwd: project.directory });
    const first = await run();
    expect(first.code, first.stdout + first.stderr).to.equal(0);
    expect(first.stdout).to.include('changed=2');
    expect((await run()).stdout).to.include('ok=2   changed=0');
    await project.remove();
  });
});
