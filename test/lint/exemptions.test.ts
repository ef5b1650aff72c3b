import { expect } from 'chai';
import { exemptionsIn } from '../../src/lint/subject/subject.js';
import { linted } from '../rig/linted.js';

describe('# noqa', () => {
  const lines: readonly (readonly [line: string, exempt: readonly string[] | 'all' | undefined])[] = [
    ['name: x', undefined],
    ['name: x # note', undefined],
    ['name: x #noqa', 'all'],
    ['name: x # noqa', 'all'],
    ['# NOQA', 'all'],
    ['name: x # noqa name', ['name']],
    ['name: x # noqa: name', ['name']],
    ['name: x # noqa name, no-handler ignore-errors', ['name', 'no-handler', 'ignore-errors']],
    ['name: x # noqa name[missing] no-jinja-when', ['name', 'no-jinja-when']],
    ['name: x # noqa name # because', ['name']],
    ['name: x # noqable', undefined],
    ['anchor#noqa', undefined],
  ];
  for (const [line, exempt] of lines) {
    it(`in ${JSON.stringify(line)}`, () => expect(exemptionsIn(line)).to.deep.equal(exempt));
  }

  const playbook = (first: string, second: string): string => `- name: x
  hosts: all
  tasks:
    - name: '{{ a }} b'${first}
      fail:
      ignore_errors: true${second}
    - fail:
`;
  const rulesIn = async (text: string, project = ''): Promise<readonly string[]> =>
    (await linted({ 'site.yml': text, 'evenkeel.yml': project })).map((one) => one.split(' ').slice(0, 2).join(' '));

  it('exempts a line, or from the first line the whole task', async () => {
    const everything = ['name-template: warning:', 'ignore-errors: site.yml:6:22', 'name: site.yml:7:7'];
    expect(await rulesIn(playbook('', ''))).to.deep.equal(everything);
    expect(await rulesIn(playbook(' # noqa', ''))).to.deep.equal(everything.slice(2));
    expect(await rulesIn(playbook(' # noqa ignore-errors', ''))).to.deep.equal([everything[0], everything[2]]);
    expect(await rulesIn(playbook('', ' # noqa ignore-errors'))).to.deep.equal([everything[0], everything[2]]);
    expect(await rulesIn(playbook('', ' # noqa name-template'))).to.deep.equal(everything);
  });

  it('exempts nothing behind the task', async () => {
    const text = `- name: One
  hosts: all
  tasks:
    - name: Import # noqa secret-in-clear-text
      import_tasks: more.yml
      vars:
        a_password: hunter22
    - name: Group
      block:
        - name: Old # noqa
          fail:
      ignore_errors: true
    - name: Last # noqa
      fail:
      ignore_errors: true
  vars:
    b_password: hunter22
- name: Two
  hosts: all
  roles:
    - role: web # noqa
      vars:
        c_password: hunter22
  vars:
    d_password: hunter22
`;
    const found = await linted({
      'site.yml': text,
      'more.yml': '- import_tasks: last.yml # noqa\n  vars:\n    e_password: hunter22\n',
      'last.yml': '- name: Fail\n  fail:\n  ignore_errors: true\n- name: Fail # noqa\n  fail:\n  ignore_errors: true\n',
      'roles/web/tasks/main.yml': '- name: Fail\n  fail:\n',
    });
    expect(found.map((one) => one.split(' ', 2).join(' '))).to.deep.equal([
      'ignore-errors: site.yml:12:22',
      'secret-in-clear-text: site.yml:17:17',
      'secret-in-clear-text: site.yml:25:17',
      'ignore-errors: last.yml:3:18',
    ]);
  });

  const layouts = {
    'lists without indentation': [
      '- hosts: all',
      '  tasks:',
      '  - name: Last # noqa',
      '    fail:',
      '    vars:',
      '      a_password: hunter22',
      '  # as before',
      '',
      '  vars:',
      '    b_password: hunter22',
    ],
    'deep variables': [
      '- hosts: all',
      '  tasks:',
      '    - name: Last # noqa',
      '      fail:',
      '  # as before',
      '',
      '  vars:',
      '    group:',
      '      other: 1',
      '      b_password: hunter22',
    ],
    'a role': ['- hosts: all', '  roles:', '  - web # noqa', '  vars:', '    b_password: hunter22'],
    'roles in brackets': ['- hosts: all', '  roles: [web] # noqa', '  vars:', '    b_password: hunter22'],
    'a block': [
      '- hosts: all',
      '  tasks:',
      '  - block:',
      '    - name: Old # noqa',
      '      fail:',
      '    vars:',
      '      a:',
      '        b_password: hunter22',
    ],
    'an import of plays': [
      '- hosts: all',
      '- name: More # noqa',
      '  import_playbook: more.yml',
      '  vars:',
      '    a_password: hunter22',
      '- hosts: all # noqa',
      '  vars:',
      '    b_password: hunter22',
    ],
  };
  for (const [name, lines] of Object.entries(layouts))
    it(`exempts nothing behind it in the layout of ${name}`, async () => {
      const files = { 'roles/web/tasks/main.yml': '', 'more.yml': '- { name: More, hosts: all }\n' };
      const found = await linted({ ...files, 'site.yml': `${lines.join('\n')}\n` });
      expect(found.map((one) => one.split(' ', 2).join(' ')).filter((one) => one.includes('secret'))).to.deep.equal([
        `secret-in-clear-text: site.yml:${lines.length}:${(lines.at(-1) ?? '').indexOf('hunter') + 1}`,
      ]);
    });

  it('exempts a task that is written in brackets', async () => {
    const task = (rest: string): string => `{name: Old, fail: , ignore_errors: true}${rest}`;
    const text = `- name: One\n  hosts: all\n  tasks:\n    [\n      ${task(', # noqa')}\n      ${task('')}\n    ]\n`;
    expect((await linted({ 'site.yml': text })).map((one) => one.split(' ', 2).join(' '))).to.deep.equal([
      'ignore-errors: site.yml:6:42',
    ]);
  });

  it('reports a misspelt name, but ignores names of other linters', async () => {
    const names = 'ignore-erors nmae fqcn[action-core] yaml no-tabs jinja args latest schema';
    const text = `- name: x\n  hosts: all\n  tasks:\n    - debug: # noqa ${names}\n`;
    const nothing = 'has no effect: there is no such rule';
    expect(await linted({ 'site.yml': text })).to.deep.equal([
      `doubtful: warning: site.yml:4:21 "# noqa ignore-erors" ${nothing} — did you mean "ignore-errors"?`,
      `doubtful: warning: site.yml:4:34 "# noqa nmae" ${nothing} — did you mean "name"?`,
    ]);
  });

  it('is not needed for what the project leaves out', async () => {
    const skip = 'lint: {skip: [name-template, ignore-errors], warn: name}';
    expect(await rulesIn(playbook('', ''), skip)).to.deep.equal(['name: warning:']);
  });

  it('never hides what keeps a playbook from running', async () => {
    const text = '- name: x\n  hosts: all\n  tasks:\n    - debug: # noqa\n      whn: a\n';
    expect(
      await linted({ 'site.yml': text, 'evenkeel.yml': 'lint: {skip: [unknown-key, syntax-check]}' }),
    ).to.deep.equal(['unknown-key: site.yml:5:7 "whn" is not a keyword of a task — did you mean "when"?']);
  });

  it('in the project file has to be of rules that there are', async () => {
    expect(
      await linted({
        'site.yml': '- name: x\n  hosts: all\n  tasks: []\n',
        'evenkeel.yml': 'lint: {skip: nmae, warn: [whatever]}',
      }),
    ).to.deep.equal([
      'syntax-check: evenkeel.yml:1:14 there is no rule "nmae" — did you mean "name"?',
      'syntax-check: evenkeel.yml:1:27 there is no rule "whatever" — evenkeel lint -l lists all',
    ]);
  });
});
