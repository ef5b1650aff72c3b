import { createHash, type Hash } from 'node:crypto';
import type { SimulatedUpload } from '../protocol/exchange.js';

const BLANK_LINE = Buffer.from('\r\n\r\n');
/** Headers of a part and fields of a form are small. */
const MOST_HEAD_BYTES = 2 ** 16;

/** Reads a multipart/form-data body as it arrives: an image of gigabytes is never held in memory. */
export async function readUpload(chunks: AsyncIterable<Buffer>, boundary: string): Promise<SimulatedUpload> {
  const reader = new UploadReader(boundary);
  for await (const chunk of chunks) reader.add(chunk);
  return reader.upload;
}

class UploadReader {
  readonly #delimiter: Buffer;
  // The first delimiter has no line before it.
  #held = Buffer.from('\r\n');
  #phase: 'content' | 'headers' | 'end' = 'content';
  #filename: string | undefined;
  #hash: Hash | undefined;
  #size = 0;
  #file: SimulatedUpload['file'];

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  get upload(): SimulatedUpload {
    return { isComplete: this.#phase === 'end', file: this.#file };
  }

  add(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk]);
    while (this.#phase === 'headers' ? this.#takeHeaders() : this.#phase === 'content' && this.#takeContent());
    if (this.#phase === 'end') this.#held = Buffer.alloc(0);
  }

  /** Whether the content of this part ended. */
  #takeContent(): boolean {
    const end = this.#held.indexOf(this.#delimiter);
    // What follows the delimiter says whether it is the last.
    if (end >= 0 && this.#held.length < end + this.#delimiter.length + 2) return false;
    const safe = end >= 0 ? end : Math.max(0, this.#held.length - this.#delimiter.length);
    this.#hash?.update(this.#held.subarray(0, safe));
    this.#size += safe;
    if (end < 0) {
      this.#held = this.#held.subarray(safe);
      return false;
    }
    this.#finishPart();
    this.#held = this.#held.subarray(end + this.#delimiter.length);
    this.#phase = this.#held.subarray(0, 2).toString() === '--' ? 'end' : 'headers';
    return true;
  }

  #finishPart(): void {
    if (this.#hash === undefined || this.#filename === undefined) return;
    this.#file ??= { name: this.#filename, size: this.#size, sha256: this.#hash.digest('hex') };
    this.#hash = undefined;
  }

  /** Whether the headers of this part ended. */
  #takeHeaders(): boolean {
    const end = this.#held.indexOf(BLANK_LINE);
    if (end < 0) {
      if (this.#held.length > MOST_HEAD_BYTES) this.#held = this.#held.subarray(-BLANK_LINE.length);
      return false;
    }
    const headers = this.#held.subarray(0, end).toString('utf8');
    [, this.#filename] = /;\s*filename="([^"]*)"/i.exec(headers) ?? [];
    this.#hash = this.#filename === undefined ? undefined : createHash('sha256');
    this.#size = 0;
    this.#held = this.#held.subarray(end + BLANK_LINE.length);
    this.#phase = 'content';
    return true;
  }
}
