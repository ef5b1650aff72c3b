import { expect } from 'chai';
import { found, foundIn } from '../../rig/rule.js';

/** Without hints and, in `site.yml`, without the file. */
const short = (all: readonly string[]): readonly string[] =>
  all.map((one) => (one.split(' — ')[0] ?? '').replace(/^(warning: )?site.yml:/, '$1'));

async function cases(
  rule: string,
  all: readonly (readonly [playbook: string, found: readonly string[]])[],
): Promise<void> {
  for (const [playbook, expected] of all) expect(short(await found(rule, playbook)), playbook).to.deep.equal(expected);
}

const play = (hosts: string, tasks: string, handlers = ''): string =>
  `- name: x\n  hosts: ${hosts}\n  tasks: [${tasks}]\n${handlers === '' ? '' : `  handlers: [${handlers}]\n`}`;

describe('rules about handlers', () => {
  const [a, b] = ['{ name: A, fail: }', '{ name: B, fail: }'];
  const notify = (...names: readonly string[]): string => `{ debug: , notify: [${names.join(', ')}] }`;

  it('look at each play for itself: a name may be used in several', async () => {
    await cases('duplicate-handler', [
      [play('all', '', a) + play('all', '', a), []],
      [play('all', '', `${a}, { fail: , listen: t }, { fail: , listen: t }, ${b}`), []],
      [
        play('all', '', `${a}, ${b}, ${a}, ${a}`),
        [
          '4:62 this handler never runs: "A" at site.yml:4:14 has the same name',
          '4:82 this handler never runs: "A" at site.yml:4:14 has the same name',
        ],
      ],
    ]);
    await cases('unused-handler', [
      [play('all', notify('A'), a) + play('all', notify('B'), `${a}, ${b}`), ['8:22 nothing notifies the handler "A"']],
      [play('all', notify('A'), `{ name: A, fail: , notify: B }, ${b}`), []],
      [play('all', notify('t'), `{ name: A, fail: , listen: [s, t] }`), []],
      [play('all', '', `{ fail: , listen: [s, t] }`), ['4:14 nothing notifies the topic "s", "t"']],
      [play('all', '', `{ fail: }`), ['4:14 nothing notifies this handler: it has no name']],
    ]);
  });

  it('tell handlers of several roles apart by the name of the role, unless the plain name is notified', async () => {
    const roles = (tasks: string) =>
      found('duplicate-handler', '- name: x\n  hosts: all\n  roles: [one, two]\n', {
        'roles/one/tasks/main.yml': tasks,
        'roles/one/handlers/main.yml': '- { name: Same, fail: }\n',
        'roles/two/handlers/main.yml': '- { name: Same, fail: }\n',
      });
    expect(await roles('- { debug: , notify: "one : Same" }\n')).to.deep.equal([]);
    expect(short(await roles('- { debug: , notify: Same }\n'))).to.deep.equal([
      'roles/two/handlers/main.yml:1:11 the handler "Same" at roles/one/handlers/main.yml:1:3 never runs: this one has the same name',
    ]);
  });

  it('find work that follows a change, but not of a loop, in a handler, after another task, or that only talks', async () => {
    const write = (more = '') => `{ cloud_present: { name: a }, register: r${more} }`;
    const then = (when: string, task = 'system_config: {}') => `{ ${task}, when: ${when} }`;
    const at = (column: number) => [`warning: 3:${column} this task runs only after a change of the one before it`];
    const fine = [
      `${write(', loop: [1]')}, ${then('r is changed')}`,
      `${write()}, { debug: }, ${then('r is changed')}`,
      ...['r.changed.x', 'r.other', 'r.x is changed'].map((when) => `${write()}, ${then(when)}`),
      ...['fail: ', 'assert: { that: a }', 'set_fact: { a: 1 }', 'pause: { seconds: 1 }'].map(
        (task) => `${write()}, ${then('r is changed', task)}`,
      ),
    ];
    await cases('no-handler', [
      [play('all', `${write()}, ${then('r is change')}`), at(83)],
      [fine.map((tasks) => play('all', tasks)).join(''), []],
    ]);
  });
});

