import { expect } from 'chai';
import fc from 'fast-check';
import { jsonText, type Value } from '../../../src/core/model/values/value.js';
import { parseLiteral } from '../../../src/language/python/literal.js';
import { splitWords } from '../../../src/project/inventory/shell_words.js';
import { anyText } from '../../rig/any_text.js';

describe('Python literals', () => {
  const literals: readonly (readonly [string, Value])[] = [
    ['1_000', 1000],
    ['0x1F', 31],
    ['0o17', 15],
    ['0b11', 3],
    ['00', 0],
    ['-3', -3],
    ['+ 4', 4],
    ['1.50', 1.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['12345678901234567890', 12345678901234567890n],
    ['-0xffff_ffff_ffff_ffff', -18446744073709551615n],
    ['True', true],
    ['None', null],
    ['"a" \'b\'', 'ab'],
    [String.raw`"\x41\u00e9\101\q"`, String.raw`AéA\q`],
    [String.raw`r"a\n"`, String.raw`a\n`],
    ['"""three"""', 'three'],
    ['[1, "two", [None],]', [1, 'two', [null]]],
    ['(1, 2)', [1, 2]],
    ['(1)', 1],
    ['1, 2', [1, 2]],
    ['{"a": 1, 2: {"b": ()}}', { 2: { b: [] }, a: 1 }],
    ['8080 # a comment', 8080],
    ['{1: 2, None: 3, True: 4}', { 1: 2, null: 3, true: 4 }],
    ['-0', 0],
    ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}') as Value],
  ];
  for (const [text, value] of literals) {
    it(`${text} is ${jsonText(value)}`, () => {
      expect(parseLiteral(text)).to.deep.equal({ value });
    });
  }

  const texts = [
    '',
    'yes',
    'true',
    '0777',
    '10.0.0.1',
    'a b',
    '1 2',
    '10_',
    '1L',
    '2j',
    '--1',
    '{1, 2}',
    'b"x"',
    'f"x"',
    '"open',
    '[1',
    'x # y',
    '...',
    '(1, 2',
    '{"a"}',
    '{[1]: 2}',
    '{(1, 2): 3}',
    '-"a"',
    '-True',
    '+[1]',
    '(1, 2]',
    '[1, 2)',
    '(1]',
    '{"a": 1]',
    String.raw`"\N{DASH}"`,
  ];
  for (const text of texts) {
    it(`${text === '' ? 'nothing' : text} stays text`, () => {
      expect(parseLiteral(text)).to.equal(undefined);
    });
  }

  it('read back everything that JSON can express', () => {
    const value = fc.letrec<{ tree: Value }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        anyText().filter((text) => !text.includes('\u2028')),
        fc.maxSafeInteger(),
        fc.array(tie('tree')),
      ),
    })).tree;
    const property = fc.property(value, (one) => {
      // JSON writes "/" and code points beyond U+FFFF as Python does, but \uD83D pairs never: strings of whole characters only.
      expect(parseLiteral(JSON.stringify(one))).to.deep.equal({ value: one });
    });
    fc.assert(property);
  });

  it('nest a hundred levels, and may have more lists beside one another', () => {
    const nested = (levels: number) => parseLiteral('['.repeat(levels) + ']'.repeat(levels));
    expect([nested(100) === undefined, nested(101)]).to.deep.equal([false, undefined]);
    expect(parseLiteral(`[${'[],()'.repeat(60).replaceAll(')[', '),[')}]`)).to.deep.equal({
      value: Array.from({ length: 120 }, () => []),
    });
  });

  it('may have the constants of JSON', () => {
    const text = '[True, false, null, None, true]';
    expect([parseLiteral(text), parseLiteral(text, 'of JSON too')]).to.deep.equal([
      undefined,
      { value: [true, false, null, null, true] },
    ]);
  });

  it('never hang or throw, however the text nests', () => {
    expect(parseLiteral('['.repeat(10_000))).to.equal(undefined);
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('[', ']', '(', ')', '{', '}', ',', ':', '1', '"a"', '-', ' ', '#', 'x', '\\', "'", '.', 'e'),
        ),
        (parts) => {
          parseLiteral(parts.join(''));
        },
      ),
    );
  });
});

describe('words of a line', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['lb1 a=1\tb=2', ['lb1', 'a=1', 'b=2']],
    ['lb1 a="b c" d=\'e f\'', ['lb1', 'a=b c', 'd=e f']],
    ['lb1 a="\'03#x\'"', ['lb1', "a='03#x'"]],
    ['lb1 a=b#cut', ['lb1', 'a=b']],
    ['lb1 # all of this', ['lb1']],
    [String.raw`lb1 a=b\ c "d\"e\n" 'f\g'`, ['lb1', 'a=b c', String.raw`d"e\n`, String.raw`f\g`]],
    ['lb1 "" a=\'\'', ['lb1', '', 'a=']],
  ];
  for (const [line, words] of table) {
    it(line, () => {
      const split = splitWords(line);
      expect('words' in split ? split.words.map(({ text }) => text) : split).to.deep.equal(words);
    });
  }

  it('report an unclosed quote with its position', () => {
    expect(splitWords('lb1 a="b')).to.deep.equal({ problem: 'a quote (") that is not closed', offset: 6 });
    expect(splitWords('lb1 a\\')).to.deep.equal({ problem: 'a backslash at its end', offset: 5 });
  });
});
