import { execFile } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Diagnostics, type Diagnostic } from '../../src/core/model/source/diagnostic.js';
import { configFindings } from '../../src/lint/ansible_project/config.js';
import { findProject, isYamlList } from '../../src/lint/ansible_project/files.js';
import { survey } from '../../src/lint/ansible_project/survey.js';
import { countableUnits, unitAt } from '../../src/lint/ansible_project/units.js';
import { inFolder } from '../rig/folder.js';
import { worded } from '../rig/loaded.js';

function tasks(text: string, content: 'plays' | 'steps' = 'steps'): readonly string[] {
  return countableUnits(text.split('\n'), content).map(({ type, line, column }) => `${type} ${line}:${column}`);
}

describe('The tasks of a file, by its layout', () => {
  it('are the items of its lists of steps', () => {
    const text = `---
# - no: task
- hosts: all
  vars:
    - a: 1
  tasks:
  - debug:
      msg: |
        - no: task
        block:
    loop:
      - 1
  - name: Several
    block: # of two
      - debug:

      -   debug:
          when: [a]
    rescue:
    - fail:
  handlers:
      - name: tell
        debug:
- import_playbook: other.yml
`;
    expect(tasks(text, 'plays')).to.deep.equal([
      'play 3:1',
      'task 7:3',
      'block 13:3',
      'task 15:7',
      'task 17:7',
      'task 20:5',
      'task 22:7',
      'import 24:1',
    ]);
  });

  it('may be in braces, item by item, and indented', () => {
    expect(tasks('  - { debug: , tags: [a] }\n  - debug:\n')).to.deep.equal(['task 1:3', 'task 2:3']);
    expect(tasks('a: 1\nb:\n  - c\n')).to.deep.equal([]);
    expect(tasks('')).to.deep.equal([]);
  });

  it('include everything at their keys or deeper', () => {
    const text = '- block:\n    - debug:\n        msg: x\n  when: a\n- debug:\n';
    const units = countableUnits(text.split('\n'), 'steps');
    for (const [line, start] of [
      [3, 2],
      [4, 1],
      [5, 5],
    ] as const)
      expect(unitAt(units, line, text.split('\n'))).to.include({ line: start });
    expect(unitAt([], 1, [])).to.equal(undefined);
  });
});

