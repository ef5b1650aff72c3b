import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { addedExamples } from '../../src/cli/options/define.js';
import { environmentVariables, exitCodes } from '../../src/program/help_all.js';
import { wholeProgram } from '../../src/program/program.js';
import { emptyProject, type Project, ROOT, STARTED } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { Terminal } from '../rig/terminal.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/cli.md'), 'utf8');

/** What is used least, until the rest fits on a screen. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  run: '--vault-id --vault-password-file --user --ask-pass --shard --forks --max-registered --api-version --wait --reason --ticket --verify-idempotent -D --log --profile --verbose --detailed-exitcode --no-color --json --module-path --config --no-exec --skip-tags --strategy --start-at-task --force-handlers --step --list-hosts --list-tags --syntax-check',
  task: '--vault-id --vault-password-file --user --ask-pass --shard --forks --max-registered --api-version --wait --reason --ticket -D --log --profile --verbose --detailed-exitcode --no-color --module-path --config --no-exec',
  resume:
    '--vault-id --max-registered --api-version --wait --reason --ticket -D --log --profile --no-color --config --no-exec',
  rollback:
    '--vault-id --vault-password-file --ask-vault-pass --user --ask-pass --forks --max-registered --api-version --wait --reason --ticket -D --log --profile --verbose --detailed-exitcode --no-color --json --module-path --config --no-exec',
  plan: '--vault-id --vault-password-file --ask-vault-pass --user --ask-pass --shard -D --log --profile --verbose --detailed-exitcode --no-color --json --forks --max-registered --api-version --wait --reason --ticket --module-path --config --no-exec --skip-tags --strategy --start-at-task --force-handlers',
  apply:
    '--vault-id --verify-idempotent --max-registered --api-version --wait --reason --ticket -D --log --profile --no-color --config --no-exec',
  render: '--no-color --config --no-exec',
  drift:
    '--vault-id --vault-password-file --shard --user --ask-pass -D --no-color --skip-tags --start-at-task --max-registered --api-version --module-path --config --no-exec',
  compare: '--api-version --no-color --config --no-exec',
  capture: '--api-version --no-color --config --no-exec',
  ping: '--no-color --config --no-exec',
};

/** The options and the examples of a help. */
function parts(help: string): readonly string[] {
  return [...help.matchAll(/^ {2}(\$ .*|-\S*(?: --[\w-]+)?)/gm)].map(([, option]) => option ?? '');
}

