import { expect } from 'chai';
import type { Inventory } from '../../../src/core/model/inventory/inventory.js';
import { load, mistakes, playOf, tasksOf } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

const inventory: Inventory = {
  controllers: new Map([['lb01', { name: 'lb01', groups: ['emea'], layers: [] }]]),
  groups: new Map(
    ['all', 'ungrouped', 'emea'].map((name) => [
      name,
      { name, children: [], controllers: name === 'ungrouped' ? [] : ['lb01'], layers: [] },
    ]),
  ),
};

describe('A play', () => {
  it('reads its keywords', async () => {
    const { plays, diagnostics } = await load(`
- name: First
  hosts: [emea, "!lb02"]
  gather_facts: no
  connection: local
  serial: [1, "50%", "{{ n }}", "3"]
  strategy: free
  tags: a, b
- hosts: "{{ target }}"
  serial: 2
  strategy: linear
`);
    expect(diagnostics).to.deep.equal([]);
    expect(
      plays.map(({ name, hosts, tags, strategy }) => ({ name, hosts: hosts.value, tags, strategy })),
    ).to.deep.equal([
      { name: 'First', hosts: 'emea\n!lb02', tags: ['a', 'b'], strategy: 'host_pinned' },
      { name: undefined, hosts: '{{ target }}', tags: [], strategy: 'linear' },
    ]);
    expect(plays.map(({ serial }) => serial?.map(({ value }) => value))).to.deep.equal([[1, '50%', '{{ n }}', 3], [2]]);
    expect(plays[0]?.source).to.deep.equal({ file: 'site.yml', line: 2, column: 3 });
  });

  it('reads the keywords that all of its steps inherit', async () => {
    const { plays, diagnostics } = await load(`
- hosts: all
  max_fail_percentage: 30%
  force_handlers: "yes"
  order: reverse_sorted
  forks: "7"
  any_errors_fatal: true
  ignore_unreachable: true
  run_once: "{{ once }}"
  throttle: 2
  timeout: 10
  tasks: [debug: ]
- hosts: all
  max_fail_percentage: 12.5
  order: "{{ order }}"
  forks: "{{ forks }}"
- hosts: all
  max_fail_percentage: "{{ limit }}%"
`);
    expect(diagnostics).to.deep.equal([]);
    expect(
      plays.map(({ maxFailPercentage, forceHandlers, order, forks }) =>
        [maxFailPercentage, forceHandlers, order, forks].map((located) => located?.value),
      ),
    ).to.deep.equal([
      [30, true, 'reverse_sorted', 7],
      [12.5, undefined, '{{ order }}', '{{ forks }}'],
      ['{{ limit }}%', undefined, undefined, undefined],
    ]);
    const [task] = tasksOf(plays[0]);
    expect(
      [task?.anyErrorsFatal, task?.ignoreUnreachable, task?.runOnce, task?.throttle, task?.timeout].map(
        (located) => located?.value,
      ),
    ).to.deep.equal([true, true, '{{ once }}', 2, 10]);
  });

  it('has steps before and after its tasks', async () => {
    const { plays, diagnostics } = await load(
      '- hosts: all\n  post_tasks: [{name: Post, debug: }]\n  tasks: [{name: Task, debug: }]\n  pre_tasks: [{name: Pre, debug: }, meta: noop]\n',
    );
    expect(diagnostics).to.deep.equal([]);
    const [play] = plays;
    expect([play?.preTasks, play?.tasks, play?.postTasks].map((steps) => outline(steps ?? []))).to.deep.equal([
      ['Pre', 'meta noop'],
      ['Task'],
      ['Post'],
    ]);
  });

  it('reports mistakes in its keywords', async () => {
    expect(
      await mistakes(`- hosts: all
  max_fail_percentage: -1
  force_handlers: perhaps
  order: sortd
  forks: 0
  serial: many
  strategy: lineare
  any_errors_fatal: 3
  throttle: -1
  timeout: soon
  when: x
  register: y
  notify: z
  delegate_to: lb2
  loop_var: x
  gate: {}
  pre_tasks: {debug: }
- hosts: all
  order: random
  max_fail_percentage: "{{ x"
`),
    ).to.deep.equal([
      'site.yml:2:24 "max_fail_percentage" must be a percentage, such as 30 or "30%"',
      'site.yml:3:19 "force_handlers" must be true or false, not "perhaps"',
      'site.yml:4:10 there is no order "sortd" — did you mean "sorted"?',
      'site.yml:5:10 "forks" must be a whole number from 1, not 0',
      'site.yml:6:11 "serial" takes a count, a percentage such as "25%", or a list of them',
      'site.yml:7:13 there is no strategy "lineare" — did you mean "linear"?',
      'site.yml:8:21 "any_errors_fatal" must be true or false, not 3',
      'site.yml:9:13 "throttle" must be a whole number from 0, not -1',
      'site.yml:10:12 "timeout" must be a number from 0, not "soon"',
      'site.yml:11:3 "when" is not a keyword of a play — it belongs to a task',
      'site.yml:12:3 "register" is not a keyword of a play — it belongs to a task',
      'site.yml:13:3 "notify" is not a keyword of a play — it belongs to a task',
      'site.yml:14:3 "delegate_to" is not a keyword of a play — it belongs to a task',
      'site.yml:15:3 "loop_var" is not a keyword of a play — it belongs to loop_control',
      'site.yml:16:3 "gate" needs "checks": the tasks that check the health of a batch',
      'site.yml:17:14 "pre_tasks" must be a list, not a mapping — begin each with "- "',
      'site.yml:19:10 there is no order "random" — use one of inventory, reverse_inventory, sorted, reverse_sorted, shuffle',
      'site.yml:20:24 "{{ x" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
    ]);
  });

  it('can select controllers that an earlier play adds', async () => {
    const text = `
- hosts: early
- hosts: all
  tasks: [include_tasks: add.yml]
- hosts: late:emae
- hosts: ","
`;
    const files = { 'add.yml': '- ansible.builtin.group_by: { key: late }\n' };
    expect((await load(text, files, inventory)).diagnostics).to.deep.equal([
      'warning: site.yml:2:10 "early" matches no controller of the inventory — evenkeel inventory --graph shows its groups and controllers',
      'site.yml:6:10 the pattern is empty',
    ]);
  });

  it('reads group_vars and host_vars next to the playbook', async () => {
    const { plays } = await load('- hosts: all\n', {
      'group_vars/all.yml': 'a: 1\n',
      'group_vars/emea.yml': 'a: 2\n',
      'host_vars/lb01.yml': 'a: 3\n',
    });
    const found = [...(plays[0]?.groupLayers ?? []), ...(plays[0]?.controllerLayers ?? [])];
    expect(found.map(([name, [layer]]) => [name, layer?.level, layer?.values, layer?.origin])).to.deep.equal([
      ['all', 'playbook group_vars/all', { a: 1 }, 'group_vars/all.yml'],
      ['emea', 'playbook group_vars/*', { a: 2 }, 'group_vars/emea.yml'],
      ['lb01', 'playbook host_vars/*', { a: 3 }, 'host_vars/lb01.yml'],
    ]);
  });

  it('compares its hosts with the inventory', async () => {
    const { diagnostics } = await load('- hosts: emae:lb01\n- hosts: "{{ x }}"\n- hosts: lb99,all\n', {}, inventory);
    expect(diagnostics).to.deep.equal([
      'warning: site.yml:1:10 "emae" matches no controller of the inventory — did you mean "emea"?',
      'warning: site.yml:3:10 "lb99" matches no controller of the inventory — did you mean "lb01"?',
    ]);
  });
});

