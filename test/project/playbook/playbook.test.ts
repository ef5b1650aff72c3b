import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Catalogue } from '../../../src/module/catalogue.js';
import { loadPlaybooks } from '../../../src/project/playbook/playbook.js';
import { inFolder } from '../../rig/folder.js';
import { catalogue, mistakes, playOf, worded } from '../../rig/loaded.js';

/** The mistakes in a task list, whose first line is line 3, with 4 more columns on every line. */
function inTasks(tasks: string): Promise<readonly string[]> {
  return mistakes(playOf(tasks));
}

describe('Playbook files', () => {
  it('are read relative to the working directory, several at once', async () => {
    await inFolder({ 'a/one.yml': '- hosts: all\n', 'two.yml': '- hosts: x\n- hosts: y\n' }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const playbooks = await loadPlaybooks(['a/one.yml', 'two.yml'], { cwd, catalogue, diagnostics });
      expect(diagnostics.list).to.deep.equal([]);
      expect(playbooks.map(({ file, directory, plays }) => [file, directory, plays.length])).to.deep.equal([
        ['a/one.yml', `${cwd}/a`, 1],
        ['two.yml', cwd, 2],
      ]);
    });
  });

  it('report the mistakes in each of them', async () => {
    await inFolder(
      { 'a.yml': 'hosts: all\n', 'b.yml': '[]', 'c.yml': '- x\n', 'd.yml': '- hosts: {{ x }}' },
      async (cwd) => {
        const diagnostics = new Diagnostics();
        await loadPlaybooks(['none.yml', 'a.yml', 'b.yml', 'c.yml', 'd.yml', '.'], { cwd, catalogue, diagnostics });
        expect(diagnostics.list.map(worded)).to.deep.equal([
          'cannot read none.yml: there is no such file',
          'a.yml:1:1 a playbook is a list of plays; this file holds a mapping — begin each play with "- "',
          'b.yml:1:1 a playbook is a list of plays; this file holds an empty list — a play begins with "- hosts: all"',
          'c.yml:1:3 a play must be a mapping, not text',
          'd.yml:1:10 a value that starts with "{{" must be quoted — write "{{ x }}"',
          'cannot read .: it is a folder — name a file in it, such as a.yml',
        ]);
      },
    );
  });

  it('load a thousand tasks quickly', async () => {
    const tasks = Array.from(
      { length: 1000 },
      (_, at) =>
        `- name: T${at}\n  cloud_present: {name: "edge-{{ x }}-${at}"}\n  when: a == ${at}\n  register: r${at}`,
    );
    await mistakes(playOf(tasks[0] ?? ''));
    const start = process.cpuUsage();
    expect(await mistakes(playOf(tasks.join('\n')))).to.deep.equal([]);
    const { user, system } = process.cpuUsage(start);
    // Typically 0.2 s. If locate() parsed the text each time, it would take minutes.
    expect((user + system) / 1e6).to.be.below(5);
  });
});

