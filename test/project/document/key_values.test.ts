import { expect } from 'chai';
import fc from 'fast-check';
import { parseKeyValues } from '../../../src/project/document/key_values.js';
import { anyText } from '../../rig/any_text.js';

describe('parseKeyValues', () => {
  const table: readonly (readonly [string, Record<string, string>, string])[] = [
    ['', {}, ''],
    ['a=1', { a: '1' }, ''],
    ['a=1 b=two', { a: '1', b: 'two' }, ''],
    ['a="b c" d=\'e f\'', { a: 'b c', d: 'e f' }, ''],
    ['a=', { a: '' }, ''],
    ['a=b=c', { a: 'b=c' }, ''],
    ['a="it\'s"', { a: "it's" }, ''],
    [String.raw`a="say \"hi\""`, { a: 'say "hi"' }, ''],
    [String.raw`a=x\ny b=\x41 c=\u00e9 d=\\`, { a: 'x\ny', b: 'A', c: 'é', d: '\\' }, ''],
    [String.raw`a\=b`, {}, 'a=b'],
    ['msg={{ a b }} x={{ c | default("d e") }}', { msg: '{{ a b }}', x: '{{ c | default("d e") }}' }, ''],
    ['msg="{{ a }} and {{ b }}"', { msg: '{{ a }} and {{ b }}' }, ''],
    ['msg={{ {"a": {{ b }} } }} x=1', { msg: '{{ {"a": {{ b }} } }}', x: '1' }, ''],
    [
      'msg={% if a %}b{% endif %} x={# d e #} y=}} z=1',
      { msg: '{% if a %}b{% endif %}', x: '{# d e #}', y: '}}', z: '1' },
      '',
    ],
    ['hello  world a=1', { a: '1' }, 'hello  world'],
    ['a=1\nb=2', { a: '1', b: '2' }, ''],
    ['a=1 \\\n b=2', { a: '1', b: '2' }, ''],
    ['a=1 a=2', { a: '2' }, ''],
    ['=x', {}, '=x'],
  ];
  for (const [text, values, words] of table) {
    it(`reads ${JSON.stringify(text)}`, () => {
      const parsed = parseKeyValues(text);
      expect({ ...parsed, words: parsed.status === 'ok' ? parsed.words.trimEnd() : undefined }).to.deep.equal({
        status: 'ok',
        values,
        words,
      });
    });
  }

  it('keeps the shape of free text, and quotes and braces that mean nothing', () => {
    for (const [text, words, values = {}] of [
      ['a\n\nb', 'a\n\nb'],
      ['\na', 'a'],
      [' a', 'a'],
      ['a  ', 'a  '],
      ['a \\\n b', 'a b'],
      ['a\\\nb', 'a\\\nb'],
      ['\\ a \\ b', 'a b'],
      ['a\nb=1 c\n\nd', 'a\nc\n\nd', { b: '1' }],
      ['a = b', 'a = b'],
      ['a=b\\=c d', 'd', { a: 'b\\=c' }],
      ['x\\=y=z', '', { 'x\\=y': 'z' }],
      ['a="x"y', '', { a: '"x"y' }],
      ['a="" b=\'\'', '', { a: '', b: '' }],
      ['a="x\\""', '', { a: 'x"' }],
      ['a=" b "  c', 'c', { a: ' b ' }],
      ["'a b'=c d", 'd', { "'a b'": 'c' }],
      ['{{{a }} b', '{{{a }} b'],
      ['a={{ b }}} c', 'c', { a: '{{ b }}}' }],
      ['}} a=1 b', '}} b', { a: '1' }],
      ['a="{{ b\' }}" c', 'c', { a: "{{ b' }}" }],
      ['a=\\u00e9 \\xzz \\n', '\\xzz \\n', { a: 'é' }],
      ['a\tb=c', '', { 'a\tb': 'c' }],
    ] as const)
      expect(parseKeyValues(text), text).to.deep.equal({ status: 'ok', values, words });
    const parsed = parseKeyValues('__proto__=1 a=2');
    expect(parsed.status === 'ok' && Object.entries(parsed.values)).to.deep.equal([
      ['__proto__', '1'],
      ['a', '2'],
    ]);
    for (const [text, shown] of [
      ['a="b\'', 'a="'],
      ['a={#" #} b', 'a={#'],
      ['x a{{ b', 'a{{'],
    ] as const)
      expect(parseKeyValues(text), text).to.deep.equal({
        status: 'unbalanced',
        message: `a quote or "{{" is not closed in: ${shown}…`,
      });
  });

  it('reports an unclosed quote or template', () => {
    expect(parseKeyValues('a="b c')).to.deep.equal({
      status: 'unbalanced',
      message: 'a quote or "{{" is not closed in: a="…',
    });
    expect(parseKeyValues('password=zzz token={{ x }} {{ x').status).to.equal('unbalanced');
    expect(parseKeyValues("password=zzz token='zzz z")).to.deep.include({
      message: 'a quote or "{{" is not closed in: token=\'…',
    });
  });

  it('reads back values that were written with quotes and escapes', () => {
    const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/);
    // Braces would stay open, and as in Ansible a quote after a backslash is not a quote, whatever precedes it.
    const value = fc.string().filter((text) => !/[{}%#']|\\$/.test(text));
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 5 }), (given) => {
        const text = Object.entries(given).map(([key, one]) => `${key}="${escaped(one)}"`);
        expect(parseKeyValues(text.join(' '))).to.deep.equal({ status: 'ok', values: { ...given }, words: '' });
      }),
    );
  });

  it('never throws, and never loses a word of free text', () => {
    const word = fc.stringMatching(/^[a-z.,]{1,6}$/);
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(parseKeyValues(words.join(' '))).to.deep.equal({ status: 'ok', values: {}, words: words.join(' ') });
      }),
    );
    fc.assert(fc.property(anyText(), (text) => ['ok', 'unbalanced'].includes(parseKeyValues(text).status)));
  });
});

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
