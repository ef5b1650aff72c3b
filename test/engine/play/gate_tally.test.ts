import { expect } from 'chai';
import fc from 'fast-check';
import { GateTally } from '../../../src/engine/play/gate_run.js';

describe('the rounds of a gate', () => {
  for (const [title, passes, failures, rounds, expected] of [
    ['one pass is enough', 1, 1, '+', 'passed'],
    ['one failure fails the gate', 3, 1, '++-', 'failed'],
    ['passes must be consecutive', 2, 2, '+-+', 'open'],
    ['and end it then', 2, 2, '+-++', 'passed'],
    ['a pass does not reset failures', 2, 2, '-+-', 'failed'],
    ['nothing yet', 2, 2, '', 'open'],
  ] as const) {
    it(title, () => {
      const tally = new GateTally({ passes, failures });
      const verdicts = Array.from(rounds, (round) => tally.count(round === '+'));
      expect(verdicts.at(-1) ?? 'open').to.equal(expected);
      expect(verdicts.slice(0, -1).every((verdict) => verdict === 'open')).to.equal(true);
    });
  }

  it('end', () => {
    const small = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(small, small, fc.infiniteStream(fc.boolean()), (passes, failures, rounds) => {
        const tally = new GateTally({ passes, failures });
        let count = 1;
        while (tally.count(rounds.next().value as boolean) === 'open') count++;
        expect(count).to.be.at.most(passes * failures);
      }),
    );
  });
});
