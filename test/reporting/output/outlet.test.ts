import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Outlet } from '../../../src/reporting/output/outlet.js';
import { scriptArgs } from '../../rig/script.js';

const WRITER = fileURLToPath(new URL('../../rig/many_lines.ts', import.meta.url));

describe('an outlet', () => {
  it('writes everything from one turn at once', async () => {
    const stream = new PassThrough();
    const chunks: string[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    const outlet = new Outlet(stream);
    for (let line = 0; line < 100; line++) outlet.write(`${line}\n`);
    await outlet.close();
    expect(chunks).to.have.length(1);
    expect(chunks[0]?.split('\n')).to.have.length(101);
  });

  it('writes nothing to a full stream, and everything in the end', async () => {
    const stream = new PassThrough({ highWaterMark: 1024 });
    const outlet = new Outlet(stream);
    const line = `${'x'.repeat(1023)}\n`;
    for (let number = 0; number < 1000; number++) {
      outlet.write(line);
      if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(outlet.lagging).to.equal(true);
    expect(stream.writableLength + stream.readableLength).to.be.lessThan(200 * 1024);
    const read = text(stream);
    await outlet.close();
    stream.end();
    expect(await read).to.equal(line.repeat(1000));
  });

  /** A stream that takes nothing until it is told to, and what it was given. */
  function slow(highWaterMark: number): {
    readonly stream: Writable;
    readonly given: string[];
    readonly take: () => void;
  } {
    const given: string[] = [];
    let taken = (): void => undefined;
    const stream = new Writable({
      highWaterMark,
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        given.push(chunk);
        taken = done;
      },
    });
    const take = (): void => {
      taken();
    };
    return { stream, given, take };
  }

  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };

  it('writes at the end of each turn, and at once what is large', async () => {
    const { stream, given, take } = slow(1024 * 1024);
    const outlet = new Outlet(stream);
    for (const text of ['a', '', 'b']) outlet.write(text);
    expect(given).to.deep.equal([]);
    await turns();
    expect(given).to.deep.equal(['ab']);
    take();
    outlet.write('c');
    await turns();
    expect(given).to.deep.equal(['ab', 'c']);
    take();
    for (const text of ['x'.repeat(65_535), 'y']) {
      expect(given).to.have.length(2);
      outlet.write(text);
    }
    expect(given[2]).to.equal(`${'x'.repeat(65_535)}y`);
    take();
    outlet.write('z'.repeat(65_535));
    expect(given).to.have.length(3);
  });

  it('goes on when a full stream has room again', async () => {
    const { stream, given, take } = slow(2);
    const outlet = new Outlet(stream);
    outlet.write('abc');
    await turns();
    outlet.write('def');
    await turns();
    expect([given, outlet.lagging]).to.deep.equal([['abc'], true]);
    take();
    await turns();
    expect(given).to.deep.equal(['abc', 'def']);
    let isFlushed = false;
    void outlet.flushed().then(() => (isFlushed = true));
    await turns();
    expect(isFlushed).to.equal(false);
    take();
    await turns();
    take();
    await turns();
    expect([isFlushed, outlet.lagging]).to.deep.equal([true, false]);
  });

  for (const [how, failure, expected] of [
    ['ends', undefined, undefined],
    ['is broken', 'EPIPE', undefined],
    ['was destroyed', 'ERR_STREAM_DESTROYED', undefined],
    ['fails', 'ENOSPC', 'ENOSPC'],
  ] as const)
    it(`waits for a full stream no longer if it ${how}`, async () => {
      const { stream, given } = slow(1);
      const outlet = new Outlet(stream);
      outlet.write('abc');
      await turns();
      let end: unknown = 'waits';
      void outlet.close().then(
        () => (end = undefined),
        (error: unknown) => (end = error instanceof Error && 'code' in error ? error.code : error),
      );
      await turns();
      expect(end).to.equal('waits');
      if (failure === undefined) stream.destroy();
      else stream.emit('error', Object.assign(new Error('no'), { code: failure }));
      await turns();
      expect(end).to.equal(expected);
      stream.emit('error', Object.assign(new Error('later'), { code: failure === 'ENOSPC' ? 'EIO' : 'EPIPE' }));
      outlet.write('def');
      await turns();
      expect([end, given]).to.deep.equal([expected, ['abc']]);
      // A pipe may break after the last byte.
      expect(['drain', 'close', 'error'].map((name) => stream.listenerCount(name))).to.deep.equal([0, 0, 1]);
    });

  it('reports no error when the reader closes the output', async () => {
    const { stdout, stderr } = await promisify(execFile)('sh', [
      '-c',
      `${[process.execPath, ...scriptArgs(WRITER)].map((word) => `"${word}"`).join(' ')} 100000 | head -n 2`,
    ]);
    expect(stdout).to.equal('line 1\nline 2\n');
    expect(stderr).to.equal('closed\n');
  });

  it('loses nothing when a slow reader reads from a pipe', async () => {
    const child = spawn(process.execPath, [...scriptArgs(WRITER), '100000'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let lines = 0;
    for await (const chunk of child.stdout) lines += (chunk as Buffer).toString().split('\n').length - 1;
    expect(lines).to.equal(100_000);
  });

  it('reports why it could not write', async function () {
    if (process.platform !== 'linux') this.skip();
    const outlet = new Outlet(createWriteStream('/dev/full'));
    outlet.write('x');
    const failure = await outlet.close().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', 'ENOSPC');
  });
});
