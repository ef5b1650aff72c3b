import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { emptyProject, evenkeel, ROOT, STARTED, type Ended, type Project } from '../rig/command.js';
import { Broker, NATS_SERVER, sayWithoutNats } from '../rig/nats.js';

const FILES = {
  'inv.yml':
    'all: { hosts: { lb1: { evenkeel_site: madrid, controller_url: "https://127.0.0.1:1", controller_username: u, controller_password: secret-password, controller_api_version: 22.1.3 } } }',
  'say.yml': "- { hosts: all, tasks: [{ debug: { msg: \"{{ lookup('env', 'FLAVOUR') }} in {{ playbook_dir }}\" } }] }",
  'write.yml': '- { hosts: all, tasks: [{ cloud_present: { name: edge } }] }',
  'writes.yml': '- { hosts: all, tasks: [{ cloud_present: { name: edge } }, { user_absent: { name: x } }] }',
  'included.yml': '- { hosts: all, tasks: [{ include_tasks: tasks.yml }] }',
  'tasks.yml': '[{ cloud_present: { name: edge } }]',
  'slowly.yml':
    "- { hosts: all, tasks: [{ pause: { seconds: 2 } }, { debug: { msg: \"this is {{ lookup('env', 'FLAVOUR') }}\" } }] }",
  'many.yml': '- { hosts: all, tasks: [{ debug: { msg: done } }] }',
  'code.yml': "- { hosts: all, tasks: [{ debug: { msg: \"{{ lookup('pipe', 'echo ran') }}\" } }] }",
};

