import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Outlet } from '../../../src/reporting/output/outlet.js';

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

  it('reports no error when the reader closes the output', async () => {
    const { stdout, stderr } = await promisify(execFile)('sh', [
      '-c',
      `"${process.execPath}" --import tsx "${WRITER}" 100000 | head -n 2`,
    ]);
    expect(stdout).to.equal('line 1\nline 2\n');
    expect(stderr).to.equal('closed\n');
  });

  it('loses nothing when a slow reader reads from a pipe', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', WRITER, '100000'], { stdio: ['ignore', 'pipe', 'pipe'] });
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
