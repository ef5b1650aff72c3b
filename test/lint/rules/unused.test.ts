import { expect } from 'chai';
import { found, foundIn } from '../../rig/rule.js';

function handlers(notify: string, list: string): string {
  return `- name: x\n  hosts: all\n  tasks:\n    - name: y\n      fail:\n      notify: ${notify}\n  handlers:\n${list.replace(/^(?=.)/gm, '    ')}\n`;
}

describe('unused-handler', () => {
  it('finds what nothing notifies', async () => {
    expect(
      await found(
        'unused-handler',
        handlers('A', '- {name: A, debug: }\n- {name: B, debug: }\n- {listen: c, debug: }'),
      ),
    ).to.deep.equal([
      'site.yml:9:14 nothing notifies the handler "B" — name it in the "notify" of a task, or remove it',
      'site.yml:10:7 nothing notifies the topic "c" — name it in the "notify" of a task, or remove it',
    ]);
  });

  const fine: readonly (readonly [why: string, playbook: string])[] = [
    ['topics', handlers('c', '- {name: A, listen: c, debug: }')],
    ['handlers that notify each other', handlers('A', '- {name: A, debug: , notify: B}\n- {name: B, debug: }')],
    ['notifications with templates', handlers("'{{ n }}'", '- {name: A, debug: }')],
    ['names with templates', handlers('A b', "- {name: 'A {{ n }}', debug: }")],
  ];
  for (const [why, playbook] of fine) {
    it(`allows ${why}`, async () => expect(await found('unused-handler', playbook)).to.deep.equal([]));
  }

  it('reports nothing if there are includes that cannot be followed yet', async () => {
    const playbook = `- name: x\n  hosts: all\n  tasks: [{include_tasks: '{{ f }}.yml'}]\n  handlers: [{name: A, debug: }]`;
    expect(await found('unused-handler', playbook)).to.deep.equal([]);
  });

  it('looks into included files', async () => {
    const playbook = `- name: x\n  hosts: all\n  tasks: [{include_tasks: more.yml}]\n  handlers: [{name: A, debug: }]`;
    expect(await found('unused-handler', playbook, { 'more.yml': '- {debug: , notify: A}' })).to.deep.equal([]);
    expect(await found('unused-handler', playbook, { 'more.yml': '- {debug: }' })).to.have.length(1);
  });
});

describe('duplicate-handler', () => {
  it('finds the second of a name in one list', async () => {
    expect(await found('duplicate-handler', handlers('A', '- {name: A, debug: }\n- {name: A, fail: }'))).to.deep.equal([
      'site.yml:9:14 this handler never runs: "A" at site.yml:8:7 has the same name — give each a unique name; several can "listen" to one topic',
    ]);
  });

  it('finds that of a role, because the one of the play runs', async () => {
    const playbook = `- name: x\n  hosts: all\n  roles: [one]\n  tasks: [{debug: , notify: A}]\n  handlers: [{name: A, debug: }]\n`;
    const files = { 'roles/one/handlers/main.yml': '- {name: A, fail: }\n' };
    expect(await found('duplicate-handler', playbook, files)).to.deep.equal([
      'site.yml:5:21 the handler "A" at roles/one/handlers/main.yml:1:3 never runs: this one has the same name — give each a unique name; several can "listen" to one topic',
    ]);
  });

  it('allows those that a topic notifies', async () => {
    const list = '- {name: A, listen: c, debug: }\n- {name: A, listen: d, fail: }';
    expect(await found('duplicate-handler', handlers('[c, d]', list))).to.deep.equal([]);
    expect(await found('duplicate-handler', handlers('[A, c]', list))).to.have.length(1);
  });
});

describe('unused-register', () => {
  it('finds results that nothing looks at', async () => {
    expect(await foundIn('unused-register', '- name: About r\n  debug: {msg: r}\n  register: r')).to.deep.equal([
      'warning: site.yml:5:17 nothing uses "r" — remove the "register", or use what it holds',
    ]);
  });

  const uses = [
    "- debug: {msg: '{{ r.x }}'}",
    "- debug: {msg: '{{#each r.list}}{{this}}{{/each}}'}",
    "- debug: {msg: '{% if r.x %}a{% endif %}'}",
    '- debug: {var: r}',
    '- assert: {that: [r is changed]}',
    '- debug:\n  when: r.x',
    '- meta: noop\n  when: r.x',
    '- debug: {msg: \'{{ lookup("vars", name) }}\'}',
  ];
  for (const use of uses) {
    it(`accepts ${JSON.stringify(use)}`, async () => {
      expect(await foundIn('unused-register', `- debug:\n  register: r\n${use}`)).to.deep.equal([]);
    });
  }

  it('accepts until, and variables that are rendered later', async () => {
    expect(await foundIn('unused-register', '- debug:\n  register: r\n  until: r.x')).to.deep.equal([]);
    const files = { 'inventory/group_vars/all.yml': "a: '{{ r.x }}'" };
    expect(await foundIn('unused-register', '- debug:\n  register: r', files)).to.deep.equal([]);
  });
});

