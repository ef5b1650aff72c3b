import { expect } from 'chai';
import { safeLength, patternTokens } from '../../../src/core/model/regular_expression/backtracking.js';

describe('the longest text on which an expression is certain to finish soon', () => {
  for (const [length, ...sources] of [
    // Nothing is repeated, or only the characters from a fixed start.
    [1_048_576, 'abc', 'a|b', ''],
    [1_048_575, '^a+', '^(?:ab)+$', 'a?'],
    // A number of repetitions is a number of ways, unless the end of each is clear.
    [524_287, 'a?b?', '^(?:a+$|b)'],
    [349_524, 'a{3}'],
    [209_714, 'a{2,5}b'],
    [52_427, 'a{2,5}a', 'a{2,5}?a'],
    [43_689, '(?:a{2}){3}'],
    [5460, '(?:a{1,2}){3}b'],
    // One repetition may begin anywhere.
    [1023, 'a+', 'a+b', 'a+?b', 'a{2,}b', '\\bb*', '(?=a)b*', '(a)\\1b*', '(?:)*', 'a+)b+'],
    // What is between the repetitions cannot be in the first.
    [1023, 'a+b+', 'a+A+', 'a+\\d+', 'a+[^a]+', 'a+[b-d]+', 'a+\\.+', '[a\\]]+b+', 'a{2,}?b+', 'a+$b+', '(a+)(b+)'],
    [723, '(?:a|ab)c*', '(?:a|b)c*', '^a+|b', '^a+|^b+', '(?:a*b){2}', '(?:a*b){2}c+'],
    // A lookbehind reads backwards, so it is not known what follows what.
    [100, '(?<!a)b*c+'],
    [417, '(?:a*b){2,3}c', '(?:a*b){2,3}b'],
    // It may be in the first, or it is not known where.
    [100, 'a*a*', 'a*b*', 'a+a+', 'a+\\w+', 'a+.+', 'a+é+', '\\u0061+b+', '\\x61+b+', '[a\\]]+\\]+', 'a+\\bb+'],
    [100, '(?<n>a)\\k<n>*'],
    [79, 'a+(?=b|a)b+', 'a+(?:b|c)d*'],
    // What may be left out is not all that can follow.
    [79, 'a+(b)?a*'],
    [25, 'a{0,1}b*c*d*', '(?:a*){2}'],
    // The number of ways is exponential, or may be.
    [-1, '(?:a|b)+c', 'a+(?:b|c)+', 'a+(?:b|a)+', '(a+)+', '(?:a|ab)+c', '(?:a|)+', 'a+(?:b|c?)+', '(?:a+|b)+c'],
  ] as const)
    it(`is ${length} for ${sources.join(' ')}`, () => {
      for (const source of sources) expect(safeLength(source, ''), source).to.equal(length);
    });

  it('depends on its flags', () => {
    for (const [source, flags, length] of [
      ['^a+', 'm', 1023],
      ['a+A+', 'i', 100],
      ['a+$b+', 'm', 100],
      ['a+b+', 'u', 100],
      ['a+b+', 'g', 1023],
      ['a+b+', 'y', 1023],
    ] as const)
      expect(safeLength(source, flags), `${source} ${flags}`).to.equal(length);
  });
});

describe('the parts of an expression', () => {
  it('are escapes, classes, openings of groups, quantifiers and characters', () => {
    const parts = ['a', '\\u0061', '\\x41', '\\cA', '\\k<n>', '\\n', '[a\\]b]', '(?<=', 'x', ')', '(?<!', 'x', ')'];
    const more = ['(?<n>', 'x', ')', '(?:', 'x', ')', '(?=', 'x', ')', '(?!', 'x', ')', '(', 'x', ')'];
    const counted = ['a', '{2}', 'b', '{2,}', 'c', '{2,3}', 'd', '{', ',', '3', '}', 'e', '*', '+', '?', '|'];
    const all = [parts, more, counted].flat();
    expect(patternTokens(all.join(''))).to.deep.equal(all);
    expect(patternTokens('')).to.deep.equal([]);
  });
});
