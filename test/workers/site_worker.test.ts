import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { emptyProject, evenkeel, STARTED, type Ended, type Project } from '../rig/command.js';
import { Broker, NATS_SERVER, sayWithoutNats } from '../rig/nats.js';

const FILES = {
  'inv.yml':
    'all: { hosts: { lb1: { evenkeel_site: madrid, controller_url: "https://127.0.0.1:1", controller_username: u, controller_password: secret-password, controller_api_version: 22.1.3 } } }',
  'say.yml': "- { hosts: all, tasks: [{ debug: { msg: \"{{ lookup('env', 'FLAVOUR') }} in {{ playbook_dir }}\" } }] }",
  'write.yml': '- { hosts: all, tasks: [{ cloud_present: { name: edge } }] }',
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

  /** Runs a playbook with one worker. */
  async function run(
    playbook: string,
    options: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const own = path.join(project.directory, 'own');
    await mkdir(own, { recursive: true });
    const reached = ['--nats', broker.url];
    const worker = spawn(process.execPath, [...STARTED, 'worker', '--site', 'madrid', ...reached, ...options], {
      cwd: own,
      env: { PATH: process.env['PATH'] ?? '', HOME: own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(worker, 'exit');
    try {
      for await (const line of createInterface({ input: worker.stderr })) if (line.includes('works for site')) break;
      worker.stderr.resume();
      return await evenkeel(['run', playbook, '-i', 'inv.yml', '-o', 'lines', ...reached], {
        cwd: project.directory,
        env,
      });
    } finally {
      worker.kill('SIGTERM');
      await ended;
    }
  }

  it('gets the environment variables that a project looks up, and names the files of the coordinator', async () => {
    const { code, stdout, stderr } = await run('say.yml', [], { FLAVOUR: 'vanilla' });
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include(`vanilla in ${project.directory}`);
  });

  it('carries out no module that may write beside those that it allows', async () => {
    const { code, stdout, stderr } = await run('write.yml', ['--allow-module', 'pool_present']);
    expect(code, stdout + stderr).to.equal(4);
    expect(stdout).to.include('this worker does not carry out cloud_present: --allow-module names pool_present');
    expect((await run('say.yml', ['--allow-module', 'pool_present'])).code).to.equal(0);
  });

  it('starts no programs for a project unless it may', async () => {
    const refused = await run('code.yml', []);
    expect(refused.code).to.equal(4);
    expect(refused.stdout).to.include('"pipe" runs a command, which --no-exec refuses');
    const allowed = await run('code.yml', ['--allow-code']);
    expect(allowed.code, allowed.stdout).to.equal(0);
    expect(allowed.stdout).to.match(/: ran$/m);
  });
});
