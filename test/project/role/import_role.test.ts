import { expect } from 'chai';
import type { Play } from '../../../src/core/model/playbook/playbook.js';
import type { Step } from '../../../src/core/model/playbook/step.js';
import type { Files } from '../../rig/folder.js';
import { load, mistakes, playOf } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

const WEB: Files = {
  'roles/web/tasks/main.yml': '- { name: work, debug: }\n',
  'roles/web/tasks/other.yml': '- { name: other work, debug: }\n',
  'roles/web/handlers/main.yml': '- { name: reload, debug: }\n',
  'roles/web/handlers/other.yml': '- { name: other reload, debug: }\n',
  'roles/web/defaults/main.yml': 'size: 1\n',
  'roles/web/defaults/other/a.yml': 'size: 2\n',
  'roles/web/vars/main.yml': 'kind: web\n',
  'roles/web/vars/deep/other.yml': 'kind: deep\n',
};

async function loaded(tasks: string, files: Files = WEB): Promise<Play> {
  const { plays, diagnostics } = await load(playOf(tasks), files);
  expect(diagnostics).to.deep.equal([]);
  const [play] = plays;
  if (play === undefined) throw new Error('no play');
  return play;
}

function levels(step: Step | undefined): readonly unknown[] {
  const [task] = step?.type === 'role' ? step.steps : [];
  if (task?.type !== 'task') throw new Error('no task');
  return task.layers.filter(({ level }) => level !== 'magic').map(({ level, values }) => [level, values]);
}

