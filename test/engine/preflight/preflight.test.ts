import { expect } from 'chai';
import { foreseen, INVENTORY, refused, refusedTasks, tasks, type RefusalOptions } from '../../rig/refused_run.js';

const ABSENT = '- debug: { msg: "{{absent}}" }\n';
const ONE = { limit: 'lb1' };

/** Whether a task after these ones, whose variable is not defined, is refused, and what else is. */
async function after(text: string, options: RefusalOptions = ONE): Promise<readonly string[]> {
  const lines = text.trimEnd().split('\n').length;
  const found = await refusedTasks(`${text.trimEnd()}\n${ABSENT}`, options);
  return found.map((one) =>
    one.startsWith(`p.yml:${lines + 3}:21 variable "absent" is not defined`) ? 'refused' : one,
  );
}

/** What needs an answer of the controller. */
const ASK = '- api_request: { path: /api/x }\n  register: r\n';

describe('what follows a step is certain to fail', () => {
  const certain: Readonly<Record<string, string>> = {
    'if that is an action which only returns values': `${ASK}- debug:\n  register: q`,
    'if that is a resource': '- cloud_present: { name: a }\n  register: c',
    'if that is an action of the collection': '- avi_api_session: { http_method: get, path: cluster }\n  register: c',
    'if that sets another fact': '- set_fact: { other: 1 }',
    'if that may set anything and is skipped': '- include_vars: later.yml\n  when: false',
    'if that would set it and is skipped': '- set_fact: { absent: 1 }\n  when: false',
    'if that would set it for 50 items, and all are skipped':
      '- set_fact: { absent: "{{ item }}" }\n  loop: "{{ range(50) }}"\n  when: false',
    'if a block was rescued': '- block: [{ fail: { msg: x } }]\n  rescue: [{ debug: }]',
    'if that loops over a list without items': '- set_fact: { absent: 1 }\n  loop: []',
    'if that is skipped, whatever it loops over': '- set_fact: { absent: 1 }\n  loop: "{{ nothing }}"\n  when: false',
    'if that is a block which is skipped, whatever it loops over':
      '- block: [{ set_fact: { absent: 1 } }]\n  loop: "{{ nothing }}"\n  when: false',
    'if the loop of a block has 50 rounds': '- block: [{ debug: { msg: "{{ item }}" } }]\n  loop: "{{ range(50) }}"',
    'if that includes a file which sets something else, or nothing': `${ASK}- include_tasks: other.yml\n  when: r is changed\n- include_tasks: empty.yml`,
    'if that is an end that does not come': '- meta: end_host\n  when: false\n- meta: end_play\n  when: zone == "none"',
    'if a role ended, or may have ended': '- import_role: { name: ending }\n- include_role: { name: ending }',
    'if that includes a role whose handlers set something else': '- include_role: { name: quiet }',
    'if that does not end anything': '- meta: noop\n- meta: flush_handlers',
    'if an assertion holds': '- assert: { that: [zone == "a", true] }',
    'if that is ignored': '- fail: { msg: x }\n  ignore_errors: true',
    'if it ignores nothing': '- debug: { msg: "{{ zone }}" }\n  ignore_errors: false',
  };
  const files = {
    'other.yml': '- set_fact: { other: 1 }\n',
    'empty.yml': '[]\n',
    'set.yml': '- set_fact: { absent: 1 }\n',
    'roles/ending/tasks/main.yml': `${ASK}- meta: end_role\n  when: r is changed\n- meta: end_role\n${ABSENT}`,
    'roles/quiet/handlers/main.yml': '- name: note\n  debug:\n',
  };
  for (const [title, text] of Object.entries(certain))
    it(title, async () => {
      expect(await after(text, { ...ONE, files })).to.deep.equal(['refused']);
    });

  const open: Readonly<Record<string, string>> = {
    'that sets a fact whose name is a template': '- set_fact: { "{{ zone }}": 1 }',
    'that sets facts from one variable': '- set_fact: "{{ facts }}"\n  vars: { facts: { b: 1 } }',
    'that groups controllers': '- group_by: { key: x }',
    'that adds a controller': '- add_host: { name: x }',
    'that may set it for the 51st item': '- set_fact: { absent: 1 }\n  loop: "{{ range(51) }}"\n  when: item > 49',
    'that one controller carries out for all':
      '- set_fact: { absent: 1 }\n  run_once: true\n  when: inventory_hostname == "lb9"',
    'whose block has more rounds than are looked at':
      '- block: [{ debug: { msg: "{{ item }}" } }]\n  loop: "{{ range(51) }}"',
    'whose block has a loop that only the run knows': `${ASK}- block: [{ debug: }]\n  loop: "{{ r.json }}"`,
    'that may include a file which sets it': `${ASK}- include_tasks: set.yml\n  when: r is changed`,
    'that may include a file which is not there': `${ASK}- include_tasks: "{{ 'none' }}.yml"\n  when: r is changed`,
    'that may include a role with variables': `${ASK}- include_role: { name: web, public: true }\n  when: r is changed`,
    'that includes a role whose handlers may set it': '- include_role: { name: handled }',
    'that includes itself more often than is followed': '- include_tasks: self.yml\n  vars: { depth: 1 }',
    'that ends the controller': '- meta: end_host',
    'that may end the controller': `${ASK}- meta: end_host\n  when: r is changed`,
    'that ends the batch': '- meta: end_batch',
    'that fails': '- assert: { that: [true, zone == "none"] }',
    'that asserts something undefined': '- assert: { that: nothing_here is defined and nothing_here }',
    'that fails within a block, whose "always" still runs': '- block: [{ fail: { msg: x } }]\n  always: [{ debug: }]',
    'that is expected to fail by a rescue around':
      '- block: [{ block: [{ debug: { msg: "{{absent}}" } }] }]\n  rescue: [{ fail: { msg: x } }]\n- fail: { msg: x }',
  };
  for (const [title, text] of Object.entries(open))
    it(`is not said of what follows a step ${title}`, async () => {
      const more = {
        'self.yml': '- include_tasks: self.yml\n  when: depth < 30\n',
        'roles/web/defaults/main.yml': 'b: 1\n',
        'roles/handled/handlers/main.yml': '- name: note\n  set_fact: { absent: 1 }\n',
      };
      expect(await after(text, { ...ONE, files: { ...files, ...more } })).to.deep.equal([]);
    });

  it('also if a variable of the same name is registered before by what is skipped', async () => {
    expect(await after('- debug:\n  register: absent\n  when: false')).to.deep.equal([]);
  });

  it('unless another controller may have ended the play for all', async () => {
    const two = { limit: 'lb1,lb2' };
    const ending = (action: string) => after(`- meta: ${action}\n  when: inventory_hostname == "lb1"`, two);
    expect(await ending('end_host')).to.deep.equal(['refused']);
    expect(await ending('end_play')).to.deep.equal([]);
    expect(await ending('end_batch')).to.deep.equal([]);
    const around = (go: boolean) => after(`- { block: [{ meta: end_host, when: go }], vars: { go: ${go} } }`);
    expect(await around(false)).to.deep.equal(['refused']);
    expect(await around(true)).to.deep.equal([]);
  });

  it('also in the checks of its gate, unless the controller may have left', async () => {
    const gated = (task: string) =>
      refused(`- hosts: lb1\n  gate: { checks: [{ debug: { msg: "{{absent}}" } }] }\n  tasks: [{ ${task} }]\n`);
    expect(await gated('debug: ')).to.have.length(1);
    expect(await gated('meta: end_host')).to.deep.equal([]);
  });

  it('also in what such checks include, whatever the tags of the run', async () => {
    const text =
      '- hosts: lb1\n  gate: { checks: [{ include_tasks: check.yml }] }\n  tasks: [{ debug: , tags: x }, { debug: }]\n';
    const files = { 'check.yml': '- debug: { msg: "{{absent}}" }\n' };
    for (const selection of [{ tags: ['x'] }, { skipTags: ['x'] }])
      expect(await refused(text, { files, ...selection })).to.have.length(1);
  });

  it('unless handlers may end the play when they are flushed', async () => {
    const notifying = '    - debug:\n      changed_when: true\n      notify: h\n    - meta: flush_handlers\n';
    const play = (handler: string) =>
      refused(`- hosts: lb1\n  tasks:\n${notifying}    ${ABSENT}  handlers: [{ name: h, ${handler} }]\n`, { files });
    expect(await play('meta: end_host')).to.deep.equal([]);
    expect(await play('meta: end_play')).to.deep.equal([]);
    expect(await play('include_tasks: other.yml')).to.deep.equal([]);
    expect(await play('meta: noop')).to.have.length(1);
    expect(await play('debug: ')).to.have.length(1);
  });

  it('in a rescue and behind it only as far as the block may have failed', async () => {
    const block = (rescue: string, more = '') => after(`- block: [{ debug: }]\n  rescue: [{ ${rescue} }]${more}`);
    expect(await block('debug: { msg: "{{ nothing }}" }')).to.deep.equal(['refused']);
    expect(await block('fail: { msg: x }')).to.deep.equal(['refused']);
    expect(await block('set_fact: { absent: 1 }')).to.deep.equal([]);
    expect(await block('debug: ', '\n  always: [{ debug: { msg: "{{ nothing }}" } }]')).to.deep.equal([
      'p.yml:5:32 variable "nothing" is not defined (on lb1)',
      'refused',
    ]);
  });
});

