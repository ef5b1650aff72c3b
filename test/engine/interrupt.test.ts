import { expect } from 'chai';
import { Connections } from '../../src/controller/connections.js';
import { emptyStats } from '../../src/core/model/run/result.js';
import type { Ask, Connect } from '../../src/engine/input/run_input.js';
import { goOn, keptRun } from '../rig/cut_run.js';
import { catalogue } from '../rig/loaded.js';
import { runText, type Ran, type TextOptions } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const TWO = 'all: { hosts: { lb1: , lb2: } }';

/** An interrupt as soon as a task has begun, or has ended. */
function interruptWhen(type: 'task-started' | 'task-finished', task: string, controller = 'lb1'): TextOptions {
  const interrupt = new AbortController();
  return {
    inventory: TWO,
    drain: interrupt.signal,
    watch: (event) => {
      if (event.type === type && event.task === task && event.controller === controller) interrupt.abort();
    },
  };
}

const cutOffOf = ({ events }: Ran): readonly string[] | undefined =>
  events.flatMap((event) => (event.type === 'batch-finished' ? [event.cutOff] : []))[0];

describe('a task that an interrupt stops', () => {
  it('is not a failure: no count includes it, and its controller is cut off', async () => {
    const ran = await runText(
      '- hosts: all\n  any_errors_fatal: true\n  tasks: [{ name: wait, wait_for: { timeout: 60 }, ignore_errors: true }]\n',
      interruptWhen('task-started', 'wait', 'lb2'),
    );
    expect(ran.lines).to.have.members(['lb1 wait: interrupted', 'lb2 wait: interrupted']);
    expect(ran.tasks[0]).to.include({ message: 'interrupted while waiting' }).and.to.not.have.property('ignored');
    expect(ran.finished.stats).to.deep.equal({ lb1: emptyStats(), lb2: emptyStats() });
    expect(ran.finished).to.deep.include({ exitCode: 130, cutOff: ['lb1', 'lb2'], unstarted: [] });
    expect(ran.finished).to.not.have.property('reason');
    expect(cutOffOf(ran)).to.deep.equal(['lb1', 'lb2']);
  });

  it('leaves waiting controllers unstarted, and the event of the batch lists them', async () => {
    const options = () => ({ ...interruptWhen('task-started', 'wait'), forks: 1 });
    const playbook = '- hosts: all\n  strategy: host_pinned\n  tasks: [{ name: wait, wait_for: { timeout: 60 } }]\n';
    const { events, finished } = await runText(playbook, options());
    const [batch] = events.filter(({ type }) => type === 'batch-finished');
    expect(batch).to.deep.include({ failed: [], unstarted: ['lb2'], cutOff: ['lb1'] });
    expect(finished).to.deep.include({ unstarted: ['lb2'], cutOff: ['lb1'] });
    const second = await runText(`- hosts: all\n  tasks: [debug: ]\n${playbook}`, options());
    expect(second.finished).to.deep.include({ unstarted: [], cutOff: ['lb1', 'lb2'] });
    const whole = await runText('- hosts: all\n  tasks: [debug: ]\n', { inventory: TWO });
    const [all] = whole.events.filter(({ type }) => type === 'batch-finished');
    expect(all).to.not.have.any.keys('unstarted', 'cutOff');
  });

  it('is not rescued, and its always can see that it did not finish', async () => {
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
    expect(ran.said).to.deep.equal(['True interrupted while waiting']);
  });

  it('is not retried, and its last result does not count', async () => {
    const ran = await runText(
      '- hosts: lb1\n  tasks: [{ name: try, fail: , register: r, until: r is succeeded, retries: 4, delay: 60 }, debug: ]\n',
      {
        ...interruptWhen('task-started', 'try'),
      },
    );
    expect(ran.lines).to.deep.equal(['lb1 try: interrupted']);
    expect(ran.tasks[0]).to.include({ message: 'interrupted after 1 of 5 attempts' });
  });

  it('is interrupted if it is a loop with an unfinished item, even the last one', async () => {
    const interrupt = new AbortController();
    const ask: Ask = ({ question }) => {
      if (question === 'b') interrupt.abort();
      return Promise.resolve(question === 'b' ? undefined : 'yes');
    };
    const playbook = "- hosts: lb1\n  tasks: [{ name: each, pause: { prompt: '{{ item }}' }, loop: [a, b] }]\n";
    const ran = await runText(playbook, { ask, drain: interrupt.signal });
    expect(ran.lines).to.deep.equal(['lb1 each [a]: ok', 'lb1 each [b]: interrupted', 'lb1 each: interrupted']);
    expect(ran.tasks.at(-1)).to.include({ message: 'interrupted after 1 of 2 items' });
  });

  it('is interrupted as a whole if it is a loop, even if its other items were skipped or ignored', async () => {
    const skipped = await runText(
      `
- hosts: lb1
  tasks:
    - block: [{ name: each, pause: { seconds: 60 }, loop: [1], register: r }]
      always: [{ debug: { msg: '{{ r is skipped }} {{ r is failed }}' } }]
`,
      interruptWhen('task-started', 'each'),
    );
    expect(skipped.said).to.deep.equal(['False True']);
    const ignored = await runText(
      '- hosts: lb1\n  force_handlers: true\n  tasks: [{ name: each, fail: , loop: [1, 2], ignore_errors: true }]\n',
      interruptWhen('task-finished', 'each'),
    );
    expect(ignored.lines).to.deep.equal(['lb1 each [1]: failed ignored', 'lb1 each: interrupted']);
    expect(ignored.finished.cutOff).to.deep.equal(['lb1']);
  });

  it('does not evaluate break_when', async () => {
    const { lines } = await runText(
      `
- hosts: lb1
  tasks:
    - name: each
      pause: { seconds: 60 }
      loop: [1]
      register: r
      loop_control: { break_when: r.nowhere == 1 }
`,
      interruptWhen('task-started', 'each'),
    );
    expect(lines).to.deep.equal(['lb1 each [1]: interrupted', 'lb1 each: interrupted']);
  });

  it('is unfinished for all controllers if it is run_once', async () => {
    const ran = await runText(
      '- hosts: all\n  tasks: [{ name: wait, pause: { seconds: 60 }, run_once: true }]\n',
      interruptWhen('task-started', 'wait'),
    );
    expect(ran.lines).to.deep.equal(['lb1 wait: interrupted']);
    expect(ran.finished).to.deep.include({ cutOff: ['lb1'], unstarted: ['lb2'] });
  });

  it('is failed if its module reports an interrupt that did not happen', async () => {
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

describe('a controller of an interrupted run', () => {
  const play = (tasks: string): string => `- hosts: lb1\n  tasks: ${tasks}\n  handlers: [{ name: h, debug: }]\n`;
  const cutOff = async (tasks: string): Promise<readonly string[] | undefined> =>
    (await runText(play(tasks), interruptWhen('task-finished', 'last'))).finished.cutOff;

  it('is not cut off if it had nothing left to start', async () => {
    expect(await cutOff('[{ name: last, debug: }]')).to.equal(undefined);
    expect(await cutOff('[{ name: last, debug: , loop: [1] }]')).to.equal(undefined);
    expect(await cutOff('[{ name: last, debug: }, meta: flush_handlers]')).to.equal(undefined);
  });

  it('is cut off if a handler was still to run, or a task that would be skipped', async () => {
    expect(await cutOff('[{ name: last, debug: , changed_when: true, notify: h }]')).to.deep.equal(['lb1']);
    expect(await cutOff('[{ name: last, debug: }, { debug: , when: false }]')).to.deep.equal(['lb1']);
  });

  it('is cut off by a failure after the interrupt, even an ignored one', async () => {
    for (const force of ['', '  force_handlers: true\n']) {
      const { finished } = await runText(
        `- hosts: lb1\n${force}  tasks: [{ name: last, fail: , ignore_errors: true }]\n`,
        interruptWhen('task-started', 'last'),
      );
      expect(finished.cutOff, force).to.deep.equal(['lb1']);
    }
  });

  it('is cut off if it waits for a run_once task', async () => {
    const { finished } = await runText(
      '- hosts: all\n  tasks: [{ name: first, debug: }, { name: last, fail: , ignore_errors: true, run_once: true }]\n',
      interruptWhen('task-started', 'last'),
    );
    expect(finished.cutOff).to.deep.equal(['lb1', 'lb2']);
  });

  it('is cut off if the interrupt came instead of an answer', async () => {
    const interrupt = new AbortController();
    const { lines, finished } = await runText(play('[{ name: first, debug: }, { name: last, debug: }]'), {
      drain: interrupt.signal,
      confirmTask: (title) => {
        if (title === 'last') interrupt.abort();
        return Promise.resolve(title === 'last' ? 'skip' : 'run');
      },
    });
    expect(lines).to.deep.equal(['lb1 first: ok']);
    expect(finished.cutOff).to.deep.equal(['lb1']);
  });

  it('is cut off if the gate of its batch did not finish', async () => {
    const gated = `
- hosts: all
  serial: 1
  gate: { checks: [{ name: check, debug: }], interval: 0 }
  tasks: [{ name: last, debug: }]
`;
    for (const [type, task] of [
      ['task-finished', 'last'],
      ['task-started', 'check'],
    ] as const) {
      const { finished } = await runText(gated, interruptWhen(type, task));
      expect(finished, task).to.deep.include({ cutOff: ['lb1'], unstarted: ['lb2'] });
    }
  });
});

describe('a read that fails because of an interrupt', () => {
  let fleet: Fleet;
  afterEach(() => fleet.dispose());

  const READING = '- hosts: fleet\n  tasks: [{ name: read, cloud_present: { name: edge } }]\n';

  it('is not a failure if it would have been retried', async () => {
    fleet = await startFleet({ behaviour: { faults: [{ type: 'answer', status: 429 }] } });
    const interrupt = new AbortController();
    const connections = new Connections({
      abort: new AbortController().signal,
      drain: interrupt.signal,
      retry: { attempts: 4, baseMs: 60_000, capMs: 60_000, deadlineSeconds: 600 },
      onThrottled: () => {
        interrupt.abort();
      },
    });
    const { tasks, finished } = await reading(connections, interrupt.signal);
    expect(tasks[0]).to.deep.include({ status: 'interrupted' });
    expect(tasks[0]?.message).to.match(/^interrupted before there was an answer: GET .* answered 429/);
    expect(finished).to.deep.include({ cutOff: ['lb1'], stats: { lb1: emptyStats() } });
  });

  it('is not a failure if it was aborted', async () => {
    fleet = await startFleet({ behaviour: { faults: [{ type: 'hang' }] } });
    const [interrupt, abort] = [new AbortController(), new AbortController()];
    const connections = new Connections({ abort: abort.signal, drain: interrupt.signal });
    fleet.controller('lb1').watch = () => {
      interrupt.abort();
      abort.abort();
      return Promise.resolve();
    };
    const { tasks, finished } = await reading(connections, interrupt.signal, abort.signal);
    expect(tasks[0]).to.deep.include({ status: 'interrupted' });
    expect(finished).to.deep.include({ cutOff: ['lb1'] });
  });

  it('is not a failure either if it would have verified a write', async () => {
    fleet = await startFleet({ behaviour: { faults: [{ type: 'hang', when: { method: 'GET', after: 1 } }] } });
    const [interrupt, abort] = [new AbortController(), new AbortController()];
    const connections = new Connections({ abort: abort.signal, drain: interrupt.signal });
    let reads = 0;
    fleet.controller('lb1').watch = (stage, { method }) => {
      if (stage === 'received' && method === 'GET') reads++;
      if (reads === 2) for (const one of [interrupt, abort]) one.abort();
      return Promise.resolve();
    };
    const { tasks, finished } = await reading(connections, interrupt.signal, abort.signal);
    expect(tasks[0]).to.deep.include({
      status: 'changed',
      message: 'written; interrupted before it could be verified',
    });
    expect(finished).to.deep.include({ cutOff: ['lb1'], exitCode: 130 });
  });

  async function reading(connections: Connections, signal: AbortSignal, abort?: AbortSignal): Promise<Ran> {
    const connect: Connect = (settings) => connections.open(settings);
    try {
      return await runText(READING, { inventory: fleet.inventory, connect, drain: signal, abort });
    } finally {
      await connections.close();
    }
  }
});

describe('a failure during an interrupt', () => {
  it('does not halt a resume', async () => {
    const playbook = `
- hosts: all
  any_errors_fatal: true
  tasks:
    - { name: broken, fail: , when: fails | bool }
    - { name: next, debug: }
`;
    const first = await keptRun(playbook, { ...interruptWhen('task-started', 'broken'), extraVars: { fails: true } });
    expect(first.ran.lines).to.include('lb1 broken: failed');
    const moment = { entries: first.journal.entries, restore: () => undefined };
    const { ran } = await goOn(playbook, moment, { inventory: TWO, extraVars: { fails: false } });
    expect(ran.lines).to.include.members(['lb1 broken: skipped', 'lb1 next: ok', 'lb2 next: ok']);
    expect(ran.finished).to.deep.include({ exitCode: 0, unstarted: [] }).and.to.not.have.any.keys('cutOff', 'reason');
  });
});
