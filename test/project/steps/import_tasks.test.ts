import { expect } from 'chai';
import type { Files } from '../../rig/folder.js';
import { load, mistakes, playOf, tasksOf, type LoadOptions } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

async function steps(text: string, files: Files, options?: LoadOptions): Promise<readonly unknown[]> {
  const { plays, diagnostics } = await load(playOf(text), files, undefined, options);
  expect(diagnostics).to.deep.equal([]);
  return outline(plays[0]?.tasks ?? []);
}

/** A file with one task of that name. */
function said(name: string): string {
  return `- name: ${name}\n  debug:\n`;
}

describe('import_tasks', () => {
  it('is replaced by the steps of a file', async () => {
    const files = {
      'more.yml': '- debug:\n- block: [fail: ]\n  rescue: [meta: noop]\n',
      'empty.yml': '',
      'none.yml': '[]',
    };
    expect(
      await steps('- import_tasks: more.yml\n- import_tasks: empty.yml\n- import_tasks: none.yml\n- fail:', files),
    ).to.deep.equal(['debug', { block: ['fail'], rescue: ['meta noop'] }, 'fail']);
  });

  for (const text of [
    '- ansible.builtin.import_tasks: a b.yml',
    '- import_tasks: {file: a b.yml}',
    '- import_tasks: file="a b.yml"',
    '- import_tasks:\n  args: {file: a b.yml}',
    '- action: import_tasks a b.yml',
    '- action: {module: import_tasks, file: a b.yml}',
  ]) {
    it(`can be written as ${JSON.stringify(text)}`, async () => {
      expect(await steps(text, { 'a b.yml': said('Imported') })).to.deep.equal(['Imported']);
    });
  }

  it('keeps the positions of steps in their file', async () => {
    const { plays } = await load(playOf('- import_tasks: tasks/a.yml'), {
      'tasks/a.yml': '# here\n- debug:\n    msg: x\n',
    });
    const [task] = tasksOf(plays[0]);
    expect(task?.source).to.deep.equal({ file: 'tasks/a.yml', line: 2, column: 3 });
    expect(task?.locate(['debug', 'msg'])).to.deep.equal({ file: 'tasks/a.yml', line: 3, column: 10 });
  });

  it('passes on its keywords', async () => {
    const { plays, diagnostics } = await load(
      playOf(
        '- name: Import\n  import_tasks: a.yml\n  when: a\n  tags: s\n  vars: {x: 1}\n  ignore_errors: true\n  delegate_to: lb9\n  module_defaults: {debug: {msg: hello}}',
      ),
      { 'a.yml': '- debug:\n  when: b\n  tags: t\n  vars: {y: 2}\n' },
    );
    expect(diagnostics).to.deep.equal([]);
    const [task] = tasksOf(plays[0]);
    expect(task?.when.map(({ expression }) => expression)).to.deep.equal(['a', 'b']);
    expect(task?.tags).to.deep.equal(['s', 't']);
    expect([task?.ignoreErrors?.value, task?.delegateTo?.value, task?.args]).to.deep.equal([
      true,
      'lb9',
      { msg: 'hello' },
    ]);
    expect(task?.layers.flatMap(({ level, values }) => (level === 'magic' ? [] : [[level, values]]))).to.deep.equal([
      ['block vars', { x: 1 }],
      ['task vars', { y: 2 }],
    ]);
  });

  it('keeps the positions of its steps', async () => {
    await load(playOf('- debug:\n- import_tasks: tasks/a.yml'), { 'tasks/a.yml': '- debug:\n' }, undefined, {
      use: async ({ plays }, cwd) => {
        const paths = tasksOf(plays[0]).map(({ layers }) => layers.at(-1)?.values['ansible_search_path']);
        expect(paths).to.deep.equal([[cwd], [`${cwd}/tasks`, cwd]]);
        await Promise.resolve();
      },
    });
  });

  it('searches below the folders of outer imports, and in the folder of the play between them, as Ansible does', async () => {
    const files = {
      'tasks/a.yml': '- import_tasks: b.yml\n- import_tasks: deep/c.yml\n',
      'tasks/b.yml': said('tasks/b'),
      'b.yml': said('b'),
      'tasks/deep/c.yml': '- import_tasks: d.yml\n- import_tasks: e.yml\n- import_tasks: f.yml\n',
      'tasks/deep/d.yml': said('tasks/deep/d'),
      'd.yml': said('d'),
      'tasks/deep/e.yml': said('tasks/deep/e'),
      'f.yml': said('f'),
    };
    expect(await steps('- import_tasks: tasks/a.yml', files)).to.deep.equal(['tasks/b', 'd', 'tasks/deep/e', 'f']);
  });

  it('can name the file with variables of the play, the command line and outer blocks', async () => {
    const text =
      '- block:\n    - import_tasks: "{{ a }}{{ b }}{{ c }}.yml"\n      vars: {c: z}\n  vars: {b: "{{ a }}"}\n- import_tasks: "{{ playbook_dir }}/{{ file }}"';
    const files = { 'xxz.yml': said('xxz'), 'f.yml': said('f'), 'v.yml': 'file: f.yml\n' };
    const { plays, diagnostics } = await load(
      `${playOf(text)}  vars: {a: y}\n  vars_files: v.yml\n`,
      files,
      undefined,
      { extraVars: { a: 'x' } },
    );
    expect(diagnostics).to.deep.equal([]);
    expect(outline(plays[0]?.tasks ?? [])).to.deep.equal([{ block: ['xxz'] }, 'f']);
  });

  it('reports its mistakes', async () => {
    const text = `- import_tasks: tasks/mian.yml
- import_tasks: "{{ region }}.yml"
- import_tasks: "{{ region"
- import_tasks:
- import_tasks: [a.yml]
- import_tasks: tasks/main.yml x=1
- import_tasks: tasks/main.yml
  loop: [1]
  register: x
  until: y
- import_tasks: tasks/main.yml
  debug: msg=x
  become: yes
- import_tasks: tasks
- import_tasks: /none/at/all.yml
- import_tasks: {file: tasks/main.yml, apply: {}}
- import_tasks: {file: one.yml}
- {import_tasks: , args: {file: two.yml}}`;
    expect(await mistakes(playOf(text), { 'tasks/main.yml': '- debug:\n' })).to.deep.equal([
      'site.yml:3:21 there is no file "tasks/mian.yml" (looked in tasks) — did you mean "main.yml"?',
      'site.yml:4:21 variable "region" is not defined; before the run only the variables of the play and of -e are known — use include_tasks, whose file is chosen during the run',
      'site.yml:5:21 a quote or "{{" is not closed in: {{…',
      'site.yml:6:7 import_tasks needs the name of a file — write "import_tasks: FILE"',
      'site.yml:7:21 import_tasks takes the name of a file, not a list',
      'site.yml:8:21 "x" is not an argument of import_tasks — write variables under "vars"',
      'site.yml:10:7 "loop" is not a keyword of import_tasks — an import happens before the run; use include_tasks, which can loop',
      'site.yml:11:7 "register" is not a keyword of import_tasks — it belongs to a task',
      'site.yml:12:7 "until" is not a keyword of import_tasks — it belongs to a task',
      'site.yml:14:7 a task has one module; this one has "import_tasks" already',
      'warning: site.yml:15:7 "become" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
      'site.yml:16:21 "tasks" is a folder — name a file in it',
      'site.yml:17:21 there is no file "/none/at/all.yml" (looked in /none/at)',
      'site.yml:18:21 "apply" is not an argument of import_tasks — write variables under "vars"',
      'site.yml:19:28 there is no file "one.yml" (looked in .)',
      'site.yml:20:37 there is no file "two.yml" (looked in .)',
    ]);
  });

  it('reports mistakes in a file once, however often it is imported', async () => {
    const files = { 'a.yml': '- debugg:\n- debug: {mssg: x}\n', 'b.yml': 'debug:\n', 'c.yml': 'a: "\n' };
    expect(
      await mistakes(
        playOf('- import_tasks: a.yml\n- import_tasks: a.yml\n- import_tasks: b.yml\n- import_tasks: c.yml'),
        files,
      ),
    ).to.deep.equal([
      'a.yml:1:3 there is no module "debugg" — did you mean "debug"?',
      'a.yml:2:11 "mssg" is not an argument of debug — did you mean "msg"?',
      'b.yml:1:1 a file of tasks is a list; this one holds a mapping — begin each task with "- "',
      'c.yml:1:4 " is not closed — write another " where the text ends',
    ]);
  });

  it('reports names that cannot exist', async () => {
    const long = 'x'.repeat(300);
    const text = `- import_tasks: "a\\0b"\n- import_tasks: ${long}/a.yml\n- import_tasks: site.yml/a.yml\n- import_tasks: ${long}`;
    expect(await mistakes(playOf(text))).to.deep.equal([
      'site.yml:3:21 there is no file "a\0b" (looked in .)',
      `site.yml:4:21 there is no file "${long}/a.yml" (looked in ${long})`,
      'site.yml:5:21 there is no file "site.yml/a.yml" (looked in site.yml)',
      `site.yml:6:21 there is no file "${long}" (looked in .)`,
    ]);
  });

  it('reports cycles', async () => {
    const files = { 'a.yml': '- import_tasks: b.yml\n', 'b.yml': '- debug:\n- import_tasks: ./a.yml\n' };
    expect(await mistakes(playOf('- import_tasks: a.yml\n- import_tasks: b.yml'), files)).to.deep.equal([
      'b.yml:2:17 import cycle: a.yml → b.yml → a.yml — include_tasks with a condition may repeat a file',
      'a.yml:1:17 import cycle: b.yml → a.yml → b.yml — include_tasks with a condition may repeat a file',
    ]);
  });

  it('limits imports that multiply', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`f${index}.yml`, `- import_tasks: f${index + 1}.yml\n`.repeat(2)]),
    );
    expect(await mistakes(playOf('- import_tasks: f0.yml'), { ...files, 'f40.yml': '' })).to.deep.equal([
      'f38.yml:1:3 task files are read more than 10000 times — each file that names another twice doubles the number',
    ]);
  });
});