describe('a step that certainly fails', () => {
  const found: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'a controller to delegate to',
      '- debug:\n  delegate_to: "{{ nobody }}"',
      ['4:20 variable "nobody" is not defined'],
    ],
    [
      'the loop of a block',
      '- block: [{ debug: }]\n  loop: "{{ nothing }}"',
      ['4:13 variable "nothing" is not defined'],
    ],
    [
      'a round of a block',
      '- block: [{ debug: { msg: "{{ item.b }}" } }]\n  loop: [{ b: 1 }, { c: 1 }]',
      ['3:31 "item" has no "b": it is a mapping with c'],
    ],
    [
      'a file that is missing',
      `- include_tasks: "{{ 'none' }}.yml"`,
      ['3:22 there is no file "none.yml" (looked in .; on lb1)'],
    ],
    [
      'the last of 50 items',
      '- debug: { msg: "{{ nothing }}" }\n  loop: "{{ range(50) }}"\n  when: item == 49',
      ['3:21 variable "nothing" is not defined'],
    ],
    ['a task of a nested include', '- include_tasks: a.yml', ['b.yml:1:17 variable "absent" is not defined']],
  ];
  const files = {
    'a.yml': '- include_tasks: b.yml\n',
    'b.yml': ABSENT,
    'tagged.yml': `${ABSENT}  tags: x\n- debug: { msg: "{{ nothing }}" }\n`,
  };
  for (const [title, text, expected] of found)
    it(`is one because of ${title}`, async () => {
      const said = await refusedTasks(text, { ...ONE, files });
      expect(said.map((one) => one.replace(/ — .*$/, ''))).to.deep.equal(
        expected.map((one) => `${/^\d/.test(one) ? 'p.yml:' : ''}${one}${one.endsWith(')') ? '' : ' (on lb1)'}`),
      );
    });

  for (const [title, text] of Object.entries({
    'an argument': '- debug: { msg: "{{ zone | to_datetime }}" }',
    'a loop': '- debug:\n  loop: "{{ zone | to_datetime }}"',
    'an included file': '- include_tasks: "{{ zone | to_datetime }}"',
    'the loop of a block': '- block: [{ debug: }]\n  loop: "{{ zone | to_datetime }}"',
    'the connection': '- avi_pool: { name: a, avi_credentials: { controller: "{{ zone | to_datetime }}" } }',
  }))
    it(`says nothing of it if that has no_log: ${title}`, async () => {
      const [said, ...others] = await refusedTasks(`${text}\n  no_log: true`, ONE);
      expect(others).to.deep.equal([]);
      expect(said).to.equal('p.yml:3:7 this fails, and no_log hides why (on lb1) — see why with no_log: false');
    });

  for (const [title, text] of Object.entries({
    'a controller to delegate to of what is skipped': '- debug:\n  delegate_to: "{{ nobody }}"\n  when: false',
    'a loop of what is skipped': '- debug: { msg: "{{ item }}" }\n  loop: "{{ nothing }}"\n  when: false',
    'a loop of what may be skipped': `${ASK}- debug: { msg: "{{ item }}" }\n  loop: "{{ nothing }}"\n  when: r is changed`,
    'the 51st of the items': '- debug: { msg: "{{ nothing }}" }\n  loop: "{{ range(51) }}"\n  when: item == 50',
    'the loop of a block within a block that is rescued':
      '- block: [{ block: [{ debug: }], loop: "{{ nothing }}" }]\n  rescue: [{ debug: }]',
    'the loop of a block that is skipped': '- block: [{ debug: }]\n  loop: "{{ nothing }}"\n  when: false',
    'the loop of a block that may be skipped': `${ASK}- block: [{ debug: }]\n  loop: "{{ nothing }}"\n  when: r is changed`,
    'the loop of a block after the end': '- meta: end_host\n- block: [{ debug: }]\n  loop: "{{ nothing }}"',
    'a file that may be included': `${ASK}- include_tasks: "{{ 'none' }}.yml"\n  when: r is changed`,
  }))
    it(`is none because of ${title}`, async () => {
      expect(await refusedTasks(text, { ...ONE, files })).to.deep.equal([]);
    });

  it('is selected by its tags also within an include', async () => {
    const include = '- include_tasks: tagged.yml\n  tags: [always]';
    expect(await refusedTasks(include, { ...ONE, files, tags: ['x'] })).to.deep.equal([
      'tagged.yml:1:17 variable "absent" is not defined (on lb1)',
    ]);
    expect(await refusedTasks(include, { ...ONE, files, skipTags: ['x'] })).to.deep.equal([
      'tagged.yml:3:17 variable "nothing" is not defined (on lb1)',
    ]);
  });

  it('is one for all if one controller of the batch runs it, and all would fail', async () => {
    const all = 'p.yml:3:21 variable "absent" is not defined (on 3 controllers: lb1, lb2, lb3)';
    expect(await refusedTasks(`${ABSENT}  run_once: true`)).to.deep.equal([all]);
    expect(await refusedTasks(`${ABSENT}  run_once: true\n  when: zone is defined`)).to.deep.equal([]);
    const other = '- debug: { msg: "{{ none_such }}" }\n  run_once: true\n  when: inventory_hostname != "lb1"\n';
    expect(await refusedTasks(`${other}${ABSENT}  run_once: true`)).to.deep.equal([
      'p.yml:6:21 variable "absent" is not defined (on 3 controllers: lb1, lb2, lb3)',
    ]);
  });

  it('is found in every play, except for controllers that failed in one before', async () => {
    const two = `${tasks('- fail: { msg: x }\n  when: inventory_hostname == "lb1"')}${tasks(ABSENT.trimEnd())}`;
    expect(await refused(two)).to.deep.equal([
      'p.yml:7:21 variable "absent" is not defined (on 2 controllers: lb2, lb3)',
    ]);
    const ended = `${tasks('- meta: end_play')}${tasks(ABSENT.trimEnd())}`;
    expect(await refused(ended)).to.deep.equal([
      'p.yml:6:21 variable "absent" is not defined (on 3 controllers: lb1, lb2, lb3)',
    ]);
    const made = `${tasks('- set_fact: { made: 1 }\n  when: inventory_hostname == "lb1"')}${tasks('- debug: { msg: "{{ made }}" }')}`;
    expect(await refused(made)).to.deep.equal([
      'p.yml:7:21 variable "made" is not defined (on 2 controllers: lb2, lb3)',
    ]);
  });
});

