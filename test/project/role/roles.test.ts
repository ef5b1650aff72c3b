import { expect } from 'chai';
import type { Play } from '../../../src/core/model/playbook/playbook.js';
import type { RoleRun, Step } from '../../../src/core/model/playbook/step.js';
import type { Files } from '../../rig/folder.js';
import { load, mistakes } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

const WEB: Files = {
  'roles/web/tasks/main.yml': '- name: work\n  debug:\n',
  'roles/web/handlers/main.yml': '- name: reload\n  debug:\n  listen: all\n',
  'roles/web/defaults/main.yml': 'size: 1\n',
  'roles/web/vars/main.yml': 'kind: web\n',
};

function playOf(roles: string, rest = ''): string {
  return `- hosts: all\n  roles:\n${roles.replace(/^(?=.)/gm, '    ')}\n${rest}`;
}

async function loaded(text: string, files: Files = WEB): Promise<Play> {
  const { plays, diagnostics } = await load(text, files);
  expect(diagnostics).to.deep.equal([]);
  const [play] = plays;
  if (play === undefined) throw new Error('no play');
  return play;
}

function runs(steps: readonly Step[]): readonly RoleRun[] {
  return steps.filter((step) => step.type === 'role');
}

/** The first task of a role, and its variables except the magic ones. */
function first(run: RoleRun | undefined) {
  const [task] = run?.steps ?? [];
  if (task?.type !== 'task') throw new Error('no task');
  const layers = task.layers.filter(({ level }) => level !== 'magic');
  return { task, layers: layers.map(({ level, values, origin }) => [level, values, origin]) };
}