describe('undefined-variable', () => {
  const OWN = {
    'vars/x.yml': 'x: 1\n',
    'modules/own.mjs': `export default {
  type: 'action', name: 'own', summary: '', examples: [], check: true, args: { type: 'object', properties: {} },
  run: () => ({ status: 'ok' }),
};
`,
  };
  const UNKNOWN = 'if it is passed with -e, pass the same -e to lint; otherwise define it, or write "| default(…)"';

  it('finds misspelled variables, and warns of the rest', async () => {
    const tasks = `- debug: {msg: '{{ sity }} {{ other.x }}'}\n  vars: {site: a}\n  when: tset`;
    const files = { 'inventory/group_vars/all.yml': 'test: true\n' };
    expect(await foundIn('undefined-variable', tasks, files)).to.deep.equal([
      'site.yml:3:20 nothing defines the variable "sity" — did you mean "site"?',
      `warning: site.yml:3:20 nothing defines the variable "other" — ${UNKNOWN}`,
      'site.yml:5:13 nothing defines the variable "tset" — did you mean "test"?',
    ]);
  });

  it('looks at variables too', async () => {
    const files = { 'inventory/group_vars/all.yml': "domain: x\nfull: 'a.{{ domian }}'\n" };
    expect(await foundIn('undefined-variable', '- debug:', files)).to.deep.equal([
      'inventory/group_vars/all.yml:2:7 nothing defines the variable "domian" — did you mean "domain"?',
    ]);
  });

  it('finds misspelled variables in statements', async () => {
    const tasks = `- debug: {msg: '{% for one in sites if onne %}{{ one }}{% endfor %}'}\n  vars: {sites: [a]}`;
    expect((await foundIn('undefined-variable', tasks)).map((one) => one.split(' — ')[0])).to.deep.equal([
      'warning: site.yml:3:20 nothing defines the variable "onne"',
    ]);
  });

  const fine = [
    "- debug: {msg: '{{ a | default(1) }}'}",
    '- debug: {var: a}\n  when: a is defined',
    '- debug: {var: a}\n  when: a is undefined',
    "- debug: {msg: '{{ a | d(1) }}'}",
    "- debug: {msg: '{{ first_found([a, b]) }}'}",
    "- debug: {msg: '{{ inventory_hostname }} {{ ansible_anything }} {{ groups.all }}'}",
    "- debug: {msg: '{{ item }} {{ n }}'}\n  loop: [1]\n  loop_control: {index_var: n}",
    "- debug:\n  register: a\n- debug: {msg: '{{ a.msg }}'}",
    "- set_fact: {a: 1}\n- debug: {msg: '{{ a }}'}",
    "- debug: {msg: '{{#each groups.all as |one|}}{{one}}{{/each}}'}",
    "- debug: {msg: '{% for one, two in groups.items() %}{{loop.index}}{{one}}{% set n = two %}{{n}}{% endfor %}'}",
    "- debug: {msg: '{% set ns = namespace(n=1) %}{% set ns.n = 2 %}{{ns.n}}{% set x %}{% endset %}{% with y = 1 %}{{x}}{{y}}{% endwith %}'}",
    `- debug: {msg: '{{ env "HOME" }}'}`,
    `- debug: {msg: '{{ vars.a }} {{ vars["b"] }} {{ vars["b_" ~ inventory_hostname] }}'}`,
    "- debug: {msg: '{{ a }}'}\n  when: \"'a' in vars\"",
    "- debug: {msg: '{{ b }}'}\n  vars: {b: '{{ a }}'}\n  when: a is defined",
    "- include_tasks: '{{ a }}.yml'",
  ];
  for (const tasks of fine) {
    it(`accepts ${JSON.stringify(tasks)}`, async () => {
      expect(await foundIn('undefined-variable', tasks)).to.deep.equal([]);
    });
  }

  it('knows the variables of a role that is included with "public"', async () => {
    const files = { 'roles/constants/defaults/main.yml': 'site: x\n', 'roles/constants/vars/main.yml': 'mtu: 1\n' };
    const use = "\n- debug: {msg: '{{ site }} {{ mtu }}'}";
    const tasks = '- include_role: {name: constants}\n- include_role: {name: constants, public: true}';
    expect(await foundIn('undefined-variable', tasks + use, files)).to.deep.equal([]);
    expect(await foundIn('undefined-variable', `- include_role: {name: constants}${use}`, files)).to.have.length(2);
  });

  it('knows what the conditions of an include test', async () => {
    const files = { 'more.yml': "- debug: {msg: '{{ a }}'}\n- block: [{debug: {msg: '{{ a }}{{ b }}'}}]\n" };
    const tasks = '- include_tasks: more.yml\n  when: a is defined';
    expect((await foundIn('undefined-variable', tasks, files)).map((one) => one.split(' — ')[0])).to.deep.equal([
      'warning: more.yml:2:25 nothing defines the variable "b"',
    ]);
  });

  it('finds nothing if one of several tasks may set any variable', async () => {
    const gone = "- debug: {msg: '{{ gone }}'}\n";
    for (const other of ["- set_fact: {'{{ item }}': 1}\n  loop: [a]", '- include_vars: {dir: vars}', '- own:'])
      for (const tasks of [`${gone}${other}`, `${other}\n${gone}`])
        expect(await foundIn('undefined-variable', tasks, OWN), tasks).to.deep.equal([]);
    for (const other of ['- set_fact: {a: 1}', '- cloud_present: {name: a}', '- ping:'])
      expect(await foundIn('undefined-variable', `${gone}${other}`, OWN), other).to.have.length(1);
  });

  it('finds nothing without an inventory', async () => {
    const files = { 'evenkeel.yml': '' };
    expect(await foundIn('undefined-variable', "- debug: {msg: '{{ a }}'}", files)).to.deep.equal([]);
  });
});
