import { expect } from 'chai';
import { parseDocument } from 'yaml';
import { Unsafe, Vaulted, type Value } from '../../../src/core/model/values/value.js';
import { yamlText, type YamlLayout } from '../../../src/language/python/yaml/emitter.js';
import { SCALAR_TAGS } from '../../../src/language/python/yaml/types.js';

const USUAL: YamlLayout = { indent: 2, width: 80, flow: false, sortKeys: true, aliases: true };
const written = (value: Value, layout: Partial<YamlLayout> = {}): string => yamlText(value, { ...USUAL, ...layout });

describe('a text in YAML, as PyYAML with libyaml writes it', () => {
  /** The text, and how it is written as a value, as a name, and within brackets, if these differ. */
  const texts: readonly (readonly [text: string, value: string, name?: string, inFlow?: string])[] = [
    ['plain text', 'plain text'],
    ['yes', "'yes'"],
    ['Off', "'Off'"],
    ['1', "'1'"],
    ['-1', "'-1'"],
    ['0o7', '0o7'],
    ['017', "'017'"],
    ['1.5', "'1.5'"],
    ['~', "'~'"],
    ['', "''"],
    ['a: b', "'a: b'"],
    ['# c', "'# c'"],
    [' x', "' x'"],
    ['x ', "'x '"],
    ['a\nb', "'a\n\n  b'", "? 'a\n\n  b'\n: 1", "'a\n\n    b'"],
    ['a\n b', '"a\\n b"', '? "a\\n b"\n: 1', '"a\\n b"'],
    ['a\n', "'a\n\n  '", "? 'a\n\n  '\n: 1", "'a\n\n    '"],
    ['\na', "'\n\n  a'", "? '\n\n  a'\n: 1", "'\n\n    a'"],
    ['tab\tx', '"tab\\tx"'],
    ["it's", "it's"],
    ['"q"', '\'"q"\''],
    ['- a', "'- a'"],
    ['-a', '-a'],
    ['null', "'null'"],
    ['2024-01-01', "'2024-01-01'"],
    ['2024-1-1 1:00:00', "'2024-1-1 1:00:00'"],
    ['0x1f', "'0x1f'"],
    ['0b1', "'0b1'"],
    ['1_000', "'1_000'"],
    ['=', "'='"],
    ['<<', "'<<'"],
    ['a #b', "'a #b'"],
    ['a#b', 'a#b'],
    ['!t', "'!t'"],
    ['&a', "'&a'"],
    ['*a', "'*a'"],
    ['%a', "'%a'"],
    ['@a', "'@a'"],
    ['`a', "'`a'"],
    ['\u00e9', '\u00e9'],
    ['\ud83d\ude00', '"\\U0001F600"'],
    ['\u0085', '"\\N"', '? "\\N"\n: 1', '"\\N"'],
    ['\u2028', "'\u2028  '", "? '\u2028  '\n: 1", "'\u2028    '"],
    ['\ufeff', '"\\uFEFF"'],
    ['a \nb', '"a \\nb"', '? "a \\nb"\n: 1', '"a \\nb"'],
    ['a\n\nb', "'a\n\n\n  b'", "? 'a\n\n\n  b'\n: 1", "'a\n\n\n    b'"],
    ['?x', '?x', '?x: 1', "'?x'"],
    ['? x', "'? x'"],
    [':', "':'"],
    [':x', ':x', ':x', "':x'"],
    ['x:', "'x:'"],
    ['12:30', "'12:30'"],
    ['190:20:30.15', "'190:20:30.15'"],
    ['[a', "'[a'"],
    ['a]', 'a]', 'a]', "'a]'"],
    ['{a', "'{a'"],
    ['e5', 'e5'],
    ['.', '.'],
    ['1e5', '1e5'],
    ['1.0e+5', "'1.0e+5'"],
    ['.inf', "'.inf'"],
    ['-.INF', "'-.INF'"],
    ['.nan', "'.nan'"],
    ["'", "''''"],
    ['\u0007\u001b\\', '"\\a\\e\\\\"'],
    ['---', "'---'"],
    ['... a', "'... a'"],
    ['a, b', 'a, b', 'a, b', "'a, b'"],
    ['a: b: c', "'a: b: c'"],
    ['x?y', 'x?y', 'x?y', "'x?y'"],
    ['a\rb', '"a\\rb"', '? "a\\rb"\n: 1', '"a\\rb"'],
  ];
  for (const [text, value, name = value, inFlow = value] of texts)
    it(`is ${value} for ${JSON.stringify(text)}`, () => {
      const wide = { width: -1 };
      expect(written({ k: text }, wide)).to.equal(`k: ${value}\n`);
      expect(written({ k: new Unsafe(text) }, wide)).to.equal(`k: ${value}\n`);
      expect(written({ [text]: 1 }, wide)).to.equal(name.startsWith('?') ? `${name}\n` : `${name}: 1\n`);
      expect(written([text], { ...wide, flow: true })).to.equal(`[${inFlow}]\n`);
    });
});

