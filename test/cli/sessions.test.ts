import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, STARTED, type Ended, type Project, ownHome } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { SessionController } from '../rig/session_controller.js';

const SITE = `- name: Site
  hosts: all
  tasks:
    - system_config: { portal_configuration: { allow_basic_authentication: false, http_port: 8080 } }
    - cloud_present: { name: edge, mtu: 1500 }
    - api_request: { path: /api/cloud, query: { name: edge } }
      register: clouds
    - debug: { msg: "{{ clouds.json.results | length }} found" }
`;

describe('runs that sign in by session', () => {
  let controller: SessionController;
  let project: Project;
  beforeEach(async () => {
    controller = await SessionController.start();
    const inventory = JSON.stringify({ all: { hosts: controller.variables() } });
    project = await emptyProject({ 'site.yml': SITE, 'inventory.yml': inventory });
  });
  afterEach(async () => {
    await controller.close();
    await project.remove();
  });

  const command = (...args: string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
  const run = (...args: string[]): Promise<Ended> => command('run', 'site.yml', '-i', 'inventory.yml', ...args);
  const count = (line: string): number => controller.log.filter((one) => one === line).length;

  it('change once, and roll back', async () => {
    const first = await run();
    expect(first.code, first.stderr + first.stdout).to.equal(0);
    expect(first.stdout).to.include('ok=4   changed=2').and.include('1 found');
    expect([count('POST /login'), count('POST /logout'), controller.sessions.length]).to.deep.equal([1, 1, 0]);
    expect((await run()).stdout).to.include('ok=4   changed=0');
    const back = await command('rollback', (await runs())[0] ?? '', '--yes');
    expect(back.stdout, back.stderr).to.include('changed=1');
    expect(controller.system).not.to.have.nested.property('portal_configuration.http_port');
    expect([count('POST /login'), controller.sessions.length]).to.deep.equal([3, 0]);
  });

  it('show no cookie, no token and no password, whatever is asked for', async () => {
    const { stdout, stderr } = await run('-vvvv', '--diff');
    expect(stdout).to.include(`POST ${controller.url}/login`).and.include(`POST ${controller.url}/api/cloud`);
    const write = controller.asked.find(({ method }) => method === 'PUT');
    const secrets = [...(write?.headers.cookie ?? '').matchAll(/=([^;]+)/g)].map(([, value = '']) => value);
    expect(secrets).to.have.length(3);
    const kept = await Promise.all((await filesBelow('.evenkeel/runs')).map((file) => readFile(file, 'utf8')));
    for (const secret of [...secrets, controller.passwords.get('admin') ?? ''])
      for (const text of [stdout, stderr, ...kept]) expect(text).not.to.include(secret);
  });

  /** Ends the run while the controller carries out the create, whose reply is lost if the run is killed. */
  async function endAtCreate(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const child = spawn(process.execPath, [...STARTED, 'run', 'site.yml', '-i', 'inventory.yml'], {
      cwd: project.directory,
      env: { ...ownHome(project.directory) },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    controller.losesReply = ({ method, path: asked }) => {
      if (method !== 'POST' || asked !== '/api/cloud') return false;
      child.kill(signal);
      return signal === 'SIGKILL';
    };
    await ended;
    controller.losesReply = () => false;
  }

  it('continue where they were killed', async () => {
    await endAtCreate('SIGKILL');
    controller.expire();
    const { code, stdout, stderr } = await command('resume', 'last');
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('changed=2');
    const logins = count('POST /login');
    expect([count('POST /api/cloud @admin'), logins, controller.sessions.length]).to.deep.equal([1, 2, 0]);
  });

  it('sign out after Ctrl-C', async () => {
    await endAtCreate('SIGINT');
    expect(controller.objects('cloud')).to.have.length(1);
    expect([count('POST /logout'), controller.sessions.length]).to.deep.equal([1, 0]);
  });

  it('know the dialects of the project, and suggest the nearest', async () => {
    await project.write('evenkeel.yml', 'dialects: { lab: { extends: avi, version_header: X-Avi-Version } }\n');
    const lab = await run('-e', 'controller_dialect=lab', '--check');
    expect(lab.code, lab.stderr).to.equal(0);
    const wrong = await run('-e', 'controller_dialect=labb', '--check');
    expect(wrong.stderr).to.include('controller_dialect must be one of generic, avi, lab, not "labb"');
    expect(wrong.stderr).to.include('did you mean "lab"?');
  });

  async function runs(): Promise<readonly string[]> {
    return (await readdir(path.join(project.directory, '.evenkeel/runs'))).sort();
  }

  async function filesBelow(folder: string): Promise<readonly string[]> {
    const entries = await readdir(path.join(project.directory, folder), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  }
});
