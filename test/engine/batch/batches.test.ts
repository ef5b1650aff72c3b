import { expect } from 'chai';
import fc from 'fast-check';
import type { StartedBatch } from '../../../src/core/model/run/past.js';
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

  it('that had started keep their controllers, the last of a play gets new ones, others are cut as usual', () => {
    const cut = (given: string, serial: readonly Value[] | undefined, ...started: readonly string[]): string => {
      const batch = (text: string): StartedBatch => ({
        controllers: text.replace('.', '').split(''),
        mayGetOthers: text.endsWith('.'),
      });
      const before = started.map((text, index) => [index + 1, batch(text)] as const);
      const known = new Map(before.filter(([, { controllers }]) => controllers.length > 0));
      return cutBatches(given.split(''), serial, undefined, known)
        .map((names) => names.join(''))
        .join(' ');
    };
    expect(cut('abcdef', [2], 'da', 'bc')).to.equal('da bc ef');
    expect(cut('xaybzc', [2], 'ab', 'c.')).to.equal('ab cx yz');
    expect(cut('bacx', undefined, 'cab.')).to.equal('cabx');
    expect(cut('xyz', undefined, 'a', 'b.')).to.equal(' xyz');
    expect(cut('acdef', [2, 1], 'ab', 'c', 'd')).to.equal('a c d e f');
    expect(cut('abcde', [4], 'ab', 'cd')).to.equal('ab cd e');
    expect(cut('abcde', [1], 'ab', 'cd.')).to.equal('ab cd e');
    // No controller of the second had been left when its turn came.
    expect(cut('abcdefg', [2], 'ab', '', 'ef')).to.equal('ab cd ef g');
    expect(cut('ab', [1], 'ab')).to.equal('ab');
    expect(cut('abcd', [2], 'ab', 'bca', 'c')).to.equal('ab c  d');
  });

  it('are cut from the order of the play', () => {
    const given = ['b', 'c', 'a', 'B'];
    const ordered = (['inventory', 'reverse_inventory', 'sorted', 'reverse_sorted'] as const).map((order) =>
      inOrder(given, order, '').join(''),
    );
    expect(ordered).to.deep.equal(['bcaB', 'Bacb', 'Babc', 'cbaB']);
    expect(given).to.deep.equal(['b', 'c', 'a', 'B']);
  });

  it('are shuffled in another order for each seed, and by the same seed as before, but for those that come and go', () => {
    const shuffled = (names: string, seed: number): string => inOrder(names.split(''), 'shuffle', `${seed}`).join('');
    const seeds = Array.from({ length: 40 }, (_, seed) => seed);
    const orders = seeds.map((seed) => shuffled('abc', seed));
    expect([...new Set(orders)].toSorted()).to.deep.equal(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
    expect(seeds.map((seed) => shuffled('xcbya', seed).replaceAll(/[xy]/g, ''))).to.deep.equal(orders);
  });

  const entry = fc.oneof(
    fc.integer({ min: -1, max: 9 }),
    fc.integer({ min: 0, max: 150 }).map((share) => `${share}%`),
  );

  it('have every controller once, in order', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.array(entry, { maxLength: 4 }), (count, serial) => {
        const batches = cutBatches(names(count), serial);
        expect(batches.flat()).to.deep.equal(names(count));
        expect(batches.every(({ length }) => length > 0)).to.equal(true);
      }),
    );
  });

  it('have every controller once, whatever had started', () => {
    const batch = fc.record({ controllers: fc.subarray([...names(12)]), mayGetOthers: fc.boolean() });
    const started = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 6 }), batch), { selector: ([number]) => number });
    fc.assert(
      fc.property(fc.nat(10), fc.array(entry, { maxLength: 4 }), started, (count, serial, before) => {
        const batches = cutBatches(names(count), serial, undefined, new Map(before));
        expect(batches.flat().toSorted()).to.deep.equal(names(count));
      }),
    );
  });
});
