import { expect } from 'chai';
import { BatchState, isHalted } from '../../../src/engine/batch/batch_state.js';
import { BatchJournal } from '../../../src/engine/journal/batch_journal.js';
import { pastOf, Recorder } from '../../rig/recorder.js';

describe('the failures of a batch', () => {
  const names = ['lb1', 'lb2', 'lb3', 'lb4'];
  const lose = (state: BatchState, ...lost: readonly string[]): string | undefined => {
    for (const name of lost) state.fail(name, { opening: 1, position: [0] });
    return state.ending.halted?.reason;
  };
  const reason = (count: number) => `max_fail_percentage (25%) was exceeded when ${count} of 4 controllers had failed`;

  it('count each controller once', () => {
    const state = new BatchState(names, 25);
    expect(lose(state, 'lb1', 'lb1')).to.equal(undefined);
    expect(lose(state, 'lb2')).to.equal(reason(2));
    expect(lose(state, 'lb3')).to.equal(reason(2));
  });

  it('before errors were cleared do not count', () => {
    const state = new BatchState(names, 25);
    lose(state, 'lb1');
    state.clearErrors();
    expect(lose(state, 'lb2')).to.equal(undefined);
    expect(lose(state, 'lb3')).to.equal(reason(2));
  });

  it('end the batch above its limit, not at it', () => {
    const state = new BatchState(['lb1', 'lb2', 'lb3'], 66);
    const most = new BatchState(names, 50);
    const after = 'max_fail_percentage (66%) was exceeded when 2 of 3 controllers had failed';
    expect([lose(state, 'lb1'), lose(state, 'lb3'), lose(most, 'lb1', 'lb2')]).to.deep.equal([
      undefined,
      after,
      undefined,
    ]);
    expect(state.ending).to.deep.equal({ errorClears: 0, halted: { reason: after, opening: 1, position: [0] } });
  });

  it('do not end a batch without a limit', () => {
    expect(lose(new BatchState(names, undefined), ...names)).to.equal(undefined);
  });
});

describe('the end of a batch', () => {
  const names = ['lb1', 'lb2'];

  it('of the play is more than that of the batch, and both count failures that were cleared', () => {
    const state = new BatchState(names, undefined);
    expect(state.ending).to.deep.equal({ errorClears: 0 });
    state.end('batch');
    state.clearErrors();
    expect(state.ending).to.deep.equal({ errorClears: 1, ended: 'batch' });
    state.end('play');
    state.end('batch');
    expect(state.ending).to.deep.equal({ errorClears: 1, ended: 'play' });
  });

  it('has the first reason, which an "always" around its step may take back', () => {
    const state = new BatchState(names, undefined);
    state.halt({ reason: 'first', position: [1, 2, 3] });
    state.halt({ reason: 'second', position: [9] });
    expect(state.ending.halted?.reason).to.equal('first');
    expect([state.takeBack([1, 3]), state.takeBack([2]), state.takeBack([1, 2, 3, 4])]).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(state.ending.halted?.reason).to.equal('first');
    // Both controllers are in the block.
    expect([state.takeBack([1, 2]), state.ending.halted, state.takeBack([1, 2])]).to.deep.equal([
      true,
      undefined,
      true,
    ]);
    state.leaveHalted();
    expect(state.ending.halted).to.deep.equal({ reason: 'first', position: [1, 2, 3], isFinal: true });
    expect(state.takeBack([1, 2])).to.equal(false);
  });

  it('keeps the rest of its state when it is taken back, and may be for another reason then', () => {
    const state = new BatchState(names, undefined);
    state.end('batch');
    state.clearErrors();
    state.halt({ reason: 'first', position: [1, 2] });
    state.takeBack([1]);
    expect(state.ending).to.deep.equal({ errorClears: 1, ended: 'batch', halted: undefined });
    state.halt({ reason: 'second', position: [3] });
    state.leaveHalted();
    const halted = { reason: 'second', position: [3], isFinal: true };
    expect(state.ending).to.deep.equal({ errorClears: 1, ended: 'batch', halted });
  });

  it('cannot be taken back without a place, and is not there before a halt', () => {
    const state = new BatchState(names, undefined);
    state.leaveHalted();
    expect([state.ending.halted, state.takeBack([])]).to.deep.equal([undefined, false]);
    state.halt({ reason: 'stale' });
    expect(state.takeBack([])).to.equal(false);
  });

  it('is that before an interrupt', async () => {
    const batch = { play: 0, batch: 1, area: '0:' };
    const recorder = new Recorder();
    const before = new BatchState(names, 10, new BatchJournal(batch, recorder, undefined));
    for (const what of ['play', 'play', 'batch'] as const) before.end(what);
    for (const name of names) before.fail(name, { position: [1] });
    expect(recorder.of('batch-ended').map(({ how }) => how)).to.deep.equal(['play', 'halted']);
    const past = await pastOf(recorder.entries);
    const { ended, halted } = new BatchState(names, 10, new BatchJournal(batch, undefined, past)).ending;
    const reason = 'max_fail_percentage (10%) was exceeded when 1 of 2 controllers had failed';
    expect([ended, halted]).to.deep.equal(['play', { reason, position: [1] }]);
  });

  for (const [what, halted, round, position, expected] of [
    ['is none', undefined, 1, [1], false],
    ['holds all without rounds', { reason: '', opening: 1 }, undefined, [1], true],
    ['holds all without rounds, also before its place', { reason: '', position: [2] }, undefined, [1], true],
    ['lets the same round finish', { reason: '', opening: 3 }, 3, [1], false],
    ['holds another round', { reason: '', opening: 3 }, 4, [1], true],
    ['lets all finish its place after a resume', { reason: '', position: [2, 1] }, 5, [2, 1], false],
    ['lets all get to its place after a resume', { reason: '', position: [2, 1] }, 5, [1, 9], false],
    ['holds all behind its place after a resume', { reason: '', position: [2, 1] }, 5, [2, 2], true],
    ['holds all without a place', { reason: '' }, 5, [9], true],
  ] as const)
    it(`${what}: a halt`, () => {
      expect(isHalted({ halted, errorClears: 0 }, round, position)).to.equal(expected);
    });
});
