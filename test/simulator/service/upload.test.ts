import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { readUpload } from '../../../src/simulator/transport/http_exchange.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const part = (disposition: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const read = (body: string) => readUpload(Readable.from([Buffer.from(body)]), 'b');

describe('an upload to a simulated controller', () => {
  const file = (name: string, content: string) => ({ name, size: content.length, sha256: sha256(content) });

  it('is its first file, whatever is before and behind it', async () => {
    const body = [
      part('name="uri"', 'controller://x'),
      part('name="file"; filename="one"', 'first'),
      part('name="file"; filename="two"', 'the second'),
      part('name="note"', 'x'),
    ].join('');
    expect(await read(`${body}--b--\r\n`)).to.deep.equal({ isComplete: true, file: file('one', 'first') });
    expect(await read(`${body}--b--\r\nmore --b\r\n`)).to.deep.equal({ isComplete: true, file: file('one', 'first') });
  });

  it('may be empty, or have no file', async () => {
    expect(await read(`${part('name="f"; FileName="a b"', '')}--b--`)).to.deep.equal({
      isComplete: true,
      file: file('a b', ''),
    });
    expect(await read(`${part('name="f"', 'x')}--b--`)).to.deep.equal({ isComplete: true, file: undefined });
    expect(await read('--b--')).to.deep.equal({ isComplete: true, file: undefined });
    expect(await read(`${part('filenames="x"', 'x')}--b--`)).to.deep.equal({ isComplete: true, file: undefined });
  });

  it('is incomplete without its end', async () => {
    const whole = part('filename="one"', 'first');
    for (const [body, found] of [
      ['', undefined],
      ['--b', undefined],
      ['--b\r\nx', undefined],
      [whole, undefined],
      [`${whole}--b`, undefined],
      [`${whole}--b\r\n`, file('one', 'first')],
      [`${whole}--c--`, undefined],
    ] as const)
      expect(await read(body), JSON.stringify(body)).to.deep.equal({ isComplete: false, file: found });
  });

  it('has headers that are not too long', async () => {
    const long = `--b\r\nX: ${'y'.repeat(2 ** 17)}\r\n`;
    const pieces = [long, 'Content-Disposition: form-data; filename="one"\r\n\r\nfirst\r\n--b--'].map((one) =>
      Buffer.from(one),
    );
    expect(await readUpload(Readable.from(pieces), 'b')).to.deep.equal({
      isComplete: true,
      file: file('one', 'first'),
    });
  });
});
