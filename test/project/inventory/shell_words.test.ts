import { expect } from 'chai';
import { splitWords } from '../../../src/project/inventory/shell_words.js';

describe('the words of a line in an INI inventory', () => {
  const lines: readonly (readonly [string, readonly (readonly [string, number])[]])[] = [
    ['', []],
    ['lb1', [['lb1', 0]]],
    [
      ' lb1\t x=1 ',
      [
        ['lb1', 1],
        ['x=1', 6],
      ],
    ],
    ['a # b', [['a', 0]]],
    [
      `x="a b"'c d'e f`,
      [
        ['x=a bc de', 0],
        ['f', 14],
      ],
    ],
    [
      `'#' "#"`,
      [
        ['#', 0],
        ['#', 4],
      ],
    ],
    [
      String.raw`a\ b \#c`,
      [
        ['a b', 0],
        ['#c', 5],
      ],
    ],
    [
      String.raw`"a\"b" "a\\" "a\nb"`,
      [
        ['a"b', 0],
        ['a\\', 7],
        [String.raw`a\nb`, 13],
      ],
    ],
    [
      String.raw`'a\' b`,
      [
        ['a\\', 0],
        ['b', 5],
      ],
    ],
    [String.raw`'a\\b'`, [[String.raw`a\\b`, 0]]],
    [
      `"" x`,
      [
        ['', 0],
        ['x', 3],
      ],
    ],
  ];
  for (const [line, words] of lines)
    it(`are those of ${JSON.stringify(line)}`, () => {
      expect(splitWords(line)).to.deep.equal({ words: words.map(([text, offset]) => ({ text, offset })) });
    });

  it('end where a comment begins inside a word', () => {
    expect(splitWords('a "b"#c d')).to.deep.equal({
      words: [
        { text: 'a', offset: 0 },
        { text: 'b', offset: 2 },
      ],
      cut: 5,
    });
  });

  for (const [line, problem, offset] of [
    ['lb1 x="a', 'a quote (") that is not closed', 6],
    [`lb1 x='a"`, `a quote (') that is not closed`, 6],
    [String.raw`lb1 "a\"`, 'a quote (") that is not closed', 4],
    ['a b\\', 'a backslash at its end', 3],
  ] as const)
    it(`are none of ${line}`, () => {
      expect(splitWords(line)).to.deep.equal({ problem, offset });
    });
});
