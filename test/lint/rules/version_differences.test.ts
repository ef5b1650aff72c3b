import { expect } from 'chai';
import { found, foundIn } from '../../rig/rule.js';

const RULE = 'version-difference';

describe('version-difference', () => {
  const cases: readonly (readonly [what: string, tasks: string, finding: string])[] = [
    [
      'a condition that is a number',
      '- {name: x, debug: , when: groups.all | length}',
      'this condition is a number: Ansible 2.14 takes it for true or false, 2.19 fails — compare it, such as "> 0" or "!= \'\'", or write "| bool"',
    ],
    [
      'a condition that may be a text',
      `- {name: x, debug: , when: "note | default('')"}`,
      'this condition is a text: Ansible 2.14 takes it for true or false, 2.19 fails — compare it, such as "> 0" or "!= \'\'", or write "| bool"',
    ],
    [
      'range() as a value',
      "- {name: x, debug: , loop: '{{ range(3) }}'}",
      'range() is a list in Ansible 2.14; in 2.19 it cannot be a value — add "| list"',
    ],
    ...['loop: [1], loop_control: {label: RANGE}', 'delegate_to: RANGE'].map(
      (keyword) =>
        [
          `range() in ${keyword}`,
          `- {name: x, debug: , ${keyword.replace('RANGE', "'{{ range(3) }}'")}}`,
          'range() is a list in Ansible 2.14; in 2.19 it cannot be a value — add "| list"',
        ] as const,
    ),
    [
      'a value that is missing without "else"',
      `- {name: x, debug: {msg: "{{ 'a' if ansible_check_mode }}"}}`,
      'without "else", this is an empty text in Ansible 2.14 if the condition is false; 2.19 fails — add "else" and a value',
    ],
    [
      'a text with statements that looks like a list',
      `- {name: x, debug: {msg: '[{% for g in group_names %}"{{ g }}",{% endfor %}]'}}`,
      'Ansible 2.14 reads this text as a list or a mapping, 2.19 leaves it text — write one expression, or add "| from_yaml" where the value is used',
    ],
    [
      'the order of a union',
      "- {name: x, debug: {msg: '{{ group_names | union([1]) }}'}}",
      '"union" keeps the order of the items in Ansible 2.14; in 2.19 the order changes from run to run — add "| sort" if the order matters',
    ],
    [
      'with_nested of a text',
      '- {name: x, debug: , with_nested: [ab, [1, 2]]}',
      'a text is one item of with_nested in Ansible 2.14, and a list of its letters in 2.19 — write each of these as a list: [ab]',
    ],
    [
      'any_errors_fatal in a block that rescues',
      '- {block: [{name: x, debug: , any_errors_fatal: true}], rescue: [{name: y, debug: }]}',
      'after a failure under "any_errors_fatal", Ansible 2.14 rescues the controllers that failed, 2.19 all — set it outside of blocks that have a "rescue"',
    ],
    [
      'run_once in a block that rescues',
      '- {block: [{block: [{name: x, debug: , run_once: true}]}], rescue: [{name: y, debug: }]}',
      'if a task with "run_once" fails, Ansible 2.14 rescues all controllers, 2.19 only the first — set it outside of blocks that have a "rescue"',
    ],
  ];
  for (const [what, tasks, finding] of cases) {
    it(`finds ${what}`, async () => {
      const findings = await foundIn(RULE, tasks);
      expect(findings.map((one) => one.replace(/^warning: site\.yml:3:\d+ /, ''))).to.deep.equal([finding]);
    });
  }

  const fine: readonly (readonly [what: string, tasks: string])[] = [
    ['conditions that are compared', '- {name: x, debug: , when: groups.all | length > 0}'],
    [
      'conditions that are tests',
      '- {name: x, debug: , when: inventory_hostname is in group_names and not ansible_check_mode}',
    ],
    ['conditions that end in a comparison', '- {name: x, debug: , when: groups.all | length and true}'],
    ['range() in a list', "- {name: x, debug: , loop: '{{ range(3) | list }}'}"],
    ['an empty text within a text', `- {name: x, debug: {msg: "a{{ 'a' if ansible_check_mode }}"}}`],
    ['a text with statements', `- {name: x, debug: {msg: '{% if ansible_check_mode %}a{% endif %}'}}`],
    ['a union that is sorted', "- {name: x, debug: {msg: '{{ group_names | union([1]) | sort }}'}}"],
    [
      'a difference of which only matters whether it is empty',
      '- {name: x, debug: , when: "group_names | difference([1]) != [] or [] == (group_names | intersect([1]))"}',
    ],
    ['with_nested of lists and templates', "- {name: x, debug: , with_nested: [[ab], '{{ group_names }}']}"],
    ['run_once in the rescue', '- {block: [{name: x, debug: }], rescue: [{name: y, debug: , run_once: true}]}'],
  ];
  for (const [what, tasks] of fine) {
    it(`allows ${what}`, async () => expect(await foundIn(RULE, tasks)).to.deep.equal([]));
  }

  it('knows the types of what filters return, and the results that have no order', async () => {
    const types = {
      number: ['length', 'count', 'int', 'float', 'sum', 'abs', 'round'],
      text: ['string', 'trim', 'upper', 'lower', 'join', "replace('a', 'b')", "regex_replace('a', 'b')"],
      list: ['list', 'sort', 'unique', 'split', 'select', 'reject', "map('upper')"],
    };
    const conditions = Object.values(types).flat();
    const unordered = ['sort', 'length', 'count', 'sum', 'min', 'max', "contains('a')"];
    const sets = ['union', 'difference', 'intersect', 'symmetric_difference'];
    const shown = [
      ...sets.map((name) => `group_names | ${name}([1])`),
      ...[...unordered, 'first'].map((name) => `group_names | union([1]) | ${name}`),
      "'a' in (group_names | union([1]))",
      'not (group_names | union([1]))',
    ];
    const tasks = [
      ...conditions.map((name) => `- {name: x, debug: , when: "group_names | ${name}"}`),
      ...shown.map((text) => `- {name: x, debug: {msg: "{{ ${text} }}"}}`),
    ];
    const said = (await foundIn(RULE, tasks.join('\n'))).map((one) =>
      one.replace(/^warning: site\.yml:(\d+).*? /, '$1 '),
    );
    const line = (index: number) => index + 3;
    const expected = [
      ...Object.entries(types).flatMap(([type, names]) => names.map(() => `this condition is a ${type}: Ansible 2.14`)),
      ...[...sets, 'union'].map((name) => `"${name}" keeps the order`),
    ];
    const found = said.map((one) => one.replace(/(Ansible 2\.14|keeps the order) .*$/, '$1').split(' '));
    expect(found.map(([, ...words]) => words.join(' '))).to.deep.equal(expected);
    const lines = [...conditions.map((_, at) => line(at)), ...sets.map((_, at) => line(conditions.length + at))];
    expect(found.map(([at]) => Number(at))).to.deep.equal([
      ...lines,
      line(conditions.length + sets.length + unordered.length),
    ]);
  });

  it('finds an address with a wildcard', async () => {
    expect(await found(RULE, "- {name: x, hosts: '2001:db8::*', tasks: []}\n")).to.deep.equal([
      'warning: site.yml:1:20 "2001:db8::*" is one pattern in Ansible 2.14, and several in 2.19, where "*" means every controller — put these controllers into a group, and name the group',
    ]);
    expect(await found(RULE, "- {name: x, hosts: 'all:&lb*:2001:db8::1', tasks: []}\n")).to.deep.equal([]);
  });

  it('finds a handler that notifies itself', async () => {
    const playbook = `- name: x
  hosts: all
  tasks: [{name: y, debug: , changed_when: true, notify: h}]
  handlers:
    - {name: h, debug: , changed_when: true, notify: h}
`;
    expect(await found(RULE, playbook)).to.deep.equal([
      'warning: site.yml:5:54 this handler notifies itself: Ansible 2.14 runs it once, 2.19 again — repeat with "until" and "retries", or notify another handler',
    ]);
  });

  it('finds a topic of handlers with one name in several roles', async () => {
    const playbook = `- name: x
  hosts: all
  roles: [a, b]
  tasks: [{name: y, debug: , changed_when: true, notify: t}]
`;
    const handlers = '- {name: h, listen: t, debug: }\n';
    const files = { 'roles/a/handlers/main.yml': handlers, 'roles/b/handlers/main.yml': handlers };
    expect(await found(RULE, playbook, files)).to.deep.equal([
      'warning: roles/b/handlers/main.yml:1:10 another role has a handler "h" that listens to "t": Ansible 2.14 runs both, 2.19 only the last — give each a unique name',
    ]);
  });

  it('finds variables of an entry of roles that are set elsewhere, too', async () => {
    const playbook = `- name: x
  hosts: all
  vars: {a: 1}
  roles:
    - {role: r, vars: {a: 2, b: 2, c: 2}}
`;
    const files = {
      'roles/r/tasks/main.yml': '- {name: y, debug: {msg: "{{ a }}{{ b }}{{ c }}"}}\n',
      'roles/r/vars/main.yml': 'b: 1\n',
      'roles/r/defaults/main.yml': 'c: 1\n',
    };
    const hint = 'pass it as a parameter: write it beside "role", without "vars"';
    expect(await found(RULE, playbook, files)).to.deep.equal([
      `warning: site.yml:5:27 "a" is set in play vars, too: Ansible 2.14 takes the value of this entry of "roles", 2.19 the other — ${hint}`,
      `warning: site.yml:5:33 "b" is set in roles/r/vars/main.yml, too: Ansible 2.14 takes the value of this entry of "roles", 2.19 the other — ${hint}`,
    ]);
  });

  it('leaves the variables of an import alone', async () => {
    const playbook = `- name: x
  hosts: all
  vars: {a: 1}
  tasks:
    - {import_role: {name: r}, vars: {a: 2}}
`;
    expect(await found(RULE, playbook, { 'roles/r/tasks/main.yml': '- {name: y, debug: }\n' })).to.deep.equal([]);
  });
});
