import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { environmentVariables, exitCodes } from '../../src/program/help.js';
import { emptyProject, ROOT, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/cli.md'), 'utf8');

describe('help', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject();
  });
  after(() => project.remove());
  const run = (...args: readonly string[]): ReturnType<typeof evenkeel> => evenkeel(args, { cwd: project.directory });

  it('shows commands in groups, exit codes, environment variables and where to read on', async () => {
    const { code, stdout } = await run('--help');
    expect(code).to.equal(0);
    const headings = [...stdout.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
    expect(headings).to.deep.equal([
      'Options',
      'Change controllers',
      'Preview and check',
      'Inspect the fleet and runs',
      'Start and write',
      'Reference and shell',
      'Examples',
      'Exit codes',
      'Environment variables (an option overrides them, they override evenkeel.yml)',
      'Read on',
    ]);
    for (const [code_, meaning] of exitCodes()) expect(stdout).to.include(`\n  ${code_.padEnd(3)}  ${meaning}\n`);
    expect((await run('help')).stdout).to.equal(stdout);
  });

  it('shows the many options of a command in groups', async () => {
    const { stdout } = await run('run', '--help');
    const headings = [...stdout.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
    expect(headings).to.include.members([
      'Controllers and variables',
      'Tasks',
      'How it runs',
      'Output',
      'Instead of a run',
    ]);
    expect((await run('doc', '--help')).stdout).to.include('\nOptions:\n');
  });

  it('has the exit codes and variables of docs/cli.md', () => {
    const [, table = ''] = /## Exit codes\n([^]*?)\n## /.exec(PAGE) ?? [];
    expect([...table.matchAll(/^\| (\d+)/gm)].map(([, code]) => code)).to.deep.equal(exitCodes().map(([code]) => code));
    for (const [name] of environmentVariables())
      for (const one of name.split(', ').filter((variable) => variable.startsWith('EVENKEEL_')))
        expect(PAGE).to.include(one);
  });

  it('refuses to explain a command that does not exist', async () => {
    const stderr = 'error: "rolback" is not a command\ndid you mean "rollback"?\n';
    expect(await run('help', 'rolback')).to.deep.equal({ code: 1, stdout: '', stderr });
    expect((await run('help', 'vault', 'nonsense')).stderr).to.match(/^error: "nonsense" is not a command\n.*encrypt/);
    expect((await run('help', 'vault', 'encrypt')).stdout).to.include('Usage: evenkeel vault');
    expect((await run('help', 'run')).stdout).to.include('Usage: evenkeel run');
  });

  it('suggests run for a playbook in the place of the command', async () => {
    expect(await run('playbooks/site.yml', '--check')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'error: "playbooks/site.yml" is not a command\nTo run a playbook: evenkeel run playbooks/site.yml …\n',
    });
    expect((await run('runn')).stderr).to.include('(Did you mean one of run, runs?)');
  });
});
