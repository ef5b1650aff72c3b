import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { command, emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';

/** Each of these records in the project's file `ran` that it was executed. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const ran = path.join(folder, 'ran');
  const code = `import { appendFileSync } from 'node:fs';
import { defineFilter, defineAction } from 'evenkeel';
appendFileSync(${JSON.stringify(ran)}, import.meta.filename + '\\n');
`;
  const module = (name: string): string =>
    `${code}export default defineAction({ name: '${name}', summary: 'Own.', check: true, examples: [],
  args: { type: 'object', properties: {}, additionalProperties: true }, run: async () => ({ status: 'ok' }) });\n`;
  const script = (output: string): string => `#!/bin/sh\necho $0 >> '${ran}'\necho '${output}'\n`;
  return {
    'evenkeel.yml': `inventory: [inventory]
vault_password_file: pass.sh
modules_path: [acme]
`,
    'pass.sh': script('secret'),
    'editor.sh': script(''),
    'inventory/hosts.yml': 'all: { hosts: { lb1: } }\n',
    'inventory/cloud.sh': script('{"all": {"hosts": ["lb2"]}, "_meta": {"hostvars": {}}}'),
    'group_vars/all.yml': `late: "{{ lookup('pipe', 'echo late >> ran') }}"\n`,
    'filters/shout.ts': `${code}export default defineFilter({ name: 'shout', signature: 'text', run: (text) => text + '!' });\n`,
    'modules/own.ts': module('own'),
    'node_modules/acme/package.json': '{"name": "acme"}',
    'node_modules/acme/modules/bought.ts': module('bought'),
    'play.yml': `- name: Site
  hosts: lb1
  vars:
    x: "{{ ['true'] | map('pipe') | list }}"
  tasks:
    - name: Own
      own: a=1
      tags: [first]
    - name: Bought
      bought:
        b: 1
    - name: Say it
      debug:
        msg: "{{ 'a' | shout }}"
      when: pipe("echo when >> ran") == ""
    - name: Loop
      debug:
        msg: "{{ item }}"
      with_ansible.builtin.lines: [echo loop >> ran]
`,
    'plain.yml': '- name: Plain\n  hosts: lb1\n  tasks:\n    - name: Say it\n      debug:\n        msg: "{{ late }}"\n',
  };
}

const REFUSED = [
  'evenkeel.yml:2:22: the vault password file pass.sh is a program, which --no-exec does not run',
  'evenkeel.yml:1:12: the inventory inventory/cloud.sh is a program, which --no-exec does not run: its controllers are unknown',
  'group_vars/all.yml:1:7: "pipe" runs a command, which --no-exec refuses',
  'play.yml:4:8: "pipe" runs a command, which --no-exec refuses',
  'play.yml:7:7: the module "own" is code that --no-exec does not load: its arguments are not checked',
  'play.yml:10:7: the module "bought" is code that --no-exec does not load: its arguments are not checked',
  'play.yml:14:14: the filter "shout" is code that --no-exec does not load',
  'play.yml:15:13: "pipe" runs a command, which --no-exec refuses',
  'play.yml:19:7: "lines" runs a command, which --no-exec refuses',
];

/** Message and place of each. */
function findings(text: string): readonly string[] {
  const found = text.matchAll(/^(?:error|warning)(?:\[[\w-]+\])?: (.*)\n(?: {2}--> (\S+)\n)?/gm);
  return [...found].map(([, message, place]) => (place === undefined ? (message ?? '') : `${place}: ${message ?? ''}`));
}

describe('--no-exec', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject();
    for (const [name, text] of Object.entries(filesIn(project.directory))) {
      await project.write(name, text);
      if (name.endsWith('.sh')) await chmod(path.join(project.directory, name), 0o755);
    }
  });
  after(() => project.remove());

  const ran = (): Promise<string> => readFile(path.join(project.directory, 'ran'), 'utf8').catch(() => '');
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> => {
    const ended = await evenkeel(args, { cwd: project.directory, env });
    expect(await ran(), args.join(' ')).to.equal('');
    return ended;
  };

  it('is needed, because otherwise listing a playbook runs programs and code', async () => {
    await evenkeel(['run', 'play.yml', '--list-tasks'], { cwd: project.directory });
    for (const one of ['pass.sh', 'cloud.sh', 'shout.ts', 'own.ts', 'bought.ts']) expect(await ran()).to.include(one);
    await rm(path.join(project.directory, 'ran'));
  });

  it('lints a playbook, with a finding for everything that was not executed', async () => {
    const { code, stdout } = await run(['lint', 'play.yml', '--no-exec']);
    expect(findings(stdout).filter((one) => one.includes('--no-exec'))).to.have.members(REFUSED);
    expect(stdout).to.include('warning[no-exec]: ');
    expect(code).to.equal(0);
    expect((await run(['lint', 'play.yml', '--strict'], { EVENKEEL_NO_EXEC: 'yes' })).code).to.equal(2);
  });

  for (const option of ['--syntax-check', '--list-tasks', '--list-tags']) {
    it(`lets ${option} warn, and still prints the list`, async () => {
      const { code, stdout, stderr } = await run(['run', 'play.yml', option, '--no-exec']);
      expect(code).to.equal(0);
      expect(findings(stderr)).to.have.members(REFUSED);
      expect(stdout).to.include('playbook: play.yml');
      if (option === '--list-tasks') expect(stdout).to.include('      Own\tTAGS: [first]\n      Bought\tTAGS: []\n');
    });
  }

  it('renders what is known without executing anything', async () => {
    const { code, stdout, stderr } = await run(['render', 'play.yml', '--no-exec']);
    expect(findings(stderr)).to.have.members(REFUSED);
    expect({ code, at: stdout.match(/known at run time/g)?.length }).to.deep.equal({ code: 0, at: 3 });
  });

  it('does not call controllers unknown that only a program knows', async () => {
    await project.write('lb.yml', '- name: Say it\n  hosts: lb7,lb8\n  tasks: []\n');
    const sources = ['-i', 'inventory/cloud.sh', '-i', 'lb8,', '--no-exec'];
    for (const more of [['--syntax-check'], ['--list-tasks', '-l', 'lb7,lb9'], ['--list-tags', '-l', 'lb9']]) {
      const { code, stderr } = await run(['run', 'lb.yml', ...sources, ...more]);
      expect(
        findings(stderr).filter((one) => one.includes('controller')),
        more.join(' '),
      ).to.deep.equal([
        '-i: the inventory inventory/cloud.sh is a program, which --no-exec does not run: its controllers are unknown',
      ]);
      expect(code).to.equal(0);
    }
    expect((await run(['lint', 'lb.yml', ...sources])).stdout).to.not.include('matches no controller');
  });

  for (const args of [
    ['run', 'play.yml', '--list-hosts'],
    ['run', 'play.yml', '--simulate'],
    ['run', 'play.yml', '--check'],
  ]) {
    it(`refuses ${args.join(' ')} before anything is contacted`, async () => {
      const { code, stdout, stderr } = await run([...args, '--no-exec']);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(findings(stderr)).to.have.members(REFUSED);
      expect(stderr).to.include('9 errors');
    });
  }

  for (const args of [
    ['task', 'lb1', '-m', 'own', '-i', 'lb1,'],
    ['inventory', '--list'],
    ['inventory', '--graph', '-i', 'inventory/cloud.sh', '--vault-password-file', 'pass.sh'],
    ['simulate'],
    ['vault', 'encrypt', 'play.yml'],
    ['vault', 'create', 'new.yml', '--vault-password-file', 'plain.yml'],
    ['resume', 'last'],
    ['rollback', 'last'],
  ]) {
    it(`refuses ${args.slice(0, 2).join(' ')} with a clear message`, async () => {
      const { code, stderr } = await run([...args, '--no-exec'], { EDITOR: './editor.sh' });
      expect(code).to.equal(1);
      if (args[1] !== 'last') expect(stderr).to.include('--no-exec');
      expect(stderr).to.not.include('internal error');
    });
  }

  it('names the option with the program', async () => {
    const args = ['inventory', '--graph', '-i', 'inventory/cloud.sh', '--vault-password-file', 'pass.sh', '--no-exec'];
    expect(findings((await run(args)).stderr).slice(0, 2)).to.deep.equal([
      '--vault-password-file: the vault password file pass.sh is a program, which --no-exec does not run',
      '-i: the inventory inventory/cloud.sh is a program, which --no-exec does not run: its controllers are unknown',
    ]);
  });

  it('lists modules of the project without loading them', async () => {
    const { code, stdout } = await run(['doc', '-l', '--no-exec']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^own +a project module, which --no-exec does not load$/m);
    expect((await run(['schema', 'playbook', '--no-exec'])).code).to.equal(0);
  });

  it('allows a run that executes nothing, and fails a command that appears during the run', async () => {
    await writeFile(path.join(project.directory, 'only.yml'), 'all: { hosts: { lb1: } }\n');
    await project.write(
      'made.yml',
      `- hosts: all
  gather_facts: false
  tasks:
    - set_fact: { name: pi, rest: pe }
    - debug: { msg: "{{ query(name ~ rest, 'echo made >> ran', errors='ignore') }}" }
`,
    );
    const state = path.join(project.directory, 'state');
    const empty = { EVENKEEL_CONFIG: '/dev/null', EVENKEEL_STATE_DIR: state, EVENKEEL_NO_EXEC: '1' };
    await project.write(
      'fine/plain.yml',
      '- hosts: all\n  gather_facts: false\n  tasks:\n    - debug: { msg: fine }\n',
    );
    const fine = await run(['run', 'fine/plain.yml', '-i', 'lb1,'], empty);
    expect(fine.code, fine.stderr).to.equal(0);
    await project.write('fine/made.yml', await readFile(path.join(project.directory, 'made.yml'), 'utf8'));
    const { code, stdout } = await run(['run', 'fine/made.yml', '-i', 'lb1,'], empty);
    expect(code).to.equal(2);
    expect(stdout).to.include('--no-exec does not run the command "echo made >> ran"');
  });

  it('is in the help of every command', async () => {
    const names = ['run', 'task', 'resume', 'rollback', 'runs', 'inventory', 'vault edit', 'doc', 'lint', 'schema'];
    const line = names.map((name) => `evenkeel ${name} --help-all | grep -c -e --no-exec -e --config`).join('; ');
    const { stdout } = await command('sh', ['-c', line], { cwd: project.directory, env: project.env });
    expect(stdout).to.equal('2\n'.repeat(names.length));
  });
});
