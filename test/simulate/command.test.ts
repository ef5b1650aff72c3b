import { once } from 'node:events';
import { readFile, stat, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { freePort } from '../rig/free_port.js';
import { evenkeel } from '../rig/gate_command.js';
import { basic, RawClient } from '../rig/raw_client.js';
import { runningSimulate, type Overlay, type RunningSimulate } from '../rig/running_simulate.js';
import { SessionClient } from '../rig/session_client.js';
import { vaulted } from '../rig/vault.js';

const INVENTORY = `all:
  vars:
    controller_username: ops
    controller_password: "{{ from_nowhere }}"
  hosts:
    lb1: { controller_url: "https://lb1.example.com", controller_password: opensesame }
    lb2: { controller_url: "https://lb2.example.com", controller_simulation: { unreadable: 405 } }
    lb3: { controller_url: "https://lb3.example.com", controller_version_header: X-Api-Version }
`;

describe('evenkeel simulate', () => {
  let project: Project;
  const running: RunningSimulate[] = [];

  beforeEach(async () => {
    project = await emptyProject({ 'inventory.yml': INVENTORY });
  });

  afterEach(async () => {
    for (const one of running.splice(0)) await one[Symbol.asyncDispose]();
    await project.remove();
  });

  async function simulate(...args: readonly string[]): Promise<RunningSimulate> {
    const one = await runningSimulate(project.directory, args);
    running.push(one);
    return one;
  }

  async function clientOf(overlay: Overlay): Promise<RawClient> {
    return new RawClient(await readFile(String(overlay.all.hosts['lb1']?.['controller_ca_file']), 'utf8'));
  }

  it('simulates controllers of another dialect, and prints how to sign in to them', async () => {
    const { overlay } = await simulate('-e', 'controller_password=x', '--dialect', 'avi', '--api-version', '22.1.3');
    const lb2 = overlay.all.hosts['lb2'] ?? {};
    expect(lb2).to.include({ controller_dialect: 'avi', controller_auth: 'session' });
    const ca = await readFile(String(lb2['controller_ca_file']), 'utf8');
    const client = new SessionClient(String(lb2['controller_url']), ca);
    expect((await client.login('ops', 'x')).status).to.equal(200);
    expect(await client.object('POST', '/api/pool', { name: 'web' })).to.include({ name: 'web' });
    expect((await client.object('GET', '/api/pool'))['count']).to.equal(1);
    await client.close();
  });

  it("knows the kinds of the project's tables", async () => {
    const structures = { Widget: { required: ['name', 'mode'], fields: { name: 'string', mode: 'string' } } };
    const table = { format: 'evenkeel-kinds-1', kinds: { widget: 'Widget' }, structures };
    await project.write('modules/own.kinds.json', JSON.stringify(table));
    const { overlay } = await simulate('-e', 'controller_password=x controller_api_version=22.1.3', '--dialect', 'avi');
    const lb2 = overlay.all.hosts['lb2'] ?? {};
    const ca = await readFile(String(lb2['controller_ca_file']), 'utf8');
    const client = new SessionClient(String(lb2['controller_url']), ca);
    await client.login('ops', 'x');
    const refused = await client.send('POST', '/api/widget', { name: 'web' });
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include('missing required field');
    await client.close();
  });

  it('is refused for a dialect that does not exist', async () => {
    const { code, stderr } = await evenkeel(['simulate', '-i', 'inventory.yml', '-l', 'lb1', '--dialect', 'avy'], {
      cwd: project.directory,
    });
    expect(stderr).to.include('controller_dialect must be one of generic, avi, not "avy"').and.include('avi');
    expect(code).to.equal(1);
  });

  for (const args of [['simulate'], ['run', 'p.yml', '--simulate'], ['run', 'p.yml', '--simulate', '--check']]) {
    it(`is refused if the state folder cannot be written (${args.join(' ')})`, async () => {
      await project.write('p.yml', '- hosts: all\n  tasks: [{ cloud_present: { name: edge } }]\n');
      await project.write('blocked', '');
      const { code, stdout, stderr } = await evenkeel(
        [...args, '-i', 'inventory.yml', '-e', 'controller_api_version=22.1.3 controller_password=x'],
        {
          cwd: project.directory,
          env: { EVENKEEL_STATE_DIR: 'blocked/state' },
        },
      );
      expect(stderr).to.equal(
        `error: cannot keep the state of simulated controllers in blocked/state/simulator: not a directory
  = hint: state_dir in evenkeel.yml, or EVENKEEL_STATE_DIR, names another folder

1 error
`,
      );
      expect([code, stdout]).to.deep.equal([1, '']);
    });
  }

  it('keeps the exit code of failed tasks if the state can no longer be written', async () => {
    const away = 'rm -r .evenkeel/simulator && touch .evenkeel/simulator && echo 1';
    for (const [last, code, severity] of [
      ['fail: { msg: no }', 2, 'warning'],
      ['debug: { msg: yes }', 1, 'error'],
    ] as const) {
      await project.write(
        'p.yml',
        `- hosts: lb1
  tasks:
    - cloud_present: { name: edge-${code} }
    - set_fact: { moved: '{{ lookup("pipe", "${away}") }}' }
    - cloud_present: { name: east }
    - ${last}
`,
      );
      const args = ['run', 'p.yml', '--simulate', '-i', 'inventory.yml'];
      const extra = ['-e', 'controller_api_version=22.1.3 controller_password=x'];
      const ended = await evenkeel([...args, ...extra], { cwd: project.directory });
      expect(ended.stderr).to.match(
        new RegExp(`^${severity}: cannot keep the state of simulated controllers in \\S+/simulator: not a directory`),
      );
      expect(ended.code).to.equal(code);
      await rm(path.join(project.directory, '.evenkeel/simulator'));
      const { stdout } = await evenkeel([...args, ...extra, '-o', 'json'], { cwd: project.directory });
      expect(stdout.trimEnd().split('\n').at(-1)).to.include('"type":"run-finished"');
      await rm(path.join(project.directory, '.evenkeel/simulator'));
    }
  });

  it('needs no vault password for simulated controllers', async () => {
    const encrypted = vaulted('controller_password', 8).trimEnd();
    await project.write(
      'inventory.yml',
      `all:\n  hosts:\n    lb1:\n      controller_url: https://lb1.example.com\n      ${encrypted}\n`,
    );
    const { overlay, end } = await simulate();
    expect(overlay.all.hosts['lb1']).to.include({ controller_password: 'simulated' });
    expect(await end()).to.equal(0);
  });

  it('prints an inventory that leads to a controller each, with the credentials, header and behaviour of the inventory', async () => {
    const { overlay, said, end } = await simulate();
    const { lb1, lb2, lb3 } = overlay.all.hosts;
    const ca = path.join(project.directory, '.evenkeel/simulator/ca.pem');
    expect(lb1).to.deep.equal({
      controller_url: lb1?.['controller_url'],
      controller_simulated_url: lb1?.['controller_url'],
      controller_ca_file: ca,
      controller_verify_tls: true,
      controller_proxy: '',
      controller_route: '',
    });
    expect(lb2).to.include({ controller_password: 'simulated' }).and.not.have.property('controller_username');
    expect(said).to.equal(
      '3 simulated controllers are listening on 127.0.0.1; press Ctrl-C to stop.\n' +
        'Pass the printed inventory after yours: evenkeel run … -i INVENTORY -i FILE\n',
    );
    const client = await clientOf(overlay);
    const status = async (
      host: typeof lb1,
      thing: string,
      headers: Record<string, string | undefined>,
    ): Promise<number> =>
      (await client.send('GET', `${String(host?.['controller_url'])}/api/${thing}`, { headers })).status;
    const ops = (password: string): string => basic('ops', password);
    expect(await status(lb1, 'cloud/', { authorization: ops('opensesame') })).to.equal(200);
    expect(await status(lb1, 'cloud/', { authorization: ops('simulated') })).to.equal(401);
    expect(await status(lb2, 'systemconfiguration', { authorization: ops('simulated') })).to.equal(405);
    const version = { 'x-vendor-version': undefined, 'x-api-version': '1.0.0' };
    expect(await status(lb3, 'cloud/', { authorization: ops('simulated'), ...version })).to.equal(200);
    await client.close();
    expect(await end()).to.equal(0);
  });

  it('starts one controller for the hosts that share it', async () => {
    const shared = (user: string) =>
      `{ controller_url: https://lb, controller_shared: true, controller_username: ${user}, controller_password: of-${user} }`;
    await project.write(
      'inventory.yml',
      `all:\n  hosts:\n    lb1: { controller_url: https://lb1 }\n    lb2: ${shared('ann')}\n    lb3: ${shared('bob')}\n`,
    );
    const { overlay, said, end } = await simulate('--limit', 'lb1,lb3');
    const { lb1, lb3 } = overlay.all.hosts;
    expect(said).to.match(/^2 simulated controllers are /);
    expect(lb1?.['controller_url']).not.to.equal(lb3?.['controller_url']);
    expect(await end()).to.equal(0);
    const all = await simulate();
    const { lb2, lb3: other } = all.overlay.all.hosts;
    expect(all.said).to.match(/^2 simulated controllers are /);
    expect(lb2?.['controller_url']).to.equal(other?.['controller_url']);
    const client = await clientOf(all.overlay);
    for (const user of ['ann', 'bob']) {
      const headers = { authorization: basic(user, `of-${user}`) };
      expect((await client.send('GET', `${String(lb2?.['controller_url'])}/api/cloud/`, { headers })).status).to.equal(
        200,
      );
    }
    await client.close();
    expect(await all.end()).to.equal(0);
  });

  it('keeps the objects of controllers from one start to the next', async () => {
    const headers = { authorization: basic('ops', 'opensesame') };
    const first = await simulate('--limit', 'lb1');
    const url = (overlay: Overlay): string => `${String(overlay.all.hosts['lb1']?.['controller_url'])}/api/cloud/`;
    const client = await clientOf(first.overlay);
    const created = await client.send('POST', url(first.overlay), { headers, body: { name: 'edge' } });
    expect(created.status).to.equal(201);
    await client.close();
    expect(await first.end()).to.equal(0);
    const file = path.join(project.directory, '.evenkeel/simulator/lb1.json');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);

    const second = await simulate('--limit', 'lb1');
    const again = await clientOf(second.overlay);
    const list = await again.send('GET', `${url(second.overlay)}?name=edge`, { headers });
    expect(list.json()).to.include({ count: 1 });
    await again.close();
    expect(await second.end()).to.equal(0);
  });

  it('keeps running while its only controller refuses connections', async () => {
    await project.write(
      'inventory.yml',
      `all:
  hosts:
    lb1: { controller_simulation: { faults: [{ type: upgrade, refused: 300, when: { method: POST } }] } }
`,
    );
    const { overlay, end, ended } = await simulate();
    const client = await clientOf(overlay);
    const headers = { authorization: basic('admin', 'simulated') };
    const send = async (method: 'GET' | 'POST', body?: { name: string }): Promise<number> => {
      const answer = await client.send(method, `${String(overlay.all.hosts['lb1']?.['controller_url'])}/api/cloud/`, {
        headers,
        ...(body && { body }),
      });
      return answer.status;
    };
    expect(await send('POST', { name: 'edge' })).to.equal(201);
    let code: unknown;
    void ended.then((one) => (code = one));
    let refused = false;
    let status = 0;
    while (code === undefined && !(refused && status === 200)) {
      await setImmediate();
      status = await send('GET').catch(() => 0);
      refused ||= status === 0;
    }
    expect(code).to.equal(undefined);
    await client.close();
    expect(await end()).to.equal(0);
  });

  it('uses consecutive ports, and reports one that is in use', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const args = ['simulate', '-i', 'inventory.yml', '--limit', 'lb1', '--port', String(port)];
    const refused = await evenkeel(args, { cwd: project.directory });
    expect(refused.stderr).to.equal(
      `error: lb1 cannot be simulated: port ${port} is in use: choose another one\n\n1 error\n`,
    );
    expect(refused).to.include({ code: 1, stdout: '' });
    other.close();
    await once(other, 'close');
    const { overlay, end } = await simulate('--limit', 'lb1', '--port', String(port));
    expect(overlay.all.hosts['lb1']?.['controller_url']).to.equal(`https://127.0.0.1:${port}`);
    await end();
  });

  it('reports that there are not enough ports', async () => {
    const args = ['simulate', '-i', 'inventory.yml', '--port', '65534'];
    const { code, stderr } = await evenkeel(args, { cwd: project.directory });
    expect(stderr).to.equal('error: --port 65534 leaves no room for 3 controllers: ports end at 65535\n\n1 error\n');
    expect(code).to.equal(1);
    const one = await evenkeel([...args.slice(0, -1), '65536', '-l', 'lb1'], { cwd: project.directory });
    expect(one.stderr).to.include('--port 65536 leaves no room for 1 controller: ');
  });

  it('refuses if the printed inventory would be overridden: a run would reach the real controller', async () => {
    await project.write('host_vars/lb2.yml', 'controller_url: https://real.example.com\n');
    const { code, stdout, stderr } = await evenkeel(['simulate', '-i', 'inventory.yml'], { cwd: project.directory });
    expect(stderr).to.contain(
      'error: controller_url of lb2 is set in host_vars/lb2.yml, which overrides the inventory that this command prints: a run could not use the simulated controller\n  --> host_vars/lb2.yml:1:17\n',
    );
    expect(stderr).to.contain(
      'hint: use "run --simulate", which replaces every connection, or move it into the inventory\n',
    );
    expect([code, stdout]).to.deep.equal([1, '']);
  });

  it('refuses an invalid behaviour, with its position', async () => {
    await project.write('inventory.yml', 'all:\n  hosts:\n    lb1:\n      controller_simulation:\n        latncy: 3\n');
    const { code, stderr } = await evenkeel(['simulate', '-i', 'inventory.yml'], { cwd: project.directory });
    expect(stderr).to.contain(
      'error: controller_simulation of lb1: latncy is not known: did you mean "latency"?\n  --> inventory.yml:',
    );
    expect(code).to.equal(1);
  });
});