describe('The files of a project of Ansible', () => {
  it('are no playbooks in a role, in whichever of its folders', async () => {
    const play = '- hosts: all\n  tasks: []\n';
    const parts = ['tasks', 'handlers', 'defaults', 'vars', 'meta', 'templates', 'files', 'tests', 'library'];
    const files = Object.fromEntries([...parts, 'examples'].map((part) => [`roles/web/${part}/deep/main.yml`, play]));
    await inFolder(
      { ...files, 'roles/web/tasks/main.yml': '', 'site.yml': play, 'venv/site.yml': play },
      async (folder) => {
        const { playbooks, roles } = await findProject(folder, folder, new Diagnostics());
        expect(playbooks).to.deep.equal(
          ['roles/web/examples/deep/main.yml', 'site.yml'].map((name) => `${folder}/${name}`),
        );
        expect(roles).to.deep.equal([`${folder}/roles/web`]);
      },
    );
  });

  it('are left out with a warning if they cannot be read', () =>
    inFolder({ 'site.yml': '- hosts: all\n', 'large.yml': '' }, async (folder) => {
      // The superuser may read all, but no path and no file of such a size.
      const shell = (script: string): Promise<unknown> => promisify(execFile)('sh', ['-c', script], { cwd: folder });
      await shell('name=$(printf %0200d 0); for at in $(seq 25); do mkdir $name && cd -P $name; done');
      try {
        await truncate(path.join(folder, 'large.yml'), 2 ** 31);
        const diagnostics = new Diagnostics();
        const { playbooks } = await findProject(folder, folder, diagnostics);
        expect(playbooks).to.deep.equal([`${folder}/site.yml`]);
        const said = diagnostics.list.map(worded).map((one) => one.replaceAll(/(?:0{200}\/?)+/g, '…'));
        expect(said).to.deep.equal([
          'warning: cannot read …: the name is too long; it is left out',
          'warning: cannot read large.yml: File size (2147483648) is greater than 2 GiB; it is left out',
        ]);
      } finally {
        await shell('rm -rf 0*');
      }
    }));

  it('are recognized in linear time, after comments and empty lines', () => {
    const start = '# a\r\n\r\n'.repeat(50_000);
    expect([
      isYamlList(`${start}x: 1\n`),
      isYamlList(`---\r\n${start} - a: 1\n`),
      isYamlList('\n'.repeat(50_000)),
      isYamlList('\ufeff# from another system\n- a: 1\n'),
    ]).to.deep.equal([false, true, false, true]);
  });

  it('are told apart by their names, folders and first lines', async () => {
    const play = '---\n# first\n\n- name: x\n  hosts: all\n';
    const files = {
      'a.yml': play,
      'b.yaml': '- ansible.builtin.import_playbook: a.yml\n',
      'not_a_list.yml': 'all:\n  hosts: { lb1: }\n',
      'hosts: all.yml': 'hosts: all\n',
      'playbook.txt': play,
      '.hidden.yml': play,
      'molecule/a.yml': play,
      'group_vars/all': 'a: 1\n',
      'group_vars/all.txt': 'a: 1\n',
      'host_vars/lb1/more.json': '{}',
      'vars/a.yml': play,
      'vars/a.json': '{}',
      'vars/deep/a.yml': 'a: 1\n',
      'defaults/a.yml': 'a: 1\n',
      'tasks/a.yml': '- debug:\n',
      'tests/tasks/a.yml': '- debug:\n',
      'handlers/a.yml': '- debug:\n',
      'plugin.yml': 'plugin: a.b.c\n',
      'hosts.ini': 'lb1\n',
      hosts_of_lab: 'lb1\n',
      'hosts.md': '',
      'files/hosts': '',
      'templates/hosts': '',
      'meta/hosts': '',
      'src/hosts': '',
      'dist/inventory/all': '',
      'test/hosts': '',
      'handlers/hosts': '',
      'tasks/deep/hosts': '',
      'plugins/hosts': '',
      'inventory/lab/all.toml': '',
      'inventories/all.yml': 'all:\n',
      'inventory/one/two/all.ini': '',
      'inventory/a.py': '',
      'library/a.py': '',
      'plugins/filter_plugins/deep/b.py': '',
      'plugins/c.py': '',
      'library/a.txt': '',
      'my_roles/web/meta/main.yml': '',
      'web/tasks/main.yml': '',
      'web/templates/a.yml': play,
    };
    const placed = Object.fromEntries(Object.entries(files).map(([name, text]) => [`tests/site/${name}`, text]));
    const found = await inFolder(placed, async (folder) => {
      const site = `${folder}/tests/site`;
      const { directory, ...parts } = await findProject(site, folder, new Diagnostics());
      expect(directory).to.equal(site);
      return JSON.parse(JSON.stringify(parts).replaceAll(`${site}/`, '')) as unknown;
    });
    expect(found).to.deep.equal({
      playbooks: ['a.yml', 'b.yaml'],
      taskFiles: ['handlers/a.yml', 'tasks/a.yml', 'web/tasks/main.yml'],
      roles: ['my_roles/web', 'web'],
      variableFiles: ['defaults/a.yml', 'group_vars/all', 'host_vars/lb1/more.json', 'vars/a.yml'],
      inventories: [
        'hosts.ini',
        'hosts_of_lab',
        'inventories/all.yml',
        'inventory/lab/all.toml',
        'plugins/hosts',
        'plugin.yml',
      ],
      python: ['library/a.py', 'plugins/filter_plugins/deep/b.py'],
    });
  });
});

