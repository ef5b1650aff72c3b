import { expect } from 'chai';
import { count, nameSome } from '../../../../src/core/model/source/amounts.js';

describe('amounts', () => {
  it('count with the noun in singular or plural, and with groups of three digits', () => {
    expect([0, 1, 2, 999, 1000, 1234567].map((number) => count(number, 'controller'))).to.deep.equal([
      '0 controllers',
      '1 controller',
      '2 controllers',
      '999 controllers',
      '1,000 controllers',
      '1,234,567 controllers',
    ]);
  });

  it('name a few of many', () => {
    expect(nameSome(['a', 'b'], 2)).to.equal('a, b');
    expect(nameSome(['a', 'b', 'c', 'd'], 2)).to.equal('a, b and 2 more');
    expect(nameSome(['aaaa', 'bbbb', 'cccc'], 3, 12)).to.equal('aaaa, bbbb and 1 more');
    expect(nameSome(['a', 'b'], 1)).to.equal('a and 1 more');
    expect(nameSome([], 1)).to.equal('');
    expect(nameSome(['aaaa', 'bbbb'], 2, 3)).to.equal('aaaa and 1 more');
  });
});
