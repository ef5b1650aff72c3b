import { expect } from 'chai';
import { INVENTORY, refused, refusedTasks, tasks, type RefusalOptions } from '../../rig/refused_run.js';

describe('a failure that is certain before the run', () => {
  it('is reported once for all controllers, at the position of the cause', async () => {
    const files = { 'group_vars/all.yml': 'cloud: "{{clod}}"\n' };
    expect(await refusedTasks('- debug: { msg: "{{cloud}}" }\n- debug: { msg: "{{zone}}" }', { files })).to.deep.equal([
      'group_vars/all.yml:1:8 variable "clod" is not defined (from "cloud"; on 3 controllers: lb1, lb2, lb3) — did you mean "cloud"?',
      'p.yml:4:21 variable "zone" is not defined (on lb3)',
    ]);
  });

  it('is not reported for a controller that a task before makes fail', async () => {
    const later = tasks('- debug: { msg: "{{later}}" }');
    const first = tasks('- fail: { msg: stop }').replace('hosts: all', 'hosts: lb1');
    expect(await refused(first + later)).to.deep.equal([
      'p.yml:6:21 variable "later" is not defined (on 2 controllers: lb2, lb3)',
    ]);
  });

  it('is reported at each task that has it, with the controllers that reach the task', async () => {
    const text = ['lb1', 'lb2'].map(
      (name) => `- debug: { msg: "{{absent}}" }\n  when: inventory_hostname == "${name}"`,
    );
    expect(await refusedTasks(text.join('\n'))).to.deep.equal([
      'p.yml:3:21 variable "absent" is not defined (on lb1)',
      'p.yml:5:21 variable "absent" is not defined (on lb2)',
    ]);
  });

  it('is reported once if each controller has the same template in a variable of its own', async () => {
    const files = Object.fromEntries(
      ['lb1', 'lb2', 'lb3'].map((name) => [`host_vars/${name}.yml`, 'cloud: "{{absent}}"\n']),
    );
    expect(await refusedTasks('- debug: { msg: "{{cloud}}" }', { files })).to.deep.equal([
      'host_vars/lb1.yml:1:8 variable "absent" is not defined (from "cloud"; on 3 controllers: lb1, lb2, lb3) — the same is at host_vars/lb2.yml:1:8, host_vars/lb3.yml:1:8',
    ]);
  });

  it('is reported with each hint, if controllers need different ones', async () => {
    const inventory = 'all: { hosts: { a: { zones: 1 }, b: {}, c: { zones: 2 }, d: {} } }\n';
    expect(await refusedTasks('- debug: { msg: "{{zone}}" }', { inventory })).to.deep.equal([
      'p.yml:3:21 variable "zone" is not defined (on 2 controllers: a, c) — did you mean "zones"?',
      'p.yml:3:21 variable "zone" is not defined (on 2 controllers: b, d)',
    ]);
  });

  it('is one of 20 that are shown, and the most frequent ones of more', async () => {
    const failing = (number: number) =>
      Array.from(
        { length: number },
        (_, at) => `- debug: { msg: "{{absent${at}}}" }\n  when: inventory_hostname == "lb1"`,
      );
    const all = ' (on 3 controllers: lb1, lb2, lb3)';
    const shown = await refusedTasks([...failing(20), '- debug: { msg: "{{often}}" }'].slice(1).join('\n'));
    expect([shown.length, shown[19]]).to.deep.equal([20, `p.yml:41:21 variable "often" is not defined${all}`]);
    const more = await refusedTasks([...failing(20), '- debug: { msg: "{{often}}" }'].join('\n'));
    expect(more.slice(0, 2)).to.deep.equal([
      `p.yml:43:21 variable "often" is not defined${all}`,
      'p.yml:3:21 variable "absent0" is not defined (on lb1)',
    ]);
    expect([more.length, more[20]]).to.deep.equal([21, 'and 1 more such problem']);
  });

  it('can occur more often than a function call allows arguments', async () => {
    const loop = '- debug: { msg: "{{absent}}" }\n  loop: "{{range(50)}}"';
    const inventory = INVENTORY.replace('lb3: {}', 'c[1:2600]: {}');
    expect(await refusedTasks(loop, { inventory })).to.deep.equal([
      'p.yml:3:21 variable "absent" is not defined (on 2,602 controllers: lb1, lb2, c1 and 2,599 more)',
    ]);
  });

  const playbooks: readonly (readonly [string, string, readonly string[], RefusalOptions?])[] = [
    ['a condition', '- debug:\n  when: absent == 1', ['p.yml:4:13 variable "absent" is not defined']],
    ['a loop', '- debug: { msg: "{{item}}" }\n  loop: "{{absent}}"', ['p.yml:4:13 variable "absent" is not defined']],
    [
      'an item of a loop',
      '- debug: { msg: "{{item.a}}" }\n  loop: [{ a: 1 }, { b: 2 }]',
      ['p.yml:3:21 "item" has no "a": it is a mapping with b'],
    ],
    [
      'what precedes the result that it needs',
      '- debug: { msg: "{{result}}" }\n- debug:\n  register: result',
      ['p.yml:3:21 variable "result" is not defined'],
    ],
    [
      'an argument in a block and its always',
      '- block: [{ debug: { msg: "{{one}}" } }]\n  always: [{ debug: { msg: "{{two}}" } }]',
      ['p.yml:3:31 variable "one" is not defined', 'p.yml:4:32 variable "two" is not defined'],
    ],
    [
      'what an include brings',
      '- include_tasks: "{{which}}.yml"\n  vars: { which: more }',
      ['more.yml:1:17 variable "absent" is not defined'],
      { files: { 'more.yml': '- debug: { msg: "{{absent}}" }\n' } },
    ],
    [
      'a value from the command line',
      '- debug: { msg: "{{cloud}}" }',
      ['--extra-vars: variable "absent" is not defined (from "cloud"; on lb1)'],
      { extraVars: ['cloud={{absent}}'] },
    ],
    [
      'a lookup whose name is a variable',
      '- debug: { msg: "{{lookup(which, 1)}}" }\n  vars: { which: itmes }',
      ['p.yml:3:21 lookup: there is no lookup "itmes"'],
    ],
  ];
  for (const [title, text, expected, options] of playbooks) {
    it(`is found in ${title}`, async () => {
      const found = await refusedTasks(text, { ...options, limit: 'lb1' });
      expect(found.map((one) => one.replace(/ — .*$/, ''))).to.deep.equal(
        expected.map((one) => (one.includes('on lb1') ? one : `${one} (on lb1)`)),
      );
    });
  }

  it('is reported with its controllers, even if their names are part of other words', async () => {
    const inventory = 'all: { hosts: { a: {}, b: { zone: b }, var: {} } }\n';
    expect(
      await refusedTasks('- debug: { msg: "{{cloud}}" }\n- debug: { msg: "{{zone}}" }', { inventory }),
    ).to.deep.equal([
      'p.yml:3:21 variable "cloud" is not defined (on 3 controllers: a, b, var)',
      'p.yml:4:21 variable "zone" is not defined (on 2 controllers: a, var)',
    ]);
  });

  it('is reported together with invalid arguments and connection errors', async () => {
    const inventory = INVENTORY.replace('controller_url: https://{{inventory_hostname}}.example.com', 'stage: dev');
    const options = { inventory, extraVars: ['mtu=abc'] };
    expect(await refusedTasks('- cloud_present: { name: x, mtu: "{{mtu}}" }', options)).to.deep.equal([
      'p.yml:3:38 "mtu" must be an integer, not "abc" (on 3 controllers: lb1, lb2, lb3) — "mtu" is set by --extra-vars',
      'no controller_url (on 3 controllers: lb1, lb2, lb3) — set it to https:// and the address of the controller',
    ]);
  });

  it('is one for all controllers if its text has the name of one of them', async () => {
    expect(await refusedTasks('- debug:\n  when: inventory_hostname == lb1')).to.deep.equal([
      'p.yml:4:13 variable "lb1" is not defined (on 3 controllers: lb1, lb2, lb3)',
    ]);
  });

  it('names the place of a variable that has a wrong value, unless each controller has its own', async () => {
    const files = { 'group_vars/all.yml': 'cloud: { mtu: abc }\nservers: [{ port: 80 }, { port: http }]\n' };
    const inventory = INVENTORY.replaceAll(/zone: [ab]/g, 'zone: {}');
    expect(
      await refusedTasks(
        '- cloud_present: { name: x, mtu: "{{ cloud.mtu }}" }\n- pool_present: { name: x, servers: "{{servers}}" }\n- cloud_present: { name: "{{ zone }}" }',
        { files, inventory, limit: 'lb1,lb2' },
      ),
    ).to.deep.equal([
      'p.yml:3:38 "mtu" must be an integer, not "abc" (on 2 controllers: lb1, lb2) — "cloud" is set in group_vars/all.yml:1:15',
      'p.yml:4:41 "servers[1].port" must be an integer, not "http" (on 2 controllers: lb1, lb2) — "servers" is set in group_vars/all.yml:2:33',
      'p.yml:5:30 "name" must be a string, not a mapping (on 2 controllers: lb1, lb2)',
    ]);
  });

  it('is not assumed for an include whose arguments are known only during the run', async () => {
    const registered = '- debug: { msg: x }\n  register: r\n';
    expect(await refusedTasks(`${registered}- include_tasks: { file: "{{r.msg}}.yml" }`)).to.deep.equal([]);
  });

  it('is found in the checks of a gate, except in check mode', async () => {
    const playbook = `${tasks('- debug:')}  gate: { checks: [{ debug: { msg: "{{absent}}" } }] }\n`;
    expect(await refused(playbook, { limit: 'lb1' })).to.deep.equal([
      'p.yml:4:36 variable "absent" is not defined (on lb1)',
    ]);
    expect(await refused(playbook, { check: true })).to.deep.equal([]);
  });

  it('is not assumed for variables that included roles publish, to the controllers that include them', async () => {
    const files = {
      'roles/web/defaults/main.yml': 'port: 80\nname: web\n',
      'roles/db/defaults/main.yml': 'size: 1\nname: db\n',
    };
    const include = (role: string, more: string) => `- include_role: { name: ${role}${more} }\n`;
    const use = '- debug: { msg: "{{port}} {{name}}" }\n- debug: { msg: "{{size}}" }\n';
    const roles = (web: string, db: string) => refusedTasks(include('web', web) + include('db', db) + use, { files });
    const error = (line: number, name: string) =>
      `p.yml:${line}:21 variable "${name}" is not defined (on 3 controllers: lb1, lb2, lb3)`;
    expect(await roles(', public: true', ', public: true')).to.deep.equal([]);
    expect(await roles(', public: true', '')).to.deep.equal([error(6, 'size')]);
    expect(await roles('', ', public: true')).to.deep.equal([error(5, 'port')]);
    const some = `- include_role: { name: web, public: true }\n  when: inventory_hostname != 'lb2'\n`;
    expect(await refusedTasks(`${some}- debug: { msg: "{{port}}" }\n`, { files })).to.deep.equal([
      'p.yml:5:21 variable "port" is not defined (on lb2)',
    ]);
  });

  it('is found in vars_files whose names depend on the controller', async () => {
    const playbook =
      '- hosts: all\n  vars_files: ["{{zone | default(\'none\')}}.yml"]\n  tasks: [{ debug: { msg: "{{size}}" } }]\n';
    const files = { 'a.yml': 'size: 1\n', 'b.yml': 'sise: 1\n' };
    expect(await refused(playbook, { files })).to.deep.equal([
      'p.yml:3:27 variable "size" is not defined (on lb2) — did you mean "sise"?',
      'p.yml:2:16 none of the variables files exists: vars/none.yml, none.yml (on lb3)',
    ]);
  });
});

