import { expect } from 'chai';
import { linear } from '../../../src/core/model/regular_expression/regular_expression.js';

describe('an expression on the linear engine', () => {
  it('finds what the usual engine finds', () => {
    for (const [source, flags, text, at, ...found] of [
      ['b+', '', 'abba', 1, 'bb'],
      ['[[a]+', '', 'x[a[', 1, '[a['],
      ['[\\b]', '', 'a\b', 1, '\b'],
      ['[^\\s,]+', '', ' ,\u00a0ab', 3, 'ab'],
      ['[^]+', '', '\n\u2028', 0, '\n\u2028'],
      ['a\\0b', '', 'a\0b', 0, 'a\0b'],
      ['\\u0061+', '', 'xaa', 1, 'aa'],
      ['\\u', '', 'xu', 1, 'u'],
      ['\\e\\Q', '', 'xeQ', 1, 'eQ'],
      ['\\é', '', 'xé', 1, 'é'],
      ['\\s', '', 'a\ufeff', 1, '\ufeff'],
      ['\\S', '', '\u00a0\u2028b', 2, 'b'],
      ['.', '', '\n\r\u2028\u2029b', 4, 'b'],
      ['.', 's', '\nb', 0, '\n'],
      ['A', 'i', 'xa', 1, 'a'],
      ['^b', 'm', 'a\nb', 2, 'b'],
      ['b$', 'gy', 'b', 0, 'b'],
      ['(a)|(b)', '', 'b', 0, 'b', undefined, 'b'],
    ] as const) {
      const match = linear(source, flags)?.(text, 0);
      expect(match && [match.index, ...match], source).to.deep.equal([at, ...found]);
      expect(match?.groups, source).to.equal(undefined);
      const native = new RegExp(source, flags.replace(/[gy]+/, '')).exec(text);
      expect(native && [native.index, ...native], `${source}, as V8 finds it`).to.deep.equal([at, ...found]);
    }
  });

  it('has the names of groups, and begins where it should', () => {
    expect({ ...linear('(?<n>a)|(?<m>b)', '')?.('b', 0)?.groups }).to.deep.equal({ n: undefined, m: 'b' });
    const find = linear('a', '');
    expect([find?.('aba', 0)?.index, find?.('aba', 1)?.index, find?.('aba', 3)]).to.deep.equal([0, 2, undefined]);
  });

  it('is none if only V8 can run it', () => {
    for (const source of [
      '(a)\\1',
      '(?<n>a)\\k<n>',
      'a(?=b)',
      '(?<!a)b',
      '[]',
      '[\\S]',
      '[^\\B]',
      'a{1001}',
      '\\cA',
      '(',
    ])
      expect(linear(source, ''), source).to.equal(undefined);
  });
});