describe('variables of a notification', () => {
  it('are known before, also those of the items of a loop', async () => {
    const task = '- debug: { msg: hi }\n  loop: [a]\n  notify: "restart {{ NAME }}"\n  changed_when: true';
    expect(await refusedTasks(task.replace('NAME', 'item'), ONE)).to.deep.equal([]);
    expect(await refusedTasks(task.replace('NAME', 'itme'), ONE)).to.deep.equal([
      'p.yml:5:15 variable "itme" is not defined (on lb1) — did you mean "item"?',
    ]);
  });
});

describe('variables of a run', () => {
  for (const name of [
    'ansible_play_hosts[9]',
    'ansible_play_batch[9]',
    'play_hosts[9]',
    'vars.nothing',
    'hostvars | length > 99',
    'hostvars.lb2 | length > 99',
    'evenkeel_run_id.x',
  ])
    it(`are known only during the run: ${name}`, async () => {
      expect(await refusedTasks(`- debug: { msg: "{{ ${name} }}" }`, ONE)).to.deep.equal([]);
    });

  for (const [name, message] of [
    ['groups.none', '"groups" has no "none": it is a mapping with all, ungrouped'],
    ['group_names[5]', '"group_names" has no "5": it is a list of 1'],
    ['ansible_play_hosts_all[7]', '"ansible_play_hosts_all" has no "7": it is a list of 1'],
  ] as const)
    it(`are known before, unless the inventory changes: ${name}`, async () => {
      const use = `- debug: { msg: "{{ ${name} }}" }`;
      expect((await refusedTasks(use, ONE)).map((one) => one.replace(/ \(on lb1\)$/, ''))).to.deep.equal([
        `p.yml:3:21 ${message}`,
      ]);
      expect(await refusedTasks(`- group_by: { key: x }\n${use}`, ONE)).to.deep.equal([]);
    });

  for (const [condition, holds] of [
    ['hostvars.lb2.zone == "b"', true],
    ['hostvars.lb2.zone == "a"', false],
    ['hostvars.lb2.typed == "1"', true],
    ['hostvars.lb2.inventory_hostname == "lb2"', true],
    ['hostvars.lb2.hostvars is defined', false],
    ['hostvars.lb2.nothing is defined', false],
    ['hostvars.lb9 is defined', false],
    ['hostvars.localhost is defined', true],
  ] as const)
    it(`of other controllers are known before: ${condition}`, async () => {
      const found = await refusedTasks(`${ABSENT}  when: ${condition}`, { ...ONE, extraVars: ['typed=1'] });
      expect(found).to.have.length(holds ? 1 : 0);
    });

  it('of another controller may be set by its tasks and handlers', async () => {
    const use = (name: string) => `- debug: { msg: "{{ hostvars.lb2.${name} }}" }`;
    const set = `- hosts: lb2\n  tasks: [{ set_fact: { made: 1 } }]\n${tasks(use('made'))}`;
    expect(await refused(set)).to.deep.equal([]);
    const handler = `- hosts: lb2\n  tasks: [{ debug: }]\n  handlers: [{ name: h, set_fact: { made: 1 } }]\n${tasks(use('made'))}`;
    expect(await refused(handler)).to.deep.equal([]);
  });
});

