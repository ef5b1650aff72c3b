import { expect } from 'chai';
import fc from 'fast-check';
import { isInShard, shardIndex, shardText } from '../../../../src/core/model/run/shard.js';

const fleets = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 200 });
const counts = fc.integer({ min: 1, max: 40 });

function partsOf(names: readonly string[], count: number): readonly (readonly string[])[] {
  return Array.from({ length: count }, (_, at) => names.filter((name) => isInShard(name, { index: at + 1, count })));
}

describe('shards', () => {
  it('have each controller once', () => {
    fc.assert(
      fc.property(fleets, counts, (names, count) => {
        expect(partsOf(names, count).flat().sort()).to.deep.equal([...names].sort());
      }),
    );
  });

  it('keep a controller whatever else is selected, and in any order', () => {
    fc.assert(
      fc.property(fleets, fleets, counts, (names, others, count) => {
        const among = partsOf([...others.filter((name) => !names.includes(name)), ...names].reverse(), count);
        for (const [at, part] of partsOf(names, count).entries())
          for (const name of part) expect(among[at], name).to.include(name);
      }),
    );
  });

  it('are the same in every version, because machines may not be updated at once', () => {
    expect(['lb1', 'lb2', 'lb3', 'lb1.example.com', 'größe'].map((name) => shardIndex(name, 4))).to.deep.equal([
      3, 4, 3, 2, 4,
    ]);
  });

  it('are written with their number', () => {
    expect(shardText({ index: 2, count: 40 })).to.equal('2/40');
  });

  it('are about equally large', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `lb${at}.example.com`);
    for (const part of partsOf(names, 8)) expect(part.length).to.be.within(1_150, 1_350);
  });
});
