import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { command, exampleProject, ROOT, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { filesOnPage } from '../rig/page.js';
import { blocksOf } from './blocks.js';

const PAGE = 'docs/writing-a-module.md';

/** That they compile with the types that ship is checked by `.ci/package-smoke`. */
describe('the modules of docs/writing-a-module.md', () => {
  let project: Project;
  before(async () => {
    project = await exampleProject();
    for (const [file, code] of await filesOnPage(PAGE)) await project.write(file, code);
    await mkdir(path.join(project.directory, 'node_modules'));
    await symlink(ROOT, path.join(project.directory, 'node_modules/evenkeel'), 'junction');
    await project.write('playbooks/own.yml', await playbook());
  });
  after(() => project.remove());

  it('have a reference', async () => {
    const { code, stdout } = await evenkeel(['doc', 'pool_present'], { cwd: project.directory, env: project.env });
    expect(code).to.equal(0);
    expect(stdout).to.contain('pool_present (resource): makes sure that a pool exists and has the declared fields');
    expect(stdout).to.contain('monitor_key  string, secret: masked in all output');
  });

  it('change the controller once, and are ok the second time', async () => {
    const run = ['run', 'playbooks/own.yml', '--simulate', '--output', 'json'];
    const check = await evenkeel([...run, '--check'], { cwd: project.directory, env: project.env });
    expect(statuses(check.stdout), check.stderr).to.deep.equal(['changed', 'changed', 'changed', 'ok', 'ok']);
    const first = await evenkeel(run, { cwd: project.directory, env: project.env });
    expect(first.code, first.stderr).to.equal(0);
    expect(statuses(first.stdout)).to.deep.equal(['changed', 'changed', 'changed', 'ok', 'ok']);
    const second = await evenkeel(run, { cwd: project.directory, env: project.env });
    expect(statuses(second.stdout)).to.deep.equal(['ok', 'ok', 'ok', 'ok', 'ok']);
  });

  it('get their arguments checked before the run', async () => {
    await project.write(
      'playbooks/wrong.yml',
      '- hosts: all\n  tasks:\n    - pool_present: { name: web, default_server_port: 0 }\n',
    );
    const { code, stderr } = await evenkeel(['run', 'playbooks/wrong.yml', '--simulate'], {
      cwd: project.directory,
      env: project.env,
    });
    expect(code).to.equal(1);
    expect(stderr).to.contain('"default_server_port" must be >= 1, not 0');
  });

  it('are tested by their tests', async () => {
    const options = { cwd: project.directory, env: project.env };
    const { code, stdout } = await command(process.execPath, ['--test'], options);
    expect(code, stdout).to.equal(0);
    expect(stdout).to.match(/^# tests 11$/m);
  }).timeout(120_000);
});

/** The tasks on the page, for one controller. */
async function playbook(): Promise<string> {
  const page = await readFile(path.join(ROOT, PAGE), 'utf8');
  const tasks = blocksOf(page).find(({ language }) => language === 'yaml')?.text ?? '';
  return `- hosts: all[0]\n  tasks:\n${tasks.replaceAll(/^(?=.)/gm, '    ')}\n`;
}

function statuses(output: string): readonly unknown[] {
  const events = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return events.filter(({ type }) => type === 'task-finished').map(({ status }) => status);
}