describe('The survey of a project of Ansible', () => {
  const at = (file: string, line: number, column = 7) => ({ source: { file, line, column } });
  const error = (message: string, place: object, hint?: string): Diagnostic => ({
    severity: 'error',
    message,
    ...(hint !== undefined && { hint }),
    ...place,
  });

  it('judges each task, play and part by its worst finding', () => {
    const text = '- hosts: a\n  tasks:\n    - debug:\n    - fail:\n- hosts: b\n  tasks:\n    - debug:\n';
    const found = survey(
      [
        { shown: 'a.yml', text, content: 'plays' },
        { shown: 'b.yml', text, content: 'plays' },
      ],
      { roles: ['roles/web', 'roles/webs'], inventories: ['hosts', 'more'], plugins: ['x.py'], settings: 3 },
      [
        error('there is no filter or function "x"', at('a.yml', 4), 'write "y"'),
        error('there is no filter or function "z"', at('a.yml', 4)),
        error('there is no filter or function "z"', at('a.yml', 4)),
        { severity: 'warning', message: 'may be', ...at('a.yml', 4) },
        error('wrong', at('b.yml', 7)),
        error('wrong', at('b.yml', 8)),
        error('hidden', { rule: 'no-exec', ...at('b.yml', 3) }),
        error('no place', {}),
        error('wrong "1"', at('roles/web/tasks/main.yml', 1)),
        { severity: 'warning', message: 'may be', ...at('roles/webs/tasks/main.yml', 1) },
        error('wrong', at('hosts', 1)),
        { severity: 'error', message: 'ansible.cfg: "a"', ...at('ansible.cfg', 1) },
      ],
    );
    expect(found.tasks).to.deep.equal({ works: 4, change: 1, cannot: 1 });
    expect(found.parts).to.deep.equal({
      plays: { works: 2, total: 4 },
      roles: { works: 1, total: 2 },
      inventories: { works: 1, total: 2 },
      plugins: { works: 1, total: 1 },
      settings: { works: 2, total: 3 },
    });
    expect(
      found.findings.map(({ verdict, message, places }) => `${verdict} ${message}: ${places.length}`),
    ).to.deep.equal([
      'cannot there is no filter or function "z": 1',
      'change wrong: 3',
      'change there is no filter or function "x": 1',
      'change wrong "1": 1',
      'change ansible.cfg: "a": 1',
      'change no place: 0',
      'works may be: 2',
    ]);
  });

  it('groups what differs in quotations, and counts what is quoted', () => {
    const unknown = (name: string, line: number, hint?: string) =>
      error(`there is no module "${name}" (looked in modules/${line})`, at('a.yml', line), hint);
    const grouped = (member: string, line: number): Diagnostic => ({
      severity: 'error',
      message: `${member} is gone`,
      group: { message: 'files are gone', member },
      rule: 'foreign-module',
      ...at('a.yml', line),
    });
    const { findings } = survey([], { roles: [], inventories: [], plugins: [], settings: 0 }, [
      unknown('b', 1),
      unknown('a', 2),
      unknown('a', 3),
      unknown('c', 4, 'did you mean "d"?'),
      unknown('d', 5, 'did you mean "e"?'),
      error('"x" is odd', at('a.yml', 6), 'write it'),
      error('"y" is odd', at('a.yml', 7), 'read it'),
      ...['one', 'two'].map((folder, index) =>
        error(`there is no role "z" (looked in ${folder})`, at('a.yml', 12 + index), 'install z'),
      ),
      error('there is no role "y" (looked in three)', at('a.yml', 14), 'install y'),
      grouped('b', 8),
      grouped('a', 9),
      grouped('a', 10),
      grouped('a', 11),
    ]);
    expect(findings.map(({ members, places, ...one }) => [one, [...members], places.length])).to.deep.equal([
      [
        { verdict: 'cannot', message: 'files are gone', hint: undefined },
        [
          ['a', 3],
          ['b', 1],
        ],
        4,
      ],
      [
        { verdict: 'cannot', message: 'there is no module "…"', hint: undefined },
        [
          ['a', 2],
          ['b', 1],
        ],
        3,
      ],
      [
        { verdict: 'change', message: 'there is no module "…"', hint: 'did you mean "d"?' },
        [
          ['c', 1],
          ['d', 1],
        ],
        2,
      ],
      [{ verdict: 'change', message: 'there is no role "z"', hint: 'install z' }, [], 2],
      [{ verdict: 'change', message: '"x" is odd', hint: 'write it' }, [], 1],
      [{ verdict: 'change', message: '"y" is odd', hint: 'read it' }, [], 1],
      [{ verdict: 'change', message: 'there is no role "y" (looked in three)', hint: 'install y' }, [], 1],
    ]);
  });

  it('says which settings apply, which do not, and which mean nothing here', () => {
    const values = new Map(
      [
        ['defaults.roles_path', 'roles'],
        ['defaults.filter_plugins', 'filters'],
        ['defaults.force_handlers', 'true'],
        ['defaults.hash_behaviour', 'replace'],
        ['diff.always', 'yes'],
        ['tags.run', ''],
        ['colors.ok', 'green'],
        ['defaults.nocows', 'off'],
        ['defaults.odd', '3'],
      ].map(([name = '', value = ''], index) => [name, { value, source: at('ansible.cfg', index + 1).source }]),
    );
    const found = configFindings({ values } as unknown as Parameters<typeof configFindings>[0]);
    expect(
      found.map(({ severity, message, hint, group, source }) => [
        severity,
        message,
        hint ?? group?.member,
        source?.line,
      ]),
    ).to.deep.equal([
      ['warning', 'ansible.cfg: settings that apply here as well: "defaults.roles_path"', 'defaults.roles_path', 1],
      [
        'warning',
        'ansible.cfg: settings that apply here as well: "defaults.filter_plugins"',
        'defaults.filter_plugins',
        2,
      ],
      [
        'error',
        'ansible.cfg: "defaults.force_handlers" does not apply here',
        'write "force_handlers: true" in the plays, or pass --force-handlers',
        3,
      ],
      ['error', 'ansible.cfg: "diff.always" does not apply here', 'pass --diff', 5],
      [
        'warning',
        'ansible.cfg: settings without effect, because they are about SSH, hosts or Ansible\'s output: "colors.ok"',
        'colors.ok',
        7,
      ],
      ['warning', 'ansible.cfg: settings that Evenkeel does not read: "defaults.odd"', 'defaults.odd', 9],
    ]);
    expect(configFindings(undefined)).to.deep.equal([]);
  });
});
