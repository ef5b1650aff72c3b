import { expect } from 'chai';
import { tasksIn } from '../../../src/core/model/playbook/playbook.js';
import type { Step } from '../../../src/core/model/playbook/step.js';
import type { Files } from '../../rig/folder.js';
import { included, refusal } from '../../rig/included.js';
import { load, mistakes, playOf, tasksOf } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

function said(name: string): string {
  return `- name: ${name}\n  debug:\n`;
}

describe('include_tasks', () => {
  it('is a task whose file is read when its arguments are known', async () => {
    const text = '- name: More\n  include_tasks: "{{ item }}.yml"\n  loop: [a, b]\n  register: r\n  when: x\n  tags: t';
    await included(text, { 'a.yml': said('A'), 'b.yml': said('B') }, async (read, include) => {
      expect(include).to.deep.include({
        type: 'include',
        module: 'include_tasks',
        args: { file: '{{ item }}.yml' },
        argsPath: ['include_tasks'],
        register: 'r',
        tags: ['t'],
      });
      expect([include.name?.value, include.loop?.over.value]).to.deep.equal(['More', ['a', 'b']]);
      const { title, steps, handlers, layers } = await read({ file: 'b.yml' });
      expect({ title, steps: outline(steps), handlers, layers }).to.deep.equal({
        title: 'b.yml',
        steps: ['B'],
        handlers: [],
        layers: [],
      });
    });
  });

  for (const text of [
    '- include_tasks: a b.yml',
    '- ansible.builtin.include_tasks: {file: a b.yml}',
    '- include_tasks: file="a b.yml"',
    '- include_tasks:\n  args: {file: a b.yml}',
    '- action: include_tasks a b.yml',
    '- action: {module: include_tasks, file: a b.yml}',
  ]) {
    it(`can be written as ${JSON.stringify(text)}`, async () => {
      await included(text, { 'a b.yml': said('Included') }, async (read, { args }) => {
        expect(args).to.deep.equal({ file: 'a b.yml' });
        expect(outline((await read({ file: 'a b.yml' })).steps)).to.deep.equal(['Included']);
      });
    });
  }

  it('accepts a name that is one template', async () => {
    await included('- include_tasks: "{{ file }}"', {}, async (_, { args }) => {
      expect(args).to.deep.equal({ file: '{{ file }}' });
      await Promise.resolve();
    });
  });

  it('reads a file once, even under different names', async () => {
    await included('- include_tasks: "{{ x }}"', { 'a.yml': '- debug:\n' }, async (read) => {
      expect(await read({ file: 'a.yml' })).to.equal(await read({ file: './a.yml' }));
    });
    await included('- include_tasks: a.yml', { 'a.yml': '- debug:\n' }, async (read) => {
      expect(await read({ file: 'a.yml' })).to.equal(await read({ file: 'a.yml' }));
    });
  });

  it('is not looked for in a loop without items, and may be missing in a loop over a template', async () => {
    const missing = 'there is no file "no.yml" (looked in .)';
    const said = (loop: string, include = 'include_tasks: no.yml'): Promise<readonly string[]> =>
      mistakes(playOf(`- ${include}\n  loop: ${loop}`));
    expect(await said('[]')).to.deep.equal([]);
    expect(await said('"{{ x }}"')).to.deep.equal([`warning: site.yml:3:22 ${missing}`]);
    expect(await said('[1]')).to.deep.equal([`site.yml:3:22 ${missing}`]);
    const role = 'include_role: { name: gone }';
    expect(await said('[]', role)).to.deep.equal([]);
    expect(await said('"{{ x }}"', role)).to.deep.equal([
      'warning: site.yml:3:29 there is no role "gone" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
    ]);
    expect(await said('[1]', role)).to.deep.equal([
      'site.yml:3:29 there is no role "gone" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
    ]);
  });

  it('passes on the inherited keywords, not its own', async () => {
    const text =
      '- block:\n    - include_tasks: a.yml\n      when: own\n      tags: own\n      ignore_errors: true\n      vars: {own: 1}\n  when: around\n  tags: around\n  vars: {around: 1}';
    const { plays } = await load(playOf(text), { 'a.yml': '- debug:\n  when: b\n  tags: t\n' }, undefined, {
      use: async ({ plays: [play] }) => {
        const include = tasksOf(play)[0];
        const read = include?.type === 'include' ? await include.read({ file: 'a.yml' }) : undefined;
        const [task] = read?.steps ?? [];
        if (task?.type !== 'task') expect.fail('no task');
        else {
          expect(task.when.map(({ expression }) => expression)).to.deep.equal(['around', 'b']);
          expect([task.tags, task.ignoreErrors]).to.deep.equal([['around', 't'], undefined]);
          expect(task.layers.map(({ values }) => Object.keys(values))).to.deep.equal([
            ['around'],
            ['ansible_search_path'],
          ]);
        }
      },
    });
    expect(tasksOf(plays[0])[0]?.tags).to.deep.equal(['around', 'own']);
  });

  it('passes on its "apply", like a block', async () => {
    const text =
      '- include_tasks:\n    file: a.yml\n    apply: {tags: [x], when: a, vars: {v: 1}, ignore_errors: true, module_defaults: {debug: {msg: m}}}';
    await included(text, { 'a.yml': '- debug:\n  tags: t\n' }, async (read, { args, tags }) => {
      const [task] = (await read({ file: 'a.yml' })).steps;
      expect([args, tags]).to.deep.equal([{ file: 'a.yml' }, []]);
      if (task?.type !== 'task') expect.fail('no task');
      else {
        expect([task.tags, task.ignoreErrors?.value, task.args]).to.deep.equal([['x', 't'], true, { msg: 'm' }]);
        expect(task.when.map(({ expression }) => expression)).to.deep.equal(['a']);
        expect(task.layers[0]).to.deep.include({ level: 'block vars', values: { v: 1 }, origin: 'vars of apply' });
      }
    });
  });

  it('searches below the folders of outer includes, as Ansible does', async () => {
    const files = {
      'tasks/a.yml': '- include_tasks: "{{ x }}"\n',
      'tasks/b.yml': said('tasks/b'),
      'b.yml': said('b'),
      'c.yml': said('c'),
    };
    await included('- include_tasks: tasks/a.yml', files, async (read) => {
      const [inner] = (await read({ file: 'tasks/a.yml' })).steps;
      if (inner?.type !== 'include') expect.fail('no include');
      else {
        expect(outline((await inner.read({ file: 'b.yml' })).steps)).to.deep.equal(['tasks/b']);
        expect(outline((await inner.read({ file: 'c.yml' })).steps)).to.deep.equal(['c']);
        expect(await refusal(inner.read({ file: 'bb.yml' }))).to.equal(
          'tasks/a.yml:1:18 there is no file "bb.yml" (looked in tasks, .) — did you mean "b.yml"?',
        );
      }
    });
  });

  it('in a role searches in the folder of tasks first, and an import below the folders of outer includes', async () => {
    const files = {
      'roles/web/tasks/main.yml': '- include_tasks: sub/a.yml\n',
      'roles/web/tasks/sub/a.yml': '- include_tasks: "{{ x }}"\n- import_tasks: b.yml\n- include_tasks: "{{ x }}"\n',
      'roles/web/tasks/b.yml': said('tasks/b'),
      'roles/web/tasks/sub/b.yml': said('tasks/sub/b'),
      'roles/web/tasks/sub/c.yml': said('tasks/sub/c'),
      'roles/web/d.yml': said('role d'),
      'tasks/e.yml': said('play tasks/e'),
    };
    await included('- include_role: { name: web }', files, async (read) => {
      const outer = tasksIn((await read({ name: 'web' })).steps).find(({ type }) => type === 'include');
      if (outer?.type !== 'include') throw new Error('no include');
      const { steps } = await outer.read({ file: 'sub/a.yml' });
      const [inner] = steps;
      expect(outline(steps)).to.include('tasks/sub/b');
      if (inner?.type !== 'include') throw new Error('no include');
      const found = await Promise.all(
        ['b.yml', 'c.yml', 'd.yml', 'e.yml'].map(async (file) => outline((await inner.read({ file })).steps)[0]),
      );
      expect(found).to.deep.equal(['tasks/b', 'tasks/sub/c', 'role d', 'play tasks/e']);
    });
  });

  it('is also read in advance if its templates use only the folder of the playbook', async () => {
    const text = '- include_tasks: "{{ playbook_dir }}/tasks/a.yml"';
    expect(await mistakes(playOf(text), { 'tasks/a.yml': '- debugg:\n' })).to.deep.equal([
      'tasks/a.yml:1:3 there is no module "debugg" — did you mean "debug"?',
    ]);
    expect(await mistakes(playOf('- include_tasks: "{{ role_path }}/a.yml"'))).to.deep.equal([]);
  });

  it('can include itself', async () => {
    await included('- include_tasks: a.yml', { 'a.yml': '- include_tasks: a.yml\n  when: more\n' }, async (read) => {
      let { steps } = await read({ file: 'a.yml' });
      for (let depth = 1; depth < 100; depth++) {
        const [inner] = steps;
        if (inner?.type !== 'include') return expect.fail('no include');
        ({ steps } = await inner.read({ file: 'a.yml' }));
      }
      const [last] = steps;
      expect(last?.type === 'include' && (await refusal(last.read({ file: 'a.yml' })))).to.equal(
        'a.yml:1:3 includes are nested more than 100 deep — a file that includes itself needs a condition that ends it',
      );
    });
  });

  it('is read when a controller reaches it, not in advance, if includes multiply', async () => {
    const many = Array.from({ length: 16 }, (_, index): readonly [string, string] => [
      `f${index}.yml`,
      `- include_tasks: f${index + 1}.yml\n`.repeat(2),
    ]);
    const files: Files = { ...Object.fromEntries(many), 'f16.yml': said('Last') };
    await included('- include_tasks: f0.yml', files, async (read) => {
      let steps: readonly Step[] = (await read({ file: 'f0.yml' })).steps;
      for (let depth = 1; depth <= 16; depth++) {
        const last = steps.at(-1);
        if (last?.type !== 'include') return expect.fail('no include');
        ({ steps } = await last.read({ file: `f${depth}.yml` }));
      }
      expect(outline(steps)).to.deep.equal(['Last']);
    });
  });

  it('fails with all mistakes of a file that is read during the run', async () => {
    const files = {
      'bad.yml': '- debug: {mssg: x}\n- debugg:\n',
      'list.yml': 'a: b\n',
      'nested.yml': '- include_tasks: none.yml\n',
    };
    await included('- include_tasks: "{{ x }}"', files, async (read) => {
      expect(await refusal(read({ file: 'none.yml' }))).to.equal(
        'site.yml:3:22 there is no file "none.yml" (looked in .)',
      );
      expect(await refusal(read({ file: 'bad.yml' }))).to.equal(
        'bad.yml:1:11 "mssg" is not an argument of debug; there is no module "debugg" — did you mean "msg"?',
      );
      expect(await refusal(read({ file: 'list.yml' }))).to.equal(
        'list.yml:1:1 a file of tasks is a list; this one holds a mapping — begin each task with "- "',
      );
      expect(await refusal(read({ file: 'nested.yml' }))).to.equal(
        'nested.yml:1:18 there is no file "none.yml" (looked in .)',
      );
    });
  });

  it('reports its mistakes before the run, and those of files that are known by then', async () => {
    const text = `- include_tasks: none.yml
- include_tasks: a.yml
- include_tasks: a.yml
- include_tasks:
- include_tasks: {file: b.yml, x: 1, apply: []}
- include_tasks: {file: b.yml, apply: {register: x, when: "a =="}}
- include_tasks: b.yml
  notify: x
  until: x
  async: 1
  delegate_to: lb9
- include: b.yml
- import_playbook: b.yml`;
    const files = { 'a.yml': '- debugg:\n- include_tasks: c.yml\n', 'c.yml': '- fail: {mgs: x}\n', 'b.yml': '' };
    expect(await mistakes(playOf(text), files)).to.deep.equal([
      'site.yml:3:22 there is no file "none.yml" (looked in .)',
      'site.yml:6:7 include_tasks needs "file" — write its arguments below the module, indented further',
      'site.yml:7:36 "x" is not an argument of include_tasks — it takes file, apply',
      'site.yml:7:49 "apply" must be a mapping, not a list',
      'site.yml:8:44 "register" is not a keyword of apply — it belongs to a task',
      'site.yml:8:63 cannot read the expression "a ==": it ends where a value is expected',
      'site.yml:10:7 "notify" is not a keyword of include_tasks — put it under "apply"',
      'site.yml:11:7 "until" is not a keyword of include_tasks — it belongs to a task',
      'site.yml:12:7 "async" has no meaning for a REST controller — use "timeout" to limit the time; a controller that is slow does not hold up the others',
      'site.yml:13:7 "delegate_to" is not a keyword of include_tasks — put it under "apply"',
      'warning: site.yml:14:7 newer versions of Ansible refuse "include" — write import_tasks; include_tasks if it loops, or a template names the file',
      'site.yml:15:7 "import_playbook" belongs in the list of plays, not in a list of tasks — use import_tasks for a file of tasks',
      'a.yml:1:3 there is no module "debugg" — did you mean "debug"?',
      'c.yml:1:10 "mgs" is not an argument of fail — it takes msg',
    ]);
  });
});
