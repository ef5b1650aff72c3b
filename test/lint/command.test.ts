import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { RULES } from '../../src/lint/rules/index.js';
import { emptyProject, exampleProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { inFolderWithScripts } from '../rig/scripts.js';

const PLAYBOOK = `- name: Clouds
  hosts: all
  tasks:
    - name: Cloud exists
      cloud_present:
        name: '{{cloud}}'
      ignore_errors: true
    - name: Say it
      debug:
        msg: done
      when: '{{ cloud == "a" }}'
`;

const FILES = {
  'evenkeel.yml': `inventory: inventory/a
environments:
  b: { inventory: inventory/b, extra_vars: b.yml }
`,
  'inventory/a/hosts.yml': 'all: { hosts: { lb1: } }\n',
  'inventory/b/hosts.yml': 'all: { hosts: { lb2: { controller_password: hunter22 } } }\n',
  'b.yml': 'cloud: a\n',
  'playbook.yml': PLAYBOOK,
  'warned.yml': '- name: Say it\n  hosts: all\n  tasks:\n    - debug:\n      when: "{{ cloud }}"\n',
  'broken.yml': '- name: Say it\n  hosts: all\n  tasks:\n    - debug:\n      whn: x\n',
};

describe('evenkeel lint', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject(FILES);
  });
  after(() => project.remove());

  const lint = (args: readonly string[], env = {}): Promise<Ended> =>
    evenkeel(['lint', ...args], { cwd: project.directory, env });

  it('masks a password under a misspelt name', async () => {
    const own = await emptyProject({
      ...FILES,
      'inventory/a/group_vars/all.yml': 'controller_passwrod: Blue-Whale-42\ncontroller_tiemout: 3\n',
    });
    const { stdout } = await evenkeel(['lint', 'playbook.yml'], { cwd: own.directory });
    expect(stdout).to.include('controller_passwrod: ********').and.not.include('Whale');
    await own.remove();
  });

  it('warns about variables of groups and controllers that no inventory of the project has', async () => {
    const own = await emptyProject({
      ...FILES,
      'site.yml': '- name: Say it\n  hosts: all\n  tasks:\n    - name: Say it\n      debug:\n        msg: hi\n',
      'add.yml':
        '- name: Add\n  hosts: all\n  tasks:\n    - name: Add\n      add_host:\n        name: lb9\n        groups: late\n',
      'group.yml': '- name: Group\n  hosts: all\n  tasks:\n    - name: Group\n      group_by:\n        key: late\n',
      'inventory/b/hosts.yml': 'all: { children: { emea: { hosts: { lb2: } } } }\n',
      'group_vars/emae.yml': 'a: 1\n',
      'group_vars/emea.yml': 'a: 1\n',
      'group_vars/README.md': '',
      'group_vars/ungrouped': 'a: 1\n',
      'host_vars/localhost.yml': 'a: 1\n',
      'group_vars/eamea': 'a: 1\n',
      'group_vars/apac.yml': 'a: 1\n',
      'inventory/a/host_vars/lb/x.yml': 'a: 1\n',
    });
    const said = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await evenkeel(['lint', ...args], { cwd: own.directory });
      return stdout.trimEnd().split('\n');
    };
    expect(await said('site.yml')).to.deep.equal([
      'warning[doubtful]: group_vars/eamea has no effect: no inventory of the project has a group "eamea"',
      '  = hint: did you mean "emea"?',
      '',
      'warning[doubtful]: group_vars/emae.yml has no effect: no inventory of the project has a group "emae"',
      '  = hint: did you mean "emea"?',
      '',
      'warning[doubtful]: inventory/a/host_vars/lb has no effect: no inventory of the project has a controller "lb"',
      '  = hint: did you mean "lb1"?',
      '',
      '3 warnings',
    ]);
    for (const args of [
      ['site.yml', 'add.yml'],
      ['site.yml', 'group.yml'],
      ['site.yml', '--env', 'b'],
      ['site.yml', '-i', 'inventory/a'],
    ])
      expect(await said(...args), args.join(' ')).to.deep.equal(['no findings']);
    await own.remove();
  });

  it('reports its findings, also in the inventories of all environments, and fails', async () => {
    expect(await lint(['playbook.yml'])).to.deep.equal({
      code: 2,
      stderr: '',
      stdout: `error[ignore-errors]: "ignore_errors" hides every failure, and no comment says why
  --> playbook.yml:7:22
    |
  5 |       cloud_present:
  6 |         name: '{{cloud}}'
  7 |       ignore_errors: true
    |                      ^^^^
  8 |     - name: Say it
  9 |       debug:
  = hint: list the acceptable failures in "failed_when", or write the reason in a comment above

warning[no-jinja-when]: a condition needs no {{ }}
  --> playbook.yml:11:13
     |
   9 |       debug:
  10 |         msg: done
  11 |       when: '{{ cloud == "a" }}'
     |             ^^^^^^^^^^^^^^^^^^^^
  = hint: remove the braces: cloud == "a"

error[secret-in-clear-text]: "controller_password" contains a secret in clear text
  --> inventory/b/hosts.yml:1:45
    |
  1 | all: { hosts: { lb2: { controller_password: ******** } } }
    |                                             ^^^^^^^^
  = hint: encrypt it with "evenkeel vault encrypt-string", or take it from the environment: '{{env "NAME"}}'

2 errors, 1 warning
`,
    });
  });

  it('checks the limits of environments', async () => {
    const limited = (limit: string) =>
      emptyProject({
        ...FILES,
        'evenkeel.yml': `environments: { b: { inventory: inventory/b, limit: "${limit}" } }\n`,
      });
    for (const [limit, message] of [
      [
        'lb1,lb2',
        'error[syntax-check]: the limit of the environment "b": "lb1" matches no controller of the inventory\n  --> evenkeel.yml:1:53\n',
      ],
      [
        '!all',
        'error[syntax-check]: the limit "!all" of the environment "b" selects no controller\n  --> evenkeel.yml:1:53\n',
      ],
      ['lb2', ''],
    ] as const) {
      const own = await limited(limit);
      for (const args of [
        ['lint', 'broken.yml'],
        ['lint', 'broken.yml', '--env', 'b'],
      ]) {
        const { code, stdout } = await evenkeel(args, { cwd: own.directory });
        expect(code).to.equal(1);
        expect(stdout.includes('the limit'), stdout).to.equal(message !== '');
        expect(stdout).to.include(message);
      }
      await own.remove();
    }
  });

  it('checks one environment, or one inventory', async () => {
    expect((await lint(['playbook.yml', '-E', 'b'])).stdout).to.include('secret-in-clear-text');
    expect((await lint(['playbook.yml', '-i', 'inventory/a'])).stdout).not.to.include('secret-in-clear-text');
  });

  it('accepts secrets in encrypted files, and what a comment in them may explain', async () => {
    const own = await emptyProject({
      'site.yml': '- name: All\n  hosts: all\n  vars_files: [secrets.yml]\n  tasks: []\n',
      'inventory/hosts.yml': 'all: { hosts: { lb1: } }\n',
      'secrets.yml': 'token: hunter22\n',
      'inventory/group_vars/all.yml': 'controller_password: hunter22\n# a lab\ncontroller_verify_tls: false\n',
      pass: 'of the vault\n',
    });
    const here = (...args: readonly string[]): Promise<Ended> =>
      evenkeel([...args, '--vault-password-file', 'pass'], { cwd: own.directory });
    expect((await here('lint', 'site.yml', '-i', 'inventory')).stdout.match(/in clear text/g)).to.have.lengthOf(2);
    await here('vault', 'encrypt', 'secrets.yml', 'inventory/group_vars/all.yml');
    expect(await here('lint', 'site.yml', '-i', 'inventory')).to.include({ code: 0, stderr: '' });
    await own.remove();
  });

  it('opens the files of all environments, and asks each source of passwords once', () => {
    const site = '- name: All\n  hosts: all\n  tasks: []\n';
    const hosts = (group: string): string => `${group}: { hosts: { lb1: } }\n`;
    const environments = `vault_password_file: ask
environments:
  staging: { inventory: staging.yml, vault_ids: [staging@of-staging] }
  production: { inventory: production.yml, vault_ids: [production@of-production] }
`;
    const files = {
      ...{ 'evenkeel.yml': environments, 'site.yml': site },
      ...{ 'staging.yml': hosts('staging'), 'production.yml': hosts('production') },
      ...{ 'group_vars/staging.yml': 'motto: a\n', 'group_vars/production.yml': 'motto: b\n' },
      ...{ 'of-staging': 'first\n', 'of-production': 'second\n' },
      ask: '#!/bin/sh\necho asked >> calls\necho third\n',
    };
    return inFolderWithScripts(files, async (cwd) => {
      const here = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd });
      for (const one of ['staging', 'production'])
        expect(
          await here(
            'vault',
            'encrypt',
            `group_vars/${one}.yml`,
            '--vault-id',
            `${one}@of-${one}`,
            ...['--encrypt-vault-id', one],
          ),
        ).to.include({ code: 0 });
      await rm(path.join(cwd, 'calls'), { force: true });
      expect(await here('lint', 'site.yml')).to.include({ code: 0, stderr: '' });
      expect(await readFile(path.join(cwd, 'calls'), 'utf8')).to.equal('asked\n');
    });
  });

  it('prints JSON for programs', async () => {
    const { code, stdout } = await lint(['--json', '-i', 'inventory/a', '-e', 'cloud=a', 'playbook.yml']);
    expect(code).to.equal(2);
    expect(JSON.parse(stdout)).to.deep.equal([
      {
        rule: 'ignore-errors',
        severity: 'error',
        message: '"ignore_errors" hides every failure, and no comment says why',
        hint: 'list the acceptable failures in "failed_when", or write the reason in a comment above',
        file: 'playbook.yml',
        line: 7,
        column: 22,
      },
      {
        rule: 'no-jinja-when',
        severity: 'warning',
        message: 'a condition needs no {{ }}',
        hint: 'remove the braces: cloud == "a"',
        file: 'playbook.yml',
        line: 11,
        column: 13,
      },
    ]);
    expect((await lint(['--json', '-i', 'inventory/a', 'b.yml'])).code).to.equal(1);
  });

  it('writes annotations in GitHub Actions', async () => {
    const { stdout } = await lint(['-i', 'inventory/a', 'warned.yml', '-e', 'cloud=true'], { GITHUB_ACTIONS: 'true' });
    expect(stdout.trimEnd().split('\n').at(-1)).to.equal(
      '::warning file=warned.yml,line=5,col=13,title=no-jinja-when::a condition needs no {{ }} (remove the braces: cloud, or cloud | bool if it may be a text such as "false")',
    );
  });

  const codes: readonly (readonly [why: string, args: readonly string[], code: number])[] = [
    ['for warnings', ['-i', 'inventory/a', '-e', 'cloud=true', 'warned.yml'], 0],
    ['for warnings with --strict', ['--strict', '-i', 'inventory/a', '-e', 'cloud=true', 'warned.yml'], 2],
    ['for a playbook that does not run', ['-i', 'inventory/a', 'broken.yml'], 1],
    ['for a missing file', ['missing.yml'], 1],
    ['for an unknown environment', ['-E', 'c', 'playbook.yml'], 1],
  ];
  for (const [why, args, code] of codes) {
    it(`ends with ${code} ${why}`, async () => expect((await lint(args)).code).to.equal(code));
  }

  it('lists the rules', async () => {
    const { code, stdout } = await lint(['--list']);
    expect(code).to.equal(0);
    expect(
      stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(/\s+/)[0]),
    ).to.deep.equal(RULES.map(({ name }) => name));
    const listed: unknown = JSON.parse((await lint(['--list', '--json'])).stdout);
    expect(listed).to.deep.equal(RULES.map(({ name, severity, reason }) => ({ rule: name, severity, reason })));
    expect(stdout).to.include(
      'ignore-errors         error    Ignoring an expected failure also hides unexpected ones. A comment must say why.',
    );
  });

  it('checks all playbooks of the project if none is named', async () => {
    const { code, stdout } = await lint([]);
    expect(code).to.equal(1);
    for (const file of ['broken.yml', 'playbook.yml', 'warned.yml']) expect(stdout).to.include(`--> ${file}:`);
    const empty = await emptyProject();
    try {
      expect((await evenkeel(['lint'], { cwd: empty.directory })).stderr).to.equal(
        `error: there are no playbooks in ${empty.directory}\n  = hint: name them: evenkeel lint playbooks/*.yml\n\n1 error\n`,
      );
    } finally {
      await empty.remove();
    }
  });

  it('finds nothing in the example project', async () => {
    const example = await exampleProject();
    try {
      const { code, stdout } = await evenkeel(['lint', 'playbooks/rollout.yml'], { cwd: example.directory });
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: 'no findings\n' });
    } finally {
      await example.remove();
    }
  });
});