describe('YAML, as PyYAML with libyaml writes it', () => {
  const documents: readonly (readonly [title: string, value: Value, layout: Partial<YamlLayout>, text: string])[] = [
    [
      'nested lists and mappings: usual',
      { b: [1, [2, [3]], { c: null, a: true }], a: {}, z: [] },
      {},
      'a: {}\nb:\n- 1\n- - 2\n  - - 3\n- a: true\n  c: null\nz: []\n',
    ],
    [
      'nested lists and mappings: four blanks, 20 columns',
      { b: [1, [2, [3]], { c: null, a: true }], a: {}, z: [] },
      { indent: 4, width: 20 },
      'a: {}\nb:\n- 1\n-   - 2\n    -   - 3\n-   a: true\n    c: null\nz: []\n',
    ],
    [
      'nested lists and mappings: scalars in flow, 30 columns',
      { b: [1, [2, [3]], { c: null, a: true }], a: {}, z: [] },
      { flow: true, width: 30 },
      'a: {}\nb:\n- 1\n- - 2\n  - [3]\n- {a: true, c: null}\nz: []\n',
    ],
    [
      'nested lists and mappings: unsorted, without a limit',
      { b: [1, [2, [3]], { c: null, a: true }], a: {}, z: [] },
      { sortKeys: false, width: -1, indent: 3 },
      'b:\n- 1\n-  - 2\n   -  - 3\n-  c: null\n   a: true\na: {}\nz: []\n',
    ],
    [
      'lists of lists and mappings: usual',
      [[], [[]], [{}], { a: [{ b: [1] }] }],
      {},
      '- []\n- - []\n- - {}\n- a:\n  - b:\n    - 1\n',
    ],
    [
      'lists of lists and mappings: four blanks, 20 columns',
      [[], [[]], [{}], { a: [{ b: [1] }] }],
      { indent: 4, width: 20 },
      '- []\n-   - []\n-   - {}\n-   a:\n    -   b:\n        - 1\n',
    ],
    [
      'lists of lists and mappings: scalars in flow, 30 columns',
      [[], [[]], [{}], { a: [{ b: [1] }] }],
      { flow: true, width: 30 },
      '- []\n- - []\n- - {}\n- a:\n  - b: [1]\n',
    ],
    [
      'lists of lists and mappings: unsorted, without a limit',
      [[], [[]], [{}], { a: [{ b: [1] }] }],
      { sortKeys: false, width: -1, indent: 3 },
      '- []\n-  - []\n-  - {}\n-  a:\n   -  b:\n      - 1\n',
    ],
    [
      'long texts: usual',
      {
        long: `${'word '.repeat(12)}end`,
        quoted: `${'a: '.repeat(12)}end`,
        double: `\t${' x'.repeat(20)}`,
        list: [`${'word '.repeat(12)}end`],
      },
      {},
      'double: "\\t x x x x x x x x x x x x x x x x x x x x"\nlist:\n- word word word word word word word word word word word word end\nlong: word word word word word word word word word word word word end\nquoted: \'a: a: a: a: a: a: a: a: a: a: a: a: end\'\n',
    ],
    [
      'long texts: four blanks, 20 columns',
      {
        long: `${'word '.repeat(12)}end`,
        quoted: `${'a: '.repeat(12)}end`,
        double: `\t${' x'.repeat(20)}`,
        list: [`${'word '.repeat(12)}end`],
      },
      { indent: 4, width: 20 },
      'double: "\\t x x x x x\n    x x x x x x x x x\n    x x x x x x"\nlist:\n- word word word word\n    word word word word\n    word word word word\n    end\nlong: word word word word\n    word word word word\n    word word word word\n    end\nquoted: \'a: a: a: a: a:\n    a: a: a: a: a: a:\n    a: end\'\n',
    ],
    [
      'long texts: scalars in flow, 30 columns',
      {
        long: `${'word '.repeat(12)}end`,
        quoted: `${'a: '.repeat(12)}end`,
        double: `\t${' x'.repeat(20)}`,
        list: [`${'word '.repeat(12)}end`],
      },
      { flow: true, width: 30 },
      'double: "\\t x x x x x x x x x x\n  x x x x x x x x x x"\nlist: [word word word word word\n    word word word word word word\n    word end]\nlong: word word word word word word\n  word word word word word word\n  end\nquoted: \'a: a: a: a: a: a: a: a:\n  a: a: a: a: end\'\n',
    ],
    [
      'long texts: unsorted, without a limit',
      {
        long: `${'word '.repeat(12)}end`,
        quoted: `${'a: '.repeat(12)}end`,
        double: `\t${' x'.repeat(20)}`,
        list: [`${'word '.repeat(12)}end`],
      },
      { sortKeys: false, width: -1, indent: 3 },
      'long: word word word word word word word word word word word word end\nquoted: \'a: a: a: a: a: a: a: a: a: a: a: a: end\'\ndouble: "\\t x x x x x x x x x x x x x x x x x x x x"\nlist:\n- word word word word word word word word word word word word end\n',
    ],
    [
      'odd names: usual',
      { ['x'.repeat(129)]: 1, 'a\nb': [2], y: { '?': 1, true: 2, '0x1': 3 } },
      {},
      "? 'a\n\n  b'\n: - 2\n? xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n: 1\ny:\n  '0x1': 3\n  '?': 1\n  'true': 2\n",
    ],
    [
      'odd names: four blanks, 20 columns',
      { ['x'.repeat(129)]: 1, 'a\nb': [2], y: { '?': 1, true: 2, '0x1': 3 } },
      { indent: 4, width: 20 },
      "? 'a\n\n    b'\n:   - 2\n? xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n: 1\ny:\n    '0x1': 3\n    '?': 1\n    'true': 2\n",
    ],
    [
      'odd names: scalars in flow, 30 columns',
      { ['x'.repeat(129)]: 1, 'a\nb': [2], y: { '?': 1, true: 2, '0x1': 3 } },
      { flow: true, width: 30 },
      "? 'a\n\n  b'\n: [2]\n? xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n: 1\ny: {'0x1': 3, '?': 1, 'true': 2}\n",
    ],
    [
      'odd names: unsorted, without a limit',
      { ['x'.repeat(129)]: 1, 'a\nb': [2], y: { '?': 1, true: 2, '0x1': 3 } },
      { sortKeys: false, width: -1, indent: 3 },
      "? xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n: 1\n? 'a\n\n   b'\n:  - 2\ny:\n   '?': 1\n   'true': 2\n   '0x1': 3\n",
    ],
    [
      'numbers: usual',
      [1.5, 1e20, -0, Infinity, -Infinity, NaN, 1e-7, 123456789012345678901234567890n, -5],
      {},
      '- 1.5\n- 1.0e+20\n- 0\n- .inf\n- -.inf\n- .nan\n- 1.0e-07\n- 123456789012345678901234567890\n- -5\n',
    ],
    [
      'numbers: four blanks, 20 columns',
      [1.5, 1e20, -0, Infinity, -Infinity, NaN, 1e-7, 123456789012345678901234567890n, -5],
      { indent: 4, width: 20 },
      '- 1.5\n- 1.0e+20\n- 0\n- .inf\n- -.inf\n- .nan\n- 1.0e-07\n- 123456789012345678901234567890\n- -5\n',
    ],
    [
      'numbers: scalars in flow, 30 columns',
      [1.5, 1e20, -0, Infinity, -Infinity, NaN, 1e-7, 123456789012345678901234567890n, -5],
      { flow: true, width: 30 },
      '[1.5, 1.0e+20, 0, .inf, -.inf, .nan,\n  1.0e-07, 123456789012345678901234567890,\n  -5]\n',
    ],
    [
      'numbers: unsorted, without a limit',
      [1.5, 1e20, -0, Infinity, -Infinity, NaN, 1e-7, 123456789012345678901234567890n, -5],
      { sortKeys: false, width: -1, indent: 3 },
      '- 1.5\n- 1.0e+20\n- 0\n- .inf\n- -.inf\n- .nan\n- 1.0e-07\n- 123456789012345678901234567890\n- -5\n',
    ],
  ];
  for (const [title, value, layout, text] of documents)
    it(`has ${title}`, () => {
      expect(written(value, layout)).to.equal(text);
    });

  it('has what appears several times once, if it may', () => {
    const x = { a: 1 };
    const y = [x, x];
    const shared = { one: y, two: y, three: x, own: [1] };
    expect(written(shared)).to.equal(
      'one: &id002\n- &id001\n  a: 1\n- *id001\nown:\n- 1\nthree: *id001\ntwo: *id002\n',
    );
    expect(written(shared, { aliases: false })).to.not.match(/[&*]/);
  });

  it('keeps encrypted texts as they are', () => {
    const vaulted = (envelope: string): Vaulted =>
      new Vaulted(
        envelope,
        () => ({ file: '', line: 1, column: 1 }),
        () => 'secret',
      );
    expect(
      written({ a: vaulted('$ANSIBLE_VAULT;1.1\n3961\n'), b: [vaulted('$ANSIBLE_VAULT;1.1\n39')], c: 1 }),
    ).to.equal('a: !vault |\n  $ANSIBLE_VAULT;1.1\n  3961\nb:\n- !vault |-\n  $ANSIBLE_VAULT;1.1\n  39\nc: 1\n');
  });
});

