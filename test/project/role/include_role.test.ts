import { expect } from 'chai';
import type { Included } from '../../../src/core/model/playbook/step.js';
import type { Files } from '../../rig/folder.js';
import { included, refusal } from '../../rig/included.js';
import { load, mistakes, playOf, tasksOf } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

const WEB: Files = {
  'roles/web/tasks/main.yml': '- { name: work, debug: }\n',
  'roles/web/tasks/other.yml': '- { name: other work, debug: }\n',
  'roles/web/handlers/main.yml': '- { name: reload, debug: }\n',
  'roles/web/defaults/main.yml': 'size: 1\n',
  'roles/web/vars/main.yml': 'kind: web\n',
};

describe('include_role', () => {
  it('is a task whose role is read when its arguments are known', async () => {
    const text =
      '- name: More\n  include_role: { name: "{{ item }}" }\n  loop: [web]\n  register: r\n  when: x\n  tags: t';
    await included(text, WEB, async (read, include) => {
      expect(include).to.deep.include({
        type: 'include',
        module: 'include_role',
        args: { name: '{{ item }}' },
        register: 'r',
        tags: ['t'],
      });
      const { title, steps, handlers, layers } = await read({ name: 'web' });
      expect([title, outline(steps), layers]).to.deep.equal(['role web', [{ 'role web': ['work'] }], []]);
      expect(handlers.map(({ role, name }) => [role, name?.value])).to.deep.equal([['web', 'reload']]);
      const [run] = steps;
      if (run?.type !== 'role') throw new Error('no role');
      expect(run.repeatable).to.equal(true);
      const [task] = run.steps;
      if (task?.type !== 'task') throw new Error('no task');
      expect([task.when, task.tags]).to.deep.equal([[], []]);
    });
  });

  it('reads a role once for the same arguments', async () => {
    await included('- include_role: { name: "{{x}}", tasks_from: "{{y}}" }', WEB, async (read) => {
      const one = await read({ name: 'web', tasks_from: 'other' });
      expect(await read({ name: 'web', tasks_from: 'other', allow_duplicates: true })).to.equal(one);
      const two = await read({ name: 'web' });
      expect([outline(one.steps), outline(two.steps)]).to.deep.equal([
        [{ 'role web': ['other work'] }],
        [{ 'role web': ['work'] }],
      ]);
      const third = await read({ name: 'web', allow_duplicates: false });
      const keys = [two, third].flatMap(({ steps }) => steps.map((step) => (step.type === 'role' ? step.key : '')));
      expect(keys[0]).to.equal(keys[1]);
      expect(third.steps.map((step) => step.type === 'role' && step.repeatable)).to.deep.equal([false]);
      expect(third.handlers[0]).to.equal(two.handlers[0]);
    });
  });

  it('passes on apply and inherited keywords', async () => {
    const text =
      '- block:\n    - include_role: { name: web, apply: { tags: [a], when: inner, vars: { y: 1 } } }\n      tags: own\n' +
      '      vars: { x: 1 }\n  when: outer\n  tags: b';
    await included(text, WEB, async (read) => {
      const { steps, handlers } = await read({ name: 'web' });
      const [run] = steps;
      const [task] = run?.type === 'role' ? run.steps : [];
      if (task?.type !== 'task') throw new Error('no task');
      expect(task.when.map(({ expression }) => expression)).to.deep.equal(['outer', 'inner']);
      expect(task.tags).to.deep.equal(['b', 'a']);
      const layers = task.layers.filter(({ level }) => level !== 'magic');
      expect(layers.map(({ level, values }) => [level, values])).to.deep.equal([
        ['block vars', { y: 1 }],
        ['role defaults', { size: 1 }],
        ['role vars', { x: 1 }],
        ['role vars', { kind: 'web' }],
      ]);
      const [handler] = handlers;
      expect(handler?.when.map(({ expression }) => expression)).to.deep.equal(['outer', 'inner']);
    });
  });

  it('shows its variables to the play if public is set', async () => {
    await included('- include_role: { name: web, public: true }\n  vars: { x: 1 }', WEB, async (read) => {
      const { layers } = await read({ name: 'web', public: true });
      expect(layers.map(({ level, values }) => [level, values])).to.deep.equal([
        ['role defaults', { size: 1 }],
        ['role vars', { x: 1 }],
        ['role vars', { kind: 'web' }],
      ]);
    });
  });

  it('adds the variables and handlers of imports inside it to the play', async () => {
    const files = { ...WEB, 'roles/outer/tasks/main.yml': '- import_role: { name: web }\n' };
    await included('- include_role: { name: outer }', files, async (read) => {
      const { handlers, layers } = await read({ name: 'outer' });
      expect(handlers.map(({ name }) => name?.value)).to.deep.equal(['reload']);
      expect(layers.map(({ values }) => values)).to.deep.equal([{ size: 1 }, { kind: 'web' }]);
    });
  });

  it('can include its own role if a condition ends the recursion', async () => {
    const files = { ...WEB, 'roles/web/tasks/main.yml': '- include_role: { name: web }\n  when: again\n' };
    await included('- include_role: { name: web }', files, async (read) => {
      let include: Included = await read({ name: 'web' });
      for (let depth = 1; depth < 98; depth += 1) {
        const [inner] = tasksOf({ preTasks: include.steps, tasks: [], postTasks: [] } as never);
        if (inner?.type !== 'include') throw new Error('no include');
        include = await inner.read({ name: 'web' });
      }
      expect(outline(include.steps)).to.deep.equal([{ 'role web': ['include_role'] }]);
    });
  });

  it('can name a role that depends on the current one', async () => {
    const include = '- include_role: { name: web }\n'.repeat(3);
    const files = {
      'roles/base/tasks/main.yml': include,
      'roles/web/meta/main.yml': 'dependencies: [base]\n',
      'roles/web/tasks/main.yml': '- { name: work, debug: }\n',
    };
    expect(await mistakes('- hosts: all\n  roles: [base]\n', files)).to.deep.equal([]);
  });

  it('can return to a role through an import inside it', async () => {
    const files = {
      'roles/a/tasks/main.yml': '- include_role: { name: b }\n  when: again\n',
      'roles/b/tasks/main.yml': '- import_role: { name: a }\n- import_tasks: other.yml\n',
      'roles/b/tasks/other.yml': '- include_tasks: main.yml\n',
    };
    const { plays, diagnostics } = await load('- hosts: all\n  roles: [a]\n', files);
    expect(diagnostics).to.deep.equal([]);
    expect(outline(plays[0]?.tasks ?? [])).to.deep.equal([{ 'role a': ['include_role'] }]);
  });

  it('fails when a controller reaches it, if the role is missing or broken', async () => {
    const files = { ...WEB, 'roles/broken/tasks/main.yml': '- debgu:\n- nonsense:\n' };
    await included('- include_role: { name: "{{x}}", vars_from: "{{y}}" }', files, async (read) => {
      expect(await refusal(read({ name: 'webb' }))).to.equal(
        'site.yml:3:29 there is no role "webb" (looked in roles, .) — did you mean "web"?',
      );
      expect(await refusal(read({ name: 'web', vars_from: 'none' }))).to.equal(
        'site.yml:3:49 role "web" has no file "none" (looked in roles/web/vars)',
      );
      expect(await refusal(read({ name: 'broken' }))).to.equal(
        'roles/broken/tasks/main.yml:1:3 there is no module "debgu"; there is no module "nonsense" — did you mean "debug"?',
      );
      expect(await mistakes(playOf("- include_role: { name: '' }"))).to.deep.equal([
        'site.yml:3:29 the name of a role is empty',
      ]);
      expect(await refusal(read({ name: ' ' }))).to.equal('site.yml:3:29 the name of a role is empty');
      expect(await refusal(read({ name: [] }))).to.equal('site.yml:3:29 the name of a role must be text, not a list');
    });
  });

  it('reports mistakes before the run, if its arguments have no templates', async () => {
    const mistakesIn = (text: string, files: Files = WEB): Promise<readonly string[]> => mistakes(playOf(text), files);
    expect(await mistakesIn('- include_role: { name: webb }\n  when: false')).to.deep.equal([
      'site.yml:3:29 there is no role "webb" (looked in roles, .) — did you mean "web"?',
    ]);
    expect(await mistakesIn('- include_role: { name: web, tasks_from: othr }')).to.deep.equal([
      'site.yml:3:46 role "web" has no file "othr" (looked in roles/web/tasks) — did you mean "other"?',
    ]);
    expect(await mistakesIn('- include_role: web')).to.deep.equal([
      'site.yml:3:21 include_role takes arguments by name; "web" has none — write name=web',
    ]);
    expect(
      await mistakesIn('- include_role: { name: web }', { 'roles/web/tasks/main.yml': '- debgu:\n' }),
    ).to.deep.equal(['roles/web/tasks/main.yml:1:3 there is no module "debgu" — did you mean "debug"?']);
    expect(await mistakesIn('- include_role: {}')).to.deep.equal(['site.yml:3:7 include_role needs "name": the role']);
    expect(await mistakesIn('- include_role: { name: web, publik: true }')).to.deep.equal([
      'site.yml:3:34 "publik" is not an argument of include_role — did you mean "public"?',
    ]);
    expect(await mistakesIn('- include_role: { name: web }\n  notify: reload')).to.deep.equal([
      'site.yml:4:7 "notify" is not a keyword of include_role — put it under "apply"',
    ]);
  });

  it('reads in advance files named after the current role', async () => {
    const files = {
      'roles/web/tasks/main.yml': '- include_role: { name: "{{ role_name }}", tasks_from: other }\n',
      'roles/web/tasks/other.yml': '- debgu:\n',
    };
    expect(await mistakes('- hosts: all\n  roles: [web]\n', files)).to.deep.equal([
      'roles/web/tasks/other.yml:1:3 there is no module "debgu" — did you mean "debug"?',
    ]);
  });

  it('lets later tasks notify its handlers', async () => {
    const notify = '- debug:\n  changed_when: true\n  notify: ';
    expect(await mistakes(playOf(`- include_role: { name: web }\n${notify}'web : reload'`), WEB)).to.deep.equal([]);
    expect(await mistakes(playOf(`- include_role: { name: web }\n${notify}relaod`), WEB)).to.deep.equal([
      'site.yml:6:15 no handler of this play is named "relaod" or listens to it — did you mean "reload"?',
    ]);
    expect(await mistakes(playOf(`- include_role: { name: "{{x}}" }\n${notify}relaod`), WEB)).to.deep.equal([]);
  });
});