describe('a step that may succeed', () => {
  const fine: Readonly<Record<string, string>> = {
    'a result':
      '- api_request: { path: /api/x }\n  register: r\n- debug: { msg: "{{r.json.x}}" }\n- debug:\n  when: r.json.y',
    'the result of what is skipped': '- debug:\n  when: false\n  register: r\n- debug: { msg: "{{r.skipped}}" }',
    'a fact': '- set_fact: { made: "{{zone | default(1)}}" }\n- debug: { msg: "{{made}}" }',
    'variables of a file that is read later': '- include_vars: later.yml\n- debug: { msg: "{{anything}}" }',
    'weaker variables that a file read later may replace':
      '- debug:\n  register: r\n- include_vars: "{{r.msg}}.yml"\n- debug: { msg: "{{broken}} {{zone}}" }\n- cloud_present: { name: x, mtu: "{{size}}" }\n  vars: { broken: "{{absent}}", size: large }',
    'a group that it joins':
      '- group_by: { key: grown }\n- debug: { msg: "{{of_grown}} {{groups.grown}} {{group_names}}" }',
    'a controller that is added':
      '- add_host: { name: lb9, x: 1 }\n- debug: { msg: "{{hostvars.lb9.x}} {{groups.new}}" }',
    'the facts of another': '- set_fact: { made: 1 }\n- debug: { msg: "{{hostvars.lb2.made}}" }',
    'facts that are given away':
      '- debug: { msg: "{{given}}" }\n  when: inventory_hostname == "lb3"\n- set_fact: { given: 1 }\n  delegate_to: lb3\n  delegate_facts: true',
    'a condition that does not hold':
      '- debug: { msg: "{{zone}}" }\n  when: zone is defined\n- debug: { msg: "{{no}}" }\n  when: false',
    'a condition that is not known':
      '- debug: { msg: x }\n  register: r\n- debug: { msg: "{{absent}}" }\n  when: r is changed',
    'a loop over nothing': '- debug: { msg: "{{absent}}" }\n  loop: []',
    'a loop that breaks':
      '- debug: { msg: "{{item.a}}" }\n  loop: [{ a: 1 }, {}]\n  loop_control: { break_when: true }',
    'a loop of a block that breaks':
      '- block: [{ debug: { msg: "{{item.a}}" } }]\n  loop: [{ a: 1 }, {}]\n  loop_control: { break_when: true }',
    'a default': '- debug: { msg: "{{absent | default(1)}} {{absent is defined}} {{zone.x | default(2)}}" }',
    'what asks by itself': '- debug: { var: absent }\n- assert: { that: zone is defined }\n  ignore_errors: true',
    'what is rescued':
      '- block: [{ debug: { msg: "{{absent}}" } }]\n  rescue: [{ debug: { msg: "{{ansible_failed_result.msg}}" } }]',
    'what is expected to fail': '- debug: { msg: "{{absent}}" }\n  ignore_errors: true',
    'a loop of a block that is expected to fail': '- block: [debug: ]\n  loop: "{{absent}}"\n  ignore_errors: true',
    'a step after a failing assert': '- assert: { that: zone is defined }\n- debug: { msg: "{{zone}}" }',
    'a step after a fail': '- fail: { msg: no zone }\n  when: zone is not defined\n- debug: { msg: "{{zone}}" }',
    'a step after end_host': '- meta: end_host\n  when: zone is not defined\n- debug: { msg: "{{zone}}" }',
    'what may come behind the end of the play':
      '- debug:\n  register: r\n- meta: end_play\n  when: r is changed\n- debug: { msg: "{{absent}}" }',
    'what one controller ends for all':
      '- meta: end_play\n  when: inventory_hostname == "lb2"\n- debug: { msg: "{{absent}}" }',
    'what the first of two steps ends for all':
      '- meta: end_play\n  when: inventory_hostname == "lb2"\n- meta: end_play\n  when: inventory_hostname == "lb9"\n- debug: { msg: "{{absent}}" }',
    'what the second of two steps ends for all':
      '- meta: end_play\n  when: inventory_hostname == "lb9"\n- meta: end_play\n  when: inventory_hostname == "lb2"\n- debug: { msg: "{{absent}}" }',
    'what two controllers end for all, each in its batch':
      '- meta: end_batch\n  when: inventory_hostname == "lb2"\n- meta: end_batch\n  when: inventory_hostname == "lb3"\n- debug: { msg: "{{absent}}" }',
    'what one controller does for all': '- debug: { msg: "{{zone}}" }\n  run_once: true',
    'the output of a command': "- debug: { msg: \"{{lookup('pipe', 'exit 1')}}\" }",
    'a file that may come': "- debug: { msg: \"{{lookup('file', 'later.txt')}}\" }",
    'a variable in a block': '- debug: { msg: "{{own}}" }\n  vars: { own: "{{zone | default(3)}}" }',
    'what is included':
      '- include_tasks: "{{r.msg}}.yml"\n  vars: { r: { msg: none } }\n  when: false\n- include_tasks: set.yml\n- debug: { msg: "{{within}}" }',
    'who is in the play': '- debug: { msg: "{{ansible_play_batch[3]}}" }',
    'what a loop has':
      '- debug: { msg: "{{item}} {{n}} {{ansible_loop.index}}" }\n  loop: [1]\n  loop_control: { index_var: n, extended: true }',
  };
  for (const [title, text] of Object.entries(fine)) {
    it(`is not refused: ${title}`, async () => {
      expect(await refusedTasks(text, { files: { 'set.yml': '- set_fact: { within: 1 }\n' } })).to.deep.equal([]);
    });
  }

  it('is not refused if it needs what handlers set', async () => {
    const playbook = `- hosts: all
  tasks:
    - debug:
      changed_when: true
      notify: note
    - meta: flush_handlers
    - debug: { msg: "{{noted}}" }
  handlers: [{ name: note, set_fact: { noted: "{{absent}}" } }]
`;
    expect(await refused(playbook)).to.deep.equal([]);
  });

  it('is not refused if it needs what an earlier play sets, or an answer to a prompt', async () => {
    const playbook = `- hosts: all
  tasks: [{ set_fact: { made: 1 } }]
- hosts: all
  vars_prompt: [{ name: asked, default: x }]
  tasks: [{ debug: { msg: "{{made}} {{asked}}" } }]
`;
    expect(await refused(playbook)).to.deep.equal([]);
  });

  it('is not refused if tags or --start-at-task skip it', async () => {
    const text = '- { name: one, debug: { msg: "{{absent}}" }, tags: a }\n- { name: two, debug: , tags: b }';
    expect(await refusedTasks(text, { tags: ['b'] })).to.deep.equal([]);
    expect(await refusedTasks(text, { skipTags: ['a'] })).to.deep.equal([]);
    expect(await refusedTasks(text, { startAtTask: 'two' })).to.deep.equal([]);
    expect(await refusedTasks(text)).to.have.lengthOf(1);
  });

  it('is refused with the name of the task that defines its variable, if tags or --start-at-task skip that task', async () => {
    const one = (more: string) => `- { name: Ask, debug: , register: asked${more} }\n`;
    const needed = (more = '') => `- { name: Use, debug: { msg: "{{asked.msg}}" }${more} }`;
    const error = (line: number, column: number) =>
      `p.yml:${line}:${column} variable "asked" is not defined (on lb1) — `;
    const limit = 'lb1';
    expect(await refusedTasks(one(', tags: a') + needed(', tags: b'), { limit, tags: ['b'] })).to.deep.equal([
      `${error(4, 34)}the task that registers it is "Ask" (p.yml:3:7), which --tags leaves out`,
    ]);
    expect(await refusedTasks(one(', tags: a') + needed(), { limit, skipTags: ['a'] })).to.deep.equal([
      `${error(4, 34)}the task that registers it is "Ask" (p.yml:3:7), which --skip-tags leaves out`,
    ]);
    expect(await refusedTasks(one('') + needed(), { limit, startAtTask: 'Use' })).to.deep.equal([
      `${error(4, 34)}the task that registers it is "Ask" (p.yml:3:7), which --start-at-task leaves out`,
    ]);
    expect(await refusedTasks(one(', tags: never') + needed(), { limit })).to.deep.equal([
      `${error(4, 34)}the task that registers it is "Ask" (p.yml:3:7), which has the tag "never"`,
    ]);
    const earlier = `- hosts: all\n  tags: a\n  tasks: [{ block: [{ set_fact: { asked: 1 } }] }]\n`;
    expect(await refused(earlier + tasks(needed(', tags: b')), { limit, tags: ['b'] })).to.deep.equal([
      `${error(6, 34)}the task that sets it is "set_fact" (p.yml:3:21), which --tags leaves out`,
    ]);
    const both = '- { name: Both, set_fact: { asked: 1 }, register: other, tags: a }\n';
    expect(await refusedTasks(both + needed(), { limit, skipTags: ['a'] })).to.deep.equal([
      `${error(4, 34)}the task that sets it is "Both" (p.yml:3:7), which --skip-tags leaves out`,
    ]);
  });

  it('is refused with the names of two tasks that define two variables', async () => {
    const ask = (name: string, tag: string) => `- { name: Ask ${name}, debug: , register: ${name}, tags: ${tag} }\n`;
    const use = (name: string) => `- { name: Use ${name}, debug: { msg: "{{${name}.msg}}" }, tags: use }\n`;
    const text = ask('one', 'a') + ask('two', 'never') + use('two') + use('one');
    expect(await refusedTasks(text, { limit: 'lb1', tags: ['use'] })).to.deep.equal([
      'p.yml:5:38 variable "two" is not defined (on lb1) — the task that registers it is "Ask two" (p.yml:4:7), which --tags leaves out',
      'p.yml:6:38 variable "one" is not defined (on lb1) — the task that registers it is "Ask one" (p.yml:3:7), which --tags leaves out',
    ]);
  });

  it('is not refused if one controller ends the play for all, whatever is included after that', async () => {
    const end = (name: string) => `- meta: end_play\n  when: inventory_hostname == "${name}"\n`;
    const text = (name: string) => `${end(name)}- include_tasks: more.yml\n- debug: { msg: "{{absent}}" }\n`;
    const files = { 'more.yml': end('lb9') };
    expect(await refusedTasks(text('lb2'), { files })).to.deep.equal([]);
    expect(await refusedTasks(text('lb8'), { files })).to.have.length(1);
  });

  it('is refused if only a later step may end the play for all', async () => {
    const end = (name: string) => `- meta: end_play\n  when: inventory_hostname == "${name}"\n`;
    expect(await refusedTasks(`${end('lb9')}- debug: { msg: "{{absent}}" }\n${end('lb2')}`)).to.deep.equal([
      'p.yml:5:21 variable "absent" is not defined (on 3 controllers: lb1, lb2, lb3)',
    ]);
  });

  it('is not refused if it needs the result of a project filter, which is not called', async () => {
    const filter = `export default { type: 'filter', name: 'site', signature: 'x', run: () => { throw new Error('called'); } };\n`;
    const files = { 'filters/site.mjs': filter };
    expect(await refusedTasks('- debug: { msg: "{{site(1)}}" }', { files })).to.deep.equal([]);
    expect(await refusedTasks('- debug: { msg: "{{site(absent)}}" }', { files, limit: 'lb1' })).to.deep.equal([
      'p.yml:3:21 variable "absent" is not defined (on lb1)',
    ]);
  });
});