describe('A role', () => {
  it('adds tasks, handlers, defaults and vars', async () => {
    const play = await loaded(
      playOf('- web', '  tasks: [{ name: after, debug: }]\n  handlers: [{ name: own, debug: }]\n'),
    );
    expect(outline(play.tasks)).to.deep.equal([{ 'role web': ['work'] }, 'after']);
    expect(play.handlers.map(({ role, name, listen }) => [role, name?.value, listen])).to.deep.equal([
      ['web', 'reload', ['all']],
      [undefined, 'own', []],
    ]);
    expect(play.layers.map(({ level, values, origin }) => [level, values, origin])).to.deep.equal([
      ['role defaults', { size: 1 }, 'roles/web/defaults/main.yml'],
      ['role vars', { kind: 'web' }, 'roles/web/vars/main.yml'],
    ]);
    expect(play.roles).to.deep.equal({ named: ['web'], dependencies: [] });
    const [run] = runs(play.tasks);
    expect([run?.source, run?.repeatable]).to.deep.equal([{ file: 'site.yml', line: 3, column: 7 }, false]);
    const { task, layers } = first(run);
    expect([task.role, task.source.file]).to.deep.equal(['web', 'roles/web/tasks/main.yml']);
    expect(layers).to.deep.equal([
      ['role defaults', { size: 1 }, 'roles/web/defaults/main.yml'],
      ['role vars', { kind: 'web' }, 'roles/web/vars/main.yml'],
    ]);
  });

  it('can lack any of them', async () => {
    const play = await loaded(playOf('- empty\n- bare'), {
      'roles/empty/README.md': '',
      'roles/bare/tasks/main.yml': '',
      'roles/bare/handlers/main.yml': '# none\n',
      'roles/bare/defaults/main.yml': '---\n',
      'roles/bare/meta/main.yml': '',
    });
    expect(outline(play.tasks)).to.deep.equal([{ 'role empty': [] }, { 'role bare': [] }]);
  });

  it('accepts keywords, variables and parameters', async () => {
    const entry =
      '- role: web\n  when: a\n  tags: [t]\n  vars: { x: 1 }\n  delegate_to: lb9\n  size: 2\n  retries: "{{x}}"\n';
    const { task, layers } = first(runs((await loaded(playOf(entry))).tasks)[0]);
    expect(task.when.map(({ expression }) => expression)).to.deep.equal(['a']);
    expect([task.tags, task.delegateTo?.value]).to.deep.equal([['t'], 'lb9']);
    expect(layers).to.deep.equal([
      ['role defaults', { size: 1 }, 'roles/web/defaults/main.yml'],
      ['role vars', { x: 1 }, 'vars of role web'],
      ['role vars', { kind: 'web' }, 'roles/web/vars/main.yml'],
      ['role params', { size: 2, retries: '{{x}}' }, 'parameters of role web'],
    ]);
    expect(task.layers.find(({ level }) => level === 'role params')?.locate?.(['size'])).to.deep.equal({
      file: 'site.yml',
      line: 8,
      column: 13,
    });
  });

  it('passes its keywords on to its handlers, too', async () => {
    const play = await loaded(playOf('- { role: web, when: a, size: 2 }'));
    const [handler] = play.handlers;
    expect(handler?.when.map(({ expression }) => expression)).to.deep.equal(['a']);
    expect(handler?.layers.map(({ level }) => level)).to.deep.equal([
      'role defaults',
      'role vars',
      'role params',
      'magic',
      'magic',
    ]);
  });

  it('can have module_defaults for its tasks', async () => {
    const play = await loaded(playOf('- { role: web, module_defaults: { debug: { msg: hello } } }'));
    expect(first(runs(play.tasks)[0]).task.args).to.deep.equal({ msg: 'hello' });
  });

  it('has variables with its name, its folder and the search path', async () => {
    const play = await loaded(playOf('- web'));
    const magic = first(runs(play.tasks)[0]).task.layers.filter(({ level }) => level === 'magic');
    const values = Object.fromEntries(magic.flatMap((one) => Object.entries(one.values)));
    const root = play.directory;
    expect(values).to.deep.equal({
      role_name: 'web',
      role_path: `${root}/roles/web`,
      ansible_role_name: 'web',
      ansible_search_path: [`${root}/roles/web`, `${root}/roles/web/tasks`, root],
    });
    expect(magic.every(({ literal }) => literal)).to.equal(true);
  });

  it('can have files with any suffix, and folders of variables', async () => {
    const play = await loaded(playOf('- a\n- b\n- c\n- d'), {
      'roles/a/tasks/main.yaml': '- { name: yaml, debug: }\n',
      'roles/b/tasks/main.json': '[{ "name": "json", "debug": null }]',
      'roles/c/tasks/main': '- { name: bare, debug: }\n',
      'roles/c/tasks/main.yml/x': '',
      'roles/d/tasks/main.yml': '- { name: yml, debug: }\n',
      'roles/d/tasks/main.yaml': 'not even YAML: [',
      'roles/d/defaults/main/b.yml': 'b: 1\n',
      'roles/d/defaults/main/a': 'a: 1\n',
      'roles/d/defaults/main/deep/c.json': '{ "c": 1 }',
      'roles/d/defaults/main/.hidden.yml': 'h: 1\n',
      'roles/d/defaults/main/backup.yml~': 'h: 1\n',
      'roles/d/defaults/main/notes.txt': 'h: 1\n',
      'roles/d/defaults/main/odd.d/x.yml': 'h: 1\n',
      'roles/d/vars/main.yml': 'v: 1\n',
      'roles/d/vars/main/v.yml': 'v: 2\n',
    });
    expect(outline(play.tasks)).to.deep.equal([
      { 'role a': ['yaml'] },
      { 'role b': ['json'] },
      { 'role c': ['bare'] },
      { 'role d': ['yml'] },
    ]);
    expect(play.layers.map(({ origin, values }) => [origin, values])).to.deep.equal([
      ['roles/d/defaults/main/a', { a: 1 }],
      ['roles/d/defaults/main/b.yml', { b: 1 }],
      ['roles/d/defaults/main/deep/c.json', { c: 1 }],
      ['roles/d/vars/main.yml', { v: 1 }],
    ]);
  });

  it('reports the mistakes in its files, each position once', async () => {
    const files = {
      'roles/web/tasks/main.yml': '- debgu:\n',
      'roles/web/handlers/main.yml': 'reload: now\n',
      'roles/web/defaults/main.yml': '- a\n',
      'roles/web/vars/main.yml': 'x: "{{"\n',
    };
    expect(await mistakes(playOf('- web\n- web'), files)).to.deep.equal([
      'roles/web/defaults/main.yml:1:1 a file of variables must be a mapping of names to values, not a list — write "name: value"',
      'roles/web/vars/main.yml:1:4 "{{" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
      'roles/web/tasks/main.yml:1:3 there is no module "debgu" — did you mean "debug"?',
      'roles/web/handlers/main.yml:1:1 a file of tasks is a list; this one holds a mapping — begin each task with "- "',
    ]);
  });

  it('gets a warning if a file has a name similar to main', async () => {
    const files = { 'roles/web/tasks/mian.yml': '- debug:\n', 'roles/web/vars/other.yml': 'a: 1\n' };
    expect(await mistakes(playOf('- web'), files)).to.deep.equal([
      'warning: site.yml:3:7 roles/web/tasks has no file main.yml, so nothing in it is used — rename "mian.yml"',
    ]);
    expect(await mistakes(playOf('- web'), { 'roles/web/tasks/main.yml/a.yml': '- debug:\n' })).to.deep.equal([
      'warning: site.yml:3:7 roles/web/tasks has no file main.yml, so nothing in it is used — "main.yml" is a folder',
    ]);
  });
});

