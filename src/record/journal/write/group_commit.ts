import { asError } from '../../../core/model/source/diagnostic.js';
import type { AppendFile } from './append_file.js';

/** How long lines are buffered if nothing waits for them. A crash of the machine or process may lose them. */
const GATHERED_MS = 10;

interface Line {
  readonly text: string;
  /** Resolves when the files that it names are on disk; undefined when they are, or if it names none. */
  files: Promise<void> | undefined;
  /** One of them cannot be written, so neither this line nor a later one may be. */
  isLost: boolean;
}

interface Waiter {
  /** How many lines must be on disk. */
  readonly lines: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends lines in order, none before the files that it names. Lines with a waiting caller are synced together: all that arrive
 * during a sync share the next one, so a thousand controllers need hardly more syncs than one.
 */
export class GroupCommit {
  /** Not known to be written. */
  readonly #lines: Line[] = [];
  /** The number of lines before these. */
  #written = 0;
  /** Those that wait for fewer lines first. */
  readonly #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isAtWork = false;
  #failure: Error | undefined;

  /** @param onFailure called once if the file cannot be written or synced; every later wait is rejected. */
  constructor(
    private readonly file: AppendFile,
    private position: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Never throws and never waits. */
  append(text: string, needed: readonly Promise<void>[] = []): void {
    this.#gather(text, needed);
    if (this.#failure === undefined && !this.#isAtWork) this.#timer ??= setTimeout(this.#start, GATHERED_MS);
  }

  /** Resolves when the line and all before it are on disk. */
  commit(text: string, needed: readonly Promise<void>[] = []): Promise<void> {
    this.#gather(text, needed);
    return this.#onDisk();
  }

  /** Resolves when all is on disk, or cannot be. Never rejects. */
  untilOnDisk(): Promise<void> {
    return this.#onDisk().catch(() => undefined);
  }

  /**
   * Writes synchronously.
   *
   * @param haveFiles whether the files that were being written are on disk now
   */
  flush(haveFiles: boolean): void {
    // A pending asynchronous write may repeat this. Writing the same bytes to the same place does no harm.
    const { bytes } = this.#ready(haveFiles);
    if (bytes.length > 0) this.file.writeNow(bytes, this.position);
  }

  /**
   * Resolves when everything is on disk or cannot be written; never rejects. Retries a failed write once, because there
   * may be room by now.
   */
  async close(): Promise<void> {
    await this.untilOnDisk();
    if (this.#failure !== undefined) await this.#retry().catch(() => undefined);
    await this.file.close().catch(() => undefined);
  }

  #gather(text: string, needed: readonly Promise<void>[]): void {
    const line: Line = { text, files: undefined, isLost: false };
    this.#lines.push(line);
    if (needed.length === 0) return;
    line.files = Promise.all(needed).then(() => {
      line.files = undefined;
    });
    // A failure shows when the line is written.
    line.files.catch(() => {
      line.isLost = true;
    });
  }

  #onDisk(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#waiters.push({ lines: this.#written + this.#lines.length, resolve, reject });
      if (!this.#isAtWork) this.#start();
    });
  }

  readonly #start = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isAtWork = true;
    void this.#run();
  };

  /** Never rejects. */
  async #run(): Promise<void> {
    // Lines of the same turn of the event loop share the first sync.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#failure === undefined && this.#lines.length + this.#waiters.length > 0) {
      try {
        await this.#write();
        const end = this.#waiters.findIndex(({ lines }) => lines > this.#written);
        const ready = end === -1 ? this.#waiters.length : end;
        if (ready > 0) await this.file.sync();
        for (const { resolve } of this.#waiters.splice(0, ready)) resolve();
      } catch (error) {
        this.#fail(error);
      }
    }
    // Set synchronously with the last check of the buffer, so that a later line starts a new sync.
    this.#isAtWork = false;
  }

  /** Writes up to the next line whose files are not on disk, after those of the first. */
  async #write(): Promise<void> {
    const [first] = this.#lines;
    if (first?.files !== undefined) await first.files;
    const { bytes, count } = this.#ready(false);
    if (bytes.length > 0) await this.file.write(bytes, this.position);
    this.position += bytes.length;
    this.#written += count;
    this.#lines.splice(0, count);
  }

  /** The lines that may be written. @param haveFiles whether all files are on disk that are not lost */
  #ready(haveFiles: boolean): { readonly bytes: Buffer; readonly count: number } {
    let [text, count] = ['', 0];
    for (const line of this.#lines) {
      if (haveFiles ? line.isLost : line.files !== undefined) break;
      text += line.text;
      count += 1;
    }
    return { bytes: Buffer.from(text), count };
  }

  async #retry(): Promise<void> {
    try {
      while (this.#lines.length > 0) await this.#write();
    } finally {
      await this.file.sync();
    }
  }

  #fail(error: unknown): void {
    this.#failure = asError(error);
    this.onFailure(error);
    for (const { reject } of this.#waiters.splice(0)) reject(this.#failure);
  }
}
