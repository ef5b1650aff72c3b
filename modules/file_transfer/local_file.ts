import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { didYouMean, errorMessage, type ActionContext, type Form } from '../../src/module/contract.js';
import { hasCode } from './draft_file.js';

const PIECE = 2 ** 16;
export const MIB = 2 ** 20;
const REPORT_MS = 2000;

/** Reports every few seconds how much of a file was transferred. */
export function reporting(
  context: Pick<ActionContext, 'progress'>,
  text: (bytes: number) => string,
): (bytes: number) => void {
  let last = performance.now();
  return (bytes) => {
    const now = performance.now();
    if (now - last < REPORT_MS) return;
    last = now;
    context.progress(text(bytes));
  };
}

/** A file to upload: opened once, so what was checked is what is sent. */
export class LocalFile {
  /** Why the file could not be sent unchanged. */
  problem: string | undefined;
  readonly #digests = new Map<string, string>();

  private constructor(
    readonly file: string,
    readonly size: number,
    private readonly changed: number,
    private readonly handle: FileHandle,
  ) {}

  /** Finds and opens the file in the folders where tasks look for files. Returns a message if there is none, or it cannot be read. */
  static async find(name: string, context: Pick<ActionContext, 'searchPath'>): Promise<LocalFile | string> {
    const places = filePlaces(context.searchPath(), 'files', name);
    const found = await firstThere(places);
    if (found === undefined) return missing(name, places);
    try {
      return await LocalFile.#open(found);
    } catch (error) {
      return `cannot read ${found}: ${errorMessage(error)}`;
    }
  }

  static async #open(file: string): Promise<LocalFile> {
    // Without O_NONBLOCK, a pipe would wait for its other end.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new Error('it is not a regular file');
      return new LocalFile(file, found.size, found.mtimeMs, handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The content of the file in small pieces. Throws if the file changes meanwhile. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    for (let done = 0; done < this.size;) {
      const buffer = Buffer.allocUnsafe(Math.min(PIECE, this.size - done));
      const { bytesRead } = await this.handle.read(buffer, 0, buffer.length, done);
      if (bytesRead === 0) break;
      done += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    const now = await this.handle.stat();
    if (now.size === this.size && now.mtimeMs === this.changed) return;
    this.problem = `${this.file} changed during the upload`;
    throw new Error(this.problem);
  }

  /** The digest of the file in hexadecimal digits. Reads the file only once. */
  async digest(algorithm: string): Promise<string> {
    const known = this.#digests.get(algorithm);
    if (known !== undefined) return known;
    const hash = createHash(algorithm);
    for await (const piece of this.pieces()) hash.update(piece);
    const digest = hash.digest('hex');
    this.#digests.set(algorithm, digest);
    return digest;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** The possible paths of a file: in `inner` of each folder, then in the folder itself. */
export function filePlaces(folders: readonly string[], inner: string, name: string): readonly string[] {
  const file = belowHome(name);
  if (path.isAbsolute(file)) return [file];
  return [...new Set(folders.flatMap((folder) => [path.join(folder, inner, file), path.join(folder, file)]))];
}

/** `~/` is the home folder. */
export function belowHome(name: string): string {
  return name.replace(/^~(?=\/)/, homedir());
}

async function firstThere(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    const found = await stat(place).catch((error: unknown) => !hasCode(error, 'ENOENT', 'ENOTDIR'));
    if (found !== false) return place;
  }
  return undefined;
}

async function missing(name: string, places: readonly string[]): Promise<string> {
  const lists = await Promise.all(places.map((place) => readdir(path.dirname(place)).catch((): string[] => [])));
  const hint = didYouMean(path.basename(name), lists.flat());
  return `there is no file ${name}; looked in ${places.join(', ')}${hint === undefined ? '' : `; ${hint}`}`;
}

export interface FormContent {
  readonly field: string;
  readonly filename: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Called with the number of bytes of the file that were written to the connection. */
  readonly onSent: (bytes: number) => void;
}

/** multipart/form-data (RFC 7578) with the fields first, as browsers send it. */
export function toForm(file: LocalFile, { field, filename, fields, onSent }: FormContent): Form {
  const boundary = `evenkeel-${randomUUID()}`;
  const part = (headers: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n`;
  const texts = Object.entries(fields).map(([name, text]) => `${part(`name="${quoted(name)}"`)}${text}\r\n`);
  const names = `name="${quoted(field)}"; filename="${quoted(filename)}"`;
  const head = Buffer.from(texts.join('') + part(`${names}\r\ncontent-type: application/octet-stream`));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: head.length + file.size + tail.length,
    parts: async function* () {
      yield head;
      let sent = 0;
      for await (const piece of file.pieces()) {
        yield piece;
        onSent((sent += piece.length));
      }
      yield tail;
    },
  };
}

function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