describe('An entry of roles', () => {
  it('is a name, or a mapping with one', async () => {
    const play = await loaded(playOf('- web\n- role: web\n- name: web\n- 7\n'), {
      ...WEB,
      'roles/7/tasks/main.yml': '- { name: seven, debug: }\n',
    });
    expect(runs(play.tasks).map(({ name }) => name)).to.deep.equal(['web', 'web', 'web', '7']);
  });

  it('is reported if it is invalid', async () => {
    const entries = '- []\n- when: x\n- "web,1.0"\n- role: ""\n- role: [web]\n- true';
    expect(await mistakes(playOf(entries), WEB)).to.deep.equal([
      'site.yml:3:7 a role must be a name, or a mapping with "role", not a list',
      'site.yml:4:7 a role needs "role": its name',
      'site.yml:5:7 "web,1.0" is not the name of a role — one entry names one role',
      'site.yml:6:13 the name of a role is empty',
      'site.yml:7:13 "role" must be text, not a list',
      'site.yml:8:7 a role must be a name, or a mapping with "role", not true',
    ]);
    expect(await mistakes('- hosts: all\n  roles: web\n', WEB)).to.deep.equal([
      'site.yml:2:10 "roles" must be a list, not text — begin each with "- "',
    ]);
  });

  it('cannot have loop, register or keywords for SSH', async () => {
    const entries =
      '- { role: web, loop: [1] }\n- { role: web, register: r }\n- { role: web, become: true, port: 1 }\n';
    expect(await mistakes(playOf(entries), WEB)).to.deep.equal([
      'site.yml:3:20 "loop" is not a keyword of a role — include_role can loop',
      'site.yml:4:20 "register" is not a keyword of a role — it belongs to a task',
      'warning: site.yml:5:20 "become" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
      'site.yml:5:34 "port" has no meaning for a REST controller — set ansible_port or controller_url in the inventory',
    ]);
  });

  it('warns of a parameter similar to a keyword, unless the role has a variable of that name', async () => {
    const files = { ...WEB, 'roles/web/defaults/main.yml': 'cars: 1\nsize: 1\n' };
    const entry = '- { role: web, whne: a, tag: b, cars: 2, type: c, time: d }';
    expect(await mistakes(playOf(entry), files)).to.deep.equal([
      'warning: site.yml:3:26 "whne" is a parameter of the role, not a keyword — did you mean "when"?',
      'warning: site.yml:3:34 "tag" is a parameter of the role, not a keyword — did you mean "tags"?',
    ]);
  });

  it('has its templates and notifications checked', async () => {
    const entry = '- { role: web, when: "a b", vars: [], size: "{{", tags: {} }';
    expect(await mistakes(playOf(entry), WEB)).to.have.length(4);
  });
});

describe('The identity of a role', () => {
  const keys = async (...entries: readonly string[]): Promise<readonly (readonly [string, boolean])[]> => {
    const play = await loaded(playOf(entries.map((one) => `- ${one}`).join('\n')));
    return runs(play.tasks).map(({ key, repeatable }) => [key, repeatable]);
  };

  it('consists of name, parameters, vars, when and tags, in any order', async () => {
    const [one, ...others] = await keys('web', '{ role: web }', '{ name: web, delegate_to: x }');
    for (const other of others) expect(other).to.deep.equal(one);
    const [a, b] = await keys('{ role: web, p: { x: 1, y: [2] }, q: 1 }', '{ q: 1, p: { y: [2], x: 1 }, role: web }');
    expect(a).to.deep.equal(b);
  });

  for (const other of ['size: 2', 'vars: { size: 2 }', 'when: a', 'tags: [t]']) {
    it(`differs with ${other}`, async () => {
      const [plain, changed] = await keys('web', `{ role: web, ${other} }`);
      expect(plain?.[0]).not.to.equal(changed?.[0]);
    });
  }

  it('is ignored with allow_duplicates', async () => {
    const play = await loaded(playOf('- web'), { ...WEB, 'roles/web/meta/main.yml': 'allow_duplicates: yes\n' });
    expect(runs(play.tasks)[0]?.repeatable).to.equal(true);
  });

  it('decides how many handlers there are; each is listed with its role', async () => {
    const play = await loaded(playOf('- web\n- { role: web, size: 2 }\n- web'));
    const [one, two, again] = play.handlers;
    expect([one === again, one === two, play.handlers.length]).to.deep.equal([true, false, 3]);
  });
});
