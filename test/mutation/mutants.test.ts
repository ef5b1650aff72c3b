import { expect } from 'chai';
import { mutantsOf, mutated, shown } from './mutants.js';

function textsOf(text: string): readonly string[] {
  return mutantsOf('a.ts', text).map((mutant) => mutated(text, mutant));
}

describe('mutants of a source file', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['const a = b === c;', ['const a = b !== c;']],
    ['const a = b < c && d;', ['const a = b < c || d;', 'const a = b <= c && d;']],
    ['const a = !b;', ['const a = b;']],
    ['const a = b ? c : d;', ['const a = !(b) ? c : d;']],
    ['if (a) return b;', ['if (!(a)) return b;', ';', 'if (a) return undefined;', 'if (a) return [];']],
    ['if (a) b(); else c();', ['if (!(a)) b(); else c();', 'if (a) ; else c();', 'if (a) b(); else ;']],
    ['await a();', [';', 'a();']],
    ['a = b;', [';']],
    ['a.b += c;', [';', 'a.b -= c;']],
    ['const a = b ?? c;', ['const a = c;']],
    ['const a = b * c;', ['const a = b / c;']],
    ['const a = b.toSorted();', ['const a = b;']],
    ['const a = Math.min(b, c);', ['const a = Math.max(b, c);']],
    ['const a = [b, c];', ['const a = [c];', 'const a = [b];']],
    ['const a = b.filter(c);', ['const a = b;']],
    ['const a = b(c, d, e);', ['const a = b(d, c, e);']],
    ['function a() { return b; }', ['function a() { return undefined; }', 'function a() { return []; }']],
    ['const a = b.some(c);', ['const a = b.every(c);']],
    ['const a = b + 1;', ['const a = b - 1;', 'const a = b + (1 + 1);']],
    ['type A = 1 | true; interface B { c: 2 } import "d";', []],
  ];
  for (const [text, expected] of table) {
    it(`of ${text}`, () => {
      expect(textsOf(text)).to.deep.equal(expected);
    });
  }

  it('name the functions around them, the innermost first, as V8 does', () => {
    const text = 'class A { get b() { const c = () => !d; } #e() { f({ g: () => !h }); } constructor() { !i; } }';
    const negations = mutantsOf('a.ts', text).filter(({ replacement }) => /^[dhi]$/.test(replacement));
    expect(negations.map(({ functions }) => functions)).to.deep.equal([['c', 'get b'], ['g', '#e'], ['A']]);
  });

  it('are shown with their place and the line before and after', () => {
    const text = 'a();\n  const b = c || d;\n';
    const [, mutant] = mutantsOf('src/a.ts', text);
    expect(mutant && shown(text, mutant)).to.equal('src/a.ts:2\n  - const b = c || d;\n  + const b = c && d;');
  });
});
