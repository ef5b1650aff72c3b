import { expect } from 'chai';
import fc from 'fast-check';
import { comparePositions } from '../../../src/core/model/playbook/step_place.js';
import { WaitingList } from '../../../src/engine/batch/strategy.js';

describe('WaitingList', () => {
  it('returns waiting controllers by position, lowest first, then in the order of arrival', () => {
    const position = fc.array(fc.nat(3), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(position), (positions) => {
        const list = new WaitingList<number>();
        for (const [who, at] of positions.entries()) list.add(at, who);
        const sorted = [...positions.entries()].sort(([, a], [, b]) => comparePositions(a, b));
        const taken: number[] = [];
        for (let next = list.takeLowest(); next.length > 0; next = list.takeLowest()) {
          const [first] = next;
          for (const who of next) expect(positions[who]).to.deep.equal(positions[first ?? -1]);
          taken.push(...next);
        }
        expect(taken).to.deep.equal(sorted.map(([who]) => who));
      }),
    );
  });

  it('is empty when no controller waits', () => {
    expect(new WaitingList<number>().takeLowest()).to.deep.equal([]);
  });
});
