import { expect } from 'chai';
import fc from 'fast-check';
import type { PlayOrder } from '../../../src/core/model/run/choices.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { cutBatches, inOrder } from '../../../src/engine/batch/batches.js';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `lb${index}`);
const sizes = (count: number, serial?: readonly Value[]): readonly number[] =>
  cutBatches(names(count), serial).map(({ length }) => length);

describe('batches', () => {
  const table: readonly [string, number, readonly Value[] | undefined, readonly number[]][] = [
    ['all at once without serial', 5, undefined, [5]],
    ['nobody', 0, [2], []],
    ['a count', 5, [2], [2, 2, 1]],
    ['a count larger than the fleet', 3, [10], [3]],
    ['0 takes all that are left', 5, [0], [5]],
    ['a negative number takes all that are left', 5, [2, -1], [2, 3]],
    ['a share, rounded down', 10, ['25%'], [2, 2, 2, 2, 2]],
    ['a share of at least one', 10, ['1%'], Array.from({ length: 10 }, () => 1)],
    ['a share of zero is one controller', 3, ['0%'], [1, 1, 1]],
    ['more than all', 3, ['200%'], [3]],
    ['a list whose last entry repeats', 12, [1, 3, '30%'], [1, 3, 3, 3, 2]],
    ['a share of almost all', 100, ['99%'], [99, 1]],
    ['a share with a fraction and spaces', 16, [' 12.5 % '], [2, 2, 2, 2, 2, 2, 2, 2]],
    ['numbers as text', 5, ['2', ' 3 '], [2, 3]],
    ['a list that a template made', 6, [[1, 2]], [1, 2, 2, 1]],
  ];
  for (const [title, count, serial, expected] of table) {
    it(title, () => {
      expect(sizes(count, serial)).to.deep.equal(expected);
    });
  }

  it('refuses a size that is neither a number nor a percentage', () => {
    expect(() => sizes(3, ['half'])).to.throw(
      'serial takes a number, a percentage such as "25%", or a list of them, not "half"',
    );
    const source = { file: 'site.yml', line: 3, column: 11 };
    for (const entry of [1.5, 'half'])
      expect(() => cutBatches(names(3), [entry], source))
        .to.throw(`serial takes a number, a percentage such as "25%", or a list of them, not ${JSON.stringify(entry)}`)
        .with.property('source', source);
    expect(() => sizes(0, [true])).to.throw('not true');
  });

  it('keep the order of the run before: those that cannot start keep their places, others go behind', () => {
    const after = (order: PlayOrder, before: readonly string[], given: string, lost = ''): string =>
      inOrder(given.split(''), order, (name) => !lost.includes(name), before).join('');
    expect(after('shuffle', ['c', 'a', 'gone'], 'abcd')).to.equal('cabd');
    expect(after('shuffle', ['c', 'a', 'gone'], 'abcd', 'b')).to.equal('cbad');
    expect(after('sorted', ['b', 'a'], 'acbd')).to.equal('bacd');
    expect(after('reverse_inventory', ['d', 'a'], 'abcd', 'c')).to.equal('dcab');
    expect(after('inventory', [], 'ba')).to.equal('ba');
  });

  it('keep the places of those that do not start the play', () => {
    const given = ['b', 'c', 'a', 'B', 'A'];
    const isStarting = (name: string): boolean => name !== 'c' && name !== 'B';
    const shuffles = Array.from({ length: 40 }, () => inOrder(given, 'shuffle', isStarting).join(''));
    expect(shuffles.filter((one) => !/^.c.B.$/.test(one))).to.deep.equal([]);
    expect(new Set(shuffles).size).to.equal(6);
  });

  it('are cut from the order of the play', () => {
    const given = ['b', 'c', 'a', 'B'];
    const ordered = (['inventory', 'reverse_inventory', 'sorted', 'reverse_sorted'] as const).map((order) =>
      inOrder(given, order, () => true).join(''),
    );
    expect(ordered).to.deep.equal(['bcaB', 'Bacb', 'Babc', 'cbaB']);
    const shuffles = Array.from({ length: 40 }, () => inOrder(given, 'shuffle', () => true));
    expect(shuffles.every((one) => one.toSorted().join('') === 'Babc')).to.equal(true);
    expect(new Set(shuffles.map((one) => one.join(''))).size).to.be.above(1);
    expect(given).to.deep.equal(['b', 'c', 'a', 'B']);
  });

  it('have every controller once, in order', () => {
    const entry = fc.oneof(
      fc.integer({ min: -1, max: 9 }),
      fc.integer({ min: 0, max: 150 }).map((share) => `${share}%`),
    );
    fc.assert(
      fc.property(fc.nat(50), fc.array(entry, { maxLength: 4 }), (count, serial) => {
        const batches = cutBatches(names(count), serial);
        expect(batches.flat()).to.deep.equal(names(count));
        expect(batches.every(({ length }) => length > 0)).to.equal(true);
      }),
    );
  });
});
