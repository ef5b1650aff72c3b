import { expect } from 'chai';
import type { Handler } from '../../../src/core/model/playbook/step.js';
import { Handlers } from '../../../src/engine/batch/handlers.js';
import { runText, type Ran } from '../../rig/run_text.js';

/** Runs task and handler lists; each `[name, more]` is a `debug` that changes. */
type Written = readonly [name: string, more?: string];

function play(
  tasks: readonly Written[],
  handlers: readonly Written[],
  options: Parameters<typeof runText>[1] = {},
): Promise<Ran> {
  const list = (all: readonly Written[]): string =>
    all
      .map(
        ([name, more = '']) => `    - { name: ${name}, debug: { msg: hi }, changed_when: true${more && `, ${more}`} }`,
      )
      .join('\n');
  return runText(`- hosts: all\n  tasks:\n${list(tasks)}\n  handlers:\n${list(handlers)}\n`, options);
}

const order = ({ tasks }: Ran): string =>
  tasks.map(({ task, handler }) => (handler ? task.toUpperCase() : task)).join(' ');

describe('handlers', () => {
  it('run once, after the tasks, in the order of definition', async () => {
    const ran = await play([['a', 'notify: [two, one]'], ['b', 'notify: two'], ['c']], [['one'], ['two'], ['three']]);
    expect(order(ran)).to.equal('a b c ONE TWO');
    expect(ran.events.flatMap((event) => (event.type === 'handler-notified' ? [event.handler] : []))).to.deep.equal([
      'two',
      'one',
    ]);
  });

  it('are notified only by changes', async () => {
    const ran = await runText(`
- hosts: all
  tasks:
    - { name: a, debug: { msg: hi }, notify: h }
    - { name: b, debug: { msg: hi }, when: false, notify: h }
    - { name: c, fail: { msg: nope }, changed_when: true, ignore_errors: true, notify: h }
  handlers:
    - { name: h, debug: { msg: hi } }
`);
    expect(order(ran)).to.equal('a b c');
  });

  it('listen to topics', async () => {
    const ran = await play(
      [['a', 'notify: topic']],
      [['one', 'listen: topic'], ['two'], ['three', 'listen: [x, topic]']],
    );
    expect(order(ran)).to.equal('a ONE THREE');
  });

  it('do not run for the topics of others', async () => {
    const handlers: readonly Written[] = [
      ['one', 'listen: [x, y]'],
      ['two', 'listen: y'],
      ['three', 'listen: z'],
    ];
    expect(order(await play([['a', 'notify: x']], handlers))).to.equal('a ONE');
    expect(order(await play([['a', 'notify: y']], handlers))).to.equal('a ONE TWO');
    expect(order(await play([['a', 'notify: [z, x]']], handlers))).to.equal('a ONE THREE');
  });

  it('can notify later handlers in the same flush and earlier handlers for the next one', async () => {
    const ran = await play(
      [['a', 'notify: two']],
      [['one', 'notify: two'], ['two', 'notify: [three, one]'], ['three']],
    );
    expect(order(ran)).to.equal('a TWO THREE ONE TWO THREE');
  });

  it('with the same name in one list: only the first one runs', async () => {
    const ran = await play(
      [['a', 'notify: same']],
      [
        ['same', 'tags: first'],
        ['same', 'tags: second'],
      ],
    );
    expect(order(ran)).to.equal('a SAME');
    expect(ran.tasks.at(-1)?.source.line).to.equal(5);
  });

  it('may have names with templates', async () => {
    const ran = await play(
      [['a', 'notify: "restart {{inventory_hostname}}"']],
      [['"restart {{inventory_hostname}}"'], ['"restart {{nobody_knows}}"']],
    );
    expect(order(ran)).to.equal('a RESTART LB1');
  });

  it('may have names with variables of their own, else of the task that notifies', async () => {
    const { said } = await runText(`
- hosts: all
  tasks:
    - { debug: , changed_when: true, vars: { size: 1, own: of the task }, notify: ["restart 1", "reload handler"] }
    - { debug: , changed_when: true, vars: { size: 2 }, notify: "restart 2", when: false }
  handlers:
    - { name: "restart {{ size }}", debug: { msg: restarted } }
    - { name: "reload {{ own }}", vars: { own: handler }, debug: { msg: reloaded } }
    - { name: "reload {{ own }}", vars: { own: of the task }, debug: { msg: never } }
`);
    expect(said.slice(1)).to.deep.equal(['restarted', 'reloaded']);
  });

  it('are those that the items of a changed loop name, but for skipped items, each once', async () => {
    const { said, events } = await runText(`
- hosts: all
  tasks:
    - debug:
      loop: [a, b, c, a]
      changed_when: item == "a"
      when: item != "b"
      notify: ["{{ item }}", last]
    - { debug: , loop: [d, e], changed_when: false, notify: "{{ item }}" }
  handlers:
    - { name: a, debug: { msg: h a } }
    - { name: b, debug: { msg: h b } }
    - { name: c, debug: { msg: h c } }
    - { name: d, debug: { msg: h d } }
    - { name: last, debug: { msg: h last } }
`);
    expect(said.filter((text) => text.startsWith('h '))).to.deep.equal(['h a', 'h c', 'h last']);
    const notified = events.flatMap((event) => (event.type === 'handler-notified' ? [event.handler] : []));
    expect(notified).to.deep.equal(['a', 'c', 'last']);
  });

  it('fail the notifying task if a template in the name has an undefined variable', async () => {
    const { tasks } = await play([['a', 'notify: "{{inventory_hostname}}"'], ['b']], [['one']]);
    expect(tasks).to.have.length(1);
    expect(tasks[0]).to.deep.include({ status: 'failed', message: 'there is no handler "lb1"' });
  });

  it('do not run after a failure of the controller, and stop when one of them fails', async () => {
    const failing = await play(
      [
        ['a', 'notify: one'],
        ['b', 'failed_when: true'],
      ],
      [['one']],
    );
    expect(order(failing)).to.equal('a b');
    const broken = await play([['a', 'notify: [one, two]']], [['one', 'failed_when: true'], ['two']]);
    expect(order(broken)).to.equal('a ONE');
    expect(broken.finished.exitCode).to.equal(2);
  });

  it('run regardless of tags, as in Ansible', async () => {
    const ran = await play([['a', 'notify: one, tags: x'], ['b']], [['one', 'tags: y']], { tags: ['x'] });
    expect(order(ran)).to.equal('a ONE');
  });

  it('run if one item of a loop notifies them', async () => {
    const ran = await runText(`
- hosts: all
  tasks:
    - { name: a, debug: { msg: hi }, loop: [1, 2], changed_when: item == 2, notify: h }
  handlers:
    - { name: h, debug: { msg: '{{inventory_hostname}}' } }
`);
    expect(ran.said.at(-1)).to.equal('lb1');
  });

  it('do not see the variables of an include in which they are flushed', async () => {
    const ran = await runText(
      `
- hosts: all
  tasks:
    - { name: a, debug: { msg: hi }, changed_when: true, notify: h }
    - { include_tasks: more.yml, vars: { of: include } }
  handlers:
    - { name: h, debug: { msg: "{{ of | default('nobody') }}" } }
`,
      { files: { 'more.yml': '- meta: flush_handlers\n' } },
    );
    expect(ran.said.at(-1)).to.equal('nobody');
  });

  it('that another controller includes further ahead do not run in the current flush', async () => {
    const ran = await runText(
      `
- hosts: all
  tasks:
    - { name: a, debug: { msg: hi }, changed_when: true, notify: topic }
    - meta: flush_handlers
    - include_role: { name: web }
  handlers:
    - { name: own, debug: { msg: hi }, listen: topic }
`,
      {
        inventory: 'all: { hosts: { lb1: , lb2: } }',
        forks: 1,
        files: {
          'roles/web/tasks/main.yml': '- { name: of the role, debug: { msg: hi } }\n',
          'roles/web/handlers/main.yml': '- { name: of the role, debug: { msg: hi }, listen: topic }\n',
        },
      },
    );
    const walks = ['lb1', 'lb2'].map((name) => ran.tasks.filter(({ controller }) => controller === name));
    const [first, second] = walks.map((walk) => walk.map(({ task, status }) => `${task}: ${status}`));
    expect(second).to.deep.equal(first);
  });

  it('that only another controller included are found by name', async () => {
    const ran = await runText(
      `
- hosts: all
  tasks:
    - { include_role: { name: web }, when: inventory_hostname == "lb1" }
    - { name: a, debug: { msg: hi }, changed_when: true, notify: h }
`,
      {
        inventory: 'all: { hosts: { lb1: , lb2: } }',
        forks: 1,
        files: {
          'roles/web/tasks/main.yml': '- { name: of the role, debug: { msg: hi } }\n',
          'roles/web/handlers/main.yml': '- { name: h, debug: { msg: "{{ inventory_hostname }}" } }\n',
        },
      },
    );
    expect(ran.said.slice(-1)).to.deep.equal(['lb2']);
    expect(ran.finished.exitCode).to.equal(0);
  });

  it('that only another controller included in a loop run without its items', async () => {
    const ran = await runText(
      `
- hosts: all
  strategy: linear
  tasks:
    - { include_role: { name: web }, loop: [a, b], when: inventory_hostname == "lb1" }
    - { name: a, debug: { msg: hi }, changed_when: true, notify: [plain, "of {{ inventory_hostname }}"] }
`,
      {
        inventory: 'all: { hosts: { lb1: , lb2: , lb3: } }',
        files: {
          'roles/web/tasks/main.yml': '- { name: of the role, debug: { msg: hi } }\n',
          'roles/web/handlers/main.yml': `
- { name: plain, debug: { msg: "plain {{ inventory_hostname }} {{ item | default('-') }}" } }
- { name: of lb1, debug: { msg: "{{ item }}" } }
- { name: of lb2, debug: { msg: hi } }
- { name: of lb3, debug: { msg: "{{ item }}" } }
`,
        },
      },
    );
    const plain = ran.said.filter((text) => text.startsWith('plain'));
    expect(plain.toSorted()).to.deep.equal(['plain lb1 b', 'plain lb2 -', 'plain lb3 -']);
    const handled = ran.tasks.filter(({ handler, task }) => handler && !task.endsWith('plain'));
    const ends = handled.map(({ controller, status }) => `${controller} ${status}`);
    expect(ends.toSorted()).to.deep.equal(['lb1 ok', 'lb2 ok', 'lb3 failed']);
    expect(ran.tasks.find(({ status }) => status === 'failed')?.message).to.include('"item"');
  });

  const FLUSHED = `
- hosts: all
  force_handlers: true
  tasks:
    - block:
        - { name: a, debug: { msg: hi }, changed_when: true, notify: [one, two] }
        - meta: flush_handlers
      RESCUE
    - { name: b, debug: { msg: hi } }
  handlers:
    - { name: one, fail: { msg: broken } }
    - { name: two, debug: { msg: hi } }
`;

  it('that are forced do not run after a handler that failed', async () => {
    expect(order(await runText(FLUSHED.replace('RESCUE', '')))).to.equal('a ONE');
  });

  it('run after a failed handler if a rescue handles the failure', async () => {
    const ran = await runText(FLUSHED.replace('RESCUE', 'rescue: [{ name: rescue, debug: { msg: hi } }]'));
    expect(order(ran)).to.equal('a ONE rescue b TWO');
  });
});

