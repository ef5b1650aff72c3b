import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { WAIT_WITHOUT_FORKS } from '../../../src/core/model/run/session.js';
import { throttles } from '../../../src/engine/control/start_conditions.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';

const EIGHT = 'all: { hosts: { "lb[1:8]": } }';

/** The maximum number of controllers in the task. */
function most(events: readonly Event[], task: string): number {
  let now = 0;
  let highest = 0;
  for (const event of events) {
    if (!('task' in event) || event.task !== task) continue;
    if (event.type === 'task-started') highest = Math.max(highest, ++now);
    if (event.type === 'task-finished') now--;
  }
  return highest;
}

function runs(throttle: string, options: TextOptions = {}): Promise<Ran> {
  const playbook = `
- hosts: all
  tasks:
    - { name: one, wait_for: { timeout: 0.02 }, throttle: ${throttle} }
    - { name: two, wait_for: { timeout: 0.3 } }
`;
  return runText(playbook, { inventory: EIGHT, ...options });
}

describe('throttle', () => {
  for (const strategy of ['host_pinned', 'linear'] as const) {
    it(`limits how many controllers run the task at once (${strategy})`, async () => {
      const { events, finished } = await runs('3', { strategy });
      expect([most(events, 'one'), most(events, 'two') > 3]).to.deep.equal([3, true]);
      expect(finished.stats['lb8']?.ok).to.equal(2);
    });
  }

  it('can be a template; 0 means no limit', async () => {
    expect(most((await runs("'{{2}}'")).events, 'one')).to.equal(2);
    expect(most((await runs('0')).events, 'one')).to.equal(8);
  });

  it('fails the task if it is not a number', async () => {
    const { tasks } = await runs("'{{inventory_hostname}}'");
    expect(tasks[0]).to.deep.include({ status: 'failed', message: 'throttle must be a number, not a text' });
  });

  it('starts nothing more after an interrupt', async () => {
    const interrupt = new AbortController();
    const watch = (event: Event): void => {
      if (event.type === 'task-started') interrupt.abort();
    };
    const { finished, events } = await runs('1', { drain: interrupt.signal, watch });
    expect(events.filter(({ type }) => type === 'task-started')).to.have.length(1);
    expect(finished.status).to.equal('interrupted');
  });

  it('limits each of two tasks on its own', async () => {
    const turns = throttles();
    const log: string[] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const through = (task: string, name: string) =>
      turns.take(task, 1, WAIT_WITHOUT_FORKS, async () => {
        log.push(`${task} ${name} begins`);
        await gate;
        log.push(`${task} ${name} ends`);
      });
    const all = ['one', 'two'].flatMap((task) => ['a', 'b'].map((name) => through(task, name)));
    expect(log).to.deep.equal(['one a begins', 'two a begins']);
    open();
    await Promise.all(all);
    for (const task of ['one', 'two']) {
      const own = log.filter((line) => line.startsWith(task));
      expect(own).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends'].map((line) => `${task} ${line}`));
    }
  });

  it('starts the next controller when one fails with an exception', async () => {
    const turns = throttles();
    const task = 'site.yml:3:5';
    const broken = turns.take(task, 1, WAIT_WITHOUT_FORKS, () => Promise.reject(new Error('no')));
    const next = turns.take(task, 1, WAIT_WITHOUT_FORKS, () => Promise.resolve('yes'));
    expect(await Promise.allSettled([broken, next])).to.have.deep.nested.property('[1].value', 'yes');
  });
});
