import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflateSync } from 'node:zlib';
import { isFileError, whyFailed, makeFolder, syncFolder } from '../../../core/files/paths.js';
import { replaceFile, draftName } from '../../../core/files/replace_file.js';
import { LoadError } from '../../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import { StoredValue } from '../../../core/model/values/stored.js';
import type { Value } from '../../../core/model/values/value.js';
import { decode, encode } from '../../../core/model/values/value_codec.js';
import type { Sealer } from './project_key.js';
import { JournalError } from './run_folders.js';

const deflated = promisify(deflate);
/** The fastest level. */
const DEFLATION = { level: 1 };

/** Recently used values stay parsed up to this many bytes of JSON text: a loop reads the same one again and again. */
const CACHED_BYTES = 32 * 2 ** 20;

/** The large values of one run, each in a file beside the journal: compressed, sealed, named by its digest. */
export class ValueFiles {
  readonly #folder: string;
  /** Values of this process that are on disk or being written, by digest. */
  readonly #kept = new Map<string, Promise<void>>();
  /** The JSON texts not yet on disk, by digest. */
  readonly #pending = new Map<string, Buffer>();
  /** Ordered by last use. */
  readonly #cache = new Map<string, { readonly value: Value; readonly size: number }>();
  #cachedBytes = 0;

  /** @param folder of the run */
  constructor(
    folder: string,
    private readonly sealer: Sealer,
  ) {
    this.#folder = path.join(folder, 'values');
  }

  /**
   * Resolves when the value is on disk, so that a record may name it.
   *
   * @throws JournalError if it cannot be written
   */
  async keep(value: Value): Promise<StoredValue> {
    const { stored, written } = this.begin(value);
    await written;
    this.#remember(stored.digest, value, stored.size);
    return stored;
  }

  /** Like `keep`, but returns before the value is on disk: a record that refers to it must wait for `written`. */
  begin(value: unknown): { readonly stored: StoredValue; readonly written: Promise<void> } {
    const text = Buffer.from(encode(value));
    const digest = this.sealer.sealedName(text);
    return { stored: this.find(digest, text.length), written: this.#once(digest, text) };
  }

  /**
   * Writes pending values synchronously, because the process is about to end.
   *
   * @throws Error if it cannot be written
   */
  flush(): void {
    for (const [digest, text] of this.#pending) {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const file = path.join(this.#folder, digest);
      const fresh = draftName(file);
      writeFileSync(fresh, this.sealer.sealBytes(deflateSync(text, DEFLATION)), { flag: 'wx', mode: 0o600 });
      renameSync(fresh, file);
    }
  }

  /** The value that a record names; it is read when it is first used. */
  readonly find = (digest: string, size: number): StoredValue =>
    new StoredValue(digest, size, () => this.#read(digest, size));

  /** Many controllers return the same answer. */
  async #once(digest: string, text: Buffer): Promise<void> {
    const writing = getOrAdd(this.#kept, digest, () => this.#write(digest, text));
    try {
      await writing;
    } catch (error) {
      this.#kept.delete(digest);
      throw new JournalError(`cannot store a large value in ${this.#folder}: ${whyFailed(error)}`);
    } finally {
      this.#pending.delete(digest);
    }
  }

  /** Whole from the first moment that it can be seen under its name. */
  async #write(digest: string, text: Buffer): Promise<void> {
    this.#pending.set(digest, text);
    const bytes = this.sealer.sealBytes(await deflated(text, DEFLATION));
    await makeFolder(this.#folder);
    await replaceFile(path.join(this.#folder, digest), bytes, (draft) => draft.sync());
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
      return decode(inflateSync(this.sealer.openBytes(readFileSync(file))).toString(), this.find);
    } catch (error) {
      const why = isFileError(error, 'ENOENT') ? 'it is gone' : whyFailed(error);
      const message = `cannot read a stored value of this run from ${file}: ${why}`;
      throw new LoadError(message, undefined, 'run the playbook again');
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