describe('the handlers of a notification', () => {
  const handler = (name: string, line: number, more: Partial<Handler> = {}) =>
    ({
      type: 'task',
      name: { value: name },
      listen: [],
      layers: [],
      source: { file: 'site.yml', line, column: 1 },
      ...more,
    }) as unknown as Handler;
  const nameOf = (one: Handler): string | undefined => ('name' in one ? one.name?.value : undefined);
  const find = (handlers: Handlers, name: string): readonly string[] =>
    handlers.find(name, nameOf).map((one) => `${nameOf(one) ?? ''}:${one.source.line}`);

  it('are those with the name, with or without their role, and those that listen', () => {
    const handlers = new Handlers([
      handler('restart', 1),
      handler('restart', 2),
      handler('reload', 1, { role: 'web', listen: ['topic', 'restart'] }),
      handler('other', 2, { role: 'web', listen: ['topic'] }),
    ]);
    for (const [notified, expected] of [
      ['restart', ['restart:1', 'reload:1']],
      ['topic', ['reload:1', 'other:2']],
      ['reload', ['reload:1']],
      ['web : reload', ['reload:1']],
      ['db : reload', []],
      ['undefined : restart', []],
      ['none', []],
    ] as const)
      expect(find(handlers, notified), notified).to.deep.equal(expected);
    expect(handlers.list).to.have.length(4);
  });

  it('are the last list that has the name, even if a role is used again', () => {
    const [first, second] = [handler('h', 1, { role: 'web' }), handler('h', 1, { role: 'db' })];
    const handlers = new Handlers([first, second]);
    const roleOf = () => handlers.find('h', nameOf).map(({ role }) => role);
    expect(roleOf()).to.deep.equal(['db']);
    handlers.add([first]);
    expect(roleOf()).to.deep.equal(['web']);
    expect(handlers.list.map(({ role }) => role)).to.deep.equal(['web', 'db']);
  });

  it('are the first with the name in the last list: of one role and file, in ascending lines', () => {
    for (const [first, second, expected] of [
      [handler('h', 1), handler('h', 2), 'h:1'],
      [handler('h', 3), handler('h', 2), 'h:2'],
      [handler('h', 1, { role: 'web' }), handler('h', 2, { role: 'db' }), 'h:2'],
      [handler('h', 1), handler('h', 2, { source: { file: 'more.yml', line: 2, column: 1 } }), 'h:2'],
    ] as const)
      expect(find(new Handlers([first, second]), 'h')).to.deep.equal([expected]);
  });

  it('are none whose name cannot be rendered', () => {
    const handlers = new Handlers([handler('a', 1), handler('b', 2)]);
    expect(handlers.find('a', () => undefined)).to.deep.equal([]);
  });

  it('run in the order of all controllers only if one of them is of another controller', () => {
    const all = new Handlers([]);
    const [own, other] = [new Handlers([], all), new Handlers([], all)];
    other.add([handler('shared', 1), handler('b', 8)]);
    const lines = () => own.list.map((one) => one.source.line);
    own.add([handler('own', 9), ...other.list.slice(0, 1)]);
    expect([find(own, 'none'), lines()]).to.deep.equal([[], [9, 1]]);
    expect([find(own, 'b'), lines()]).to.deep.equal([['b:8'], [1, 8, 9]]);
    expect(all.list.map((one) => one.source.line)).to.deep.equal([1, 8, 9]);
    all.add([handler('later', 12)]);
    expect(lines()).to.deep.equal([1, 8, 9]);
  });

  it('are those of another controller only if there are no own ones', () => {
    const first = handler('a', 1);
    const all = new Handlers([first]);
    const [own, other] = [new Handlers([first], all), new Handlers([], all)];
    other.add([handler('a', 7), handler('b', 8)]);
    expect([find(own, 'a'), find(own, 'b'), find(own, 'c')]).to.deep.equal([['a:1'], ['b:8'], []]);
    expect(own.list.map((one) => one.source.line)).to.deep.equal([1, 8]);
    expect(find(other, 'a')).to.deep.equal(['a:7']);
  });
});
