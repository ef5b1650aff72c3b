import { expect } from 'chai';
import { failedGate, type FailedGateCheck } from '../../../src/engine/play/gate_round.js';

const failed = (check: string, ...controllers: readonly string[]): readonly FailedGateCheck[] =>
  controllers.map((controller) => ({ controller, check, outcomeUnknown: false }));

describe('the text of a failed gate', () => {
  it('has its batch, and up to two checks with up to three controllers each', () => {
    const number = { batch: 2, batches: 3 };
    const of = 'the gate of batch 2 of 3 failed';
    for (const [checks, expected] of [
      [[], `${of}: no controller of it is left to check`],
      [failed('a', 'lb1', 'lb2', 'lb3'), `${of}: "a" on lb1, lb2, lb3`],
      [failed('a', 'lb1', 'lb2', 'lb3', 'lb4', 'lb5'), `${of}: "a" on lb1, lb2, lb3 and 2 more`],
      [[...failed('a', 'lb1'), ...failed('b', 'lb2'), ...failed('a', 'lb3')], `${of}: "a" on lb1, lb3, "b" on lb2`],
      [
        [...failed('a', 'lb1'), ...failed('b', 'lb2'), ...failed('c', 'lb3'), ...failed('d', 'lb4')],
        `${of}: "a" on lb1, "b" on lb2 and 2 more`,
      ],
    ] as const)
      expect(failedGate(number, checks)).to.equal(expected);
    expect(failedGate({ batch: 1, batches: 1 }, failed('a', 'lb1'))).to.equal(
      'the gate of the play failed: "a" on lb1',
    );
  });
});
