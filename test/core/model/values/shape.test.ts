import { expect } from 'chai';
import {
  choiceShape,
  either,
  fields,
  flag,
  hasFields,
  invalidField,
  listShape,
  mapping,
  nullable,
  number,
  optional,
  present,
  text,
  texts,
  trusted,
  type ShapeCheck,
} from '../../../../src/core/model/values/shape.js';
import { StoredValue, storing } from '../../../../src/core/model/values/stored.js';

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