describe('connection settings that are certain to fail', () => {
  const speak = '- cloud_present: { name: edge, vtype: CLOUD_NONE }';
  const broken = `all:
  vars:
    controller_url: "lb.example.com:{{port}}"
    port: 8443
    controller_username: admin
    controller_password: "{{lookup('env', 'NO_SUCH_VARIABLE')}}"
    controller_api_version: 22.1
    controller_ca_file: ca.pem
    controller_simulation: { latencyy: 1 }
  hosts: { lb1: , lb2: , lb3: , lb4: { controller_url: "https://{{adress}}", address: lb4 } }
`;

  const EXPECTED = [
    'inv.yml:3:21 controller_url is not a URL: "lb.example.com:8443" (on 3 controllers: lb1, lb2, lb3) — it looks like https://lb1.example.com:8443',
    'inv.yml:6:26 controller_password is empty: the environment variable NO_SUCH_VARIABLE is not set (on 4 controllers: lb1, lb2, lb3 and 1 more) — export NO_SUCH_VARIABLE before the run',
    'inv.yml:7:29 controller_api_version must be three numbers, such as "22.1.3", not "22.1" (on 4 controllers: lb1, lb2, lb3 and 1 more)',
    'inv.yml:8:25 controller_ca_file cannot be read: ca.pem: there is no such file (on 4 controllers: lb1, lb2, lb3 and 1 more)',
    'inv.yml:10:56 variable "adress" is not defined (from "controller_url"; on lb4) — did you mean "address"?',
  ];

  it('are reported at the variables that cause them', async () => {
    expect(await refusedTasks(speak, { inventory: broken })).to.deep.equal(EXPECTED);
  });

  it('are reported once if each controller has the same value at its own place', async () => {
    const files = Object.fromEntries(
      ['lb1', 'lb2', 'lb3'].map((name) => [`host_vars/${name}.yml`, 'controller_ca_file: ca.pem\n']),
    );
    expect(await refusedTasks(speak, { files })).to.deep.equal([
      'host_vars/lb1.yml:1:21 controller_ca_file cannot be read: ca.pem: there is no such file (on 3 controllers: lb1, lb2, lb3) — the same is at host_vars/lb2.yml:1:21, host_vars/lb3.yml:1:21',
    ]);
  });

  it('include controller_simulation in a simulation', async () => {
    const found = await refusedTasks(speak, { inventory: broken, simulate: true });
    expect(found.filter((one) => !one.includes('controller_simulation'))).to.deep.equal(
      EXPECTED.filter((one) => !one.includes('password')),
    );
    expect(found.find((one) => one.includes('controller_simulation'))).to.match(
      /^inv.yml:9:28 controller_simulation: latencyy is not known: did you mean "latency"\? \(on 4 controllers/,
    );
  });

  it('are reported together if all are missing', async () => {
    const found = await refusedTasks(speak, { inventory: 'all: { hosts: { lb1: , lb2: } }\n' });
    expect(found.map((one) => one.split(' — ')[0])).to.deep.equal([
      'no controller_url (on 2 controllers: lb1, lb2)',
      'no controller_username (on 2 controllers: lb1, lb2)',
      'no controller_password (on 2 controllers: lb1, lb2)',
      'no controller_api_version (on 2 controllers: lb1, lb2)',
    ]);
    const [first] = await refusedTasks(speak, { inventory: 'all: { hosts: { lb1: } }\n' });
    expect(first).to.match(/^lb1 has no controller_url — /);
    const misspelt =
      'all: { hosts: { lb1: { controller_ulr: x, controller_user: a, controller_passwrod: b, controller_api: c } } }\n';
    expect(await refusedTasks(speak, { inventory: misspelt })).to.include.members([
      'lb1 has no controller_url — "controller_ulr" is set: did you mean "controller_url"?',
      'lb1 has no controller_username — "controller_user" is set: did you mean "controller_username"?',
      'lb1 has no controller_password — "controller_passwrod" is set: did you mean "controller_password"?',
      'lb1 has no controller_api_version — "controller_api" is set: did you mean "controller_api_version"?',
    ]);
    const [plain] = await refusedTasks(speak, { inventory: 'all: { hosts: { lb1: { controller_name: x } } }\n' });
    expect(plain).to.match(/^lb1 has no controller_url — set it to /);
  });

  it('are reported for controllers that are certain to be contacted', async () => {
    const inventory = 'all: { hosts: { lb1: , lb2: , lb3: } }\n';
    for (const text of [
      '- debug:',
      `${speak}\n  when: false`,
      `- debug:\n  register: r\n${speak}\n  when: r is changed`,
      `${speak}\n  ignore_errors: true`,
      `${speak}\n  run_once: true`,
      `${speak}\n  loop: []`,
      `- fail:\n${speak}`,
      `- include_vars: later.yml\n${speak}`,
      `- wait_for: { timeout: 1 }`,
    ])
      expect(await refusedTasks(text, { inventory }), text).to.deep.equal([]);
    expect(
      await refusedTasks('- api_request: { path: /api/x, method: POST }', { inventory, check: true }),
    ).to.deep.equal([]);
    const delegated = await refusedTasks(`${speak}\n  delegate_to: lb3`, { inventory });
    expect(delegated[0]).to.match(/^lb3 has no controller_url/);
    expect(delegated).to.have.lengthOf(4);
    expect(await refusedTasks('- ping:', { inventory, check: true })).to.deep.equal(
      await refusedTasks(speak, { inventory, check: true }),
    );
  });

  it('can be set by the task', async () => {
    const own = '  vars: { controller_url: "https://{{at}}", controller_password: x, at: y }';
    const inventory = 'all: { hosts: { lb1: { controller_username: a, controller_api_version: 1.2.3 }, lb2: } }\n';
    expect(await refusedTasks(`${speak}\n${own}`, { inventory, limit: 'lb1' })).to.deep.equal([]);
    const looped = own.replace('y', '"{{item}}"');
    const delegated = `${speak}\n${looped}\n  delegate_to: lb1\n  loop: [lb9]`;
    expect(await refusedTasks(delegated, { inventory, limit: 'lb2' })).to.deep.equal([]);
    const wrong = own.replace('https', 'htp');
    expect(await refusedTasks(`${speak}\n${wrong}`, { inventory, limit: 'lb1' })).to.deep.equal([
      'p.yml:4:31 controller_url is not a URL: "htp://y" (on lb1) — it looks like https://lb1.example.com:8443',
    ]);
  });

  describe('in the arguments of tasks for the vendor', () => {
    const inventory = 'all: { hosts: { lb1: } }\n';
    const local = (text: string, credentials: string) =>
      refused(
        `- hosts: localhost\n  vars: { credentials: ${credentials} }\n  tasks:\n${text.replace(/^/gm, '    ')}\n`,
        {
          inventory,
        },
      );
    const pool = '- avi_pool: { name: web, avi_credentials: "{{ credentials }}" }';

    it('are reported at the task, once for tasks with equal arguments', async () => {
      const bad = '{ controller: "lb1.example.com/api", username: admin, api_version: newest }';
      expect(await local(`${pool}\n${pool}\n- avi_api_session: { http_method: get, path: pool }`, bad)).to.deep.equal([
        'p.yml:4:17 controller_url must end before /api: "https://lb1.example.com/api" (on localhost) — requests add /api/ themselves',
        'localhost has no controller_password — set it in the inventory, or pass -k',
        'p.yml:4:17 controller_api_version must be three numbers, such as "22.1.3", not "newest" (on localhost)',
      ]);
    });

    it('are accepted if they are complete, also without a version', async () => {
      const good = '{ controller: lb1.example.com, username: admin, password: x }';
      expect(await local(pool, good)).to.deep.equal([]);
      const session = '- avi_api_session: { http_method: get, path: pool, controller: lb1, username: a }';
      expect(await refusedTasks(session, { inventory, check: true })).to.deep.equal([
        'lb1 has no controller_password — set it in the inventory, or pass -k',
      ]);
      const write = session.replace('get', 'post');
      expect(await refusedTasks(write, { inventory, check: true })).to.deep.equal([]);
    });

    it('are not reported if they are unknown before the run', async () => {
      const later =
        '- avi_api_version:\n  register: asked\n  vars: { controller_url: "https://lb1" }\n  ignore_errors: true\n';
      expect(await local(`${later}${pool}`, '{ controller: "{{ asked.obj.name }}" }')).to.deep.equal([]);
    });
  });

  it('are not reported if they may come from facts', async () => {
    const inventory = 'all: { hosts: { lb1: { controller_username: a, controller_api_version: 1.2.3 } } }\n';
    const facts = '- set_fact: { controller_url: "https://lb1", controller_password: x }';
    expect(await refusedTasks(`${facts}\n${speak}`, { inventory })).to.deep.equal([]);
  });

  it('name the environment variable that is not set, and the file that cannot be read', async () => {
    const inventory = `all:
  vars:
    controller_url: "https://{{ inventory_hostname }}{{ lookup('env', 'NO_SUCH_VARIABLE') | mandatory }}.example.com"
    controller_ca_file: /nonexistent/ca.pem
    controller_username: admin
    controller_password: "{{ lookup('env', 'NO_SUCH_VARIABLE') }}"
    controller_api_version: 22.1.3
  hosts: { lb1: , lb2: , lb3: }
`;
    const found = (await refusedTasks('- cloud_present: { name: a }', { inventory })).join('\n');
    expect(found).to.include('controller_ca_file cannot be read').and.include('NO_SUCH_VARIABLE is not set');
    expect(found).to.include('on 3 controllers: lb1, lb2, lb3');
  });

  it('name the environment variable of each of two empty variables', async () => {
    const inventory = `all:
  vars:
    controller_url: "https://{{ inventory_hostname }}.example.com"
    controller_username: "{{ lookup('env', 'NO_SUCH_USER') }}"
    controller_password: "{{ lookup('env', 'NO_SUCH_PASSWORD') }}"
    controller_api_version: 22.1.3
  hosts: { lb1: , lb2: }
`;
    const each = 'is not set (on 2 controllers: lb1, lb2)';
    const found = await refusedTasks('- cloud_present: { name: a }', { inventory });
    expect(found.map((one) => one.split(' — ')[0])).to.deep.equal([
      `inv.yml:4:26 controller_username is empty: the environment variable NO_SUCH_USER ${each}`,
      `inv.yml:5:26 controller_password is empty: the environment variable NO_SUCH_PASSWORD ${each}`,
    ]);
  });
});