describe('help', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject();
  });
  after(() => project.remove());
  const run = (...args: readonly string[]): ReturnType<typeof evenkeel> => evenkeel(args, { cwd: project.directory });

  it('shows commands in groups, exit codes, environment variables and where to read on', async () => {
    const { code, stdout } = await run('--help-all');
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
    const named = (section: string): readonly string[] =>
      [...(stdout.split(`\n${section}`)[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}(\S.*?) {2,}\S/gm)].map(
        ([, name = '']) => name,
      );
    const settings =
      'INVENTORY FORKS MAX_REGISTERED STRATEGY STATE_DIR MODULE_PATH ROLES_PATH OUTPUT VAULT_PASSWORD_FILE';
    const machine = 'CONFIG LOCK_DIR TRUSTED_FOLDERS PLUGIN_TIMEOUT PYTHON NO_EXEC';
    expect(named('Environment variables')).to.deep.equal([
      ...`${settings} ${machine}`.split(' ').map((name) => `EVENKEEL_${name}`),
      'NO_COLOR',
      'HTTPS_PROXY, NO_PROXY',
    ]);
    expect(named('Read on')).to.deep.equal([
      'evenkeel COMMAND --help',
      'evenkeel doc NAME',
      'man evenkeel-COMMAND',
      'docs/getting-started.md',
    ]);
    expect(named('Exit codes')).to.deep.equal(['0', '1', '2', '3', '4', '5', '6', '130', '143']);
    for (const [code_, meaning] of exitCodes()) expect(stdout).to.include(`\n  ${code_.padEnd(3)}  ${meaning}\n`);
    expect((await run('help')).stdout).to.equal((await run('--help')).stdout);
  });

  it('shows the many options of a command in groups', async () => {
    const { stdout } = await run('run', '--help-all');
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

  it('has each option in the group of what it is about', async () => {
    const groups: Readonly<Record<string, string>> = {
      'Controllers and variables':
        '--inventory --env --limit --shard --extra-vars --vault-id --vault-password-file --ask-vault-pass --user --ask-pass',
      Tasks: '--tags --skip-tags --start-at-task --step --strategy --force-handlers --rerun --module --args',
      Output: '--diff --output --report --log --profile --verbose --detailed-exitcode --no-color --json --out -D',
      'Instead of a run': '--list-hosts --list-tasks --list-tags --syntax-check',
      Project: '--config --no-exec --module-path',
      Options: '--kind --all --unmanaged --against --help',
    };
    const seen = new Set<string>();
    for (const command of ['run', 'task', 'drift', 'capture', 'compare', 'rollback', 'apply', 'render']) {
      const { stdout } = await run(command, '--help-all');
      for (const [, heading = '', text = ''] of stdout.matchAll(/^(\S[^\n]*):\n((?: {2}[^\n]*\n)+)/gm)) {
        for (const [, short = '', long = short] of text.matchAll(/^ {2}(?:(-\S), |(?= ))? *(--?[\w-]+)/gm)) {
          const [expected = 'How it runs'] =
            Object.entries(groups).find(([, options]) => options.split(' ').includes(long)) ?? [];
          if (!/^(?:Examples|Arguments|Commands)/.test(heading))
            expect(heading, `${command} ${long}`).to.equal(expected);
          seen.add(long);
        }
      }
    }
    const all = Object.values(groups).flatMap((options) => options.split(' '));
    expect(all.filter((option) => !seen.has(option))).to.deep.equal([]);
  });

  it('has all examples of each command', () => {
    const program = wholeProgram({ version: '1.0.0' } as unknown as CommandContext);
    const counted = [program, ...program.commands.flatMap((one) => [one, ...one.commands])].map(
      (one) => `${one.name()} ${addedExamples(one).length}`,
    );
    const [changing, previewing] = ['run 8, task 3, resume 3, rollback 3', 'plan 4, show 2, apply 2, render 3, lint 5'];
    const inspecting = 'drift 4, compare 2, capture 2, ping 2, routes 2, runs 5, report 2, ui 1';
    const vault = 'vault 3, create 1, encrypt 2, decrypt 2, view 1, edit 1, rekey 2, encrypt-string 2';
    const reference = 'doc 8, modules 2, from-openapi 1, schema 3, config 3, completion 3';
    expect(counted.join(', ')).to.equal(
      ['evenkeel 3', changing, previewing, inspecting, 'init 3, inventory 3', vault, 'simulate 2', reference].join(
        ', ',
      ),
    );
  });

  it('goes to stdout without a command, for a pager', async () => {
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    expect(stdout).to.include('Change controllers:');
    expect((await run('vault')).stdout).to.equal((await run('vault', '--help')).stdout);
  });

  it('fits the help of every command on a screen, and shows the rest with --help-all', async () => {
    const top = (await run('--help')).stdout;
    expect(top.split('\n').length - 1).to.be.at.most(45);
    const shown = [...top.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name ?? '');
    const context = { version: '1.0.0' } as unknown as CommandContext;
    const { commands } = wholeProgram(context);
    expect(shown).to.deep.equal(commands.map((one) => one.name()));
    const hidden: Record<string, string> = {};
    for (const command of commands)
      for (const args of [[command.name()], ...command.commands.map((inner) => [command.name(), inner.name()])]) {
        const { stdout } = await run(...args, '--help');
        const lines = stdout.split('\n').slice(0, -1);
        expect(lines.length, stdout).to.be.at.most(40);
        for (const line of lines.slice(0, lines.indexOf('Examples:'))) expect(line.length, line).to.be.at.most(80);
        const all = (await run(...args, '--help-all')).stdout;
        // Masking must take no description or example for a secret.
        expect(all).to.not.include('****');
        const left = parts(all).filter((one) => !parts(stdout).includes(one));
        expect(stdout.includes(`evenkeel ${args.join(' ')} --help-all`), args.join()).to.equal(left.length > 0);
        const options = left.filter((one) => !one.startsWith('$')).map((one) => one.replace(/^.* /, ''));
        if (options.length > 0) hidden[args.join(' ')] = options.join(' ');
        const examples = (text: string): number => parts(text).filter((one) => one.startsWith('$')).length;
        if (left.length > 0) expect(examples(stdout), args.join()).to.equal(Math.min(3, examples(all)));
      }
    expect(hidden).to.deep.equal(LEFT_OUT);
  });

  it('breaks descriptions between words on a narrow terminal, and shows the same options there', async () => {
    const withoutExamples = (text: string): string => text.replace(/\nExamples:\n[^]*?(?=\nExit codes:\n|$)/, '');
    const words = (text: string): readonly string[] => text.split(/\s+/).filter((one) => /^[a-z-]{5,}$/.test(one));
    for (const args of [['run', '--help'], ['vault', '--help'], ['init', '--help'], ['doc', '--help'], ['--help-all']])
      for (const columns of [24, 40, 60, 80]) {
        const terminal = new Terminal(process.execPath, [...STARTED, ...args], { columns, rows: 400 });
        await terminal.exited;
        const narrow = withoutExamples(terminal.screen.text);
        const wide = withoutExamples((await run(...args)).stdout);
        expect(words(wide), `${args.join(' ')} ${columns}`).to.include.members(words(narrow));
        expect(parts(narrow), `${args.join(' ')} ${columns}`).to.deep.equal(parts(wide));
      }
  });

  it('says what an unknown option is called here, where it is, or why it is not needed', async () => {
    for (const [line, hint] of [
      ['report last -o run.html', '(-o is the kind of output. To name a file or folder: --out)'],
      ['vault decrypt --output - x', '(-o is the kind of output. To name a file or folder: --out)'],
      ['modules from-openapi a.json -ox.json', '(-o is the kind of output. To name a file or folder: --out)'],
      ['plan site.yml -C', '("plan" never writes to a controller: leave it out)'],
      ['apply x.plan --check', '("evenkeel plan show FILE" shows what it will do)'],
      ['resume last -C', '("evenkeel runs RUN" shows what it has done)'],
      ['resume last --env staging', '(a resume uses the options of its run: leave it out)'],
      ['resume last --limt lb1', '(a resume uses the options of its run: leave --limit out)'],
      ['apply x.plan -i hosts', '(an apply uses the options of its plan: leave it out)'],
      [
        'run site.yml -bK',
        '(there is no become: the account that signs in decides; name it with -u or controller_username)',
      ],
      [
        'task all -m debug --private-key x',
        '(tasks use the API of the controllers, not SSH: leave it out; -u and -k sign in)',
      ],
      ['drift site.yml --detailed-exitcode', '("drift" ends with 3 if something differs: leave it out)'],
      ['compare --detailed-exitcode', '("compare" ends with 3 if something differs: leave it out)'],
      ['run site.yml --inventroy x', '(Did you mean --inventory?)'],
      ['ping --step', '(It is an option of run)'],
      ['ping --stpe', '(--step is an option of run)'],
      ['ping --detailed-exitcode', '(It is an option of run, task, resume, rollback, plan, apply, report)'],
      ['drift site.yml --stpe', '(--step is an option of run)'],
      ['vault rekey a --vault-idd x', '(Did you mean --vault-id?)'],
      ['run site.yml -Ojson', '(Did you mean -o?)'],
      ['task all --modul debug', '(Did you mean --module?)'],
      ['capture --outt x', '(Did you mean --out?)'],
      ['run site.yml -O json', '(Did you mean -o?)'],
      ['all -i hosts -m ping', '(Did you mean evenkeel task all -m MODULE?)'],
      ['playbook site.yml', '(Did you mean evenkeel run PLAYBOOK?)'],
    ] as const) {
      const { code, stderr } = await run(...line.split(' '));
      expect(code).to.equal(1);
      expect(stderr.split('\n')[1], line).to.equal(hint);
    }
  });

  it('takes -o json for --json, and --json for -o json', async () => {
    const json = await run('modules', '--json');
    expect(json.stdout).to.match(/^[[{]/);
    expect(await run('modules', '-o', 'json')).to.deep.equal(json);
    expect((await run('modules', '-o', 'text')).stdout).to.equal((await run('modules')).stdout);
    const task = ['task', 'localhost', '-m', 'debug', '-a', 'msg=x', '--simulate'];
    const [event] = (await run(...task, '--json')).stdout.split('\n');
    expect(JSON.parse(event ?? '')).to.include({ type: 'run-started' });
  });

  it('has the exit codes and variables of docs/cli.md', () => {
    const [, table = ''] = /## Exit codes\n([^]*?)\n## /.exec(PAGE) ?? [];
    expect([...table.matchAll(/^\| (\d+)/gm)].map(([, code]) => code)).to.deep.equal(exitCodes().map(([code]) => code));
    for (const [name] of environmentVariables())
      for (const one of name.split(', ').filter((variable) => variable.startsWith('EVENKEEL_')))
        expect(PAGE).to.include(one);
  });

  it('refuses to explain a command that does not exist', async () => {
    const more = '(add --help for the options and examples)\n';
    const stderr = `error: unknown command 'rnu'\n(Did you mean run?)\n${more}`;
    for (const line of [['help', 'rnu'], ['rnu']])
      expect(await run(...line)).to.deep.equal({ code: 1, stdout: '', stderr });
    expect((await run('r\u001B[31mnu')).stderr).to.equal(`error: unknown command 'rnu'\n${more}`);
    for (const line of [
      ['vault', 'nonsense'],
      ['help', 'vault', 'nonsense'],
    ])
      expect((await run(...line)).stderr).to.match(/^error: unknown command 'nonsense'\n\(the commands are .*encrypt/);
    expect((await run('help', 'vault', 'vieww')).stderr).to.include('(Did you mean view?)');
    expect((await run('help', 'vault', 'encrypt')).stdout).to.include('Usage: evenkeel vault');
    expect((await run('help', 'run')).stdout).to.include('Usage: evenkeel run');
  });

  it('suggests run for a playbook in the place of the command', async () => {
    expect(await run('playbooks/site.yml', '--check')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr:
        "error: unknown command 'playbooks/site.yml'\n(Did you mean evenkeel run playbooks/site.yml?)\n(add --help for the options and examples)\n",
    });
    expect((await run('runn')).stderr).to.include('(Did you mean one of run, runs?)');
  });
});
