import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import { yamlText, type YamlLayout } from '../../../src/language/python/yaml/emitter.js';

const USUAL: YamlLayout = { indent: 2, width: 80, flow: false, sortKeys: true, aliases: true };

describe('the lines of YAML, as PyYAML with libyaml writes them', () => {
  const documents: readonly (readonly [title: string, value: Value, layout: Partial<YamlLayout>, text: string])[] = [
    [
      'nine blanks',
      { a: { b: [1, { c: 2 }] } },
      { indent: 9 },
      'a:\n         b:\n         - 1\n         -        c: 2\n',
    ],
    ['ten blanks, which are two', { a: { b: [1, { c: 2 }] } }, { indent: 10 }, 'a:\n  b:\n  - 1\n  - c: 2\n'],
    ['one blank, which is two', { a: { b: [1, { c: 2 }] } }, { indent: 1 }, 'a:\n  b:\n  - 1\n  - c: 2\n'],
    [
      'no width, which is 80',
      { a: 'word word word word word word word word word word word word word word word word word word word word end' },
      { width: 0 },
      'a: word word word word word word word word word word word word word word word word\n  word word word word end\n',
    ],
    [
      'a width without room, which is 80',
      { a: 'word word word word word word word word word word word word word word word word word word word word end' },
      { width: 4 },
      'a: word word word word word word word word word word word word word word word word\n  word word word word end\n',
    ],
    ['the least width', { a: 'ab cd ef' }, { width: 5 }, 'a: ab cd\n  ef\n'],
    [
      'several blanks where a line is full',
      {
        p: 'word word  word   word word end',
        q: 'a: word  word   word word word: x',
        r: '\tword word  word   word word end',
      },
      { width: 12 },
      'p: word word  word   word\n  word end\nq: \'a: word  word   word\n  word word: x\'\nr: "\\tword word\n  \\ word   word\n  word end"\n',
    ],
    [
      'blanks at the ends of a text',
      { p: ' word word word word ', q: '\t word word word word ', r: ' word word word ', s: '\tword word word  ' },
      { width: 8 },
      'p: \' word\n  word word\n  word \'\nq: "\\t word\n  word word\n  word "\nr: \' word\n  word word \'\ns: "\\tword\n  word word\n  \\ "\n',
    ],
    [
      'text that is folded where a line is just full',
      { a: 'abcde fghi jklm', b: 'abcdef ghij klmn', c: 'abcd efgh ijkl' },
      { width: 8 },
      'a: abcde fghi\n  jklm\nb: abcdef\n  ghij klmn\nc: abcd efgh\n  ijkl\n',
    ],
    [
      'single quotes with blanks and breaks',
      { a: 'one two: three\nfour five six: seven\n\neight', b: "it's one: two: three: four: five" },
      { width: 12 },
      "a: 'one two: three\n\n  four five six:\n  seven\n\n\n  eight'\nb: 'it''s one:\n  two: three:\n  four: five'\n",
    ],
    [
      'names that are longer than a line',
      { 'some name with many words in it': 'some text with many words', 'a: quoted name with words': 'x' },
      { width: 10 },
      "'a: quoted name with words': x\nsome name with many words in it: some\n  text with\n  many words\n",
    ],
    [
      'long names on one line',
      {
        a: {
          nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn: 1,
          b: 2,
        },
        c: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      },
      { width: 20, flow: true },
      'a: {b: 2, ? nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\n  : 1}\nc: [1, 2, 3, 4, 5, 6,\n  7, 8, 9]\n',
    ],
    [
      'quoted texts on one line',
      { a: ['a: b', 'c, d', "it's", 'x y z x y z x y z'], b: { 'c: d': 'e: f', g: '\t' } },
      { width: 20, flow: true },
      "a: ['a: b', 'c, d', it's,\n  x y z x y z x y z]\nb: {'c: d': 'e: f', g: \"\\t\"}\n",
    ],
    [
      'a list in a list below a name',
      { a: [[['x']], { b: [[1]] }], c: [[]] },
      {},
      'a:\n- - - x\n- b:\n  - - 1\nc:\n- []\n',
    ],
    [
      'a list at the root with long texts',
      ['word word word word', ['word word word word'], { a: 'word word word' }],
      { width: 10 },
      '- word word\n  word word\n- - word word\n    word word\n- a: word word\n    word\n',
    ],
    ['a text at the root', 'word word word word', { width: 10 }, 'word word word\n  word\n'],
    ['a quoted text at the root', 'word: word: word: word\nx', { width: 10 }, "'word: word:\n  word: word\n\n  x'\n"],
    [
      'an escape before a blank',
      { a: '\tx\u00a0 y\\ z  " q', b: '\u0001 \u0002 \u0003 \u0004 \u0005' },
      { width: 10 },
      'a: "\\tx\u00a0 y\\\\\n  z  \\" q"\nb: "\\x01 \\x02\n  \\x03 \\x04\n  \\x05"\n',
    ],
    [
      'characters beyond U+FFFF',
      { '\ud83d\ude00': '\ud83d\ude00 \ud83d\ude00 \ud83d\ude00' },
      { width: 10 },
      '"\\U0001F600": "\\U0001F600\n  \\U0001F600\n  \\U0001F600"\n',
    ],
  ];
  for (const [title, value, layout, text] of documents)
    it(`have ${title}`, () => {
      expect(yamlText(value, { ...USUAL, ...layout })).to.equal(text);
    });
});
