import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Command } from 'commander';
import type { CommandContext } from '../../src/cli/context.js';
import { defineDrift } from '../../src/drift/options.js';
import { defineApply, definePlan } from '../../src/plan/options.js';
import { wordUnknown } from '../../src/program/wrong_option.js';
import { defineResume } from '../../src/resume/options.js';
import { defineRun } from '../../src/run/options.js';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

describe('an option of another tool', () => {
  const hint = (given: string, name = 'run'): string | undefined => {
    const program = new Command('evenkeel');
    for (const [own, define] of [
      ['run', defineRun],
      ['plan', definePlan],
      ['apply', defineApply],
      ['resume', defineResume],
      ['drift', defineDrift],
    ] as const)
      program.addCommand(define(new Command(own), {} as CommandContext, (one) => one));
    program.args = [name, given];
    const command = program.commands.find((one) => one.name() === name);
    if (command !== undefined) command.args = [given];
    return wordUnknown(`error: unknown option '${given}'`, program, () => undefined).split('\n')[1];
  };

  it('has what does the same, or what to do instead', () => {
    const become = 'there is no become: the account that signs in decides; name it with -u or controller_username';
    const ssh = 'tasks use the API of the controllers, not SSH: leave it out; -u and -k sign in';
    const limit = 'write "timeout", or "until" with "retries", at the task';
    const groups: readonly (readonly [options: string, text: string])[] = [
      ['-b --become --become-user --become-method -bK', become],
      ['-K --ask-become-pass --become-password-file --become-pass-file', `${become}, and -k asks for its password`],
      [
        '-c --connection --private-key --key-file --ssh-common-args --ssh-extra-args --scp-extra-args --sftp-extra-args',
        ssh,
      ],
      ['-T --timeout -B --background -P --poll', limit],
      ['--flush-cache', 'nothing is cached between runs: leave it out'],
      ['--tree', 'write --report json=FILE'],
      ['--connection-password-file --conn-pass-file', 'write controller_password in an encrypted file, or pass -k'],
      ['--dry-run', 'Did you mean --check?'],
      ['--quiet', 'Did you mean --output quiet?'],
      ['--one-line', 'Did you mean --output lines?'],
      ['--inventory-file', 'Did you mean --inventory?'],
      ['--vault-pass-file', 'Did you mean --vault-password-file?'],
      ['--environment --environments', 'Did you mean --env?'],
    ];
    for (const [options, text] of groups)
      for (const option of options.split(' ')) expect(hint(option), option).to.equal(`(${text})`);
  });

  it('has what the command does instead of a check, and where the options of a run are', () => {
    for (const [given, name, text] of [
      ['--check', 'apply', '"evenkeel plan show FILE" shows what it will do'],
      ['--dry-run', 'resume', '"evenkeel runs RUN" shows what it has done'],
      ['-C', 'resume', '"evenkeel runs RUN" shows what it has done'],
      ['--tags', 'resume', 'a resume uses the options of its run: leave it out'],
      ['--tags', 'apply', 'an apply uses the options of its plan: leave it out'],
      ['--detailed-exitcode', 'drift', '"drift" ends with 3 if something differs: leave it out'],
      ['--check', 'drift', '"drift" never writes to a controller: leave it out'],
      ['--unmanaged', 'run', 'It is an option of drift'],
      ['--max-age', 'plan', 'It is an option of apply'],
    ] as const)
      expect(hint(given, name), `${name} ${given}`).to.equal(`(${text})`);
  });

  it('leads from the commands of others to those here', () => {
    const program = new Command('evenkeel').addCommand(
      defineRun(new Command('run'), {} as CommandContext, (one) => one),
    );
    for (const [given, line] of [
      ['playbook', 'run PLAYBOOK'],
      ['adhoc', 'task PATTERN -m MODULE'],
      ['validate', 'lint'],
      ['check', 'run PLAYBOOK --check'],
      ['history', 'runs'],
      ['logs', 'runs'],
      ['log', 'runs'],
      ['status', 'runs'],
      ['state', 'runs'],
      ['show', 'runs RUN'],
      ['diff', 'drift PLAYBOOK'],
      ['undo', 'rollback RUN'],
      ['destroy', 'rollback RUN'],
      ['retry', 'run --rerun RUN'],
      ['new', 'init'],
      ['galaxy', 'lint --from-ansible'],
    ] as const) {
      program.args = [given];
      expect(
        wordUnknown(`error: unknown command '${given}'`, program, () => undefined),
        given,
      ).to.equal(`error: unknown command '${given}'\n(Did you mean evenkeel ${line}?)`);
    }
  });
});

describe('a wrong command line', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({ 'site.yml': '- hosts: all\n  tasks: []\n' });
  });
  afterEach(() => project.remove());

  const text = (name: string): Promise<string> =>
    readFile(path.join(project.directory, name), 'utf8').catch(() => 'none');

  it('is in the reports and the log that it asks for, as far as they can be read', async () => {
    const begun = Date.now();
    const { code, stderr } = await evenkeel(
      'run site.yml --report junit=a.xml --report=json=b.json --log run.log --forsk=3'.split(' '),
      { cwd: project.directory, env: { GITHUB_ACTIONS: 'true' } },
    );
    const [message, help] = ["unknown option '--forsk=…'", 'add --help for the options and examples'];
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: `error: ${message}\n(Did you mean --forks?)\n(${help})\n::error::${message} (Did you mean --forks?; ${help})\n`,
    });
    expect(await text('a.xml')).to.include(message);
    const { time, ...refused } = JSON.parse(await text('b.json')) as Readonly<Record<string, unknown>>;
    expect(Date.parse(String(time))).to.be.within(begun, Date.now());
    expect(refused).to.deep.equal({
      type: 'run-refused',
      exitCode: 1,
      diagnostics: [{ severity: 'error', message, hint: `Did you mean --forks?; ${help}` }],
    });
    expect((await text('run.log')).replaceAll(/^\S+ /gm, '')).to.equal(
      `error: ${message}\n  = hint: Did you mean --forks?; ${help}\n1 error\n`,
    );
  });

  it('is in those that can be read, if one of them is wrong', async () => {
    const line = 'run site.yml --report junit=c.xml --report xml=x --report markdown=d.md';
    const { stderr } = await evenkeel(line.split(' '), { cwd: project.directory });
    const message =
      '--report "xml=x": it takes KIND=FILE, such as junit=report.xml; the kinds are junit, html, json, markdown';
    expect(stderr).to.equal(`error: ${message}\n(add --help for the options and examples)\n`);
    for (const name of ['c.xml', 'd.md']) expect(await text(name), name).to.include('it takes KIND=FILE');
  });

  it('of a command that does not exist is in the reports of a run', async () => {
    await evenkeel(['rnu', 'site.yml', '--report', 'markdown=a.md'], { cwd: project.directory });
    expect(await text('a.md')).to.include("unknown command 'rnu'");
    await evenkeel(['ui', '--report', 'markdown=b.md'], { cwd: project.directory });
    expect(await text('b.md')).to.equal('none');
  });
});
