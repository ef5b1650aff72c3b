import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, deflate, inflateSync } from 'node:zlib';
import { isFileError, whyFailed } from '../files/file_error.js';
import { makeFolder, syncFolder } from '../files/folders.js';
import { LoadError } from '../model/load_error.js';
import { StoredValue } from '../model/stored.js';
import type { Value } from '../model/value.js';
import { JournalError } from './journal_error.js';
import type { Sealer } from './sealer.js';
import { decode, encode } from './value_codec.js';

const deflated = promisify(deflate);

/** Recently used values stay parsed up to this many bytes of JSON text: a loop reads the same one again and again. */
const CACHED_BYTES = 32 * 2 ** 20;

/** The large values of one run, each in a file of its own beside the journal: compressed, sealed, named by its digest. */
export class ValueFiles {
  readonly #folder: string;
  readonly #sealer: Sealer;
  /** By digest: those of this process that are on disk, or on their way. */
  readonly #kept = new Map<string, Promise<void>>();
  /** Used last comes last. */
  readonly #cache = new Map<string, { readonly value: Value; readonly size: number }>();
  #cachedBytes = 0;

  /** @param folder of the run */
  constructor(folder: string, sealer: Sealer) {
    this.#folder = path.join(folder, 'values');
    this.#sealer = sealer;
  }

  /**
   * Resolves when the value is on disk, so that a record may name it.
   *
   * @throws JournalError if it cannot be written
   */
  async keep(value: Value): Promise<StoredValue> {
    const text = Buffer.from(encode(value));
    const digest = this.#sealer.nameOf(text);
    try {
      await this.#once(digest, () => this.#write(digest, text));
    } catch (error) {
      throw new JournalError(`cannot store a large value in ${this.#folder}: ${whyFailed(error)}`);
    }
    this.#remember(digest, value, text.length);
    return this.find(digest, text.length);
  }

  /** The value that a record names; it is read when it is first used. */
  readonly find = (digest: string, size: number): StoredValue =>
    new StoredValue(digest, size, () => this.#read(digest, size));

  /** Many controllers give the same answer. */
  async #once(digest: string, write: () => Promise<void>): Promise<void> {
    const writing = this.#kept.get(digest) ?? write();
    this.#kept.set(digest, writing);
    try {
      await writing;
    } catch (error) {
      this.#kept.delete(digest);
      throw error;
    }
  }

  /** Whole from the first moment that it can be seen under its name. */
  async #write(digest: string, text: Buffer): Promise<void> {
    const bytes = this.#sealer.sealBytes(await deflated(text, { level: constants.Z_BEST_SPEED }));
    await makeFolder(this.#folder);
    const file = path.join(this.#folder, digest);
    const fresh = `${file}.${randomBytes(6).toString('hex')}`;
    const handle = await open(fresh, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
      await handle.close();
      await rename(fresh, file);
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(fresh, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(this.#folder);
  }

  #read(digest: string, size: number): Value {
    const cached = this.#cache.get(digest);
    const value = cached === undefined ? this.#parsed(digest) : cached.value;
    this.#remember(digest, value, size);
    return value;
  }

  #parsed(digest: string): Value {
    const file = path.join(this.#folder, digest);
    try {
      const text = inflateSync(this.#sealer.openBytes(readFileSync(file))).toString();
      return decode(text, this.find);
    } catch (error) {
      const why = isFileError(error, 'ENOENT') ? 'it is gone' : whyFailed(error);
      throw new LoadError(
        `cannot read a stored value of this run from ${file}: ${why}`,
        undefined,
        'run the playbook again',
      );
    }
  }

  #remember(digest: string, value: Value, size: number): void {
    if (!this.#cache.delete(digest)) this.#cachedBytes += size;
    this.#cache.set(digest, { value, size });
    for (const [oldest, { size: freed }] of this.#cache) {
      if (this.#cachedBytes <= CACHED_BYTES || oldest === digest) break;
      this.#cache.delete(oldest);
      this.#cachedBytes -= freed;
    }
  }
}
