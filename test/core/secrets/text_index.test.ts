import { expect } from 'chai';
import { SecretIndex } from '../../../src/core/secrets/text_index.js';

function found(secrets: readonly string[], text: string): readonly string[] {
  const index = new SecretIndex();
  for (const one of secrets) index.add(one);
  const spans: string[] = [];
  index.search(text, (from, to) => spans.push(`${from}-${to}`));
  return spans;
}

describe('the index of secrets', () => {
  const cases: readonly (readonly [secrets: readonly string[], text: string, spans: readonly string[]])[] = [
    [[], 'abcd', []],
    [['abc'], 'abc', []],
    [['abcd'], '', []],
    [['abcd'], 'abc', []],
    [['abcd'], 'abcd', ['0-4']],
    [['abcd'], 'xabcd', ['1-5']],
    [['abcd'], 'abcdx', ['0-4']],
    [['abcd'], 'abcdabcd', ['0-4', '4-8']],
    [['abcd'], 'ABcD', ['0-4']],
    [['abcd', 'abcde', 'abcdef'], 'abcdefg abcdx abcdeg', ['0-6', '8-12', '14-19']],
    [['abcdefgh'], 'abcdefg', []],
    [['abcdefgh'], 'xABCDEFGHx', ['1-9']],
    [['abcdefgh', 'abcdefghij'], 'abcdefghi abcdefghij', ['0-8', '10-20']],
    [['abcdefgh', 'abcd'], 'abcdefgx abcdefgh', ['0-4', '9-17']],
    [['abcdefgh', 'cdef'], 'abcdefgh', ['0-8']],
    [['abcdefgh', 'efghij'], 'abcdefghij', ['0-8', '4-10']],
    [['abcdef', 'cdef'], 'abcdef', ['0-6']],
    [['aaaa'], 'aaaaa', ['0-4', '1-5']],
    [['a-b_c'], 'a+b/c A-B_C', ['0-5', '6-11']],
    [['ab+/cdefg'], 'ab-_cdefg', ['0-9']],
    [['pässwort'], 'PÄSSWORT', ['0-8']],
    [['İstanbul'], 'xİSTANBUL', ['1-9']],
    [['λόγος'], 'λόγοσ λόγος', ['0-5', '6-11']],
    [['一二三四'], '〇一二三四', ['1-5']],
    [['abcd', 'wxyz'], 'wxyz1abcd', ['0-4', '5-9']],
    // Masking beginnings, too, would mask words and tell how a secret begins.
    [['abcdefghijkl'], 'abcd… abcdefghijk… (cut here)', []],
  ];
  for (const [secrets, text, spans] of cases)
    it(`finds ${secrets.join(', ')} in "${text}"`, () => {
      expect(found(secrets, text)).to.deep.equal(spans);
      expect(found(secrets.toReversed(), text)).to.deep.equal(spans);
    });

  it('is empty until a text is long enough', () => {
    const index = new SecretIndex();
    expect(index.isEmpty).to.equal(true);
    index.add('abc');
    expect(index.isEmpty).to.equal(true);
    index.add('abcd');
    expect(index.isEmpty).to.equal(false);
  });

  it('finds each of a thousand among the others', () => {
    const secrets = Array.from(
      { length: 1000 },
      (_, at) => `${at % 7 === 0 ? '' : 'secret'}${at}-${(at * 7919) % 1000}x`,
    );
    const index = new SecretIndex();
    for (const one of secrets) index.add(one);
    for (const one of secrets) {
      const spans: string[] = [];
      const text = `= ${one} =`;
      index.search(text, (from, to) => spans.push(text.slice(from, to)));
      expect(spans[0]).to.equal(one);
    }
  });
});