describe('Keywords', () => {
  it('of a play are reported if they are unknown or have no effect', async () => {
    const play = '- host: all\n  become: yes\n  gather_facts: yes\n  connection: ssh\n  collections: []\n';
    expect(await mistakes(play)).to.deep.equal([
      'site.yml:1:3 "host" is not a keyword of a play — did you mean "hosts"?',
      'site.yml:1:3 a play needs "hosts": the controllers it is for',
      'warning: site.yml:2:3 "become" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
      'warning: site.yml:3:3 "gather_facts" has no effect: a controller has no facts to gather — ask it with api_request and "register"',
      'warning: site.yml:4:3 "connection" has no effect: every connection uses HTTPS — controller_url in the inventory sets the address',
    ]);
  });

  it('of a task are reported if they are unknown or have no effect', async () => {
    const tasks = `- debug:
  regster: x
  listen: y
- debug:
  async: 5
- local_action: debug
- debug:
  with_nested: []
- debug:
  with_redis: []
- debug:
  with_item: []
- debug:
  with_nested: one
- debug:
  with_items: { a: 1 }
- debug:
  with_items: []
  with_ansible.builtin.nested: []
- debug:
  loop: []
  loop_control: {loop_vr: x}`;
    expect(await inTasks(tasks)).to.deep.equal([
      'site.yml:4:7 "regster" is not a keyword of a task — did you mean "register"?',
      'site.yml:5:7 "listen" is not a keyword of a task — it belongs to a handler',
      'site.yml:7:7 "async" has no meaning for a REST controller — use "timeout" to limit the time; a controller that is slow does not hold up the others',
      'site.yml:12:7 "with_redis" is not a loop: there is no lookup "redis" — write pipe("redis-cli get KEY"), or with_pipe for items',
      'site.yml:14:7 "with_item" is not a loop: there is no lookup "item" — did you mean "with_items"?',
      'site.yml:16:20 "with_nested" must be a list, not text — for a variable, write "{{one}}"',
      'site.yml:18:19 "with_items" must be a list, not a mapping',
      'site.yml:21:7 a task has one loop; this one has "with_items" already',
      'site.yml:24:22 "loop_vr" is not a keyword of loop_control — did you mean "loop_var"?',
    ]);
  });

  it('are reported if their values have the wrong type', async () => {
    const tasks = `- debug:
  name: [x]
  register: 1x
  vars: [a]
  when: {a: b}
  ignore_errors: perhaps
  tags: {a: b}
  notify: {a: b}
- debug:
  vars: {a-b: 1}
  retries: -1
  delay: soon
  loop: names
  loop_control: {parallel: 0, pause: [], extended: maybe, loop_var: "x y"}
- debug:
  loop: [1]
  with_items: [2]
- debug:
  delay: 2
  loop_control: {}
- words`;
    expect(await inTasks(tasks)).to.deep.equal([
      'site.yml:4:13 "name" must be text, not a list',
      'site.yml:5:17 "1x" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
      'site.yml:6:13 "vars" must be a mapping of names to values, not a list',
      'site.yml:7:13 "when" must be an expression, not a mapping — an expression with ": " in it must be quoted',
      'site.yml:8:22 "ignore_errors" must be true or false, not "perhaps"',
      'site.yml:9:13 "tags" must be text, not a mapping',
      'site.yml:10:15 "notify" must be text, not a mapping',
      'site.yml:12:14 "a-b" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
      'site.yml:13:16 "retries" must be a whole number from 0, not -1',
      'site.yml:14:14 "delay" must be a number from 0, not "soon"',
      'site.yml:15:13 "loop" must be a list, not text — for a variable, write "{{names}}"',
      'site.yml:16:32 "parallel" must be a whole number from 1, not 0',
      'site.yml:16:42 "pause" must be a number from 0, not a list',
      'site.yml:16:56 "extended" must be true or false, not "maybe"',
      'site.yml:16:73 "x y" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
      'site.yml:19:7 a task has one loop; this one has "loop" already',
      'warning: site.yml:21:7 "delay" does nothing without "until" or "retries"',
      'site.yml:22:7 "loop_control" without a loop does nothing',
      'site.yml:23:7 a task must be a mapping, not text',
    ]);
  });

  it('of a play are reported if their values have the wrong type', async () => {
    const play =
      '- hosts: ""\n  serial: [1, ten]\n  strategy: liner\n  tasks: {debug: x}\n  handlers: x\n- hosts: {a: b}\n';
    expect(await mistakes(play)).to.deep.equal([
      'site.yml:1:10 "hosts" is empty — for every controller, write "all"',
      'site.yml:2:15 "serial" takes a count, a percentage such as "25%", or a list of them',
      'site.yml:3:13 there is no strategy "liner" — did you mean "linear"?',
      'site.yml:4:10 "tasks" must be a list, not a mapping — begin each with "- "',
      'site.yml:5:13 "handlers" must be a list, not text — begin each with "- "',
      'site.yml:6:10 "hosts" must be text, not a mapping',
    ]);
  });
});

