import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { StrategyName } from '../../../src/core/model/playbook/playbook.js';
import { createStrategy } from '../../../src/engine/batch/strategy.js';
import { fixedForks } from '../../../src/engine/control/auto_forks.js';
import { forEachAtOnce, Fork, Forks } from '../../../src/engine/control/forks.js';
import { controllerLocks } from '../../../src/engine/control/start_conditions.js';
import { withinTime } from '../../../src/engine/execution/time_limit.js';
import { withinTurns } from '../../rig/turns.js';

/** What a controller does in a task, for so many turns of the event loop. */
type Deed =
  | { readonly type: 'works' | 'rests'; readonly turns: number }
  /** Holds a lock meanwhile. */
  | { readonly type: 'locks'; readonly lock: string; readonly deeds: readonly Deed[] }
  /** Does them at once. */
  | { readonly type: 'splits'; readonly deeds: readonly Deed[] }
  | { readonly type: 'abandons'; readonly deed: Deed };

/** Counts active controllers, not threads: parallel work of a controller counts once. */
class Watch {
  most = 0;
  readonly #active = new Map<string, number>();

  async work(name: string, turns: number): Promise<void> {
    this.#active.set(name, (this.#active.get(name) ?? 0) + 1);
    this.most = Math.max(this.most, [...this.#active.values()].filter((count) => count > 0).length);
    await passTurns(turns);
    this.#active.set(name, (this.#active.get(name) ?? 0) - 1);
  }
}

async function passTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}

/** Runs the tasks of controllers; returns the maximum number of active ones. */
async function mostAtWork(
  strategy: StrategyName,
  forks: number,
  tasks: Readonly<Record<string, readonly Deed[]>>,
): Promise<number> {
  const watch = new Watch();
  const locks = controllerLocks();
  const carryOut = async (name: string, fork: Fork, deed: Deed): Promise<void> => {
    switch (deed.type) {
      case 'works':
        return watch.work(name, deed.turns);
      case 'rests':
        return fork.wait(() => passTurns(deed.turns));
      case 'locks':
        return locks.take(deed.lock, 'exclusive', fork.wait, async () => {
          for (const inner of deed.deeds) await carryOut(name, fork, inner);
        });
      case 'splits':
        return fork.forEach(deed.deeds, 3, (inner) => carryOut(name, fork, inner));
      case 'abandons':
        return fork.abandon(carryOut(name, fork, deed.deed));
      default:
        return deed satisfies never;
    }
  };
  const walked = createStrategy(strategy, { limit: fixedForks(forks) })(Object.keys(tasks), async (name, barrier) => {
    for (const [index, deed] of (tasks[name] ?? []).entries()) {
      await barrier.beginStep([index]);
      await carryOut(name, barrier.fork, deed);
      barrier.endStep();
    }
  });
  await withinTurns(walked);
  return watch.most;
}

const turns = fc.integer({ min: 0, max: 4 });
const simple = fc.record({ type: fc.constantFrom('works', 'rests'), turns });
const { deed } = fc.letrec<{ deed: Deed }>((tie) => {
  const deeds = fc.array(tie('deed'), { maxLength: 3 });
  return {
    deed: fc.oneof(
      { maxDepth: 2 },
      simple,
      // Locks that are held together could block each other without forks, too.
      fc.record({ type: fc.constant('locks'), lock: fc.constantFrom('a', 'b'), deeds: fc.array(simple) }),
      fc.record({ type: fc.constant('splits'), deeds }),
      fc.record({ type: fc.constant('abandons'), deed: tie('deed') }),
    ),
  };
});

describe('forks', () => {
  for (const strategy of ['host_pinned', 'linear'] as const) {
    it(`are never exceeded, although controllers rest, and all finish (${strategy})`, async () => {
      const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
      const tasks = fc.dictionary(names, fc.array(deed, { maxLength: 4 }));
      await fc.assert(
        fc.asyncProperty(tasks, fc.integer({ min: 1, max: 3 }), async (given, forks) => {
          expect(await mostAtWork(strategy, forks, given)).to.be.at.most(forks);
        }),
        { numRuns: 300 },
      );
    });

    it(`are all used while other controllers rest (${strategy})`, async () => {
      const rests: Deed = { type: 'rests', turns: 50 };
      const works: Deed = { type: 'works', turns: 5 };
      const tasks = { a: [rests], b: [rests], c: [works], d: [works], e: [works] };
      expect(await mostAtWork(strategy, 2, tasks)).to.equal(2);
    });
  }

  it('go to controllers that return from a rest before controllers that start, between two tasks of others', async () => {
    const done: string[] = [];
    let wakeUp: () => void = () => undefined;
    const rested = new Promise<void>((resolve) => (wakeUp = resolve));
    await createStrategy('host_pinned', { limit: fixedForks(1) })(['a', 'b', 'c'], async (name, barrier) => {
      for (const task of [1, 2]) {
        await barrier.beginStep([task]);
        if (name === 'a' && task === 1) await barrier.fork.wait(() => rested);
        if (name === 'b' && task === 1) wakeUp();
        await setImmediate();
        done.push(`${name}${task}`);
        barrier.endStep();
      }
    });
    expect(done).to.deep.equal(['b1', 'a1', 'b2', 'a2', 'c1', 'c2']);
  });

  it('let at most a thousand controllers rest: beyond that, none starts', async () => {
    let resting = 0;
    let most = 0;
    const names = Array.from({ length: 1500 }, (_, index) => `lb${index}`);
    await createStrategy('host_pinned', { limit: fixedForks(5) })(names, async (_, { fork }) => {
      most = Math.max(most, ++resting);
      await fork.wait(() => setTimeout(20));
      resting--;
    });
    expect(most).to.equal(1005);
  });

  it('are taken up to their limit, first by those that return, and by the next one when one is given back', () => {
    const limit = fixedForks(2);
    const forks = new Forks(limit);
    const has: string[] = [];
    const take = (name: string, returns = false): void => {
      const go = (): void => void has.push(name);
      if (returns) forks.takeAgain(go);
      else forks.takeFirst(go);
    };
    for (const name of ['a', 'b', 'c', 'd']) take(name);
    expect([has.join(''), forks.inUse, forks.areAwaited, forks.areWanted]).to.deep.equal(['ab', 2, true, false]);
    take('e', true);
    take('f', true);
    expect([has.join(''), forks.areWanted]).to.deep.equal(['ab', true]);
    forks.giveBack();
    expect([has.join(''), forks.inUse]).to.deep.equal(['abe', 2]);
    forks.giveBack();
    forks.giveBack();
    expect([has.join(''), forks.areWanted, forks.areAwaited]).to.deep.equal(['abefc', false, true]);
    forks.giveBack();
    expect([has.join(''), forks.inUse, forks.areAwaited]).to.deep.equal(['abefcd', 2, false]);
    forks.giveBack();
    forks.giveBack();
    take('g', true);
    take('h', true);
    expect([has.join(''), forks.inUse]).to.deep.equal(['abefcdgh', 2]);
    const few = new Forks(fixedForks(5), 1);
    few.takeFirst(() => void has.push('i'));
    few.takeFirst(() => void has.push('j'));
    expect([has.at(-1), few.inUse]).to.deep.equal(['i', 1]);
  });

  it('count the wait of a controller for its fork until it has one', async () => {
    const forks = new Forks(fixedForks(1));
    const [first, second] = [new Fork(forks), new Fork(forks)];
    await first.begin();
    const rested = first.wait(() => second.begin());
    await setImmediate();
    const before = first.waitedMs;
    second.end();
    await rested;
    const waited = first.waitedMs;
    expect(waited).to.be.above(before);
    await setImmediate();
    expect(first.waitedMs).to.equal(waited);
  });

  it('count a pause as a wait, however it ends, and a sleep not', async () => {
    const fork = new Fork(new Forks(fixedForks(1)));
    await fork.begin();
    const [going, over] = [new AbortController().signal, AbortSignal.abort()];
    await fork.sleep(7, over);
    expect(fork.waitedMs).to.equal(0);
    await fork.pause(7, over);
    await fork.pause(0, going);
    expect(fork.waitedMs).to.equal(7000);
  });

  it('run work for each item, in order, at most so many at once', async () => {
    const log: string[] = [];
    const run = async (count: number, items: readonly string[]): Promise<number> => {
      let [atOnce, most] = [0, 0];
      await forEachAtOnce(
        items,
        count,
        async (item, index) => {
          log.push(`${item}${index}`);
          most = Math.max(most, ++atOnce);
          await setImmediate();
          atOnce--;
        },
        () => log.push('less'),
      );
      return most;
    };
    expect([
      await run(2, ['a', 'b', 'c']),
      await run(0, ['d', 'e']),
      await run(9, ['f']),
      await run(2, []),
    ]).to.deep.equal([2, 1, 1, 0]);
    expect(log.join(' ')).to.equal('a0 b1 c2 less less d0 e1 less f0 less');
    const failed = forEachAtOnce(['a', 'b'], 1, (item) => Promise.reject(new Error(item)));
    expect(await failed.catch((error: unknown) => String(error))).to.equal('Error: a');
  });

  it('are given back as soon as nothing of their controllers is at work', async () => {
    const forks = new Forks(fixedForks(1));
    const [a, b] = [new Fork(forks), new Fork(forks)];
    const log: string[] = [];
    a.beginThen(() => log.push('a'));
    b.beginThen(() => log.push('b'));
    expect(log).to.deep.equal(['a']);
    void a.wait(() => Promise.resolve()).then(() => log.push('a again'));
    expect(log).to.deep.equal(['a', 'b']);
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect([log.length, forks.areWanted]).to.deep.equal([2, true]);
    void b.yieldFork()?.then(() => log.push('b again'));
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect(log).to.deep.equal(['a', 'b', 'a again']);
    const ended = new AbortController();
    void a.sleep(60, ended.signal).then(() => log.push('a slept'));
    await setImmediate();
    expect(log.at(-1)).to.equal('b again');
    b.end();
    ended.abort();
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect([log.at(-1), forks.inUse, b.yieldFork()]).to.deep.equal(['a slept', 1, undefined]);
    await a.abandon(Promise.reject(new Error('too late')));
    await a.abandon(Promise.resolve());
    await setImmediate();
    a.end();
    expect(forks.inUse).to.equal(0);
  });

  it('are passed on however many controllers give theirs back at once', () => {
    const forks = new Forks(fixedForks(1));
    let begun = 0;
    forks.takeFirst(() => undefined);
    for (let one = 0; one < 20_000; one++)
      forks.takeFirst(() => {
        begun++;
        forks.giveBack();
      });
    forks.giveBack();
    expect([begun, forks.inUse]).to.deep.equal([20_000, 0]);
  });

  it('do not let the wait for a fork count towards a time limit', async () => {
    const forks = new Forks(fixedForks(1));
    const [a, b] = [new Fork(forks), new Fork(forks)];
    let wakeUp: () => void = () => undefined;
    const rested = new Promise<void>((resolve) => (wakeUp = resolve));
    await a.begin();
    const { signal } = new AbortController();
    const attempt = { session: undefined as never, signal };
    const limited = withinTime({ seconds: 0.05, module: 'm' }, attempt, a, () => a.wait(() => rested));
    await b.begin();
    wakeUp();
    await setTimeout(150);
    b.end();
    const [result] = await Promise.allSettled([limited]);
    expect(result.status).to.equal('fulfilled');
  });
});