describe("A play's variables", () => {
  const layersOf = async (playbook: string, files: Record<string, string>): Promise<unknown> => {
    const { plays, diagnostics } = await load(playbook, files);
    expect(diagnostics).to.deep.equal([]);
    const { layers, variableFiles } = plays[0]!;
    return {
      layers: layers
        .filter(({ level }) => level !== 'magic')
        .map(({ level, values, origin }) => [level, values, origin]),
      later: variableFiles.map(({ value }) => value),
    };
  };

  it('come from vars and vars_files, which are stronger', async () => {
    const playbook = '- hosts: all\n  vars_files: [a.yml, b.json]\n  vars: {x: 0}\n';
    expect(await layersOf(playbook, { 'a.yml': 'x: 1\n', 'b.json': '{"x": 2}' })).to.deep.equal({
      layers: [
        ['play vars', { x: 0 }, 'play vars'],
        ['vars_files', { x: 1 }, 'a.yml'],
        ['vars_files', { x: 2 }, 'b.json'],
      ],
      later: [],
    });
  });

  it('come from files in vars/ first, and for a list from the first file that exists', async () => {
    const playbook = '- hosts: all\n  vars_files:\n    - a.yml\n    - [none.yml, b.yml, c.yml]\n';
    const files = { 'a.yml': 'x: 1\n', 'vars/a.yml': 'x: 2\n', 'b.yml': 'x: 3\n', 'c.yml': 'x: 4\n' };
    expect(await layersOf(playbook, files)).to.deep.equal({
      layers: [
        ['vars_files', { x: 2 }, 'vars/a.yml'],
        ['vars_files', { x: 3 }, 'b.yml'],
      ],
      later: [],
    });
  });

  it('are read during the run from the first name with a template on, to keep their order', async () => {
    const playbook =
      '- hosts: all\n  vars_files:\n    - a.yml\n    - ["{{ env }}.yml", vars/b.yml]\n    - /etc/c.yml\n';
    const { plays, diagnostics } = await load(playbook, { 'a.yml': '' });
    expect(diagnostics).to.deep.equal(['site.yml:5:7 there is no variables file "/etc/c.yml"']);
    expect(plays[0]?.layers.map(({ origin }) => origin)).to.deep.equal(['a.yml']);
    expect(plays[0]?.variableFiles.map(({ value }) => value)).to.deep.equal([
      ['vars/{{ env }}.yml', '{{ env }}.yml', 'vars/b.yml'],
      ['/etc/c.yml'],
    ]);
  });

  it('are errors if a file is missing or invalid', async () => {
    const playbook =
      '- hosts: all\n  vars_files:\n    - none.yml\n    - [x.yml, y.yml]\n    - bad.yml\n    - list.yml\n';
    expect(await mistakes(playbook, { 'bad.yml': 'a: "{{ x"\nb: 1\nb: 2\n', 'list.yml': '- a\n' })).to.deep.equal([
      'site.yml:3:7 there is no variables file "none.yml" — looked in vars and .',
      'site.yml:4:7 none of the variables files "x.yml", "y.yml" exists — looked in vars and .',
      'bad.yml:1:4 "{{ x" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
      'bad.yml:3:1 duplicate key "b": first defined on line 2 — keep one of them',
      'list.yml:1:1 a file of variables must be a mapping of names to values, not a list — write "name: value"',
    ]);
  });
});

