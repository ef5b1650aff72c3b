import { expect } from 'chai';
import fc from 'fast-check';
import { safeLength } from '../../../src/core/model/regular_expression/backtracking.js';
import { linear, RegularExpression, TooSlow } from '../../../src/core/model/regular_expression/regular_expression.js';
import { SEED } from '../../rig/random_seed.js';

const TEXT = `${'a'.repeat(40)}b`;

describe('a regular expression', () => {
  const hostile: readonly (readonly [pattern: string, text: string, found: string | undefined])[] = [
    ['^(a+)+$', TEXT, undefined],
    ['(a+)+b', TEXT, TEXT],
    ['^(a|a)*$', TEXT, undefined],
    ['^(?:a?){30}a{30}$', TEXT, undefined],
    ['(?:.*a){20}c', TEXT, undefined],
    ['^(?<letters>a+)+$', TEXT, undefined],
    ['(?:\\s*x?\\s*)*!', `${' '.repeat(60)}?`, undefined],
  ];
  for (const [pattern, text, found] of hostile) {
    it(`terminates where V8 would not: ${pattern}`, () => {
      const expression = new RegularExpression(pattern);
      expect(expression.first(text)?.[0]).to.equal(found);
      expect(expression.test(text)).to.equal(found !== undefined);
    });
  }

  it('may have 200,000 branches', () => {
    const pattern = Array.from({ length: 200_000 }, (_, index) => `x${index}+`).join('|');
    expect(safeLength(`(?:${pattern})`, '')).to.be.below(2 ** 20);
  });

  it('is aborted after a second if only V8 can run it', () => {
    const expression = new RegularExpression(String.raw`^(a+)+\1$`);
    const begun = performance.now();
    expect(() => expression.test(TEXT)).to.throw(
      TooSlow,
      String.raw`the regular expression "^(a+)+\1$" takes too long on a text of 41 characters; avoid nested repetitions such as (a+)+`,
    );
    expect(performance.now() - begun, 'it had its second').to.be.greaterThan(950);
    expect(expression.test('aab'), 'and works again on a text that is no trouble').to.equal(false);
  });

  it('has a full second each time if it has a lookaround', () => {
    for (const pattern of ['^(a+)+(?=c)$', '^(a+)+(?<!a|b)$']) {
      const expression = new RegularExpression(pattern);
      const begun = performance.now();
      expect(() => expression.test(TEXT), pattern).to.throw(TooSlow);
      expect(performance.now() - begun, pattern).to.be.greaterThan(950);
    }
  });

  it('finds all matches, empty ones among them', () => {
    const found = new RegularExpression('x*').all('abxd');
    expect(found.map((match) => [match.index, match[0]])).to.deep.equal([
      [0, ''],
      [1, ''],
      [2, 'x'],
      [3, ''],
      [4, ''],
    ]);
  });

  it('that an ordinary playbook has runs without a time limit on texts of ordinary length', () => {
    const ordinary = [
      String.raw`^(\S+)\s+(\S+)\s+(\S+)$`,
      String.raw`(\d{1,3}\.){3}\d{1,3}`,
      String.raw`version (\d+)\.(\d+)\.(\d+)`,
      '^lb[0-9]+\\.(eu|us)\\.example\\.com$',
      '"name": "([^"]*)"',
      '^.*-canary$',
    ];
    for (const pattern of ordinary) expect(safeLength(pattern, ''), pattern).to.be.at.least(1000);
  });

  it('has the same result on both engines', () => {
    const same = fc.property(fc.tuple(patterns, flags, texts), ([pattern, chosen, text]) => {
      const native = nativeOf(pattern, chosen);
      const find = native && linear(pattern, chosen);
      if (native === undefined || find === undefined) return;
      const [one, other] = [native.exec(text), find(text, 0)];
      expect(other && [other.index, other[0]]).to.deep.equal(one ? [one.index, one[0]] : undefined);
    });
    fc.assert(same, { seed: SEED, numRuns: 1000 });
  });

  it('is called safe for no text on which V8 takes long', () => {
    const quick = fc.property(fc.tuple(patterns, pumped), ([pattern, text]) => {
      const native = nativeOf(pattern, '');
      if (native === undefined) return;
      const from = process.cpuUsage();
      native.test(text.slice(0, Math.max(0, Math.min(safeLength(pattern, ''), text.length))));
      expect(process.cpuUsage(from).user / 1e6, `seconds of ${pattern}`).to.be.below(2);
    });
    fc.assert(quick, { seed: SEED, numRuns: 1000 });
  });
});

const ATOMS = ['a', 'b', '.', '\\d', '\\w', '\\W', '[ab]', '[^a]', '\\s', '\\S', '\\.', '-', '[\\w.-]', '[\\s,]', '1'];
const ODD = ['^', '$', '\\b', '[\\[x]', '\\u0061', '\\e', '\\Q', '\\/', 'é', '[é-ü]', '[^]', '\\x41'];
const QUANTIFIERS = ['', '', '', '*', '+', '?', '{1,2}', '*?', '+?', '{2}', '{0,3}?', '{2,}'];

const { pattern: patterns } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(fc.constantFrom(...ATOMS), fc.constantFrom(...QUANTIFIERS)).map((parts) => parts.join('')),
    fc.constantFrom(...ODD),
    // Never empty: where something empty is repeated, JavaScript differs from Python and RE2.
    fc.tuple(tie('pattern'), fc.constantFrom(...QUANTIFIERS)).map(([inner, times]) => `(a${inner})${times}`),
    fc
      .tuple(tie('pattern'), tie('pattern'), fc.constantFrom(...QUANTIFIERS))
      .map(([one, other, times]) => `(?:[ab]${one}|\\w${other})${times}`),
  ),
  pattern: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
}));
const flags = fc.constantFrom('', 'i', 'm', 's', 'im');
const texts = fc
  .array(fc.constantFrom(...Array.from('aab1. -bé\n\u00a0xAeQ/[,')), { maxLength: 12 })
  .map((characters) => characters.join(''));
/** The same few characters again and again, and one that fits nothing at the end. */
const pumped = fc
  .tuple(
    fc.array(fc.constantFrom(...Array.from('ab1. -')), { minLength: 1, maxLength: 2 }),
    fc.constantFrom('!', '\n', 'é'),
  )
  .map(([some, last]) => some.join('').repeat(1000) + last);

function nativeOf(pattern: string, chosen: string): RegExp | undefined {
  try {
    return new RegExp(pattern, chosen);
  } catch {
    return undefined;
  }
}
