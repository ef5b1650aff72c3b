import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { MASKED_MESSAGE } from '../../../src/engine/context/task_events.js';
import { runText, type TextOptions } from '../../rig/run_text.js';

const TWO = 'all: { hosts: { lb1: , lb2: } }';

/** The events of these tasks on lb1, without their time and run. */
async function eventsOf(tasks: string, options: TextOptions = {}): Promise<readonly object[]> {
  const playbook = `- name: Site\n  hosts: lb1\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`;
  const { events } = await runText(playbook, { inventory: TWO, ...options });
  const ofTasks = events.filter(({ type }) => type === 'task-started' || type === 'task-finished');
  return ofTasks.map((event) => {
    const { time: _, run: __, ...rest } = event as Event & { readonly seconds?: number };
    return { ...rest, ...(rest.seconds !== undefined && { seconds: 0 }) };
  });
}

const place = (line: number, column = 7) => ({ file: 'site.yml', line, column });
const about = (task: string, module: unknown = 'debug') => ({
  play: 'Site',
  task,
  module,
  controller: 'lb1',
  handler: false,
});
const started = (task: string, module = 'debug', more: object = {}) => ({
  type: 'task-started',
  ...about(task, module),
  ...more,
});
const finished = (
  task: string,
  line: number,
  status: string,
  { module = 'debug', ...more }: Readonly<Record<string, unknown>> = {},
) => ({
  type: 'task-finished',
  ...about(task, module),
  status,
  seconds: 0,
  diff: false,
  source: place(line),
  ...more,
});

describe('the events of a task', () => {
  it('have its place, its module and its message', async () => {
    expect(await eventsOf('- { name: say, debug: { msg: hi } }\n- fail: { msg: nope }\n')).to.deep.equal([
      started('say'),
      finished('say', 4, 'ok', { message: 'hi', values: { msg: 'hi' }, spoken: true }),
      started('fail', 'fail'),
      finished('fail', 5, 'failed', { module: 'fail', message: 'nope' }),
    ]);
  });

  it('have what it returned if that is asked for', async () => {
    for (const options of [{ verbosity: 1 }, { results: true }])
      expect(await eventsOf('- { name: set, set_fact: { a: 1 } }\n', options)).to.deep.equal([
        started('set', 'set_fact'),
        finished('set', 4, 'ok', { module: 'set_fact', values: { ansible_facts: { a: 1 } } }),
      ]);
    expect(await eventsOf('- { name: set, set_fact: { a: 1 } }\n')).to.deep.equal([
      started('set', 'set_fact'),
      finished('set', 4, 'ok', { module: 'set_fact' }),
    ]);
  });

  it('say where it was carried out, and how', async () => {
    expect(
      await eventsOf('- { name: there, debug: { msg: a }, delegate_to: lb2, check_mode: true, diff: true }\n'),
    ).to.deep.equal([
      started('there', 'debug', { delegatedTo: 'lb2' }),
      finished('there', 4, 'ok', {
        delegatedTo: 'lb2',
        check: true,
        diff: true,
        message: 'a',
        values: { msg: 'a' },
        spoken: true,
      }),
    ]);
  });

  it('have those of its items before those of its loop', async () => {
    const said = (item: string) => ({ item, message: item, values: { msg: item }, spoken: true });
    const [begun, ...events] = await eventsOf('- { name: each, debug: { msg: "{{ item }}" }, loop: [a, b] }\n');
    expect([begun, ...events.slice(0, 2)]).to.deep.equal([
      started('each'),
      finished('each', 4, 'ok', said('a')),
      finished('each', 4, 'ok', said('b')),
    ]);
    expect(events[2]).to.deep.include(finished('each', 4, 'ok'));
    expect(events).to.have.length(3);
  });

  it('say that its failure is ignored, what that changed, or that it is rescued', async () => {
    const tasks = `- { name: ignored, fail: { msg: nope }, ignore_errors: true, changed_when: true }
- block: [{ name: rescued, fail: { msg: nope } }]
  rescue: [{ name: after, debug: { msg: a } }]
`;
    const failed = { module: 'fail', message: 'nope' };
    const events = await eventsOf(tasks);
    expect(events.filter((one) => 'status' in one && one.status === 'failed')).to.deep.equal([
      finished('ignored', 4, 'failed', { ...failed, ignored: true, changed: true }),
      finished('rescued', 5, 'failed', { ...failed, rescued: true, source: place(5, 15) }),
    ]);
  });

  it('are of a handler, of an include with its files, and of what is skipped', async () => {
    const tasks = `- { name: notify, debug: { msg: a }, changed_when: true, notify: h }
- { name: more, include_tasks: more.yml }
- { name: none, debug: , when: false }
- meta: flush_handlers
`;
    const files = { 'more.yml': '- { name: inner, debug: { msg: b } }\n' };
    const playbook = `- name: Site\n  hosts: lb1\n  handlers: [{ name: h, debug: { msg: c } }]\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}\n`;
    const { tasks: all } = await runText(playbook, { inventory: TWO, files });
    expect(
      all.map(({ task, handler, included, message, status }) => [task, handler, included, message, status]),
    ).to.deep.equal([
      ['notify', false, undefined, 'a', 'changed'],
      ['more', false, 1, undefined, 'ok'],
      ['inner', false, undefined, 'b', 'ok'],
      ['none', false, undefined, 'Conditional result was False', 'skipped'],
      ['h', true, undefined, 'c', 'ok'],
    ]);
  });

  it('show nothing of a masked one, and where the cause of a failure is', async () => {
    expect(await eventsOf('- { name: hide, debug: { msg: a }, no_log: true }\n', { verbosity: 1 })).to.deep.equal([
      started('hide'),
      finished('hide', 4, 'ok', { message: MASKED_MESSAGE }),
    ]);
    expect(await eventsOf('- { name: wrong, debug: { msg: "{{ gone }}" } }\n')).to.deep.equal([
      started('wrong'),
      finished('wrong', 4, 'failed', { message: 'variable "gone" is not defined', cause: place(4, 36) }),
    ]);
  });
});

