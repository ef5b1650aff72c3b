import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { EXIT } from '../../src/core/model/exit_code.js';
import { emptyProject, ownHome, type Project, STARTED } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { basic, RawClient } from '../rig/raw_client.js';
import { runningSimulate, type RunningSimulate } from '../rig/running_simulate.js';

describe('two simulations in one project', () => {
  let project: Project;
  let first: RunningSimulate;

  beforeEach(async () => {
    project = await emptyProject({
      'inventory.yml': `all:
  hosts: { lb1: , lb2: , lb3: }
  vars: { controller_url: 'https://{{ inventory_hostname }}.invalid', controller_api_version: 22.1.3 }
`,
      'site.yml': '- hosts: all\n  tasks: [{ cloud_present: { name: edge } }]\n',
    });
    first = await runningSimulate(project.directory, ['--limit', 'lb1,lb2']);
  });

  afterEach(async () => {
    await first[Symbol.asyncDispose]();
    await project.remove();
  });

  const run = (...args: readonly string[]) =>
    evenkeel(['run', 'site.yml', '-i', 'inventory.yml', ...args], { cwd: project.directory });
  const refusal = (names: string): string =>
    `${names} already simulated by evenkeel simulate (process ${first.pid} on `;

  const authority = ({ overlay }: RunningSimulate, name: string): string =>
    path.basename(String(overlay.all.hosts[name]?.['controller_ca_file']));

  async function status({ overlay }: RunningSimulate, name: string): Promise<number> {
    const { controller_url: url, controller_ca_file: ca } = overlay.all.hosts[name] ?? {};
    const client = new RawClient(await readFile(String(ca), 'utf8'));
    const headers = { authorization: basic('admin', 'simulated') };
    const answer = await client.send('GET', `${String(url)}/api/cloud/`, { headers });
    await client.close();
    return answer.status;
  }

  it('are possible for different controllers, and each has its authority', async () => {
    const second = await runningSimulate(project.directory, ['--limit', 'lb3']);
    expect([authority(first, 'lb1'), authority(second, 'lb3')]).to.deep.equal(['ca.pem', 'ca-lb3.pem']);
    expect([await status(first, 'lb1'), await status(second, 'lb3')]).to.deep.equal([200, 200]);
    expect(await first.end()).to.equal(0);
    expect(await status(second, 'lb3')).to.equal(200);
    const third = await runningSimulate(project.directory, ['--limit', 'lb1']);
    expect([authority(third, 'lb1'), await status(third, 'lb1')]).to.deep.equal(['ca.pem', 200]);
    expect([await second.end(), await third.end()]).to.deep.equal([0, 0]);
    expect(await readdir(path.join(project.directory, '.evenkeel/simulator/locks'))).to.deep.equal([]);
  });

  it('can both have localhost, which is no controller', async () => {
    const task = (address: string): string =>
      `- hosts: localhost\n  tasks: [{ cloud_present: { name: edge }, vars: { controller_url: 'https://${address}.invalid', controller_api_version: 22.1.3 } }]\n`;
    await project.write('one.yml', task('one'));
    const local = (file: string) =>
      evenkeel(['run', file, '-i', 'inventory.yml', '--simulate'], { cwd: project.directory });
    await project.write('two.yml', task('two'));
    const ends = await Promise.all([local('one.yml'), local('two.yml')]);
    expect(ends.map(({ code }) => code)).to.deep.equal([0, 0]);
  });

  it('cannot have the same controller: the second one is refused until the first has ended', async () => {
    const again = await evenkeel(['simulate', '-i', 'inventory.yml'], { cwd: project.directory });
    expect(again.stderr).to.include(`error: ${refusal('lb1, lb2 are')}`);
    expect(again.stderr).to.include('= hint: end it first, or name another state folder with EVENKEEL_STATE_DIR\n');
    expect([again.code, again.stdout]).to.deep.equal([1, '']);

    const refused = await run('--simulate', '-l', 'lb1,lb3');
    expect(refused.stderr).to.include(`error: ${refusal('lb1 is')}`);
    expect([refused.code, refused.stdout]).to.deep.equal([1, '']);
    expect(await readdir(path.join(project.directory, '.evenkeel/runs'))).to.deep.equal([]);

    expect((await run('--simulate', '-l', 'lb3')).code).to.equal(0);
    expect(await first.end()).to.equal(0);
    expect((await run('--simulate')).stdout).to.match(/changed +lb1/);
  });

  it('cannot have the same controller if it is known only during a run', async () => {
    await project.write(
      'site.yml',
      '- hosts: lb3\n  tasks: [{ cloud_present: { name: edge }, delegate_to: "{{ \'lb1\' }}" }]\n',
    );
    const { code, stdout } = await run('--simulate');
    expect(stdout).to.include(refusal('lb1 is'));
    expect(code).to.equal(2);
  });

  it('can have the same controller if one of them only reads', async () => {
    for (const args of [
      ['run', 'site.yml', '--check'],
      ['task', 'all', '-m', 'resource_facts', '-a', 'kind=cloud'],
      ['plan', 'site.yml', '--out', 'site.plan'],
      ['drift', 'site.yml'],
      ['capture', '--out', 'captured'],
      ['ping'],
    ]) {
      const command = [...args, '-i', 'inventory.yml', '--simulate'];
      const { code, stdout, stderr } = await evenkeel(command, { cwd: project.directory });
      expect(code, `${args.join(' ')}: ${stdout}${stderr}`).to.equal(args[0] === 'drift' ? EXIT.changes : EXIT.ok);
    }
    expect(await first.end()).to.equal(0);
  });

  describe('of which one is a check', () => {
    const written = { check_mode: false };
    const stored = () =>
      evenkeel(['task', 'lb3', '-i', 'inventory.yml', '-m', 'resource_facts', '-a', 'kind=cloud', '--simulate'], {
        cwd: project.directory,
      });
    const POST = { method: 'POST', path: '/api/cloud/', body: { name: 'edge' } };

    for (const [title, task] of Object.entries({
      resource: { cloud_present: { name: 'edge' } },
      'raw request, which is the first one to its controller': { api_request: POST },
    })) {
      it(`keeps what a ${title} writes all the same`, async () => {
        await project.write(
          'site.yml',
          JSON.stringify([{ hosts: 'lb3', tasks: [{ cloud_present: { name: 'other' } }] }]),
        );
        expect((await run('--simulate')).code).to.equal(0);
        await project.write('site.yml', JSON.stringify([{ hosts: 'lb3', tasks: [{ ...task, ...written }] }]));
        const { code, stdout } = await run('--simulate', '--check');
        expect(code, stdout).to.equal(0);
        expect((await stored()).stdout).to.match(/edge.*other|other.*edge/s);
      });

      it(`is refused if a ${title} writes to a controller of the other one`, async () => {
        await project.write('site.yml', JSON.stringify([{ hosts: 'lb1', tasks: [{ ...task, ...written }] }]));
        const { code, stdout, stderr } = await run('--simulate', '--check');
        expect(stdout + stderr).to.include(refusal('lb1 is'));
        expect(code).to.equal(1);
      });
    }

    it('is possible if a task outside of check mode only reads', async () => {
      const tasks = [{ resource_facts: { kind: 'cloud' }, ...written }, { cloud_present: { name: 'edge' } }];
      await project.write('site.yml', JSON.stringify([{ hosts: 'lb1', tasks }]));
      const { code, stdout, stderr } = await run('--simulate', '--check');
      expect(code, stdout + stderr).to.equal(0);
    });
  });

  describe('of which one says that it only reads', () => {
    const task = (name: string, module: string, args: string, options: readonly string[] = []) =>
      evenkeel(['task', name, '-i', 'inventory.yml', '-m', module, '-a', args, '--simulate', ...options], {
        cwd: project.directory,
      });
    const AVI = 'controller_dialect: avi\n';
    const pools = async (name: string): Promise<string> => (await task(name, 'resource_facts', 'kind=pool')).stdout;

    beforeEach(async () => {
      await project.write('host_vars/lb3.yml', AVI);
      await project.write(
        'modules/sly.js',
        `import { execFileSync } from 'node:child_process';
const beside = ['task', 'lb3', '-i', 'inventory.yml', '-m', 'pool_present', '-a', 'name=beside', '-e', 'controller_tenant=admin', '--simulate'];
export default {
  type: 'action', name: 'sly', summary: 'writes', examples: ['- sly: {}'], check: true,
  args: { type: 'object', properties: { beside: { type: 'boolean' }, own: { type: 'boolean' } } },
  run: async (args, context) => {
    await context.request({ method: 'GET', path: '/api/cloud/' });
    if (args.beside) execFileSync(process.execPath, [...${JSON.stringify(STARTED)}, ...beside], { cwd: ${JSON.stringify(project.directory)}, env: ${JSON.stringify(ownHome(project.directory))} });
    if (args.own) await context.request({ method: 'POST', path: '/api/pool/', body: { name: 'own' } });
    return { status: 'ok' };
  },
};
`,
      );
    });

    it('lets the other one write meanwhile, and replaces nothing of it', async () => {
      expect((await task('lb3', 'pool_present', 'name=before')).code).to.equal(0);
      // This tenant is new: the simulated controller adds it.
      await project.write('host_vars/lb3.yml', `${AVI}controller_tenant: blue\n`);
      const { code, stdout } = await task('lb3', 'sly', 'beside=true');
      expect(code, stdout).to.equal(0);
      await project.write('host_vars/lb3.yml', AVI);
      expect(await pools('lb3')).to.match(/before.*beside/s);
    });

    it('writes to what is stored then if it writes after all', async () => {
      expect((await task('lb3', 'pool_present', 'name=before')).code).to.equal(0);
      // Only for this process the simulated controller adds this tenant.
      await project.write('blue.yml', 'all: { hosts: { lb3: { controller_tenant: blue } } }\n');
      const { code, stdout } = await task('lb3', 'sly', 'beside=true own=true', ['-i', 'blue.yml']);
      expect(code, stdout).to.equal(0);
      await project.write('host_vars/lb3.yml', `${AVI}controller_tenant: '*'\n`);
      expect(await pools('lb3')).to.match(/before.*beside.*own/s);
    });

    it('claims a controller before its first request if that writes', async () => {
      await project.write(
        'modules/blunt.js',
        `export default {
  type: 'action', name: 'blunt', summary: 'writes', examples: ['- blunt: {}'], check: true, args: { type: 'object', properties: {} },
  run: async (args, context) => {
    await context.request({ method: 'POST', path: '/api/pool/', body: { name: 'own' } });
    return { status: 'ok' };
  },
};
`,
      );
      expect((await task('lb3', 'pool_present', 'name=before')).code).to.equal(0);
      const { code, stdout } = await task('lb3', 'blunt', '');
      expect(code, stdout).to.equal(0);
      expect(await pools('lb3')).to.match(/before.*own/s);
      expect((await task('lb1', 'blunt', '')).stdout).to.include(refusal('lb1 is'));
    });

    it('is refused when it writes to a controller of the other one', async () => {
      const { code, stdout } = await task('lb1', 'sly', 'own=true');
      expect(stdout).to.include(refusal('lb1 is'));
      expect(code).to.equal(2);
    });
  });

  it('keep their state out of version control, and ended processes keep nothing', async () => {
    expect(existsSync(path.join(project.directory, '.evenkeel/.gitignore'))).to.equal(true);
    await first[Symbol.asyncDispose]();
    expect((await run('--simulate')).code).to.equal(0);
  });
});