describe('import_role', () => {
  it('is replaced by the steps of a role, with the keywords of the import', async () => {
    const text = '- import_role: { name: web }\n  when: a\n  tags: [t]\n  vars: { x: 1 }\n- debug:';
    const play = await loaded(text);
    expect(outline(play.tasks)).to.deep.equal([{ 'role web': ['work'] }, 'debug']);
    const [run] = play.tasks;
    if (run?.type !== 'role') throw new Error('no role');
    expect([run.repeatable, run.source]).to.deep.equal([true, { file: 'site.yml', line: 3, column: 28 }]);
    const [task] = run.steps;
    if (task?.type !== 'task') throw new Error('no task');
    expect([task.when.map(({ expression }) => expression), task.tags]).to.deep.equal([['a'], ['t']]);
    expect(levels(run)).to.deep.equal([
      ['block vars', { x: 1 }],
      ['role defaults', { size: 1 }],
      ['role vars', { x: 1 }],
      ['role vars', { kind: 'web' }],
    ]);
  });

  it('adds its variables and handlers to the whole play, after the handlers of the play', async () => {
    const { plays } = await load(
      '- hosts: all\n  tasks: [{ import_role: { name: web }, vars: { x: 1 } }]\n  handlers: [{ name: own, debug: }]\n',
      WEB,
    );
    const [play] = plays;
    expect(play?.handlers.map(({ name }) => name?.value)).to.deep.equal(['own', 'reload']);
    expect(play?.layers.map(({ level, values }) => [level, values])).to.deep.equal([
      ['role defaults', { size: 1 }],
      ['role vars', { x: 1 }],
      ['role vars', { kind: 'web' }],
    ]);
    expect(play?.roles).to.deep.equal({ named: ['web'], dependencies: [] });
  });

  it('can name other files of the role, with or without suffix, or folders', async () => {
    const from = 'tasks_from: other.yml, handlers_from: other, defaults_from: other, vars_from: deep/other';
    const play = await loaded(`- import_role: { role: web, ${from} }`);
    expect(outline(play.tasks)).to.deep.equal([{ 'role web': ['other work'] }]);
    expect(play.handlers.map(({ name }) => name?.value)).to.deep.equal(['other reload']);
    expect(levels(play.tasks[0])).to.deep.equal([
      ['role defaults', { size: 2 }],
      ['role vars', { kind: 'deep' }],
    ]);
    const base = await loaded('- import_role: { role: web, vars_from: nowhere/main.yml }');
    expect(levels(base.tasks[0])).to.deep.equal([
      ['role defaults', { size: 1 }],
      ['role vars', { kind: 'web' }],
    ]);
  });

  it('can have a name with variables of a role that was imported earlier', async () => {
    const files = { ...WEB, 'roles/settings/defaults/main.yml': 'chosen: web\n' };
    const play = await loaded('- import_role: { name: settings }\n- import_role: { name: "{{chosen}}" }', files);
    expect(outline(play.tasks)).to.deep.equal([{ 'role settings': [] }, { 'role web': ['work'] }]);
  });

  it('accepts text, and arguments in args', async () => {
    for (const text of [
      '- import_role: name=web tasks_from=other',
      '- import_role:\n  args: { name: web, tasks_from: other }',
      '- action: import_role name=web tasks_from=other',
      '- ansible.builtin.import_role: { name: web, tasks_from: other }',
      '- vars: { which: other }\n  import_role: { name: web, tasks_from: "{{which}}" }',
    ]) {
      expect(outline((await loaded(text)).tasks), text).to.deep.equal([{ 'role web': ['other work'] }]);
    }
  });

  it('runs again unless allow_duplicates is false', async () => {
    const { tasks } = await loaded(
      '- import_role: { name: web }\n- import_role: { name: web, allow_duplicates: false }\n- import_role: name=web allow_duplicates=no',
    );
    expect(tasks.map((step) => step.type === 'role' && step.repeatable)).to.deep.equal([true, false, false]);
    const keys = tasks.map((step) => (step.type === 'role' ? step.key : ''));
    expect(new Set(keys).size).to.equal(1);
  });

  it('counts separately from the role of the play, and adds handlers once', async () => {
    const { plays } = await load(
      '- hosts: all\n  roles: [web]\n  tasks: [{ import_role: { name: web } }, { import_role: { name: web } }]\n',
      WEB,
    );
    const keys = (plays[0]?.tasks ?? []).map((step) => (step.type === 'role' ? step.key : ''));
    expect(keys[0]).not.to.equal(keys[1]);
    expect(keys[1]).to.equal(keys[2]);
    expect(new Set(plays[0]?.handlers).size).to.equal(2);
  });

  it('inside a role passes that role on to its tasks', async () => {
    const files = { ...WEB, 'roles/outer/tasks/main.yml': '- import_role: { name: inner }\n' };
    const inner = { 'roles/inner/tasks/main.yml': '- import_role: { name: web }\n' };
    const play = await loaded('- import_role: { name: outer }', { ...files, ...inner });
    expect(outline(play.tasks)).to.deep.equal([{ 'role outer': [{ 'role inner': [{ 'role web': ['work'] }] }] }]);
    const steps = (of: readonly Step[]): readonly Step[] =>
      of.flatMap((step) => (step.type === 'role' ? steps(step.steps) : [step]));
    const [task] = steps(play.tasks);
    const layers = task?.type === 'task' ? task.layers.filter(({ level }) => level === 'magic') : [];
    const magic = Object.fromEntries(layers.flatMap(({ values }) => Object.entries(values)));
    const root = play.directory;
    expect(magic).to.deep.include({
      role_name: 'web',
      ansible_parent_role_names: ['inner', 'outer'],
      ansible_parent_role_paths: [`${root}/roles/inner`, `${root}/roles/outer`],
    });
    expect(magic['ansible_search_path']).to.deep.equal([
      `${root}/roles/web`,
      `${root}/roles/inner`,
      `${root}/roles/outer`,
      `${root}/roles/web/tasks`,
      root,
    ]);
  });

  it('must not form a cycle, but can name another file of its own role', async () => {
    const circle = {
      'roles/web/tasks/main.yml': '- import_role: { name: db }\n',
      'roles/db/tasks/main.yml': '- import_role: { name: web }\n',
    };
    expect(await mistakes(playOf('- import_role: { name: web }'), circle)).to.deep.equal([
      'roles/db/tasks/main.yml:1:24 role cycle: roles/web/tasks/main.yml → roles/db/tasks/main.yml → ' +
        'roles/web/tasks/main.yml — include_role with a condition may repeat a role',
    ]);
    const own = { ...WEB, 'roles/web/tasks/main.yml': '- import_role: { name: web, tasks_from: other }\n' };
    expect(outline((await loaded('- import_role: { name: web }', own)).tasks)).to.deep.equal([
      { 'role web': [{ 'role web': ['other work'] }] },
    ]);
  });

  it('is reported if it is invalid', async () => {
    const mistakesIn = (text: string): Promise<readonly string[]> => mistakes(playOf(text), WEB);
    expect(await mistakesIn('- import_role: {}')).to.deep.equal(['site.yml:3:7 import_role needs "name": the role']);
    expect(await mistakesIn('- import_role: { name: wbe }')).to.deep.equal([
      'site.yml:3:28 there is no role "wbe" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
    ]);
    expect(await mistakesIn('- import_role: { name: web, tasks_from: othr, vars_from: ../mani }')).to.deep.equal([
      'site.yml:3:45 role "web" has no file "othr" (looked in roles/web/tasks) — did you mean "other"?',
      'site.yml:3:62 role "web" has no file "../mani" (looked in roles/web/vars) — did you mean "main"?',
    ]);
    expect(await mistakesIn('- import_role: { name: web, public: true }')).to.deep.equal([
      'site.yml:3:33 "public" is not an argument of import_role — it takes name, role, tasks_from, vars_from, ' +
        'defaults_from, handlers_from, allow_duplicates, rolespec_validate',
    ]);
    expect(await mistakesIn('- import_role: { name: web }\n  loop: [1]')).to.deep.equal([
      'site.yml:4:7 "loop" is not a keyword of import_role — an import happens before the run; use include_role, which can loop',
    ]);
    expect(await mistakesIn('- import_role: { name: "{{inventory_hostname}}" }')).to.deep.equal([
      'site.yml:3:28 variable "inventory_hostname" is not defined; before the run only the variables of the play and of -e are known — ' +
        'use include_role, whose role is chosen during the run',
    ]);
    expect(await mistakesIn('- import_role: { name: wbe }\n  lop: 1')).to.deep.equal([
      'site.yml:3:28 there is no role "wbe" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
      'site.yml:4:7 "lop" is not a keyword of import_role',
    ]);
    expect(await mistakesIn("- import_role: { name: '' }\n- import_role: { tasks_from: other }")).to.deep.equal([
      'site.yml:3:28 the name of a role is empty',
      'site.yml:4:7 import_role needs "name": the role',
    ]);
    expect(await mistakesIn('- import_role: web')).to.deep.equal([
      'site.yml:3:20 import_role takes arguments by name; "web" has none — write name=web',
    ]);
  });
});
