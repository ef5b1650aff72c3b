import { expect } from 'chai';
import { LazyMapping, Unsafe } from '../../../src/core/model/values/value.js';
import { exponential, fixed, general, rounded, specialName } from '../../../src/language/python/decimal.js';
import { MersenneTwister } from '../../../src/language/python/mersenne_twister.js';
import {
  pythonEscape,
  pythonJson,
  pythonNumber,
  pythonText,
  representation,
  sortedNames,
} from '../../../src/language/python/representation.js';
import { readEscape, readString } from '../../../src/language/python/string.js';

describe('a number in decimal notation, as Python writes it', () => {
  /** With `%.*f`, `%.*e`, `%.*g` and `%#.*g`. */
  for (const [number, places, asFixed, asExponential, asGeneral, withZeros] of [
    [2.5, 0, '2', '2e+00', '2', '2'],
    [3.5, 0, '4', '4e+00', '4', '4'],
    [0.125, 2, '0.12', '1.25e-01', '0.12', '0.12'],
    [-0.375, 2, '-0.38', '-3.75e-01', '-0.38', '-0.38'],
    [1e22, 3, '10000000000000000000000.000', '1.000e+22', '1e+22', '1.00e+22'],
    [9.995e22, 2, '99950000000000000524288.00', '1.00e+23', '1e+23', '1.0e+23'],
    [0, 2, '0.00', '0.00e+00', '0', '0.0'],
    [-0, 1, '-0.0', '-0.0e+00', '-0', '-0'],
    [123456.789, 2, '123456.79', '1.23e+05', '1.2e+05', '1.2e+05'],
    [0.00012345, 3, '0.000', '1.234e-04', '0.000123', '0.000123'],
    [0.000012345, 3, '0.000', '1.234e-05', '1.23e-05', '1.23e-05'],
    [99999.5, 5, '99999.50000', '9.99995e+04', '1e+05', '1.0000e+05'],
    [1e-5, 1, '0.0', '1.0e-05', '1e-05', '1e-05'],
    [5e-324, 3, '0.000', '4.941e-324', '4.94e-324', '4.94e-324'],
    [1e-323, 1, '0.0', '9.9e-324', '1e-323', '1e-323'],
    [100_000, 6, '100000.000000', '1.000000e+05', '100000', '100000'],
    [1_234_567, 3, '1234567.000', '1.235e+06', '1.23e+06', '1.23e+06'],
    [0.5, 0, '0', '5e-01', '0.5', '0.5'],
    [1.005, 2, '1.00', '1.00e+00', '1', '1.0'],
    [9.5, 0, '10', '1e+01', '1e+01', '1e+01'],
  ] as const)
    it(`is that of ${Object.is(number, -0) ? '-0' : number} with ${places} places`, () => {
      expect([
        fixed(number, places),
        exponential(number, places),
        general(number, places, false),
        general(number, places, true),
      ]).to.deep.equal([asFixed, asExponential, asGeneral, withZeros]);
    });

  it('has zeros beyond what a number can have', () => {
    expect(fixed(0.5, 1102)).to.equal(`0.5${'0'.repeat(1101)}`);
    expect(exponential(0.5, 1102)).to.equal(`5.${'0'.repeat(1102)}e-01`);
  });

  for (const [number, places, expected] of [
    [2.5, 0, 2],
    [2.675, 2, 2.67],
    [-2.5, 0, -2],
    [1234.5, -2, 1200],
    [1250, -2, 1200],
    [1350, -2, 1400],
    [0.5, 0, 0],
    [1.5, 0, 2],
    [-0.4, 0, -0],
    [1e300, -299, 1e300],
    [123.456, 1, 123.5],
    [123.456, 1101, 123.456],
    [123.456, -1101, 0],
    [Infinity, 2, Infinity],
    [NaN, 2, NaN],
  ] as const)
    it(`is ${Object.is(expected, -0) ? '-0' : expected} for ${number}, rounded to ${places} places`, () => {
      expect(Object.is(rounded(number, places), expected), String(rounded(number, places))).to.equal(true);
    });

  it('has names for what is no number', () => {
    expect([NaN, Infinity, -Infinity, 0, 1e308].map((one) => specialName(one))).to.deep.equal([
      'nan',
      'inf',
      '-inf',
      undefined,
      undefined,
    ]);
  });
});