describe('rules about what a task hides', () => {
  it('need a reason for each, on its line, at its task, or above', async () => {
    const hidden = (tasks: string) =>
      foundIn('ignore-errors', tasks).then((all) => all.map((one) => one.split(' ').slice(0, 2).join(' ')));
    expect(await hidden('- fail:\n  failed_when: false\n  ignore_errors: true')).to.deep.equal([
      'site.yml:4:20 "failed_when:',
      'site.yml:5:22 "ignore_errors"',
    ]);
    const tasks = [
      '- fail:\n  failed_when: [false, r.x]',
      '- fail:\n  failed_when: [true, r.x]',
      '- fail: # why\n  failed_when: false',
      '- fail:\n  # noqa\n  failed_when: false',
      '- fail:\n  failed_when: false # noqa',
      '# why\n\n- fail:\n  failed_when: false',
    ];
    expect(await hidden(tasks.join('\n'))).to.deep.equal(
      [4, 11, 17].map((line) => `site.yml:${line}:20 "failed_when:`).with(0, 'site.yml:4:21 "failed_when:'),
    );
  });

  it('find writes in check mode only where they are certain', async () => {
    const off = (task: string) => `- ${task}\n  check_mode: false`;
    expect(await foundIn('check-mode-off', off('api_request: { path: /api/a, method: POST }'))).to.have.length(1);
    const fine = [
      'api_request: { path: /api/a, method: GET }',
      "api_request: { path: /api/a, method: '{{ m }}' }",
      "api_request: '{{ all }}'",
      'wait_for: { port: 1 }',
    ];
    expect(await foundIn('check-mode-off', fine.map(off).join('\n'))).to.deep.equal([]);
  });

  it('find raw writes that always count as changes, but not in handlers', async () => {
    const write = (method: string, more = '') => `- api_request: { path: /api/a, method: ${method} }${more}`;
    const methods = ['POST', 'PUT', 'PATCH', 'DELETE'];
    const each = methods.map((method) => write(method)).join('\n');
    expect(short(await foundIn('no-changed-when', each))).to.deep.equal(
      methods.map((method, at) => `${at + 3}:44 this ${method} is sent on every run, and always reported as changed`),
    );
    expect(
      await foundIn('no-changed-when', `${write('GET')}\n${write('POST', '\n  changed_when: r.x')}`),
    ).to.deep.equal([]);
    expect(
      await found(
        'no-changed-when',
        play('all', '{ debug: , notify: A }', '{ name: A, api_request: { path: /api/a, method: PUT } }'),
      ),
    ).to.deep.equal([]);
  });
});

describe('rules about texts and connections', () => {
  it('find numbers and booleans where a message is meant, each with its place', async () => {
    expect(
      await foundIn(
        'unquoted-text',
        "- debug: { msg: 1.10 }\n- fail: { msg: no }\n- debug: { msg: '1.10' }\n- debug: { verbosity: 1 }",
      ),
    ).to.deep.equal([
      'warning: site.yml:3:21 "msg" is the number 1.1, not text — put it in quotes',
      'warning: site.yml:4:20 "msg" is the boolean false, not text — put it in quotes',
    ]);
  });

  it('find each setting that gives passwords away, unless a comment says why', async () => {
    const EAVESDROPPED = 'anyone on the network path can read the password';
    const variables = (text: string) =>
      found('insecure-connection', '- hosts: all\n  tasks: []\n', { 'inventory/group_vars/all.yml': text });
    const hint = 'name the authority in "controller_ca_file" instead, or write the reason in a comment above';
    const at = (line: number, name: string, harm: string) =>
      `inventory/group_vars/all.yml:${line} "${name}": ${harm}, and nothing says why — ${hint}`;
    expect(
      await variables('controller_verify_tls: no\nansible_httpapi_validate_certs: "false"\ncontroller_allow_http: 1\n'),
    ).to.deep.equal([
      at(1, 'controller_verify_tls: false', EAVESDROPPED).replace('yml:1 ', 'yml:1:24 '),
      at(2, 'ansible_httpapi_validate_certs: false', EAVESDROPPED).replace('yml:2 ', 'yml:2:33 '),
      at(3, 'controller_allow_http: 1', 'the password may be sent unencrypted').replace('yml:3 ', 'yml:3:24 '),
    ]);
    expect(await variables('controller_verify_tls: yes\ncontroller_allow_http: false\n')).to.deep.equal([]);
    expect(await variables("controller_verify_tls: '{{ x }}'\ncontroller_allow_http: [true]\n")).to.deep.equal([]);
    expect(
      await variables('controller_verify_tls: false # a lab\n# the old ones\ncontroller_allow_http: true\n'),
    ).to.deep.equal([]);
  });
});

