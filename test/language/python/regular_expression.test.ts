import { execFileSync, spawnSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import { PythonExpression, type Extent } from '../../../src/language/python/regular_expression.js';

type Case = readonly [pattern: string, flags: string, extent: Extent, text: string];

/** Whether Python matches, what, and where. */
const PYTHON = `
import json, re, sys, warnings
warnings.simplefilter('ignore')
found = []
for pattern, flags, extent, text in json.load(sys.stdin):
    match = getattr(re.compile(pattern, sum({'i': re.I, 'm': re.M, 's': re.S}[f] for f in flags)), extent)(text)
    found.append(match and [match.start(), match.group(0)])
json.dump(found, sys.stdout)
`;

function inPython(cases: readonly Case[]): readonly unknown[] {
  const output = execFileSync('python3', ['-c', PYTHON], { input: JSON.stringify(cases), maxBuffer: 2 ** 26 });
  return JSON.parse(output.toString()) as readonly unknown[];
}

function found([pattern, flags, extent, text]: Case): unknown {
  const match = new PythonExpression(pattern, flags, extent).first(text);
  return match === undefined ? null : [match.index, match[0]];
}

const atoms = [
  'a',
  'b',
  '.',
  '[]a]',
  '[^]a]',
  '[^\\]b]',
  '\\A',
  '\\Z',
  '^',
  '$',
  '\\n',
  '\\r',
  '(?:a|b\\n)',
  '\\\\',
  'b{,2}',
];
const patterns = fc
  .array(fc.tuple(fc.constantFrom(...atoms), fc.constantFrom('', '', '', '*', '+?', '?')), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.map(([atom, times]) => (/^(?:\\[AZ]|[$^]|b\{.*)$/.test(atom) ? atom : atom + times)).join(''));
const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'B', ']', '\\', '\n', '\r', '\u2028'), maxLength: 6 });
const flags = fc.subarray(['i', 'm', 's']).map((some) => some.join(''));
const cases: fc.Arbitrary<Case> = fc.tuple(
  patterns,
  flags,
  fc.constantFrom<Extent>('search', 'match', 'fullmatch'),
  texts,
);

describe("expressions in Python's notation", () => {
  it('match as in Python', function () {
    if (spawnSync('python3', ['-c', 'import re']).status !== 0) this.skip();
    const all = fc.sample(cases, { numRuns: 5000, seed: 20_261_122 });
    const expected = inPython(all);
    const wrong = all.filter((one, at) => JSON.stringify(found(one)) !== JSON.stringify(expected[at]));
    expect(wrong).to.deep.equal([]);
  });

  for (const [one, expected] of [
    [
      ['a$', '', 'search', 'a\n'],
      [0, 'a'],
    ],
    [['a\\Z', '', 'search', 'a\n'], null],
    [['a$', '', 'search', 'ab'], null],
    [['^b', '', 'search', 'a\nb'], null],
    [
      ['^b', 'm', 'search', 'a\nb'],
      [2, 'b'],
    ],
    [['^b', 'm', 'search', 'a\rb'], null],
    [
      ['a$', 'm', 'search', 'a\nb'],
      [0, 'a'],
    ],
    [['a$', 'm', 'search', 'a\u2028b'], null],
    [
      ['a$', 'm', 'search', 'b\ra'],
      [2, 'a'],
    ],
    [['a', 'm', 'fullmatch', 'a\nb'], null],
    [['b', 'm', 'match', 'a\nb'], null],
    [
      ['a.b', 's', 'search', 'a\nb'],
      [0, 'a\nb'],
    ],
    [['a.b', '', 'search', 'a\nb'], null],
    [
      ['(?P<x>a|b)(?P=x)', '', 'search', 'abb'],
      [1, 'bb'],
    ],
    [
      ['(?x)a#c\nb', '', 'fullmatch', 'ab'],
      [0, 'ab'],
    ],
    [
      ['.+', '', 'search', 'a\r\u2028b\nc'],
      [0, 'a\r\u2028b'],
    ],
    [
      ['[]a]+', '', 'search', 'b]a'],
      [1, ']a'],
    ],
    [['\\Aa', 'm', 'search', 'b\na'], null],
    [
      ['(?i)A', '', 'match', 'ab'],
      [0, 'a'],
    ],
    [
      ['(?x) a  b # both', '', 'fullmatch', 'ab'],
      [0, 'ab'],
    ],
    [
      ['a{,2}', '', 'fullmatch', 'aa'],
      [0, 'aa'],
    ],
  ] as const satisfies readonly (readonly [Case, unknown])[]) {
    it(`${JSON.stringify(one)} gives ${JSON.stringify(expected)}`, () => {
      expect(found(one)).to.deep.equal(expected);
    });
  }
});
