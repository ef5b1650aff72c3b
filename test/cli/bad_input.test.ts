import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { command, emptyProject, STARTED, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const INVENTORY = 'all: { hosts: { lb1: { controller_url: "https://127.0.0.1:1" } } }\n';

/** Invalid input: exit 1, every mistake with its position, nothing contacted, nothing written. */
describe('bad input', () => {
  let project: Project | undefined;
  afterEach(() => project?.remove());

  async function run(files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
    project = await emptyProject(files);
    const ended = await evenkeel(args, { cwd: project.directory });
    expect(ended.stdout).to.equal('');
    expect(ended.code).to.equal(1);
    expect(await readdir(project.directory)).to.not.include('.evenkeel');
    return ended;
  }

  it('reports all mistakes of all files at once', async () => {
    const { stderr } = await run(
      {
        'inv.yml': 'all:\n  hosts:\n    lb1:\n      a: 1\n      a: 2\n',
        'p.yml':
          '- hosts: all\n  taks: []\n  tasks:\n    - cloud_presen: { name: x }\n    - cloud_present: { nam: x }\n',
      },
      'run',
      'p.yml',
      '-i',
      'inv.yml',
    );
    expect(stderr)
      .to.include('--> inv.yml:5:7')
      .and.to.include('--> p.yml:2:3')
      .and.to.include('did you mean "tasks"?');
    expect(stderr).to.include('--> p.yml:4:7').and.to.include('did you mean "cloud_present"?');
    expect(stderr)
      .to.include('did you mean "name" instead of "nam"?')
      .and.to.match(/\n\d errors\n$/);
  });

  it('refuses a missing playbook and a missing inventory', async () => {
    const { stderr } = await run({}, 'run', 'none.yml', '-i', 'nowhere.yml');
    expect(stderr).to.include('none.yml').and.to.include('nowhere.yml');
    await project?.remove();
    const files = { 'p.yml': '- hosts: emea\n  tasks: []\n' };
    expect((await run(files, 'run', 'p.yml', '-i', 'nowhere.yml')).stderr).to.equal(
      [
        'error: cannot read the inventory nowhere.yml: there is no such file',
        '  = hint: a list of controllers ends in a comma: "nowhere.yml,"\n',
        '1 error\n',
      ].join('\n'),
    );
  });

  it('says which variable names a file that cannot be read, and what a wrong one can be', async () => {
    const variables: Readonly<Record<string, string>> = {
      EVENKEEL_CONFIG: 'cannot read the project file nowhere (--config or EVENKEEL_CONFIG): there is no such file',
      EVENKEEL_INVENTORY: 'EVENKEEL_INVENTORY: cannot read the inventory nowhere: there is no such file',
      EVENKEEL_VAULT_PASSWORD_FILE:
        'EVENKEEL_VAULT_PASSWORD_FILE: cannot read the vault password file nowhere: there is no such file',
      EVENKEEL_FORKS: '"EVENKEEL_FORKS" must be a whole number from 1, or auto, not "nowhere"',
    };
    project = await emptyProject({ 'p.yml': '- hosts: lb1\n  tasks: []\n' });
    for (const [name, message] of Object.entries(variables)) {
      const inventory = name === 'EVENKEEL_CONFIG' || name === 'EVENKEEL_INVENTORY' ? [] : ['-i', 'lb1,'];
      const args = ['run', 'p.yml', ...inventory];
      const { code, stderr } = await evenkeel(args, { cwd: project.directory, env: { [name]: 'nowhere' } });
      expect({ code, first: stderr.split('\n')[0] }).to.deep.equal({ code: 1, first: `error: ${message}` });
      expect(stderr).to.match(/\n1 error\n$/);
    }
  });

  it('refuses wrong values of keywords of a play that templates give, each at its keyword', async () => {
    const keywords: readonly (readonly [keyword: string, message: string])[] = [
      ['serial', 'serial takes a number, a percentage such as "25%", or a list of them, not "lots"'],
      ['max_fail_percentage', 'max_fail_percentage must be a number, not a text'],
      ['force_handlers', 'force_handlers must be true or false, not a text'],
      ['forks', 'forks must be a number, not a text'],
      ['order', 'there is no order "lots"'],
    ];
    const plays = keywords.map(([keyword]) => `- hosts: all\n  vars: { many: lots }\n  ${keyword}: '{{ many }}'\n`);
    const files = { 'inv.yml': INVENTORY, 'p.yml': plays.join('') };
    const { stderr } = await run(files, 'run', 'p.yml', '-i', 'inv.yml');
    for (const [index, [keyword, message]] of keywords.entries())
      expect(stderr).to.include(`error: ${message}\n  --> p.yml:${index * 3 + 3}:${keyword.length + 5}\n`);
    expect(stderr).to.match(/\n5 errors\n$/);
  });

  it('says that the working directory was deleted', async () => {
    project = await emptyProject({});
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const args = ['-c', script, 'sh', process.execPath, ...STARTED, 'run', 'p.yml'];
    const { code, stderr } = await command('sh', args, { cwd: project.directory });
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: 'evenkeel: the working directory was deleted or cannot be read: change to another one\n',
    });
  });

  it('needs an inventory', async () => {
    const { stderr } = await run({ 'p.yml': '- hosts: all\n  tasks: []\n' }, 'run', 'p.yml');
    expect(stderr).to.include('error: no inventory was given\n');
    expect(stderr).to.include('pass -i FILE, or name one in evenkeel.yml or EVENKEEL_INVENTORY');
  });

  it('refuses --tags without a tag, which would run all tasks', async () => {
    for (const empty of ['', ' , ']) {
      const { stderr } = await run({}, 'run', 'p.yml', '--tags', empty);
      expect(stderr).to.equal(
        `error: --tags "${empty}": it names no tag; omit --tags to run all tasks\n(add --help for the options and examples)\n`,
      );
      await project?.remove();
    }
  });

  it('refuses a run that targets no controller', async () => {
    const files = { 'inv.yml': INVENTORY, 'p.yml': '- hosts: emea\n  tasks: []\n' };
    const { stderr } = await run(files, 'run', 'p.yml', '-i', 'inv.yml');
    expect(stderr).to.include('error: no controller matches "emea"\n');
  });

  it('refuses a run of plays that all omit their hosts', async () => {
    const [omitted, empty] = ['{{ x | default(omit) }}', '{{ groups["emea"] | default([]) }}'];
    const nobody = `- hosts: '${omitted}'\n  tasks: []\n- hosts: '${empty}'\n  tasks: []\n`;
    const files = { 'inv.yml': INVENTORY, 'p.yml': nobody };
    const { stderr } = await run(files, 'run', 'p.yml', '-i', 'inv.yml');
    expect(stderr).to.include(`error: no controller matches "${omitted}", "${empty}"\n`);
  });

  it('refuses a limit that selects nothing, and an empty one', async () => {
    const files = { 'inv.yml': INVENTORY, 'p.yml': '- hosts: all\n  tasks: []\n' };
    expect((await run(files, 'run', 'p.yml', '-i', 'inv.yml', '-l', 'lb9')).stderr).to.include('"lb9"');
    await project?.remove();
    expect((await run(files, 'run', 'p.yml', '-i', 'inv.yml', '-l', '')).stderr).to.include('the limit is empty');
  });

  it('reports a limit that leaves no controller of the plays, or of the environment', async () => {
    const files = {
      'evenkeel.yml':
        'environments: { lab: { inventory: "lb1,lb2,", limit: lb1 }, dev: { inventory: "lb1,", limit: lb7 } }\n',
      'p.yml': '- hosts: lb1\n  tasks: []\n',
    };
    expect((await run(files, 'run', 'p.yml', '-E', 'lab', '-l', 'lb2')).stderr).to.equal(
      'error: --limit "lb2" selects no controller of this environment\n\n1 error\n',
    );
    await project?.remove();
    expect((await run(files, 'run', 'p.yml', '-i', 'lb1,lb2,', '-l', 'lb2')).stderr).to.equal(
      'error: no controller matches "lb1" within the limit\n\n1 error\n',
    );
    await project?.remove();
    expect((await run(files, 'run', 'p.yml', '-E', 'dev')).stderr).to.equal(
      [
        'error: the limit of the environment "dev": "lb7" matches no controller of the inventory',
        '  --> evenkeel.yml:1:94',
        '    |',
        `  1 | ${files['evenkeel.yml'].trim()}`,
        `    |${' '.repeat(94)}^^^`,
        '  = hint: did you mean "lb1"?\n',
        '1 error\n',
      ].join('\n'),
    );
  });

  it('reports each term of a limit that matches nothing, at its line of the file', async () => {
    const limit = 'lb1,!lb9,&emae,eu*,~x[1-3],lb1[4],@names,localhost';
    const files = { 'inv.yml': 'emea: { hosts: { lb1: , lb2: } }\n', names: 'lb2\n\n  lb3, emea\n!spare\n' };
    const { code, stderr } = await run(files, 'inventory', '-i', 'inv.yml', '--list', '-l', limit);
    expect(code).to.equal(1);
    expect(stderr.split('\n').filter((line) => /^error|-->|hint/.test(line))).to.deep.equal([
      'error: --limit: "lb9" matches no controller of the inventory',
      '  = hint: did you mean "lb1"?',
      'error: --limit: "emae" matches no controller of the inventory',
      '  = hint: did you mean "emea"?',
      'error: --limit: "eu*" matches no controller of the inventory',
      '  = hint: evenkeel inventory --graph shows its groups and controllers',
      'error: --limit: "~x[1-3]" matches no controller of the inventory',
      '  = hint: evenkeel inventory --graph shows its groups and controllers',
      'error: --limit: "lb1[4]" is out of range: there is 1 controller',
      'error: --limit: "lb3" matches no controller of the inventory',
      '  --> names:3:3',
      '  = hint: did you mean "lb1"?',
      'error: --limit: "spare" matches no controller of the inventory',
      '  --> names:4:1',
      '  = hint: evenkeel inventory --graph shows its groups and controllers',
    ]);
  });

  it('reports only the first terms of a limit for another inventory', async () => {
    const files = { 'inv.yml': INVENTORY, names: Array.from({ length: 25 }, (_, index) => `other${index}\n`).join('') };
    const { stderr } = await run(files, 'inventory', '-i', 'inv.yml', '--list', '-l', '@names');
    expect(stderr).to.include('--> names:20:1').and.not.include('--> names:21:1');
    expect(stderr)
      .to.include('error: --limit: 5 more terms without a controller of the inventory\n')
      .and.include('\n21 errors\n');
  });

  it('refuses a task for a controller that the inventory does not have', async () => {
    const { code, stderr } = await run({}, 'task', 'lb1,lb7', '-m', 'debug', '-i', 'lb1,lb2,');
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: 'error: task: "lb7" matches no controller of the inventory\n  = hint: did you mean "lb1"?\n\n1 error\n',
    });
  });

  it('shows where an environment names a file of variables that is not there', async () => {
    const files = {
      'evenkeel.yml': 'environments:\n  dev: { inventory: "lb1,", extra_vars: [vars/dev.yml] }\n',
      'p.yml': '- hosts: all\n  tasks: []\n',
    };
    expect((await run(files, 'run', 'p.yml', '-E', 'dev')).stderr).to.equal(
      `error: there is no variables file "vars/dev.yml"
  --> evenkeel.yml:2:42
    |
  1 | environments:
  2 |   dev: { inventory: "lb1,", extra_vars: [vars/dev.yml] }
    |                                          ^^^^^^^^^^^^

1 error
`,
    );
  });

  it('reports once that a template did not render a pattern', async () => {
    const files = { 'p.yml': '- hosts: "{{target}}"\n  tasks: []\n' };
    expect((await run(files, 'run', 'p.yml', '-i', 'lb1,', '-e', 'target=')).stderr).to.equal(
      `error: the pattern is empty
  --> p.yml:1:10
    |
  1 | - hosts: "{{target}}"
    |          ^^^^^^^^^^^^
  2 |   tasks: []

1 error
`,
    );
  });

  it('refuses an unknown environment, and names the known ones', async () => {
    const files = { 'evenkeel.yml': 'environments: { staging: { inventory: inv.yml } }\n', 'inv.yml': INVENTORY };
    const { stderr } = await run(files, 'task', 'all', '-m', 'debug', '-a', 'msg=x', '--env', 'stagin');
    expect(stderr).to.include('there is no environment "stagin" (evenkeel.yml has staging)');
    expect(stderr).to.include('did you mean "staging"?');
  });

  it('says nothing of what evenkeel.yml may name once it can be parsed', async () => {
    const files = { 'evenkeel.yml': 'inventory: [\n', 'p.yml': '- hosts: all\n  tasks: []\n' };
    const { stderr } = await run(files, 'run', 'p.yml', '--env', 'prod');
    expect(stderr).to.match(/^error: "\[" is not closed before this\n {2}--> evenkeel.yml:2:1\n[^]*\n1 error\n$/);
  });

  it('shows the place in evenkeel.yml that names a missing file', async () => {
    const settings = 'inventory: none.yml\nvault_password_file: no_password\n';
    const files = { 'evenkeel.yml': settings, 'p.yml': '- hosts: all\n  tasks: []\n' };
    const { stderr } = await run(files, 'run', 'p.yml', '--env', 'prod');
    expect(stderr)
      .to.include('there is no environment "prod" (evenkeel.yml has none)')
      .and.to.include('the inventory none.yml: there is no such file\n  --> evenkeel.yml:1:12\n')
      .and.to.include('the vault password file no_password: there is no such file\n  --> evenkeel.yml:2:22\n');
  });

  it('shows where a file of variables is wrong that only a controller can name', async () => {
    project = await emptyProject({
      'pb/p.yml': '- hosts: all\n  vars_files: ["{{inventory_hostname}}.yml"]\n  tasks: [{ debug: }]\n',
      'pb/lb1.yml': 'a: [1\n',
    });
    const { stdout, stderr, code } = await evenkeel(['run', 'pb/p.yml', '-i', 'lb1,'], { cwd: project.directory });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('error: "[" is not closed before this (on lb1)\n  --> pb/lb1.yml:2:1\n');
  });

  it('suggests commands and options', async () => {
    expect((await run({}, 'rn')).stderr)
      .to.include("unknown command 'rn'")
      .and.to.include('Did you mean run?');
    await project?.remove();
    expect((await run({}, 'run', 'p.yml', '--chek')).stderr).to.include('Did you mean --check?');
    await project?.remove();
    const others = { '--dry-run': '--check', '--quiet': '--output quiet' };
    for (const [other, same] of Object.entries(others)) {
      expect((await run({}, 'run', 'p.yml', other)).stderr).to.equal(
        `error: unknown option '${other}'\n(Did you mean ${same}?)\n(add --help for the options and examples)\n`,
      );
      await project?.remove();
    }
    expect((await run({}, 'lint', '--quiet')).stderr).to.not.include('--output');
    await project?.remove();
    expect((await run({}, 'run', 'p.yml', '-f', '0')).stderr).to.equal(
      'error: --forks "0": it takes a whole number from 1, or auto\n(add --help for the options and examples)\n',
    );
  });

  it('says of a wrong value what the option takes, and of a missing one how to write it', async () => {
    const wrong: readonly (readonly [line: string, said: string])[] = [
      [
        'run p.yml -o lins',
        '--output "lins": it takes one of live, grouped, lines, json, quiet\n(Did you mean lines?)',
      ],
      [
        'run p.yml -o x',
        '--output "x": it takes one of live, grouped, lines, json, quiet\n(for example: --output live)',
      ],
      ['run p.yml --diff=x', '--diff "x": it takes one of auto, host, fleet\n(for example: --diff=auto)'],
      ['drift p.yml --diff=fleets', '--diff "fleets": it takes one of auto, host, fleet\n(Did you mean fleet?)'],
      ['completion tcsh', 'shell "tcsh": it takes one of bash, zsh, fish\n(Did you mean bash?)'],
      [
        'run p.yml --report x',
        '--report "x": it takes KIND=FILE, such as junit=report.xml; the kinds are junit, html, json, markdown',
      ],
      ['run p.yml --report json=-', '--report "json=-": it takes a file: stdout has the output of the run'],
      ['plan p.yml --out -', '--out "-": it takes a file: stdout has the output of the run'],
      ['run p.yml --log -', '--log "-": it takes a file: stdout has the output of the run'],
      ...['capture --out', 'schema --out', 'runs last --save'].map(
        (line) =>
          [`${line} -`, `${line.replace(/^.* /, '')} "-": it takes a folder; write ./- for one of that name`] as const,
      ),
      ['run p.yml --log ', '--log "": it takes a file'],
      ['schema --out ', '--out "": it takes a folder'],
      ['run p.yml -M ', '--module-path "": it takes a folder'],
      ['run p.yml --user ', '--user "": it takes a name'],
      ['vault encrypt-string text --name ', '--name "": it takes a name'],
      ['run ', 'playbook "": it takes a file'],
      ['lint p.yml ', 'playbook "": it takes a file'],
      ['plan show ', 'file "": it takes a file'],
      ['init -', 'folder "-": it takes a folder; write ./- for one of that name'],
      ['run p.yml -f 1e2', '--forks "1e2": it takes a whole number from 1, or auto'],
      [`run p.yml -f ${'9'.repeat(20)}`, `--forks "${'9'.repeat(20)}": it takes a whole number from 1, or auto`],
      ['ui --port 0x10', '--port "0x10": it takes a whole number from 1'],
      ['runs --limit lb1', '--limit "lb1": it takes a number of runs, from 1'],
      ['run p.yml --env', '--env needs a value: --env <name>'],
      [
        'task all',
        "required option '-m, --module <name>' not specified\n(for example: evenkeel task lb01.dev.example.com -m cloud_present -a name=edge --simulate)",
      ],
      ['runs a b', '"runs" takes at most 1 argument, not 2'],
      ['ui x', '"ui" takes no arguments, not 1'],
      ['task all --diff fleet -m debug', '"task" takes at most 1 argument, not 2'],
    ];
    for (const [line, said] of wrong) {
      const { code, stderr } = await run({}, ...line.split(' '));
      expect({ code, stderr }, line).to.deep.equal({
        code: 1,
        stderr: `error: ${said}\n(add --help for the options and examples)\n`,
      });
      await project?.remove();
    }
  });

  it('shows no argument, item or variable of a task with no_log beside a mistake, but the name of its file', async () => {
    const tasks = `- hosts: all
  tasks:
    - debug: { msg: 'argument-1', verbosity: often }
      loop: [item-text-1, balancer-01, item-text-2]
      vars: { plain: variable-1 }
      no_log: true
    - include_tasks: '{{ item }}'
      loop: [absent-one.yml]
      no_log: true
    - include_tasks: absent.yml
      no_log: true
`;
    const inventory = INVENTORY.replace('lb1', 'balancer-01');
    const { stderr } = await run({ 'inv.yml': inventory, 'p.yml': tasks }, 'run', 'p.yml', '-i', 'inv.yml');
    expect(stderr).to.include('loop: [********, balancer-01, ********]').and.to.include('loop: [absent-one.yml]');
    expect(stderr).not.to.match(/argument-1|item-text|variable-1/);
    expect(stderr).to.include('there is no file "absent.yml"');
  });

  it('refuses wrong arguments of an ad-hoc task', async () => {
    const { stderr } = await run(
      { 'inv.yml': INVENTORY },
      'task',
      'lb1',
      '-m',
      'cloud_present',
      '-a',
      'nme=x',
      '-i',
      'inv.yml',
    );
    expect(stderr).to.include('did you mean "name" instead of "nme"?');
  });

  it('refuses to ask for a password without a terminal', async () => {
    const args = ['task', 'lb1', '-m', 'debug', '-a', 'msg=x', '-i', 'inv.yml', '-k'];
    const { stderr } = await run({ 'inv.yml': INVENTORY }, ...args);
    expect(stderr).to.equal(
      'evenkeel: -k needs a password from the terminal, and none was entered; nothing was contacted\n',
    );
  });
});