describe('connections before a run', () => {
  const bare = 'all: { hosts: { lb1: { controller_url: "https://lb1" }, lb2: { controller_url: "https://lb2" } } }\n';
  const names = async (text: string, options: RefusalOptions = {}) => {
    const found = await refusedTasks(text, { inventory: bare, ...options });
    return found.map((one) => one.replace(/ — .*$/, '').replace(/.*(controller_\w+)/, '$1'));
  };
  const missing = (where: string) => ['username', 'password', 'api_version'].map((one) => `controller_${one} ${where}`);
  const both = missing('(on 2 controllers: lb1, lb2)');

  it('are checked once for each controller, whatever contacts it first', async () => {
    const pool = '- pool_present: { name: a }\n';
    expect(await names(`${pool}${pool}- api_request: { path: /api/x }`)).to.deep.equal(both);
    expect(await names('- resource_facts: { kind: pool }')).to.deep.equal(both);
    expect(await names('- cloud_absent: { name: a }\n  loop: [1, 2]')).to.deep.equal(both);
  });

  for (const [task, contacts, check = false] of [
    ['api_request: { path: /api/x, method: POST }', true],
    ['api_request: { path: /api/x, method: POST }', false, true],
    ['api_request: { path: /api/x, method: HEAD }', true, true],
    ['avi_api_session: { path: x, http_method: get }', true, true],
    ['avi_api_session: { path: x, http_method: put }', false, true],
    ['api_request: { path: /api/x }', true, true],
    ['api_request: { path: /api/x, method: DELETE }\n  check_mode: false', true, true],
    ['api_request: { path: /api/x, method: DELETE }\n  check_mode: true', false],
    ['api_request: { path: /api/x, method: DELETE }\n  check_mode: "{{ true }}"', false],
    ['api_request: { path: /api/x, method: "{{ how }}" }\n  vars: { how: POST }', false, true],
    ['pool_present: { name: a }', true, true],
    ['avi_api_fileservice: { upload: false, path: a, file_path: "{{ inventory_hostname }}" }', false, true],
    ['avi_api_fileservice: { upload: true, path: a, file_path: p.yml }', true, true],
    ['debug:', false],
    ['debug:', false, true],
  ] as const)
    it(`are ${contacts ? '' : 'not '}needed by ${task.replace(/\n */, ', ')}${check ? ' in check mode' : ''}`, async () => {
      expect(await names(`- ${task}`, { check })).to.deep.equal(contacts ? both : []);
    });

  it('are those of a controller that tasks are delegated to, once', async () => {
    const to = '- pool_present: { name: a }\n  delegate_to: lb2\n';
    expect(await names(`${to}${to}`, { limit: 'lb1' })).to.deep.equal(
      missing('(on lb2)').map((one) => one.replace(' (on lb2)', '')),
    );
    expect(await names(`- pool_present: { name: a }\n  delegate_to: lb9\n`, { limit: 'lb1' })).to.deep.equal([]);
    const site = "- hosts: lb1\n  vars_files: ['{{ site }}.yml']\n  vars: { site: a }\n";
    const play = `${site}  tasks: [{ pool_present: { name: a }, delegate_to: lb2 }]\n`;
    const found = await refused(play, {
      inventory: bare,
      limit: 'lb1',
      files: { 'a.yml': 'controller_username: me\n' },
    });
    expect(found, 'the file may have them').to.deep.equal([]);
  });

  it('are those of a task for each task that has some of its own', async () => {
    const own = (timeout: string) => `- pool_present: { name: a }\n  vars: { controller_timeout: ${timeout} }\n`;
    const wrong = (line: number) =>
      `p.yml:${line}:35 controller_timeout must be a number of at least 0.001 and at most 86400 (on lb1)`;
    expect(await refusedTasks(`${own('x')}${own('20')}${own('y')}`, ONE)).to.deep.equal([wrong(4), wrong(8)]);
    const block = `- block:\n    - pool_present: { name: a }\n    - pool_present: { name: b }\n  vars: { controller_timeout: x }\n`;
    expect(await refusedTasks(block, ONE)).to.have.length(1);
  });

  it('may not have one address, unless only one of them is part of the run', async () => {
    const inventory = INVENTORY.replace('lb2: {', 'lb2: { controller_url: https://lb1.example.com, ');
    const same = /lb1 .* and lb2 .* have the same address/;
    expect((await refusedTasks('- debug:', { inventory })).join()).to.match(same);
    expect((await refusedTasks('- debug:', { inventory, limit: 'lb1,lb3' })).join()).to.match(same);
    expect(await refusedTasks('- debug:', { inventory, limit: 'lb3' })).to.deep.equal([]);
    const shared = inventory.replace('all:\n  vars:\n', 'all:\n  vars:\n    controller_shared: true\n');
    expect(await refusedTasks('- debug:', { inventory: shared })).to.deep.equal([]);
    const play = (vars: string) => `- hosts: lb1,lb2\n  vars: { ${vars} }\n  tasks: [{ debug: }]\n`;
    expect((await refused(play('controller_url: https://x'))).join()).to.match(same);
    expect(await refused(play('other: 1'))).to.deep.equal([]);
  });
});

