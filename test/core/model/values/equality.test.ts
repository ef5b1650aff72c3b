import { expect } from 'chai';
import { display, isEqual, LazyMapping, Unsafe } from '../../../../src/core/model/values/value.js';

describe('deep equality', () => {
  const equal: readonly (readonly [string, unknown, unknown])[] = [
    ['the same text', 'a', 'a'],
    ['mappings in another order', { a: 1, b: [2] }, { b: [2], a: 1 }],
    ['zeros of either sign, which JSON does not distinguish', { a: 0 }, { a: -0 }],
    ['not a number', [NaN], [NaN]],
    ['texts that are no templates', { a: new Unsafe('{{x}}') }, { a: new Unsafe('{{x}}') }],
  ];
  for (const [title, a, b] of equal) it(`holds for ${title}`, () => expect(isEqual(a, b)).equals(true));

  const different: readonly (readonly [string, unknown, unknown])[] = [
    ['a text and a number', '1', 1],
    ['lists in another order', [1, 2], [2, 1]],
    ['lists with one other element', [1, 2], [1, 3]],
    ['lists of different length', [1], [1, undefined]],
    ['a list and a mapping', [], {}],
    ['null and nothing', { a: null }, {}],
    ['keys of other names', { a: undefined }, { b: undefined }],
    ['a key that the prototype has', { constructor: 1 }, { toString: 1 }],
    ['a text and a template text', new Unsafe('a'), 'a'],
    ['texts that are no templates', new Unsafe('a'), new Unsafe('b')],
  ];
  for (const [title, a, b] of different) it(`does not hold for ${title}`, () => expect(isEqual(a, b)).equals(false));
});

describe('a value for display', () => {
  it('has the entries of mappings that look them up, and texts that are no templates as they are', () => {
    class Squares extends LazyMapping {
      override get(key: string): number {
        return Number(key) ** 2;
      }
      override keys(): readonly string[] {
        return ['2', '3'];
      }
    }
    expect(display([new Squares(), new Unsafe('{{x}}')])).to.equal(
      '[\n  {\n    "2": 4,\n    "3": 9\n  },\n  "{{x}}"\n]',
    );
    expect(display('a')).to.equal('a');
  });
});
