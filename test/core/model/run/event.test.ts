import { expect } from 'chai';
import { withTexts, type Event } from '../../../../src/core/model/run/event.js';
import { emptyStats, isTrouble } from '../../../../src/core/model/run/result.js';
import { appendTo, getOrAdd, groupBy } from '../../../../src/core/model/values/groups.js';

describe('the texts of an event', () => {
  const texts = { play: 'p', task: 't', item: 'i', message: 'm', hint: 'h', handler: 'n', url: 'u', error: 'e' };
  const more = { requestBody: 'q', responseBody: 'r', awaited: 'a', reason: 'w', controller: 'lb1', other: 'o' };
  /** Which texts of an event of this type are changed, and as what. */
  const changedIn = (type: string): string => {
    const kinds: string[] = [];
    const event = { type, ...texts, ...more } as unknown as Event;
    const changed = withTexts(event, (text, kind, name) => {
      kinds.push(`${name} ${kind}`);
      return text.toUpperCase();
    });
    for (const [name, value] of Object.entries(changed))
      if (name !== 'type')
        expect(String(value) === String(value).toUpperCase(), `${type} ${name}`).to.equal(
          kinds.some((one) => one.startsWith(`${name} `)),
        );
    expect(Object.keys(changed)).to.deep.equal(Object.keys(event));
    return kinds.join(', ');
  };

  it('are those that users, templates and controllers write', () => {
    const PLAY = 'play title';
    const TASK = `${PLAY}, task title`;
    expect(
      ['task-finished', 'task-retried', 'task-progressed', 'task-started', 'handler-notified'].map(changedIn),
    ).to.deep.equal([
      `${TASK}, item text, message text, hint text`,
      `${TASK}, message text`,
      `${TASK}, message text`,
      TASK,
      `${PLAY}, handler title`,
    ]);
    expect(['request-finished', 'request-retried', 'run-finished', 'warning'].map(changedIn)).to.deep.equal([
      'url text, error text, requestBody body, responseBody body',
      'awaited text, reason text',
      'reason text',
      'message text',
    ]);
    const plays =
      'play-started batch-started gate-started gate-checked gate-finished controller-finished batch-finished play-finished';
    expect(plays.split(' ').map(changedIn)).to.deep.equal(Array(8).fill(PLAY));
    expect(['run-started', 'controller-throttled'].map(changedIn)).to.deep.equal(['', '']);
  });

  it('leave an event as it is if none changes', () => {
    const event = { type: 'warning', message: 'm', at: 1 } as unknown as Event;
    expect(withTexts(event, (text) => text)).to.equal(event);
    const missing = { type: 'task-retried', task: 5 } as unknown as Event;
    expect(withTexts(missing, () => 'x')).to.equal(missing);
    expect(withTexts(event, () => 'x')).to.deep.equal({ type: 'warning', message: 'x', at: 1 });
  });
});

describe('results', () => {
  it('begin with nothing, and are trouble unless they are ignored or rescued', () => {
    expect(emptyStats()).to.deep.equal({
      ok: 0,
      changed: 0,
      unreachable: 0,
      failed: 0,
      skipped: 0,
      rescued: 0,
      ignored: 0,
    });
    expect(emptyStats()).not.to.equal(emptyStats());
    const statuses = ['ok', 'changed', 'skipped', 'failed', 'unreachable'] as const;
    expect(statuses.map((status) => isTrouble({ status }))).to.deep.equal([false, false, false, true, true]);
    expect(isTrouble({ status: 'failed', ignored: false, rescued: false })).to.equal(true);
    expect([
      isTrouble({ status: 'failed', ignored: true }),
      isTrouble({ status: 'failed', rescued: true }),
    ]).to.deep.equal([false, false]);
  });
});

describe('what has a key', () => {
  it('is kept together, in order, or made once', () => {
    const lists = new Map([['a', [1]]]);
    appendTo(lists, 'a', 2);
    appendTo(lists, 'b', 3);
    expect([...lists]).to.deep.equal([
      ['a', [1, 2]],
      ['b', [3]],
    ]);
    expect([...groupBy([3, 1, 4, 6], (one) => one % 2)]).to.deep.equal([
      [1, [3, 1]],
      [0, [4, 6]],
    ]);
    const kept = new Map<string, object>();
    let made = 0;
    const make = (): object => ({ made: (made += 1) });
    const [first, again, other] = [getOrAdd(kept, 'a', make), getOrAdd(kept, 'a', make), getOrAdd(kept, 'b', make)];
    expect([first === again, first === other, made, kept.size]).to.deep.equal([true, false, 2, 2]);
  });
});
