import { expect } from 'chai';
import {
  choiceShape,
  either,
  entriesUnread,
  fields,
  flag,
  hasFields,
  invalidField,
  isLarge,
  isStoredEntry,
  isStoring,
  joined,
  LARGE,
  listShape,
  loadResident,
  mapping,
  measureSize,
  nullable,
  number,
  optional,
  present,
  StoredValue,
  storing,
  text,
  texts,
  trusted,
  withEntry,
  type ShapeCheck,
} from '../../../../src/core/model/values/stored.js';
import { LazyMapping, Unsafe, type Value } from '../../../../src/core/model/values/value.js';

class Lazy extends LazyMapping {
  constructor(private readonly entries: ReadonlyMap<string, Value>) {
    super();
  }
  override get(key: string): Value | undefined {
    return this.entries.get(key);
  }
  override keys(): Iterable<string> {
    return this.entries.keys();
  }
}

/** A value of that size in a file, and how often the file was read. */
function inFile(size: number, value: Value = 'read') {
  const counted = { reads: 0 };
  const stored = new StoredValue(`digest-${size}`, size, () => {
    counted.reads += 1;
    return value;
  });
  return { stored, counted };
}

describe('the size of a value', () => {
  const lazy = new Lazy(
    new Map<string, Value>([
      ['ab', 'xyz'],
      ['c', null],
    ]),
  );
  for (const [what, value, size] of [
    ['a text', 'abc', 5],
    ['text that is no template', new Unsafe('abcd'), 6],
    ['a number', 12_345, 5],
    ['null', null, 5],
    ['nothing', undefined, 5],
    ['an empty list', [], 2],
    ['a list', ['a', 'bc'], 2 + 4 + 5],
    ['an empty mapping', {}, 2],
    ['a mapping', { a: 'b', cd: 1 }, 2 + 8 + 11],
    ['a list in a mapping', { a: ['b'] }, 2 + 5 + 6],
    ['a mapping that looks its entries up', lazy, 2 + 11 + 10],
    ['a value in a file', inFile(1000).stored, 1000],
    [
      'a mapping with a value in a file',
      storing([
        ['a', inFile(1000).stored],
        ['b', 'c'],
      ]),
      2 + 1005 + 8,
    ],
  ] as const)
    it(`is counted for ${what}`, () => {
      expect(measureSize(value)).to.equal(size);
    });

  it('is counted no further than is enough, at every depth', () => {
    const unread = { reads: 0 };
    const more = new Lazy(new Map([['never', 'x']]));
    Object.defineProperty(more, 'keys', {
      value: (): never => {
        throw new Error('counted too far');
      },
    });
    for (const [value, size] of [
      [['abc', more], 8],
      [[['abc', more], more], 2 + 8 + 1],
      [{ a: 'bcd', more }, 12],
      [{ a: { b: 'c', more }, more }, 2 + 5 + 10],
      [
        new Lazy(
          new Map<string, Value>([
            ['a', 'bcd'],
            ['b', more],
          ]),
        ),
        12,
      ],
      [
        storing([
          ['a', 'bcd'],
          ['b', inFile(9).stored],
          ['c', more],
        ]),
        12,
      ],
    ] as const)
      expect(measureSize(value, 7)).to.equal(size);
    expect(() => measureSize(['abc', more], 8)).to.throw('counted too far');
    expect(() => measureSize({ a: 'bcd', more }, 12)).to.throw('counted too far');
    expect(unread.reads).to.equal(0);
  });

  it('decides what is stored in a file, without what is stored already', () => {
    expect([isLarge('x'.repeat(LARGE - 2)), isLarge('x'.repeat(LARGE - 1)), LARGE]).to.deep.equal([
      false,
      true,
      65_536,
    ]);
    const { stored } = inFile(2 * LARGE);
    expect([isLarge(storing([['a', stored]])), isLarge(stored), isLarge([storing([['a', stored]])])]).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect([measureSize(storing([['a', stored]]), LARGE), measureSize([stored], Infinity, false)]).to.deep.equal([
      2 * LARGE + 7,
      3,
    ]);
  });
});

