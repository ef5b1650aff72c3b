import { expect } from 'chai';
import { emptyStats } from '../../src/model/result.js';
import { catalogue } from '../rig/loaded.js';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';

const TWO = 'all: { hosts: { lb1: , lb2: } }';

/** An interrupt as soon as a task has begun, or has ended. */
function interruptWhen(type: 'task-started' | 'task-finished', task: string, controller = 'lb1'): TextOptions {
  const interrupt = new AbortController();
  return {
    inventory: TWO,
    signal: interrupt.signal,
    watch: (event) => {
      if (event.type === type && event.task === task && event.controller === controller) interrupt.abort();
    },
  };
}

const unfinished = ({ events }: Ran): readonly string[] | undefined =>
  events.flatMap((event) => (event.type === 'batch-finished' ? [event.unfinished] : []))[0];

describe('what an interrupt stops', () => {
  it('is no failure: it counts nowhere, and its controller is cut off', async () => {
    const ran = await runText(
      '- hosts: all\n  any_errors_fatal: true\n  tasks: [{ name: wait, wait_for: { timeout: 60 }, ignore_errors: true }]\n',
      interruptWhen('task-started', 'wait', 'lb2'),
    );
    expect(ran.lines).to.have.members(['lb1 wait: interrupted', 'lb2 wait: interrupted']);
    expect(ran.tasks[0]).to.include({ message: 'interrupted while it waited' }).and.to.not.have.property('ignored');
    expect(ran.finished.stats).to.deep.equal({ lb1: emptyStats(), lb2: emptyStats() });
    expect(ran.finished).to.deep.include({ exitCode: 130, cutOff: ['lb1', 'lb2'], unstarted: [] });
    expect(ran.finished).to.not.have.property('reason');
    expect(unfinished(ran)).to.deep.equal(['lb1', 'lb2']);
  });

  it('is not rescued, and whoever cleans up sees that it was not done', async () => {
    const ran = await runText(
      `
- hosts: lb1
  tasks:
    - block:
        - { name: wait, wait_for: { timeout: 60 }, register: waited, failed_when: false }
      rescue:
        - { name: rescue, debug: }
      always:
        - { name: clean, debug: { msg: '{{ waited is failed }} {{ waited.msg }}' } }
`,
      interruptWhen('task-started', 'wait'),
    );
    expect(ran.lines).to.deep.equal(['lb1 wait: interrupted', 'lb1 clean: ok']);
    expect(ran.said).to.deep.equal(['true interrupted while it waited']);
  });

  it('is tried no more: whatever the attempts came to, they were not all', async () => {
    const ran = await runText(
      '- hosts: lb1\n  tasks: [{ name: try, fail: , register: r, until: r is succeeded, retries: 4, delay: 60 }, debug: ]\n',
      {
        ...interruptWhen('task-started', 'try'),
      },
    );
    expect(ran.lines).to.deep.equal(['lb1 try: interrupted']);
    expect(ran.tasks[0]).to.include({ message: 'interrupted after 1 of 5 attempts' });
  });

  it('is a loop of which an item was not done, be it the last', async () => {
    const playbook = `
- hosts: lb1
  tasks:
    - name: each
      pause: { seconds: '{{ item }}' }
      loop: [0, 60]
      register: r
`;
    let ended = 0;
    const interrupt = new AbortController();
    const ran = await runText(playbook, {
      inventory: TWO,
      signal: interrupt.signal,
      watch: (event) => {
        if (event.type === 'task-finished' && ++ended === 1)
          setImmediate(() => {
            interrupt.abort();
          });
      },
    });
    expect(ran.lines).to.deep.equal(['lb1 each [0]: ok', 'lb1 each [60]: interrupted', 'lb1 each: interrupted']);
    expect(ran.tasks.at(-1)).to.include({ message: 'interrupted after 1 of 2 items' });
  });

  it('is undone for all, where one did it for all', async () => {
    const ran = await runText(
      '- hosts: all\n  tasks: [{ name: wait, pause: { seconds: 60 }, run_once: true }]\n',
      interruptWhen('task-started', 'wait'),
    );
    expect(ran.lines).to.deep.equal(['lb1 wait: interrupted']);
    expect(unfinished(ran)).to.deep.equal(['lb1', 'lb2']);
  });

  it('is a failure all the same, if a module says so and nobody has interrupted it', async () => {
    const { default: pause } = await import('../../modules/pause.js');
    if (pause.type !== 'action') throw new Error('pause is an action');
    const quits: typeof pause = { ...pause, run: () => Promise.resolve({ status: 'interrupted', message: 'no more' }) };
    const load = (name: string) => (name === 'pause' ? Promise.resolve(quits) : catalogue.load(name));
    const ran = await runText('- hosts: lb1\n  tasks: [{ name: quit, pause: { seconds: 1 } }]\n', {
      catalogue: { ...catalogue, load },
    });
    expect(ran.lines).to.deep.equal(['lb1 quit: failed']);
    expect(ran.finished.exitCode).to.equal(2);
  });
});

describe('who is done when a run is interrupted', () => {
  const play = (tasks: string): string => `- hosts: lb1\n  tasks: ${tasks}\n  handlers: [{ name: h, debug: }]\n`;
  const cutOff = async (tasks: string): Promise<readonly string[] | undefined> =>
    (await runText(play(tasks), interruptWhen('task-finished', 'last'))).finished.cutOff;

  it('is not cut off: nothing is left to be begun', async () => {
    expect(await cutOff('[{ name: last, debug: }]')).to.equal(undefined);
    expect(await cutOff('[{ name: last, debug: , loop: [1] }]')).to.equal(undefined);
    expect(await cutOff('[{ name: last, debug: }, meta: flush_handlers]')).to.equal(undefined);
  });

  it('is cut off if a handler waits, or a task that would be skipped', async () => {
    expect(await cutOff('[{ name: last, debug: , changed_when: true, notify: h }]')).to.deep.equal(['lb1']);
    expect(await cutOff('[{ name: last, debug: }, { debug: , when: false }]')).to.deep.equal(['lb1']);
  });

  it('is cut off by what failed when nothing was to be begun any more, ignored or not', async () => {
    const { finished } = await runText(
      play('[{ name: last, fail: , ignore_errors: true }]'),
      interruptWhen('task-started', 'last'),
    );
    expect(finished.cutOff).to.deep.equal(['lb1']);
  });
});