describe('What a play or a task cannot have', () => {
  const NO_GATE = 'has no meaning in a gate — the checks decide whether a batch is healthy';
  const table: readonly (readonly [playbook: string, ...expected: string[]])[] = [
    [
      playOf('- debug: { msg: a }\n  loop: 5\n  loop_control: 7'),
      'site.yml:4:13 "loop" must be a list, not 5',
      'site.yml:5:21 "loop_control" must be a mapping, not 7',
    ],
    [playOf('- debug: { msg: a }\n  with_dict: 5'), 'site.yml:4:18 "with_dict" must be a mapping, not 5'],
    [playOf('- debug: { msg: a }\n  loop: { a: 1 }'), 'site.yml:4:13 "loop" must be a list, not a mapping'],
    [
      playOf("- include_tasks: { file: a.yml, apply: '{{ x }}' }"),
      'site.yml:3:30 there is no file "a.yml" (looked in .)',
      'site.yml:3:44 "apply" must be a mapping of keywords, not a template',
    ],
    [
      '- hosts: all\n  strategy: fast\n',
      'site.yml:2:13 there is no strategy "fast" — it is "host_pinned" (or "free") or "linear"',
    ],
    [
      '- hosts: all\n  strategy: "{{ later }}"\n',
      'site.yml:2:13 variable "later" is not defined; before the run only the variables of the play and of -e are known — set the variable in the play, or pass it with -e',
    ],
    ['- hosts: all\n  strategy: lineer\n', 'site.yml:2:13 there is no strategy "lineer" — did you mean "linear"?'],
    [
      '- hosts: all\n  vars: [{ a: 1 }]\n',
      'warning: site.yml:2:3 newer versions of Ansible refuse a list as "vars" — write one mapping',
    ],
    ['- hosts: all\n  vars: 5\n', 'site.yml:2:9 "vars" must be a mapping of names to values, not 5'],
    ['- hosts: all\n  vars: { a: { <<: 5 } }\n', 'site.yml:2:20 "<<" takes a mapping or a list of mappings'],
    ...['end_play', 'flush_handlers', 'end_batch', 'clear_host_errors'].map(
      (action) =>
        [
          `- hosts: all\n  gate: { checks: [{ meta: ${action} }] }\n`,
          `site.yml:2:20 "meta: ${action}" ${NO_GATE}`,
        ] as const,
    ),
  ];
  for (const [playbook, ...expected] of table)
    it(JSON.stringify(playbook), async () => {
      expect(await mistakes(playbook)).to.deep.equal(expected);
    });
});