describe('a value, as Python shows it', () => {
  class Lazy extends LazyMapping {
    readonly own = 1;

    override get(): undefined {
      return undefined;
    }

    override keys(): readonly string[] {
      return ['a'];
    }
  }

  for (const [value, text] of [
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
    ["it's", `"it's"`],
    ['"', `'"'`],
    [`it's "x"`, String.raw`'it\'s "x"'`],
    ['a\nb\t\\\r', String.raw`'a\nb\t\\\r'`],
    ['\u007f\u0000é', String.raw`'\x7f\x00é'`],
    ['\u00a0\u2028 ', String.raw`'\xa0\u2028 '`],
    ['😀', `'😀'`],
    ['\u{e0001}', String.raw`'\U000e0001'`],
    [new Unsafe("a'"), `"a'"`],
    [[1, [null], 'x'], `[1, [None], 'x']`],
    [{ a: { b: 1.5 }, "c'": [] }, `{'a': {'b': 1.5}, "c'": []}`],
    [new Lazy(), '{}'],
  ] as const)
    it(`is ${text}`, () => {
      expect(representation(value)).to.equal(text);
    });

  it('is a text itself only at the top', () => {
    expect([pythonText("it's"), pythonText(new Unsafe('a')), pythonText(['a']), pythonText(null)]).to.deep.equal([
      "it's",
      'a',
      "['a']",
      'None',
    ]);
  });

  for (const [number, text] of [
    [1e16, '10000000000000000'],
    [1.5e-5, '1.5e-05'],
    [1e-4, '0.0001'],
    [0.1, '0.1'],
    [1e100, '1e+100'],
    [-1.25e-100, '-1.25e-100'],
    [-2e16, '-20000000000000000'],
    [9.9999e-5, '9.9999e-05'],
    [-2.5e-7, '-2.5e-07'],
    [123456789.125, '123456789.125'],
    [1e22, '1e+22'],
    [12345678901234567890n, '12345678901234567890'],
    [-3, '-3'],
    [NaN, 'nan'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
  ] as const)
    it(`is ${text} for a number`, () => {
      expect(pythonNumber(number)).to.equal(text);
    });

  it('has escapes of three lengths, and names in the order of their characters', () => {
    expect(['a', 'ÿ', 'Ā', '\uffff', '\u{10000}', '😀'].map((char) => pythonEscape(char))).to.deep.equal([
      String.raw`\x61`,
      String.raw`\xff`,
      String.raw`\u0100`,
      String.raw`\uffff`,
      String.raw`\U00010000`,
      String.raw`\U0001f600`,
    ]);
    expect(sortedNames({ b: 1, a: 2, ﬀ: 3, B: 4 })).to.deep.equal(['B', 'a', 'b', 'ﬀ']);
    expect(sortedNames({ '😀': 1, ﬀ: 2, a: 3 })).to.deep.equal(['a', 'ﬀ', '😀']);
  });
});

describe('JSON, as Python writes it', () => {
  const value = { b: [1, [], {}, { c: null }], a: 'é"\u007f\n', z: [true, 1.5] };
  it('is indented, sorted and escaped as its style says', () => {
    expect(pythonJson(value, { indent: 2, sortKeys: false, ascii: true })).to.equal(
      '{\n  "b": [\n    1,\n    [],\n    {},\n    {\n      "c": null\n    }\n  ],\n  "a": "\\u00e9\\"\\u007f\\n",\n  "z": [\n    true,\n    1.5\n  ]\n}',
    );
    expect(pythonJson({ b: [1, [], {}], a: 'é😀' }, { sortKeys: true, ascii: true })).to.equal(
      String.raw`{"a": "\u00e9\ud83d\ude00", "b": [1, [], {}]}`,
    );
    expect(pythonJson({ b: [1, [2]], a: { d: 1, c: 2 } }, { indent: 1, sortKeys: true, ascii: false })).to.equal(
      '{\n "a": {\n  "c": 2,\n  "d": 1\n },\n "b": [\n  1,\n  [\n   2\n  ]\n ]\n}',
    );
    expect(pythonJson({ é: 'é' }, { sortKeys: false, ascii: false })).to.equal('{"é": "é"}');
  });

  it('has null for what is no number, unless it may have its name', () => {
    const odd = [NaN, Infinity, -Infinity, 1e22];
    expect(pythonJson(odd, { sortKeys: false, ascii: true })).to.equal('[null, null, null, 1e+22]');
    expect(pythonJson(odd, { sortKeys: false, ascii: true, hasNaN: true })).to.equal(
      '[NaN, Infinity, -Infinity, 1e+22]',
    );
  });
});

describe('chance, as in Python', () => {
  const ENDS = [1, 2, 3, 10, 100, 1000, 2 ** 31, 2 ** 32 - 1, 2 ** 32 + 5, 2 ** 40, 2 ** 52, 7];
  for (const [seed, drawn] of [
    ['abc', [0, 1, 1, 2, 34, 57, 926866918, 330601480, 3168010391, 598342871551, 1102869488804546, 3]],
    [7, [0, 0, 1, 0, 9, 840, 404285457, 1570621944, 2503055453, 82526500300, 3905929527468890, 3]],
    ['', [0, 0, 1, 3, 43, 792, 31197009, 4157757874, 1402025209, 106779693648, 3513392596935542, 2]],
    [0, [0, 1, 0, 4, 65, 497, 1739178872, 3943786419, 2046968324, 480641685011, 1254467625494646, 2]],
    [-3, [0, 0, 1, 9, 60, 640, 281444313, 2601030205, 3596902313, 421913238835, 3577069853362352, 5]],
    [2 ** 40, [0, 1, 2, 1, 54, 49, 1665290981, 1714308564, 2906593330, 826006877663, 389571887642777, 3]],
  ] as const)
    it(`draws the same numbers after the seed ${JSON.stringify(seed)}`, () => {
      const twister = new MersenneTwister(seed);
      expect(ENDS.map((end) => twister.below(end))).to.deep.equal(drawn);
    });

  it('draws the same beyond the first 624 numbers', () => {
    const twister = new MersenneTwister('many');
    const all = Array.from({ length: 1300 }, () => twister.below(1000));
    expect(all.reduce((sum, one) => sum + one, 0)).to.equal(626806);
    expect([all.slice(623, 627), all.slice(1247, 1251), all.at(-1)]).to.deep.equal([
      [380, 779, 405, 525],
      [767, 714, 53, 254],
      144,
    ]);
  });
});

describe('a string of Python', () => {
  for (const [source, text, end] of [
    ['"ab" x', 'ab', 4],
    ["'a\"b'", 'a"b', 5],
    ['"""a"b\nc""" x', 'a"b\nc', 11],
    ['""', '', 2],
    [String.raw`"\a\b\f\n\r\t\v\\\'\""`, '\u0007\b\f\n\r\t\v\\\'"', 22],
    [String.raw`"\x41\u00e9\U0001f600\101\7\1234"`, 'Aé😀A\u0007S4', 33],
    [String.raw`"\q\ "`, String.raw`\q\ `, 6],
    ['"a\\\nb"', 'ab', 6],
  ] as const)
    it(`is read from ${source}`, () => {
      expect(readString(source, 0, false)).to.deep.equal({ text, end });
    });

  for (const source of [
    '"a',
    '"a\nb"',
    '"a\rb"',
    String.raw`"\x4"`,
    String.raw`"\u00e"`,
    String.raw`"\U00110000"`,
    String.raw`"\N{x}"`,
    '"a\\',
  ])
    it(`is none: ${JSON.stringify(source)}`, () => {
      expect(readString(source, 0, false)).to.equal(undefined);
    });

  it('keeps backslashes if it is raw, also before a quote', () => {
    expect(readString(String.raw`r"a\"\n" x`, 1, true)).to.deep.equal({ text: String.raw`a\"\n`, end: 8 });
    expect(readString(String.raw`'\'`, 0, true)).to.equal(undefined);
  });

  it('has escapes that are read after their backslash', () => {
    expect([
      readEscape('n', 0),
      readEscape('x41z', 0),
      readEscape('0', 0),
      readEscape('777', 0),
      readEscape('8', 0),
    ]).to.deep.equal([
      { text: '\n', end: 1 },
      { text: 'A', end: 3 },
      { text: '\0', end: 1 },
      { text: '\u01ff', end: 3 },
      { text: String.raw`\8`, end: 1 },
    ]);
  });
});
