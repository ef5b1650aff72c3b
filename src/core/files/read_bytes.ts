import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFileError } from './paths.js';

/** More than any inventory has; reading a file that never ends would fill all memory. */
const LARGEST_MIB = 64;
const MOST_BYTES = LARGEST_MIB << 20;
const CHUNK = 1 << 16;
/** How long the writer of a pipe may take, in milliseconds, and how often to check. */
const PATIENCE = 60_000;
const PAUSE = 20;

/** Opens a pipe without waiting for its other end. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * The content of a file or a pipe (`<(command)` in a shell). Never hangs and never fills the memory: devices, pipes
 * without a writer and more than 64 MiB are refused. Throws an error that `whyUnreadable` words.
 */
export async function readBytes(file: string): Promise<Buffer> {
  const opened = openSync(file, FLAGS);
  try {
    const found = fstatSync(opened);
    // Nothing else runs while a project loads, and promises of the file system cost four round trips a file.
    return found.isFIFO() ? await readPipe(opened) : readAll(opened, found);
  } finally {
    closeSync(opened);
  }
}

/** Like `readBytes`, but synchronous; refuses pipes. */
export function readBytesSync(file: string): Buffer {
  const opened = openSync(file, FLAGS);
  try {
    const found = fstatSync(opened);
    if (found.isFIFO()) throw new Error('it is a pipe');
    return readAll(opened, found);
  } finally {
    closeSync(opened);
  }
}

class Gathered {
  readonly #chunks: Buffer[] = [];
  length = 0;

  get bytes(): Buffer {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
  }

  add(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.length > MOST_BYTES) throw tooLarge();
    this.#chunks.push(chunk);
  }
}

function readAll(opened: number, found: Stats): Buffer {
  if (isEmpty(found)) return Buffer.alloc(0);
  const size = expectedSize(found);
  const gathered = new Gathered();
  // The files of `/proc` say that they have no size, and are read until they end.
  while (size === 0 || gathered.length < size) {
    const chunk = readOnce(opened, size === 0 ? CHUNK : size - gathered.length);
    if (chunk.length === 0) break;
    gathered.add(chunk);
  }
  return gathered.bytes;
}

function readOnce(opened: number, size: number): Buffer {
  const chunk = Buffer.allocUnsafe(size);
  return chunk.subarray(0, readSync(opened, chunk));
}

async function readPipe(opened: number): Promise<Buffer> {
  const gathered = new Gathered();
  const end = performance.now() + PATIENCE;
  for (;;) {
    const chunk = readSome(opened);
    if (chunk === 'later') {
      if (performance.now() > end)
        throw new Error(`it is a pipe, and no more data arrived for ${PATIENCE / 1000} seconds`);
      await sleep(PAUSE);
    } else if (chunk.length > 0) gathered.add(chunk);
    else if (gathered.length > 0) return gathered.bytes;
    else throw new Error('it is a pipe without a writer');
  }
}

function readSome(opened: number): Buffer | 'later' {
  try {
    return readOnce(opened, CHUNK);
  } catch (error) {
    if (isFileError(error, 'EAGAIN')) return 'later';
    throw error;
  }
}

function expectedSize(found: Stats): number {
  if (found.isDirectory()) throw new Error('it is a folder');
  if (!found.isFile()) throw new Error('it is a device');
  if (found.size > MOST_BYTES) throw tooLarge();
  return found.size;
}

/** `/dev/null` is the usual way to say "nothing". */
function isEmpty(found: Stats): boolean {
  return found.isCharacterDevice() && found.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

function tooLarge(): Error {
  return new Error(`it is larger than ${LARGEST_MIB} MiB`);
}

const NEWLINE = 0x0a;

/** Where a text is not UTF-8; from 1. */
export interface BadByte {
  readonly line: number;
  readonly column: number;
  /** `0xE4`. */
  readonly byte: string;
}

/** The text, without a byte order mark; or the first place that is no UTF-8. */
export function decodeUtf8(bytes: Buffer): { readonly text: string } | { readonly bad: BadByte } {
  if (isUtf8(bytes)) return { text: new TextDecoder().decode(bytes) };
  let start = 0;
  for (let line = 1; start <= bytes.length; line += 1) {
    const end = bytes.indexOf(NEWLINE, start);
    const content = bytes.subarray(start, end === -1 ? undefined : end);
    if (!isUtf8(content)) return { bad: { line, ...firstBad(content) } };
    if (end === -1) break;
    start = end + 1;
  }
  throw new Error('a text of lines that are UTF-8 is UTF-8');
}

/** A character that is cut off counts from its first byte. */
function firstBad(line: Buffer): Omit<BadByte, 'line'> {
  let good = 0;
  for (let at = 0; at < line.length;) {
    const length = sequenceLength(line[at] ?? 0);
    if (!isUtf8(line.subarray(at, at + length))) break;
    at += length;
    good = at;
  }
  const before = line.subarray(0, good).toString();
  return { column: before.length + 1, byte: `0x${(line[good] ?? 0).toString(16).toUpperCase().padStart(2, '0')}` };
}

/** How many bytes a character has, by its first. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