describe('a plain scalar, as PyYAML reads it', () => {
  const read = (text: string): unknown => {
    const document = parseDocument(text, { schema: 'failsafe', customTags: SCALAR_TAGS, intAsBigInt: false });
    return document.toJS();
  };
  for (const [text, value] of [
    ['yes', true],
    ['On', true],
    ['FALSE', false],
    ['off', false],
    ['y', 'y'],
    ['~', null],
    ['Null', null],
    ['none', 'none'],
    ['', null],
    ['0', 0],
    ['017', 15],
    ['08', '08'],
    ['0x1F', 31],
    ['-0b101', -5],
    ['1_000', 1000],
    ['+5', 5],
    ['1:30', 90],
    ['-1:30:15', -5415],
    ['12345678901234567890', 12345678901234567890n],
    ['-12345678901234567890', -12345678901234567890n],
    ['1.5', 1.5],
    ['-1.5', -1.5],
    ['1_0.2_5', 10.25],
    ['-017', -15],
    ['+.5', '+.5'],
    ['.5', 0.5],
    ['1.', 1.0],
    ['1e5', '1e5'],
    ['1.0e+5', 100000.0],
    ['1.0e5', '1.0e5'],
    ['1:30.5', 90.5],
    ['-.inf', -Infinity],
    ['+.INF', Infinity],
    ['.NaN', NaN],
    ['2024-01-01', '2024-01-01'],
    ['0o17', '0o17'],
    ['_1', '_1'],
    ['1__0', 10],
  ] as const)
    it(`is ${String(value)} for ${JSON.stringify(text)}`, () => {
      expect(read(text)).to.deep.equal(value);
    });
});
