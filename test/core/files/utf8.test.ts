import { expect } from 'chai';
import fc from 'fast-check';
import { decodeUtf8 } from '../../../src/core/files/read_bytes.js';

describe('decodeUtf8', () => {
  it('reports the first invalid byte', () => {
    const bytes = Buffer.concat([Buffer.from('é: 1\nü€😀x'), Buffer.from([0xe4, 0x20]), Buffer.from('\nmore')]);
    expect(decodeUtf8(bytes)).to.deep.equal({ bad: { line: 2, column: 6, byte: '0xE4' } });
  });

  it('reports truncated characters and impossible bytes', () => {
    expect(decodeUtf8(Buffer.from('a\n€').subarray(0, 4))).to.deep.equal({ bad: { line: 2, column: 1, byte: '0xE2' } });
    expect(decodeUtf8(Buffer.from([0x80]))).to.deep.equal({ bad: { line: 1, column: 1, byte: '0x80' } });
    expect(decodeUtf8(Buffer.from([0x0a, 0xff]))).to.deep.equal({ bad: { line: 2, column: 1, byte: '0xFF' } });
  });

  it('returns any text, without a byte order mark', () => {
    expect(decodeUtf8(Buffer.from('\ufeffa'))).to.deep.equal({ text: 'a' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.startsWith('\ufeff'));
        expect(decodeUtf8(Buffer.from(text))).to.deep.equal({ text });
      }),
    );
  });

  it('decodes any bytes, or reports a position in them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const decoded = decodeUtf8(Buffer.from(bytes));
        const text = Buffer.from(bytes).toString('utf8');
        if ('bad' in decoded) {
          expect(text).to.include('\ufffd');
          expect(decoded.bad.line).to.be.within(1, bytes.filter((one) => one === 10).length + 1);
        } else expect(decoded.text).to.equal(text.replace(/^\ufeff/, ''));
      }),
    );
  });
});