async function run(tasks: string, options: TextOptions = {}) {
  const play = `- hosts: all\n  strategy: linear\n  tasks:\n${tasks.replace(/^(?=.)/gm, '    ')}`;
  const ran = await runText(play, { inventory: TWO, ...options });
  const warnings = ran.events.flatMap((event) =>
    event.type === 'warning' ? [`${event.controller ?? ''}:${event.source?.line ?? 0}: ${event.message}`] : [],
  );
  return { ...ran, warnings };
}

describe('the keywords of a task, on each controller', () => {
  it('cannot leave the check mode of a run that only reads', async () => {
    const tasks = `- { name: a, debug: , check_mode: false }
- { name: b, debug: , check_mode: "{{ inventory_hostname == 'lb1' }}" }
- { name: c, debug: , check_mode: true }
- { name: d, debug: }
`;
    const only = await run(tasks, { check: true, readOnly: true });
    const forced = 'check_mode: false has no effect, because this run only reads: the task runs in check mode';
    expect(only.warnings.toSorted()).to.deep.equal([`lb1:4: ${forced}`, `lb2:4: ${forced}`, `lb2:5: ${forced}`]);
    expect(only.tasks.map(({ check }) => check)).to.deep.equal(Array(8).fill(true));
    const check = await run(tasks, { check: true });
    expect([check.warnings, check.tasks.map(({ check: one }) => one === true)]).to.deep.equal([
      [],
      [false, false, true, false, true, true, true, true],
    ]);
    const usual = await run(tasks);
    expect(usual.tasks.map(({ check: one }) => one === true)).to.deep.equal([
      false,
      false,
      true,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('fail the task if check_mode cannot be read, and hide it if no_log cannot', async () => {
    const broken = await run('- { name: a, debug: , check_mode: "{{ 7 }}" }\n');
    expect(broken.tasks.map(({ status, message }) => [status, message])).to.deep.equal([
      ...Array<readonly string[]>(2).fill(['failed', 'check_mode must be true or false, not the number 7']),
    ]);
    const hidden = await run(
      '- { name: a, debug: { msg: shown }, no_log: "{{ inventory_hostname == \'lb1\' }}" }\n- { name: b, debug: { msg: also }, no_log: "{{ \'maybe\' }}" }\n',
    );
    const text = "the output has been hidden due to the fact that 'no_log: true' was specified for this result";
    expect(hidden.tasks.map(({ message }) => message)).to.deep.equal([text, 'shown', text, text]);
  });

  it('show a difference as the task says, else the run, and not if it cannot be read', async () => {
    const tasks =
      '- { name: a, debug: }\n- { name: b, debug: , diff: "{{ inventory_hostname == \'lb2\' }}" }\n- { name: c, debug: , diff: "{{ \'perhaps\' }}" }\n';
    expect((await run(tasks)).tasks.map(({ diff }) => diff)).to.deep.equal([false, false, false, true, false, false]);
    expect((await run(tasks, { diff: true })).tasks.map(({ diff }) => diff)).to.deep.equal([
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('ignore failures where they say so, and fail the task if they cannot be read', async () => {
    const own = await run(
      '- { name: a, fail: , ignore_errors: "{{ inventory_hostname == \'lb1\' }}" }\n- { name: b, debug: }\n',
    );
    expect(own.lines).to.deep.equal(['lb1 a: failed ignored', 'lb2 a: failed', 'lb1 b: ok']);
    expect(own.warnings).to.deep.equal([]);
    const broken = await run('- { name: a, debug: , ignore_errors: "{{ nothing }}" }\n');
    expect(broken.lines).to.deep.equal(['lb1 a: failed', 'lb2 a: failed']);
    expect(broken.tasks[0]?.message).to.equal('variable "nothing" is not defined');
    const lost = await run(
      '- { name: a, api_request: { path: /api/x }, ignore_errors: true }\n- { name: b, debug: }\n',
      {
        inventory: 'all: { hosts: { lb1: , lb2: } }',
      },
    );
    expect(lost.lines).to.deep.equal(['lb1 a: failed ignored', 'lb2 a: failed ignored', 'lb1 b: ok', 'lb2 b: ok']);
  });

  it('report attempts and results only where they are asked for', async () => {
    const { events } = await run(
      '- { name: a, debug: { msg: x }, register: r, until: r.msg == inventory_hostname, retries: 1, delay: 0 }\n- { name: b, debug: }\n',
    );
    const retried = events.filter(({ type }) => type === 'task-retried');
    expect(retried.map((one) => ({ ...one, time: '', run: '' }))).to.deep.equal([
      ...['lb1', 'lb2'].map((controller) => ({
        time: '',
        run: '',
        type: 'task-retried',
        play: 'all',
        task: 'a',
        controller,
        attempt: 1,
        attempts: 2,
        source: { file: 'site.yml', line: 4, column: 7 },
      })),
    ]);
    const has = async (options: TextOptions) =>
      (await run('- { name: a, set_fact: { x: 1 } }\n', options)).tasks.map((task) => 'values' in task);
    expect([await has({}), await has({ verbosity: 1 }), await has({ results: true })]).to.deep.equal([
      [false, false],
      [true, true],
      [true, true],
    ]);
  });
});

describe('the variables of a play', () => {
  it('are stronger beside the playbook than beside the inventory, for groups and for controllers', async () => {
    const seen = '    - debug: { msg: "{{ [a, b, c, d, e, f] | join(\' \') }}" }\n';
    const files = {
      'plays/p.yml': `- hosts: all\n  strategy: linear\n  vars: { f: play }\n  tasks:\n${seen}`,
      'plays/group_vars/all.yml': 'b: play all\nc: play all\nd: play all\ne: play all\nf: play all\n',
      'plays/group_vars/g.yml': 'c: play g\nd: play g\ne: play g\n',
      'plays/host_vars/lb1.yml': 'e: play lb1\n',
      'group_vars/all.yml': 'a: inv all\nb: inv all\n',
      'group_vars/g.yml': 'b: inv g\nc: inv g\n',
      'host_vars/lb1.yml': 'd: inv lb1\ne: inv lb1\n',
    };
    const inventory = 'all: { vars: { a: top, b: top }, children: { g: { hosts: { lb1: , lb2: } } } }';
    const ran = await runText('', { inventory, files, playbooks: ['plays/p.yml'] });
    expect(ran.said).to.deep.equal([
      'inv all inv g play g inv lb1 play lb1 play',
      'inv all inv g play g play g play g play',
    ]);
    const without = Object.fromEntries(Object.entries(files).filter(([name]) => !/^plays\/(?:group|host)/.test(name)));
    const bare = await runText('', {
      inventory,
      files: {
        ...without,
        'plays/p.yml': files['plays/p.yml'].replace('[a, b, c, d, e, f]', '[a, b, c, d | default(0)]'),
      },
      playbooks: ['plays/p.yml'],
    });
    expect(bare.said).to.deep.equal(['inv all inv g inv g inv lb1', 'inv all inv g inv g 0']);
  });
});
