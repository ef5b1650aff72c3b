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
