import { expect } from 'chai';
import { escapeInvisible, withoutInvisible } from '../../../src/core/model/invisible.js';

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
});