describe('fields and tenants before a run', () => {
  const avi = INVENTORY.replace(
    'controller_api_version: 22.1.3',
    'controller_api_version: 20.1.1\n    controller_dialect: avi',
  );
  const pool = (more: string) => `- pool_present: { name: web, ${more} }`;

  it('are warned about once for all controllers that do not have the field', async () => {
    const said = async (text: string, options: RefusalOptions = {}) => {
      const { errors, warnings } = await foreseen(tasks(text), { inventory: avi, ...options });
      expect(errors).to.deep.equal([]);
      return warnings;
    };
    const message = '"append_port" exists since version 21.1.1 of the API, and the version here is 20.1.1';
    const hint = 'the controller may refuse or ignore it: leave it out, or change the version';
    expect(await said(pool('append_port: NEVER'))).to.deep.equal([
      `warning: p.yml:3:47 ${message} (on 3 controllers: lb1, lb2, lb3) — ${hint}`,
    ]);
    expect(await said(`${pool('append_port: NEVER')}\n  when: inventory_hostname == "lb2"`)).to.deep.equal([
      `warning: p.yml:3:47 ${message} (on lb2) — ${hint}`,
    ]);
    expect(await said(`${pool('append_port: NEVER')}\n  vars: { controller_api_version: 22.1.3 }`)).to.deep.equal([]);
    expect(await said(`${pool('append_port: NEVER')}\n  delegate_to: lb2`, ONE)).to.deep.equal([]);
    expect(await said(pool('ratio: 3'))).to.deep.equal([]);
  });

  it('must agree: a tenant in a field, and that of the task or the controller', async () => {
    const said = (text: string, options: RefusalOptions = {}) =>
      refusedTasks(text, { inventory: avi, ...ONE, ...options });
    const red = 'tenant_ref: /api/tenant?name=red';
    expect(await said(pool(`tenant: blue, ${red}`))).to.deep.equal([
      'p.yml:3:60 tenant_ref names the tenant "red", but the task names "blue" (on lb1) — name one tenant',
    ]);
    expect(await said(pool(`tenant: red, ${red}`))).to.deep.equal([]);
    expect(await said(`${pool(red)}\n  vars: { controller_tenant: red }`)).to.deep.equal([]);
    expect(await said(`${pool(red)}\n  vars: { controller_tenant: blue }`)).to.have.length(1);
    expect(await said(`${pool(red)}\n  vars: { controller_tenant: blue }\n  delegate_to: lb2`)).to.have.length(1);
    expect(await said(`${pool(red)}\n  vars: { controller_tenant: blue }\n  run_once: true`)).to.deep.equal([]);
  });

  it('cannot come from a module that crashes, or returns none', async () => {
    for (const [code, problem] of [
      ["throw new TypeError('boom')", 'the module reach crashed: boom (on lb1) — it crashed at modules/reach.js:1:NN'],
      [
        'return',
        '"connection" of the module reach returned nothing (on lb1) — it returns the connection variables that the arguments set',
      ],
    ] as const) {
      const parts = `args: { type: 'object' }, summary: 's', examples: [], check: true, connection: () => { ${code}; }, run() {}`;
      const files = { 'modules/reach.js': `export default { type: 'action', name: 'reach', ${parts} };` };
      for (const task of ['reach: {}', 'reach: {}, run_once: true']) {
        const said = await refused(`- hosts: lb1\n  tasks: [{ ${task} }]\n`, { files });
        expect(said.map((one) => one.replace(/\d+$/, 'NN'))).to.deep.equal([`p.yml:2:11 ${problem}`]);
      }
    }
  });
});
