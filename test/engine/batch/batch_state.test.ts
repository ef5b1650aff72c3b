import { expect } from 'chai';
import { BatchState } from '../../../src/engine/batch/batch_state.js';

describe('the failures of a batch', () => {
  const names = ['lb1', 'lb2', 'lb3', 'lb4'];
  const lose = (state: BatchState, ...lost: readonly string[]): string | undefined => {
    for (const name of lost) state.fail(name, { round: 1, position: [0] });
    return state.ending.halted?.reason;
  };
  const reason = (count: number) => `${count} of 4 controllers failed, more than max_fail_percentage (25%) allows`;

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

  it('do not end a batch without a limit', () => {
    expect(lose(new BatchState(names, undefined), ...names)).to.equal(undefined);
  });
});
