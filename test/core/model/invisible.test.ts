import { expect } from 'chai';
import {
  areAsciiLines,
  escapeInvisible,
  isPrintableAscii,
  removalsIn,
  withoutInvisible,
  withoutSequences,
} from '../../../src/core/model/invisible.js';

describe('invisible characters', () => {
  const table: readonly (readonly [text: string, escaped: string, without: string])[] = [
    ['plain text', 'plain text', 'plain text'],
    ['a\tb\nc\r', String.raw`a\tb\nc\r`, 'a\tb\nc'],
    ['a\u200bb\u00adc', String.raw`a\u200bb\u00adc`, 'abc'],
    ['a\u00a0b\u2028c', String.raw`a\u00a0b\u2028c`, 'a\u00a0bc'],
    ['\0\x07\x1f', String.raw`\u0000\u0007\u001f`, ''],
    ['a\u{e0041}b', String.raw`a\ue0041b`, 'ab'],
    ['\ud800', String.raw`\ud800`, '\ud800'],
    ['ä 😀', 'ä 😀', 'ä 😀'],
    ['\u001b[31mred\u001b[0m', String.raw`\u001b[31mred\u001b[0m`, 'red'],
  ];
  for (const [text, escaped, without] of table)
    it(`of ${escaped} are escaped in words, and removed from what is read`, () => {
      expect(escapeInvisible(text)).to.equal(escaped);
      expect(withoutInvisible(text)).to.equal(without);
    });

  it('are dropped in each way in which readers may drop them', () => {
    for (const [text, ...readings] of [
      ['plain'],
      ['two\nlines'],
      ['\u200bab', 'ab'],
      ['a\u200bb', 'ab'],
      ['\u001b[31mred', '[31mred', 'red'],
      ['a\nb\nc\nd', 'abcd'],
      ['a\n  b\tc\nd', 'abcd'],
      ['ab\ncd\nef\ngh'],
      ['a\nb\u200b\nc\nd', 'a\nb\nc\nd', 'abcd'],
      ['\u001b[1ma\nb\nc\nd', '[1ma\nb\nc\nd', 'a\nb\nc\nd', '[1mabcd'],
    ] as const)
      expect(
        removalsIn(text).map((passes) => passes.reduce<string>((one, pass) => one.replaceAll(pass, ''), text)),
        JSON.stringify(text),
      ).to.deep.equal(readings);
  });

  it('are in no text of printable ASCII, which may have lines', () => {
    const texts = ['', 'a ~', 'a\nb', 'a\tb', 'a\rb', 'ä', '\u001b[1mb', '\u007f'];
    expect(texts.map((text) => [isPrintableAscii(text), areAsciiLines(text)].map(Number).join(''))).to.deep.equal([
      '11',
      '11',
      '01',
      '01',
      '00',
      '00',
      '00',
      '00',
    ]);
    expect([withoutSequences('a\u001b[1mb\u001b]0;x\u0007c'), withoutSequences('a\u200bb')]).to.deep.equal([
      'abc',
      'a\u200bb',
    ]);
  });
});
