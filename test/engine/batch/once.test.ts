import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { Once } from '../../../src/engine/batch/once.js';
import { withinTurns } from '../../rig/turns.js';

const STEP = 'site.yml:3:5';

describe('the controller that runs a run_once task for its batch', () => {
  it('is the first controller of the batch', async () => {
    const once = new Once<string>(['a', 'b']);
    once.arrive('b', [0]);
    const second = once.turn('b', STEP, [0]);
    once.arrive('a', [0]);
    const first = await withinTurns(once.turn('a', STEP, [0]));
    if (first.type !== 'perform') throw new Error('a is to perform it');
    first.done('result');
    expect(await withinTurns(second)).to.deep.equal({ type: 'share', result: 'result' });
    expect(await withinTurns(once.turn('b', STEP, [0]))).to.deep.equal({ type: 'share', result: 'result' });
  });

  it('is the next controller when earlier ones have left the play or passed the step', async () => {
    const once = new Once<string>(['a', 'b', 'c']);
    once.arrive('c', [1]);
    const turn = once.turn('c', STEP, [1]);
    once.leave('a');
    once.arrive('b', [0]);
    once.arrive('b', [2]);
    expect((await withinTurns(turn)).type).to.equal('perform');
  });

  it('is not chosen while an earlier controller may still reach the step', async () => {
    const once = new Once<string>(['a', 'b', 'c']);
    const order: string[] = [];
    const wait = async (name: string): Promise<void> => {
      once.arrive(name, [1]);
      const turn = await withinTurns(once.turn(name, STEP, [1]));
      order.push(`${name} ${turn.type}`);
      if (turn.type === 'perform') turn.done('x');
    };
    const all = [wait('c'), wait('b'), wait('a')];
    await withinTurns(Promise.all(all));
    expect(order[0]).to.equal('a perform');
    expect(order.slice(1).sort()).to.deep.equal(['b share', 'c share']);
  });

  it('is the one that began the step, once those that may have begun it have reached it', async () => {
    const once = new Once<string>(['a', 'b', 'c']);
    const others = { hasBegun: false, candidates: () => ['b', 'c', 'gone'] };
    const first = once.turn('a', STEP, [1], others);
    once.arrive('c', [2]);
    expect(first).to.be.an.instanceOf(Promise);
    const begun = once.turn('b', STEP, [1], { ...others, hasBegun: true });
    if (begun instanceof Promise || begun.type !== 'perform') throw new Error('b is to perform it');
    begun.done('x');
    expect(await withinTurns(first)).to.deep.equal({ type: 'share', result: 'x' });
  });

  for (const elsewhere of [STEP, 'site.yml:9:5'])
    it(`is the first one if those that may have begun it wait at the same position, at ${elsewhere}`, async () => {
      const once = new Once<string>(['a', 'b']);
      const position = [1, Infinity];
      once.arrive('a', [1]);
      once.arrive('b', [1]);
      const first = once.turn('a', STEP, position, { hasBegun: false, candidates: () => ['b'] });
      const second = once.turn('b', elsewhere, position, { hasBegun: false, candidates: () => ['a'] });
      const turn = await withinTurns(first);
      if (turn.type !== 'perform') throw new Error('a is to perform it');
      turn.done('x');
      once.leave('a');
      expect((await withinTurns(second)).type).to.equal(elsewhere === STEP ? 'share' : 'perform');
    });

  it('is the first one if another that may have begun it waits for it at the same position', async () => {
    const once = new Once<string>(['a', 'b']);
    const position = [1, Infinity];
    once.arrive('b', [1]);
    const second = once.turn('b', 'site.yml:9:5', position);
    once.arrive('a', [1]);
    const first = await withinTurns(once.turn('a', STEP, position, { hasBegun: false, candidates: () => ['b'] }));
    if (first.type !== 'perform') throw new Error('a is to perform it');
    first.done('x');
    once.leave('a');
    expect((await withinTurns(second)).type).to.equal('perform');
  });

  it('knows who takes no part', () => {
    const once = new Once<string>(['a', 'b', 'c']);
    once.arrive('b', [1]);
    for (const name of ['b', 'c']) once.leave(name);
    expect(['a', 'b', 'c', 'gone'].filter((name) => once.isAbsent(name))).to.deep.equal(['c', 'gone']);
  });

  it('is known only when the earlier one has gone past the step', async () => {
    const once = new Once<string>(['a', 'b']);
    once.arrive('b', [1]);
    const known: string[] = [];
    const turn = Promise.resolve(once.turn('b', STEP, [1])).then(({ type }) => known.push(type));
    for (const position of [[0], [0, 7], [1]]) {
      once.arrive('a', position);
      await setImmediate();
      expect(known).to.deep.equal([]);
    }
    once.arrive('a', [1, 0]);
    await withinTurns(turn);
    expect(known).to.deep.equal(['perform']);
    // The step comes after what is known already.
    once.leave('a');
    once.arrive('b', [2]);
    expect((await withinTurns(once.turn('b', 'site.yml:9:5', [2]))).type).to.equal('perform');
  });

  it('stays the same when it leaves before it has the result', async () => {
    const once = new Once<string>(['a', 'b', 'c']);
    for (const name of ['a', 'b', 'c']) once.arrive(name, [1]);
    const turns = ['a', 'b', 'c'].map((name) => once.turn(name, STEP, [1]));
    const first = await withinTurns(turns[0]);
    if (first?.type !== 'perform') throw new Error('a is to perform it');
    once.leave('a');
    expect(once.turn('b', STEP, [1])).to.be.an.instanceOf(Promise);
    first.done('x');
    const shared = { type: 'share', result: 'x' };
    expect([await withinTurns(turns[2]), await withinTurns(once.turn('b', STEP, [1]))]).to.deep.equal([shared, shared]);
  });

  it('has the result of its own position alone', async () => {
    const once = new Once<string>(['a', 'b']);
    for (const position of [[1, 2], [12]]) {
      once.arrive('a', position);
      const turn = await withinTurns(once.turn('a', STEP, position));
      if (turn.type === 'perform') turn.done(position.join('.'));
    }
    const ofB = [[1, 2], [12]].map((position) => once.turn('b', STEP, position));
    expect(ofB).to.deep.equal([
      { type: 'share', result: '1.2' },
      { type: 'share', result: '12' },
    ]);
  });

  it('is found for each of two steps that controllers wait for at the same time', async () => {
    // Controllers may include other steps at one position.
    for (const [first, second] of [
      [STEP, 'site.yml:9:5'],
      ['site.yml:9:5', STEP],
    ] as const) {
      const once = new Once<string>(['a', 'b', 'c']);
      for (const name of ['b', 'c']) once.arrive(name, [1]);
      const turns = [once.turn('b', first, [1]), once.turn('c', second, [1])];
      once.leave('a');
      const begun = await withinTurns(turns[0]);
      if (begun?.type !== 'perform') throw new Error('b is to perform it');
      begun.done('x');
      once.leave('b');
      expect((await withinTurns(turns[1]))?.type).to.equal('perform');
    }
  });

  it('is found at every position of the step', async () => {
    const once = new Once<string>(['a']);
    for (const item of [0, 1]) {
      once.arrive('a', [item, 0]);
      expect((await withinTurns(once.turn('a', STEP, [item, 0]))).type).to.equal('perform');
    }
  });
});
