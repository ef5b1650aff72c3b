import { expect } from 'chai';
import { tasksIn } from '../../../src/core/model/playbook/playbook.js';
import type { Handler } from '../../../src/core/model/playbook/step.js';
import type { Files } from '../../rig/folder.js';
import { load, mistakes } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

/** A play with these handlers, which begin on line 4, each line moved by 4 columns. */
function play(handlers: string, tasks = ''): string {
  const indented = (text: string): string => text.replace(/^(?=.)/gm, '    ');
  return `- hosts: all\n  tasks: [${tasks}]\n  handlers:\n${indented(handlers)}\n`;
}

async function handlers(text: string, files: Files = {}): Promise<readonly Handler[]> {
  const { plays, diagnostics } = await load(play(text), files);
  expect(diagnostics).to.deep.equal([]);
  return plays[0]?.handlers ?? [];
}

describe('Handlers', () => {
  it('are tasks that listen to topics', async () => {
    const found = await handlers(
      '- name: A\n  debug:\n  listen: [x, y]\n- debug:\n  listen: z\n- name: "{{ n }}"\n  debug:',
    );
    expect(found.map(({ name, listen, type }) => [name?.value, listen, type])).to.deep.equal([
      ['A', ['x', 'y'], 'task'],
      [undefined, ['z'], 'task'],
      ['{{ n }}', [], 'task'],
    ]);
  });

  it('can be imported, each as its own handler', async () => {
    const found = await handlers('- import_tasks: h.yml\n  when: a\n  tags: t\n- name: C\n  debug:', {
      'h.yml': '- name: A\n  debug:\n  listen: x\n- import_tasks: i.yml\n',
      'i.yml': '- name: B\n  debug:\n  when: b\n',
    });
    expect(found.map(({ name, listen, tags }) => [name?.value, listen, tags])).to.deep.equal([
      ['A', ['x'], ['t']],
      ['B', [], ['t']],
      ['C', [], []],
    ]);
    expect(found[1]?.when.map(({ expression }) => expression)).to.deep.equal(['a', 'b']);
  });

  it('can be included: a whole file is one handler', async () => {
    const files = { 'h.yml': '- name: A\n  debug:\n  listen: ignored\n- name: B\n  debug:\n' };
    await load(play('- name: Many\n  include_tasks: h.yml\n  listen: x'), files, undefined, {
      use: async ({ plays, diagnostics }) => {
        expect(diagnostics).to.deep.equal([]);
        const [handler] = plays[0]?.handlers ?? [];
        expect([handler?.type, handler?.name?.value, handler?.listen]).to.deep.equal(['include', 'Many', ['x']]);
        if (handler?.type === 'include') {
          expect(outline((await handler.read({ file: 'h.yml' })).steps)).to.deep.equal(['A', 'B']);
        }
      },
    });
  });

  it('can set options of the run', async () => {
    const found = await handlers('- name: Stop\n  meta: end_host\n  listen: x\n  when: a\n- action: meta noop');
    expect(
      found.map((handler) => handler.type === 'meta' && [handler.name?.value, handler.action, handler.listen]),
    ).to.deep.equal([
      ['Stop', 'end_host', ['x']],
      [undefined, 'noop', []],
    ]);
  });

  it('inherit keywords of the play, but not variables of tasks', async () => {
    const { plays } = await load(`${play('- debug:\n  vars: {x: 1}')}  tags: p\n  no_log: true\n`);
    const [handler] = tasksIn(plays[0]?.handlers ?? []);
    expect([handler?.tags, handler?.noLog?.value]).to.deep.equal([['p'], true]);
  });

  it('can be in a block, which makes each of them a handler', async () => {
    const found = await handlers(
      '- name: B\n  block:\n    - name: A\n      debug:\n      listen: x\n    - {name: C, debug: , when: c}\n  when: b\n  vars: {v: 1}',
    );
    expect(
      found.map(({ name, listen, when }) => [name?.value, listen, when.map(({ expression }) => expression)]),
    ).to.deep.equal([
      ['A', ['x'], ['b']],
      ['C', [], ['b', 'c']],
    ]);
    expect(found[0]?.layers[0]).to.deep.include({ level: 'block vars', values: { v: 1 } });
  });

  it('cannot be roles, or anything but tasks', async () => {
    const text = `- block: [debug: , {block: [debug: ]}]
  rescue: [debug: ]
  with_items: [1]
- meta: flush_handlers
- import_role: {name: x}
- include_role: {name: x}
- include: x.yml
- debug:
  notfy: x
- include_tasks: bad.yml
  lisen: x
- words`;
    expect(await mistakes(play(text), { 'bad.yml': '- {block: [debug: ], register: x}\n- meta: nop\n' })).to.deep.equal(
      [
        'site.yml:4:24 a block of handlers cannot contain a block — write its tasks in the block around it',
        'site.yml:5:7 "rescue" does nothing on a block of handlers — each task of it is a handler by itself',
        'site.yml:6:7 "with_items" does nothing on a block of handlers — each task of it is a handler by itself',
        'site.yml:7:13 "flush_handlers" cannot be a handler: it runs the handlers',
        'site.yml:8:7 "import_role" cannot be a handler — notify a handler of the role',
        'site.yml:9:7 "include_role" cannot be a handler — notify a handler of the role',
        'warning: site.yml:10:7 newer versions of Ansible refuse "include" — write import_tasks; include_tasks if it loops, or a template names the file',
        'site.yml:10:16 there is no file "x.yml" (looked in .)',
        'site.yml:12:7 "notfy" is not a keyword of a handler — did you mean "notify"?',
        'site.yml:14:7 "lisen" is not a keyword of include_tasks — did you mean "listen"?',
        'site.yml:15:7 a handler must be a mapping, not text',
        'bad.yml:1:22 "register" is not a keyword of a block — it belongs to a task',
        'bad.yml:2:9 there is no meta action "nop" — did you mean "noop"?',
      ],
    );
    expect(await mistakes('- hosts: all\n  handlers: {name: x}\n')).to.deep.equal([
      'site.yml:2:13 "handlers" must be a list, not a mapping — begin each with "- "',
    ]);
  });
});

