import { expect } from 'chai';
import {
  joinPatterns,
  looksBeyondGroups,
  nameMatcher,
  splitTerms,
} from '../../../../src/core/model/inventory/pattern_terms.js';

describe('the terms of a pattern', () => {
  for (const [text, terms] of [
    ['a,b', ['a', 'b']],
    [' a , ,b ', ['a', 'b']],
    ['a:b', ['a', 'b']],
    ['a b', ['a', 'b']],
    ['a:&b:!c', ['a', '&b', '!c']],
    ['a b,c', ['a b', 'c']],
    ['a:b,c', ['a:b', 'c']],
    ['lb[1:3]:x', ['lb[1:3]', 'x']],
    ['lb[1:3]', ['lb[1:3]']],
    ['lb:8443', ['lb:8443']],
    ['lb:x', ['lb', 'x']],
    ['fe80::1', ['fe80::1']],
    ['!fd00::7', ['!fd00::7']],
    ['&2001:db8::*', ['&2001:db8::*']],
    ['2001:db8::*', ['2001:db8::*']],
    ['::1,b', ['::1', 'b']],
    ['1:2:3:4:5:6:7:8', ['1:2:3:4:5:6:7:8']],
    ['~lb(?:1|2):x', ['~lb(?:1|2)', 'x']],
    ['~a{1,2},b', ['~a{1,2}', 'b']],
    ['!~a{1,2}', ['!~a{1,2}']],
    ['a{1,2}', ['a{1', '2}']],
    ['a(1,2)', ['a(1', '2)']],
    ['a],b', ['a]', 'b']],
    ['a[b),c]', ['a[b),c]']],
    ['a\nb,c\n', ['a', 'b', 'c']],
    ['', []],
  ] as const)
    it(`of ${JSON.stringify(text)} are ${terms.length}`, () => {
      expect(splitTerms(text)).to.deep.equal(terms);
    });

  it('of several patterns are one text', () => {
    expect(joinPatterns([' a,b ', 'c'])).to.equal('a,b\nc');
    expect(['a.b', 'a?', '*', 'a[1]', 'a-b', 'a:b'].map(looksBeyondGroups).map(Number).join('')).to.equal('111100');
  });
});

describe('the names that a term means', () => {
  const NAMES = ['lb', 'lb1', 'lb2', 'lb12', 'xlb1', 'LB1', 'l]b', 'l^b', 'lb\nx', 'l.b', 'y😁'];
  for (const [term, names] of [
    ['lb', ['lb']],
    ['l.b', ['l.b']],
    ['lb?', ['lb1', 'lb2']],
    ['lb*', ['lb', 'lb1', 'lb2', 'lb12', 'lb\nx']],
    ['*b1', ['lb1', 'xlb1']],
    ['l[.x]b', ['l.b']],
    ['lb[12]', ['lb1', 'lb2']],
    ['lb[!1]', ['lb2']],
    ['lb[1-2]*', ['lb1', 'lb2', 'lb12']],
    ['lb[2-1]', []],
    ['lb[1-1]', ['lb1']],
    ['lb[2-1w]', []],
    ['l[]]b', ['l]b']],
    ['l[^]b', ['l^b']],
    ['l[!]]b', ['l^b', 'l.b']],
    ['lb[1', []],
    ['lb[!]', []],
    ['lb[]', []],
    ['y?', ['y😁']],
    ['y[😀-😂]', ['y😁']],
    ['y[😀-ｚ]', []],
    ['y[ｚ-😂]', ['y😁']],
    ['l.?', ['l.b']],
    ['~lb1', ['lb1', 'lb12']],
    ['~lb1$', ['lb1']],
    ['~LB1', ['LB1']],
    ['~(?i)lb1$', ['lb1', 'LB1']],
    ['~(?s)lb.x', ['lb\nx']],
    ['~lb.x', []],
    ['~(?P<a>l)b1|(?P<b>x)', ['lb1', 'lb12', 'xlb1']],
    [String.raw`~lb(?P<d>\d)(?P=d)?\Z`, ['lb1', 'lb2']],
    [String.raw`~\Alb\Z`, ['lb']],
    ['~b1', []],
    ['~lb1|LB', ['lb1', 'lb12', 'LB1']],
  ] as const)
    it(`${term}: ${names.length}`, () => {
      expect(NAMES.filter((name) => nameMatcher(term)?.(name) === true)).to.deep.equal(names);
    });

  it('are none if it is no expression', () => {
    expect([nameMatcher('~('), nameMatcher('~[')]).to.deep.equal([undefined, undefined]);
  });
});
