import { expect } from 'chai';
import { foldColumn, foldText } from '../../../src/capture/compare/folded_columns.js';
import type { Value } from '../../../src/core/model/values/value.js';

describe('the values of one field on several controllers', () => {
  const named = (name: string, variables: Readonly<Record<string, string>> = {}) => ({
    name,
    variables: new Map(Object.entries(variables)),
  });
  const fold = (
    values: readonly (Value | undefined)[],
    variables: readonly Readonly<Record<string, string>>[] = [],
  ) => {
    const individual: string[] = [];
    const controllers = values.map((_, at) => named(`lb${at + 1}`, variables[at]));
    return { folded: foldColumn(values, controllers, individual), individual };
  };

  it('are variables where that makes fewer differences, not where it makes more', () => {
    const sites = [{ site: 'paris' }, { site: 'madrid' }, { site: 'madrid' }];
    expect(fold(['paris', 'madrid', 'other'], sites).folded).to.deep.equal(['{{ site }}', '{{ site }}', 'other']);
    expect(fold(['paris', 'paris', 'other'], sites).folded).to.deep.equal(['paris', 'paris', 'other']);
    expect(fold(['paris', 'paris', 'paris'], sites).folded).to.deep.equal(['paris', 'paris', 'paris']);
    expect(fold(['on lb1', 'on lb2', 'on lb4']).folded).to.deep.equal([
      'on {{ inventory_hostname }}',
      'on {{ inventory_hostname }}',
      'on lb4',
    ]);
    expect(foldText('abc', named('x', { long: 'abc', other: 'abc' }))).to.equal('{{ long }}');
    expect(foldText('ab', named('x', { short: 'ab' }))).to.equal('ab');
  });

  it('are compared field by field, and element by element in lists of one length', () => {
    const sites = [{ site: 'paris' }, { site: 'madrid' }];
    expect(
      fold(
        [
          { a: { b: 'paris', c: 1 }, l: ['x', 'paris'] },
          { a: { b: 'madrid' }, l: ['y', 'madrid'], m: 2 },
        ],
        sites,
      ).folded,
    ).to.deep.equal([
      { a: { b: '{{ site }}', c: 1 }, l: ['x', '{{ site }}'] },
      { a: { b: '{{ site }}' }, l: ['y', '{{ site }}'], m: 2 },
    ]);
    expect(fold([['paris'], ['madrid', 'x']], sites).folded).to.deep.equal([['paris'], ['madrid', 'x']]);
    expect(fold([['paris'], 'madrid'], sites).folded).to.deep.equal([['paris'], '{{ site }}']);
    expect(fold([{ a: 'paris' }, undefined], sites).folded).to.deep.equal([{ a: '{{ site }}' }, undefined]);
  });

  it('have their fields in the order of the alphabet, on each controller', () => {
    const { folded } = fold([
      { b: 1, a: 2 },
      { c: 3, a: 2 },
    ]);
    expect(folded.map((one) => Object.keys(one as object))).to.deep.equal([
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });

  it('are one text if most of more than ten controllers differ, with the path of the field', () => {
    const many = (size: number, distinct: number, wrap: (n: number) => Value = (n) => n) =>
      fold(Array.from({ length: size }, (_, at) => wrap(Math.min(at, distinct - 1))));
    const text = '‹differs on most controllers›';
    expect(many(10, 10).individual).to.deep.equal([]);
    expect(many(12, 6).individual).to.deep.equal([]);
    expect(many(12, 7)).to.deep.equal({ folded: new Array(12).fill(text), individual: [''] });
    const { folded, individual } = many(11, 11, (n) => ({ a: 1, b: { c: [0, n], d: n } }));
    expect(individual).to.deep.equal(['b.c[1]', 'b.d']);
    expect(folded[3]).to.deep.equal({ a: 1, b: { c: [0, text], d: text } });
  });
});
