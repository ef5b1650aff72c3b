import { expect } from 'chai';
import { found, foundIn } from '../../rig/rule.js';

describe('misspelt-connection', () => {
  it('reports variables that resemble one, unless something uses them', async () => {
    const files = {
      'inventory/hosts.yml': `all:
  vars: { controller_tiemout: 3, contoller_tenant: b, controller_urls: [a], controller_name: x, controller_timeout: 4 }
  hosts: { lb1: { controller_passwrod: y } }
`,
    };
    const playbook = `
- hosts: all
  vars: { controller_usernam: z, used: '{{ controller_urls }}' }
  tasks: []
`;
    expect(await found('misspelt-connection', playbook, files)).to.have.members([
      'warning: site.yml:3:31 "controller_usernam" is not a connection variable — did you mean "controller_username"?',
      'warning: inventory/hosts.yml:2:31 "controller_tiemout" is not a connection variable — did you mean "controller_timeout"?',
      'warning: inventory/hosts.yml:2:52 "contoller_tenant" is not a connection variable — did you mean "controller_tenant"?',
      'warning: inventory/hosts.yml:3:40 "controller_passwrod" is not a connection variable — did you mean "controller_password"?',
    ]);
  });
});

describe('misspelt-connection, about ordinary names', () => {
  const inventory = (name: string): Readonly<Record<string, string>> => ({
    'inventory/hosts.yml': `all: { hosts: { lb1: { "${name}": a }, lb2: { "${name}": b } } }\n`,
  });
  const site = (task: string): string => `- hosts: all\n  tasks: [{ ${task} }]\n`;

  it('is silent if a condition uses one, or something may that lint does not read', async () => {
    for (const task of [
      "debug: , when: controller_routes == 'a'",
      "assert: { that: controller_routes == 'a' }",
      `debug: { msg: '{{ lookup("template", "a.j2") }}' }`,
      `debug: { msg: '{{ lookup("ansible.builtin.template", "a.j2") }}' }`,
      "include_tasks: '{{ a }}.yml'",
    ])
      expect(await found('misspelt-connection', site(task), inventory('controller_routes')), task).to.deep.equal([]);
  });

  it('reports each name once, whatever it is', async () => {
    for (const [name, column] of [
      ['controller_tenan', 44],
      ['controller_tenan(', 45],
    ] as const)
      expect(await found('misspelt-connection', site('debug: '), inventory(name))).to.deep.equal([
        `warning: inventory/hosts.yml:1:${column} "${name}" is not a connection variable — did you mean "controller_tenant"?`,
      ]);
  });
});

describe('name', () => {
  const HINT = 'add "name:", a few words that describe the result';

  it('wants plays, tasks and handlers to have one', async () => {
    const playbook = `
- hosts: all
  tasks:
    - fail:
    - name: ' '
      fail:
      notify: topic
  handlers:
    - fail:
      listen: topic
`;
    expect(await found('name', playbook)).to.deep.equal([
      `site.yml:2:3 the play has no name — ${HINT}`,
      `site.yml:4:7 3 tasks or handlers have no name: lines 4, 5, 9 — ${HINT}`,
    ]);
  });

  it('names the module of the only task or handler without one in a file', async () => {
    const playbook =
      '- name: x\n  hosts: all\n  tasks:\n    - include_tasks: more.yml\n  handlers:\n    - fail:\n      listen: a\n';
    expect(await found('name', playbook, { 'more.yml': '- fail:\n' })).to.have.members([
      `more.yml:1:3 the task has no name (fail) — ${HINT}`,
      `site.yml:6:7 the handler has no name (fail) — ${HINT}`,
    ]);
  });

  it('does not count tasks that are exempt, and lists ten lines at most', async () => {
    const tasks = ['- fail: # noqa name', ...Array.from({ length: 12 }, () => '- fail:')].join('\n');
    expect((await foundIn('name', tasks)).slice(1)).to.deep.equal([
      `site.yml:4:7 12 tasks or handlers have no name: lines 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 2 more — ${HINT}`,
    ]);
  });

  it('allows unnamed steps that need no explanation', async () => {
    const tasks =
      '- debug:\n- meta: noop\n- include_tasks: more.yml\n- import_tasks: more.yml\n- block: []\n- include_role: { name: web }\n- import_role: { name: web }';
    expect(
      await found('name', `- name: x\n  hosts: all\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}`, {
        'more.yml': '',
        'roles/web/tasks/main.yml': '- debug:\n',
      }),
    ).to.deep.equal([]);
  });
});

describe('name-template', () => {
  for (const name of ['Plain', 'Cloud of {{ site }}', '{{ site }}', 'Cloud "{{ site }}"', 'Cloud ({{ site }}).']) {
    it(`accepts "${name}"`, async () => {
      expect(await foundIn('name-template', `- name: '${name}'\n  debug:`)).to.deep.equal([]);
    });
  }

  it('finds text after a template', async () => {
    expect(await foundIn('name-template', `- name: '{{ site }} has a cloud'\n  debug:`)).to.deep.equal([
      'warning: site.yml:3:13 the name has a template that is not at its end — put the template last, as in "Cloud of {{site}}"',
    ]);
  });
});

describe('reserved-name', () => {
  it('finds variables that the run sets itself, wherever they are set', async () => {
    const tasks = `
- debug:
  vars: {groups: a}
- set_fact: {hostvars: a, fine: b}
- debug:
  register: omit
`;
    expect((await foundIn('reserved-name', tasks)).map((one) => one.split(';')[0])).to.deep.equal([
      'site.yml:5:22 "groups" is set by the run itself',
      'site.yml:6:28 "hostvars" is set by the run itself',
      'site.yml:8:17 "omit" is set by the run itself',
    ]);
  });
});

describe('loop-variable', () => {
  it('finds a loop in an included file that hides the one around it', async () => {
    const tasks =
      '- include_tasks: more.yml\n  loop: [a]\n- include_tasks: more.yml\n  loop: [a]\n  loop_control: {loop_var: site}';
    expect(await foundIn('loop-variable', tasks, { 'more.yml': '- debug:\n  loop: [b]\n' })).to.deep.equal([
      'more.yml:2:9 "item" is also the variable of the loop around this one, at site.yml:4:13; it hides the outer item here — use another variable for one of them: loop_control: { loop_var: … }',
    ]);
  });

  it('accepts loops that follow each other', async () => {
    expect(await foundIn('loop-variable', '- debug:\n  loop: [a]\n- debug:\n  loop: [a]')).to.deep.equal([]);
  });
});