describe('a worker of a site', () => {
  let broker: Broker;
  let project: Project;

  before(async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('a worker of a site');
      this.skip();
    }
    broker = await Broker.start();
    project = await emptyProject(FILES);
  });
  after(async () => {
    if (NATS_SERVER === undefined) return;
    await broker.dispose();
    await project.remove();
  });

  /** Does something while there is a worker. */
  async function withWorker<T>(
    options: readonly string[],
    work: () => Promise<T>,
    folder = 'own',
    onLine: (line: string) => void = () => undefined,
    program: readonly string[] = STARTED,
  ): Promise<T> {
    const own = path.resolve(project.directory, folder);
    await mkdir(own, { recursive: true });
    const reached = ['--nats', broker.url];
    const worker = spawn(process.execPath, [...program, 'worker', '--site', 'madrid', ...reached, ...options], {
      cwd: own,
      env: { PATH: process.env['PATH'] ?? '', HOME: own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(worker, 'exit');
    try {
      for await (const line of createInterface({ input: worker.stderr })) {
        onLine(line);
        if (line.includes('works for site')) break;
      }
      worker.stderr.resume();
      return await work();
    } finally {
      worker.kill('SIGTERM');
      await ended;
    }
  }

  function start(
    playbook: string,
    options: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const reached = ['--nats', broker.url, '--site-timeout', '1'];
    return evenkeel(['run', playbook, '-i', 'inv.yml', '-o', 'lines', ...reached, ...options], {
      cwd: project.directory,
      env,
    });
  }

  /** Runs a playbook with one worker. */
  function run(
    playbook: string,
    options: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    return withWorker(options, () => start(playbook, [], env));
  }

  it('gets the environment variables that a project looks up, and names the files of the coordinator', async () => {
    const { code, stdout, stderr } = await run('say.yml', [], { FLAVOUR: 'vanilla' });
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include(`vanilla in ${project.directory}`);
  });

  /** What the run left of itself. */
  async function journals(): Promise<readonly string[]> {
    return readdir(path.join(project.directory, '.evenkeel', 'runs')).catch(() => []);
  }

  it('carries out no module that may write beside those that it allows, which is known before the run', async () => {
    const before = await journals();
    const { code, stdout, stderr } = await run('write.yml', ['--allow-module', 'pool_present', '--name', 'w1']);
    expect(code, stdout + stderr).to.equal(1);
    expect(stderr).to.include(
      'error: worker madrid/w1 does not carry out cloud_present: its --allow-module names pool_present: nothing was contacted',
    );
    expect(stderr).to.include('--> write.yml:1:25').and.include('start it with --allow-module cloud_present');
    expect(await journals()).to.deep.equal(before);
    expect((await run('say.yml', ['--allow-module', 'pool_present'])).code).to.equal(0);
  });

  it('is refused with all modules that it lacks, so that it is started again only once', async () => {
    const { code, stderr } = await run('writes.yml', ['--allow-module', 'pool_present', '--name', 'w1']);
    expect(code, stderr).to.equal(1);
    expect(stderr).to.include('error: worker madrid/w1 does not carry out cloud_present, user_absent: ');
    expect(stderr).to.include('start it with --allow-module cloud_present --allow-module user_absent as well');
  });

  it('is not waited for if the name of its site cannot be right: the run does not start', async () => {
    const misnamed = ['-e', 'evenkeel_site="not a site"'];
    const { code, stdout, stderr } = await start('many.yml', misnamed);
    expect(code, stdout + stderr).to.equal(1);
    expect(stderr).to.include(
      'error: evenkeel_site is not the name of a site: "not a site" on lb1: nothing was contacted',
    );
    expect(stderr).to.include('hint: the name of a site may have letters, digits, - and _, at most 100 of them');
  });

  it('warns about modules that there are not when it starts', async () => {
    const lines: string[] = [];
    const allowed = ['cloud_presnt', 'cloud_present', 'avi_pool', 'rollback'].flatMap((name) => [
      '--allow-module',
      name,
    ]);
    await withWorker(
      allowed,
      () => Promise.resolve(),
      'own',
      (line) => lines.push(line),
    );
    expect(lines.filter((line) => line.includes('warning')).map((line) => line.replace(/^\S+ /, ''))).to.deep.equal([
      'warning: --allow-module cloud_presnt: no module has this name: did you mean "cloud_present"?',
    ]);
  });

  it('carries out no module of an included file beside those that it allows', async () => {
    const { code, stdout, stderr } = await run('included.yml', ['--allow-module', 'pool_present']);
    expect(code, stdout + stderr).to.equal(2);
    expect(stdout).to.include('this worker does not carry out cloud_present: --allow-module names pool_present');
  });

  it('starts no programs for a project unless it may, which is known before the run', async () => {
    const refused = await run('code.yml', ['--name', 'w1']);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('error: worker madrid/w1 executes no code of projects: ');
    expect(refused.stderr).to.include('"pipe" runs a command, which --no-exec refuses');
    expect(refused.stderr).to.include('--> code.yml:1').and.include('start it with --allow-code');
    const allowed = await run('code.yml', ['--allow-code']);
    expect(allowed.code, allowed.stdout).to.equal(0);
    expect(allowed.stdout).to.match(/: ran$/m);
  });

  it('works for two runs at once whose environments differ', async () => {
    const both = await withWorker(['--name', 'w1'], () =>
      Promise.all(['vanilla', 'lemon'].map((FLAVOUR) => start('slowly.yml', [], { FLAVOUR }))),
    );
    for (const [index, { code, stdout }] of both.entries()) {
      expect(code, stdout).to.equal(0);
      expect(stdout).to.include(`this is ${index === 0 ? 'vanilla' : 'lemon'}`);
    }
  });

  it('says that it was updated while it ran, and leaves the work to others', async () => {
    const installed = path.join(project.directory, 'installed');
    await cp(path.join(ROOT, 'dist'), path.join(installed, 'dist'), { recursive: true });
    await cp(path.join(ROOT, 'package.json'), path.join(installed, 'package.json'));
    await symlink(path.join(ROOT, 'node_modules'), path.join(installed, 'node_modules'));
    const work = async () => {
      await rm(path.join(installed, 'dist'), { recursive: true });
      return start('say.yml');
    };
    const { code, stdout, stderr } = await withWorker([], work, 'updated', undefined, [
      path.join(installed, 'dist/main.js'),
    ]);
    expect(code, stdout + stderr).to.equal(4);
    expect(stdout).to.match(/cannot carry out the run: evenkeel was updated while this worker ran: restart the worker/);
    expect(stdout).not.to.include('Cannot find');
  });

  it('gets nothing if its key is not among those of evenkeel.yml', async () => {
    const before = await journals();
    await project.write(
      'evenkeel.yml',
      'worker_keys: ["madrid=XCEF5Y2UCHMVRVCUWRZQGR23GL5XYRNPEZFJBEAHSQSTHLPG4K2A53QY"]\n',
    );
    try {
      const { code, stdout, stderr } = await run('say.yml', ['--name', 'w1']);
      expect(code, stdout + stderr).to.equal(4);
      expect(stdout).to.match(
        /the key X\w{55} of worker w1 is not among the keys that the coordinator accepts for site madrid/,
      );
      expect(stdout).to.include('unreachable=1');
      expect(await journals()).to.have.lengthOf(before.length + 1);
    } finally {
      await rm(path.join(project.directory, 'evenkeel.yml'));
    }
  });

  it('may fail to begin a run, which another worker of the site then does', async () => {
    const broken = path.join(project.directory, 'broken');
    await mkdir(path.join(broken, '.evenkeel', 'worker'), { recursive: true });
    await writeFile(path.join(broken, '.evenkeel', 'worker', 'bundles'), 'not a folder');
    const { code, stdout, stderr } = await withWorker(
      ['--name', 'broken'],
      async () => {
        const alone = await start('say.yml');
        expect(alone.code, alone.stdout).to.equal(4);
        expect(alone.stdout).to.include(
          'no worker of site madrid can be used: worker madrid/broken cannot carry out the run:',
        );
        return withWorker(['--name', 'whole'], () => start('many.yml'));
      },
      broken,
    );
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout.split('worker madrid/broken cannot carry out the run').length).to.be.at.most(2);
  });
});