describe('Modules', () => {
  it('are reported if they are unknown, several or missing', async () => {
    const tasks = `- debgu: msg=x
- community.general.something: {}
- uri: {url: x}
- debug:
  fail:
- name: nothing
- action: clod_present name=x
- action: {modul: debug}
- action: [debug]`;
    expect(await inTasks(tasks)).to.deep.equal([
      'site.yml:3:7 there is no module "debgu" — did you mean "debug"?',
      'site.yml:4:7 there is no module "community.general.something" — "evenkeel doc -l" lists the modules',
      'site.yml:5:7 there is no module "uri" — did you mean "api_request"?',
      'site.yml:7:7 a task has one module; this one has "debug" already',
      'site.yml:8:7 a task needs a module, such as "debug"',
      'site.yml:9:15 there is no module "clod_present" — did you mean "cloud_present"?',
      'site.yml:10:15 "action" needs "module": the name of a module',
      'site.yml:11:15 "action" must name a module and its arguments, not a list',
    ]);
  });

  it('are reported with the reason if they cannot be loaded', async () => {
    const broken: Catalogue = {
      names: ['mine'],
      load: () => Promise.reject(new Error('mine.ts is no module')),
      add: () => [],
    };
    await inFolder({ 'site.yml': playOf('- mine:') }, async (cwd) => {
      const diagnostics = new Diagnostics();
      await loadPlaybooks(['site.yml'], { cwd, catalogue: broken, diagnostics });
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'site.yml:3:7 the module "mine" cannot be loaded: mine.ts is no module',
      ]);
    });
  });
});

describe('Arguments', () => {
  it('are checked before the run where they have no template', async () => {
    const tasks = `- debug: {msgg: x}
- debug: hello world
- debug: msg="x
- debug: [x]
- system_config:
    portal_configuration: {http_port: eighty}
  args:
    dns_configuration: 5
- system_config:
    portal_configuration: {http_port: "{{ port }}"}
- debug: {msg: x}
  args: [x]
- debug: 5`;
    expect(await inTasks(tasks)).to.deep.equal([
      'site.yml:3:15 "msgg" is not an argument of debug — did you mean "msg"?',
      'site.yml:4:14 debug takes arguments by name; "hello world" has none — write name=value',
      'site.yml:5:14 a quote or "{{" is not closed in: msg="…',
      'site.yml:6:14 the arguments of debug must be a mapping of names to values, not a list',
      'site.yml:8:43 "portal_configuration.http_port" must be an integer, not "eighty"',
      'site.yml:10:28 "dns_configuration" must be a mapping, not 5',
      'site.yml:14:13 "args" must be a mapping of names to values, not a list',
      'site.yml:15:14 the arguments of debug must be a mapping of names to values, not 5',
    ]);
  });

  it('with templates or expressions are checked for syntax, like other keywords', async () => {
    const tasks = `- name: "{{ a"
  debug: {msg: "{{ b"}
  when: a ==
  loop: ["{{ c"]
  vars: {x: "{{ d"}
- assert:
    that: [fine, "a =="]`;
    const found = await inTasks(tasks);
    expect(found.map((one) => one.split(' ')[0])).to.deep.equal([
      'site.yml:3:13',
      'site.yml:4:20',
      'site.yml:5:13',
      'site.yml:6:14',
      'site.yml:7:17',
      'site.yml:9:22',
    ]);
  });
});

describe('Notifications', () => {
  it('go to handlers of the play', async () => {
    const handlers = '  handlers:\n    - name: Restart\n      debug:\n      notify: nobody\n';
    expect(await mistakes(`${playOf('- debug:\n  notify: [Restart, Restrat]')}${handlers}`)).to.deep.equal([
      'site.yml:4:25 no handler of this play is named "Restrat" or listens to it — did you mean "Restart"?',
      'site.yml:8:15 no handler of this play is named "nobody" or listens to it',
    ]);
  });

  it('are checked during the run if a name is a template', async () => {
    const handlers = '  handlers:\n    - name: "{{ x }}"\n      debug:\n';
    expect(await mistakes(`${playOf('- debug:\n  notify: anything')}${handlers}`)).to.deep.equal([]);
  });
});