describe('mappings with values in files', () => {
  it('read an entry each time it is looked up, and no other', () => {
    const [one, two] = [inFile(1, { x: 1 }), inFile(2, 'second')];
    const mapping = storing([
      ['a', one.stored],
      ['b', 2],
      ['c', two.stored],
    ]);
    expect([isStoring(mapping), Object.keys(mapping)]).to.deep.equal([true, ['a', 'b', 'c']]);
    expect(['a', 'b', 'c', 'd'].map((name) => isStoredEntry(mapping, name))).to.deep.equal([true, false, true, false]);
    expect([one.counted.reads, two.counted.reads]).to.deep.equal([0, 0]);
    expect([mapping['a'], mapping['a'], mapping['b']]).to.deep.equal([{ x: 1 }, { x: 1 }, 2]);
    expect([one.counted.reads, two.counted.reads]).to.deep.equal([2, 0]);
    expect({ ...mapping }).to.deep.equal({ a: { x: 1 }, b: 2, c: 'second' });
    expect(entriesUnread(mapping)).to.deep.equal([
      ['a', one.stored],
      ['b', 2],
      ['c', two.stored],
    ]);
    expect(two.counted.reads).to.equal(1);
  });

  it('are ordinary ones if no entry is in a file', () => {
    const plain = storing([
      ['a', 1],
      ['b', [2]],
    ]);
    expect(plain).to.deep.equal({ a: 1, b: [2] });
    expect([isStoring(plain), isStoring(null), isStoring('a'), isStoredEntry(plain, 'a')]).to.deep.equal([
      false,
      false,
      false,
      false,
    ]);
    expect(entriesUnread(plain)).to.deep.equal([
      ['a', 1],
      ['b', [2]],
    ]);
    expect([loadResident(plain) === plain, joined({ a: 1, b: 1 }, { b: 2, c: 2 })]).to.deep.equal([
      true,
      { a: 1, b: 2, c: 2 },
    ]);
  });

  it('are joined, copied and reduced to what is in memory without reading', () => {
    const [one, two] = [inFile(1), inFile(2)];
    const first = storing([
      ['a', one.stored],
      ['b', 1],
    ]);
    const second = { a: 'now in memory', c: 3 };
    const both = joined(first, second);
    expect([entriesUnread(both), isStoring(both)]).to.deep.equal([
      [
        ['a', 'now in memory'],
        ['b', 1],
        ['c', 3],
      ],
      true,
    ]);
    expect(entriesUnread(joined(second, first))).to.deep.equal([
      ['a', one.stored],
      ['c', 3],
      ['b', 1],
    ]);
    const other = storing([
      ['x', two.stored],
      ['y', 5],
    ]);
    expect(entriesUnread(withEntry(first, 'd', other, 'x'))).to.deep.equal([
      ['a', one.stored],
      ['b', 1],
      ['d', two.stored],
    ]);
    expect(withEntry({ a: 1 }, 'd', other, 'y')).to.deep.equal({ a: 1, d: 5 });
    expect(withEntry({ a: 1 }, 'd', other, 'missing')).to.deep.equal({ a: 1, d: null });
    expect([loadResident(first), isStoring(loadResident(first))]).to.deep.equal([{ b: 1 }, false]);
    expect([one.counted.reads, two.counted.reads]).to.deep.equal([0, 0]);
  });
});

const VALUES: readonly unknown[] = ['a', 1, 'b', true, null, undefined, [], ['a'], ['a', 1], { a: 1 }, 2];

/** The places of the values that pass. */
function passing(check: ShapeCheck<unknown>): readonly number[] {
  return VALUES.flatMap((value, at) => (check(value) ? [at] : []));
}

describe('the shape of a value', () => {
  const checks: readonly (readonly [what: string, check: ShapeCheck<unknown>, places: readonly number[]])[] = [
    ['a text', text, [0, 2]],
    ['a number', number, [1, 10]],
    ['a flag', flag, [3]],
    ['a mapping', mapping, [9]],
    ['anything that is there', present, [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]],
    ['texts', texts, [6, 7]],
    ['a list', listShape(either(text, number)), [6, 7, 8]],
    ['a choice', choiceShape<'b' | 2>('b', 2), [2, 10]],
    ['an optional text', optional(text), [0, 2, 5]],
    ['a text or null', nullable(text), [0, 2, 4]],
    ['a flag or a number', either(flag, number), [1, 3, 10]],
    ['what is trusted', trusted(mapping), [9]],
    ['fields', fields({ a: number, b: optional(text) }), [9]],
    ['other fields', fields({ a: number, b: text }), []],
  ];
  for (const [what, check, places] of checks)
    it(`is that of ${what}`, () => {
      expect(passing(check)).to.deep.equal(places);
    });

  it('names the first field that is invalid, and looks at no inherited one', () => {
    const shape = { a: text, b: number, constructor: optional(text) };
    expect(invalidField({ a: 'x', b: 1 }, shape)).to.equal(undefined);
    expect(invalidField({ a: 1, b: 'x' }, shape)).to.equal('a');
    expect(invalidField({ a: 'x', b: 'x' }, shape)).to.equal('b');
    expect(invalidField({ a: 'x' }, shape)).to.equal('b');
    expect([hasFields({ a: 'x', b: 1 }, shape), hasFields({ a: 'x' }, shape)]).to.deep.equal([true, false]);
  });

  it('reads no value that is in a file', () => {
    const unread = new StoredValue('digest', 1, () => {
      throw new Error('it was read');
    });
    const value = storing([
      ['a', unread],
      ['b', 'x'],
    ]);
    expect(invalidField(value, { a: text })).to.equal(undefined);
    expect(invalidField(value, { a: text, b: number })).to.equal('b');
  });
});