describe('rules about variables', () => {
  it('know those of prompts, loops, facts, other plays, and what a task may set itself', async () => {
    const fine = [
      "- name: x\n  hosts: all\n  vars_prompt: [{ name: a }]\n  tasks: [{ debug: { msg: '{{ a }}' } }]\n",
      "- name: x\n  hosts: all\n  tasks: [{ add_host: { name: n, own: 1 } }, { debug: { msg: '{{ own }}' } }]\n",
      "- name: x\n  hosts: all\n  tasks: [{ block: [{ debug: { msg: '{{ one }}' } }], vars: { one: 1 } }]\n",
      "- name: x\n  hosts: all\n  tasks: [{ debug: , register: r }]\n- name: y\n  hosts: all\n  handlers: [{ name: h, debug: { msg: '{{ r }}' } }]\n",
      "- name: x\n  hosts: all\n  tasks: [{ set_fact: { '{{ n }}': 1 } }, { debug: { msg: '{{ any }}' } }]\n",
      "- name: x\n  hosts: all\n  vars_files: ['{{ f }}.yml']\n  tasks: [{ debug: { msg: '{{ any }}' } }]\n",
      "- name: x\n  hosts: all\n  tasks: [{ include_vars: more.yml }, { debug: { msg: '{{ any }}' } }]\n",
      "- name: x\n  hosts: all\n  tasks: [{ debug: { msg: '{{ a }}' }, when: a is defined }]\n",
    ];
    for (const playbook of fine)
      expect(await found('undefined-variable', playbook, { 'more.yml': 'x: 1\n' }), playbook).to.deep.equal([]);
    const handler =
      "- name: x\n  hosts: all\n  handlers: [{ name: h, debug: { msg: '{{ gone }}' } }]\n  tasks: [{ debug: { msg: '{{ a is defined }}' } }, { debug: { msg: '{{ a }}' } }]\n";
    expect(short(await found('undefined-variable', handler))).to.deep.equal([
      'warning: 3:39 nothing defines the variable "gone"',
      'warning: 4:69 nothing defines the variable "a"',
    ]);
  });

  it('find each result that nothing uses, also of handlers', async () => {
    const text = `- name: x
  hosts: all
  tasks: [{ debug: , register: a }, { debug: { msg: '{{ b.x }}' }, register: c }, { debug: , register: b, changed_when: c.x }]
  handlers: [{ name: h, debug: , register: d }]
`;
    expect(short(await found('unused-register', text))).to.deep.equal([
      'warning: 3:32 nothing uses "a"',
      'warning: 4:44 nothing uses "d"',
    ]);
  });

  it('find a loop within blocks and includes that hides one further out', async () => {
    const files = {
      'more.yml': '- block: [{ debug: , loop: [b] }]\n- { debug: , loop: [c], loop_control: { loop_var: other } }\n',
    };
    expect(short(await foundIn('loop-variable', '- include_tasks: more.yml\n  loop: [a]', files))).to.deep.equal([
      'more.yml:1:28 "item" is also the variable of the loop around this one, at site.yml:4:13; it hides the outer item here',
    ]);
  });
});