describe('A notification', () => {
  const HANDLERS = '- name: Reload\n  debug:\n  listen: [web]';

  it('finds handlers by name or topic', async () => {
    expect(await mistakes(play(HANDLERS, '{debug: , notify: [Reload, web]}'))).to.deep.equal([]);
  });

  it('is reported if no handler matches', async () => {
    const tasks = '{debug: , notify: reload}, {block: [debug: , debug: ], notify: wep}, {include_tasks: a.yml}';
    expect(
      await mistakes(play(`${HANDLERS}\n  notify: Nobody`, tasks), { 'a.yml': '- debug:\n  notify: [Reload, none]\n' }),
    ).to.deep.equal([
      'site.yml:2:29 no handler of this play is named "reload" or listens to it — did you mean "Reload"?',
      'site.yml:2:74 no handler of this play is named "wep" or listens to it — did you mean "web"?',
      'site.yml:7:15 no handler of this play is named "Nobody" or listens to it',
      'a.yml:2:20 no handler of this play is named "none" or listens to it',
    ]);
  });

  it('cannot name a handler in a file that is included as one handler', async () => {
    const files = { 'h.yml': '- name: Inside\n  debug:\n' };
    expect(
      await mistakes(play('- name: Many\n  include_tasks: h.yml', '{debug: , notify: [Many, Inside]}'), files),
    ).to.deep.equal(['site.yml:2:36 no handler of this play is named "Inside" or listens to it']);
  });

  for (const [why, handler, tasks] of [
    ['the name has a template', HANDLERS, '{debug: , notify: "{{ x }}"}'],
    ["a handler's name has one", '- name: "{{ x }}"\n  debug:', '{debug: , notify: x}'],
    ["a handler's topic has one", '- debug:\n  listen: "{{ x }}"', '{debug: , notify: x}'],
    ['an include may add a role', HANDLERS, '{debug: , notify: x}, {include_tasks: "{{ f }}"}'],
    [
      'an included file includes a file that is still unknown',
      HANDLERS,
      '{debug: , notify: x}, {include_tasks: b.yml}',
    ],
  ] as const) {
    it(`is checked during the run if ${why}`, async () => {
      expect(await mistakes(play(handler, tasks), { 'b.yml': '- include_tasks: "{{ f }}"\n' })).to.deep.equal([]);
    });
  }

  for (const [how, step] of [
    ['of "roles"', 'roles: [web]'],
    ['that is imported', 'pre_tasks: [import_role: { name: web }]'],
    ['that is included', 'pre_tasks: [include_role: { name: web }]'],
  ] as const)
    it(`cannot be a block in a role ${how} either`, async () => {
      const files = {
        'roles/web/tasks/main.yml': '- debug:\n',
        'roles/web/handlers/main.yml': '- import_tasks: more.yml\n- {name: restart, block: [{name: start, debug: }]}\n',
        'roles/web/handlers/more.yml': '- {name: reload, block: [{name: load, debug: }]}\n',
      };
      const playbook = (notify: string): string =>
        `- hosts: all\n  ${step}\n  tasks:\n    - {debug: , notify: ${notify}}\n`;
      expect(await mistakes(playbook('[start, load]'), files)).to.deep.equal([]);
      for (const name of ['restart', 'reload'])
        expect(await mistakes(playbook(name), files)).to.deep.equal([
          `site.yml:4:25 no handler of this play is named "${name}" or listens to it — a block among the handlers cannot be notified: notify its tasks, or a topic that they listen to`,
        ]);
    });

  it('cannot be a block, whose tasks are the handlers', async () => {
    const handlers =
      '- name: restart\n  block:\n    - {name: stop, debug: , listen: all of it}\n    - {name: start, debug: }';
    const playbook = (notify: string): string =>
      `- hosts: all\n  tasks:\n    - {debug: , notify: ${notify}}\n  handlers:\n${handlers.replaceAll(/^/gm, '    ')}\n`;
    expect(await mistakes(playbook('[start, all of it]'))).to.deep.equal([]);
    expect(await mistakes(playbook('restart'))).to.deep.equal([
      'site.yml:3:25 no handler of this play is named "restart" or listens to it — a block among the handlers cannot be notified: notify its tasks, or a topic that they listen to',
    ]);
    expect(await mistakes(playbook('start').replace('  block:', '  listen: x\n      block:'))).to.deep.equal([
      'site.yml:6:7 "listen" is not a keyword of a block — it belongs to a handler',
    ]);
  });
});
