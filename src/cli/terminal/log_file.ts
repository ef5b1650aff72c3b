import { createWriteStream, type WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';

/** Throws if the file cannot be appended to. */
export async function checkLog(file: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  await handle.close();
}

/** Appends lines to a file, each with the time at which it was written. */
export class LogFile extends Writable {
  readonly #file: WriteStream;
  readonly #decoder = new StringDecoder();
  /** The beginning of a line whose end has not come. */
  #rest = '';

  constructor(file: string) {
    super();
    this.#file = createWriteStream(file, { flags: 'a', mode: 0o600 });
    this.#file.on('error', (error) => {
      this.destroy(error);
    });
  }

  /** Resolves when everything is in the file. */
  async close(): Promise<void> {
    this.end();
    await finished(this);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const time = new Date().toISOString();
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    // An empty line separates paragraphs on a screen; in a log, the times do.
    const stamped = lines.filter((line) => line !== '').map((line) => `${time} ${line}\n`);
    if (stamped.length === 0) done();
    else this.#file.write(stamped.join(''), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#file.end();
    finished(this.#file).then(() => {
      done();
    }, done);
  }
}
