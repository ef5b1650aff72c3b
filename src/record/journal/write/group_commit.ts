import { asError } from '../../../core/model/error_message.js';
import type { AppendFile } from './append_file.js';

/** How long lines are buffered if nothing waits for them. A crash of the machine or process may lose them. */
const GATHERED_MS = 10;

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends lines in order. Lines with a waiting caller are synced together: all that arrive during a sync share the next
 * one, so a thousand controllers need hardly more syncs than one.
 */
export class GroupCommit {
  #gathered: string[] = [];
  /** The files that must be on disk before the buffered lines that refer to them. */
  #needed: Promise<void>[] = [];
  /** Taken, and not known to be written. */
  #underWay: Buffer | undefined;
  #waiters: Waiter[] = [];
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
  append(line: string, needed: readonly Promise<void>[] = []): void {
    this.#gather(line, needed);
    if (this.#failure === undefined && !this.#isAtWork) this.#timer ??= setTimeout(this.#start, GATHERED_MS);
  }

  /** Resolves when the line and all before it are on disk. */
  commit(line: string, needed: readonly Promise<void>[] = []): Promise<void> {
    this.#gather(line, needed);
    return this.#onDisk();
  }

  /** Resolves when all is on disk, or cannot be. Never rejects. */
  untilOnDisk(): Promise<void> {
    return this.#onDisk().catch(() => undefined);
  }

  /** Writes synchronously. */
  flush(): void {
    const gathered = Buffer.from(this.#gathered.join(''));
    const bytes = this.#underWay === undefined ? gathered : Buffer.concat([this.#underWay, gathered]);
    // A pending asynchronous write may repeat this. Writing the same bytes to the same place does no harm.
    if (bytes.length > 0) this.file.writeNow(bytes, this.position);
  }

  /**
   * Resolves when everything is on disk or cannot be written; never rejects. Retries a failed write once, because there
   * may be room by now.
   */
  async close(): Promise<void> {
    await this.untilOnDisk();
    if (this.#failure !== undefined) {
      await this.#write(this.#taken())
        .then(() => this.file.sync())
        .catch(() => undefined);
    }
    await this.file.close().catch(() => undefined);
  }

  #gather(line: string, needed: readonly Promise<void>[]): void {
    this.#gathered.push(line);
    for (const one of needed) {
      this.#needed.push(one);
      // A failure shows when the line is written.
      one.catch(() => undefined);
    }
  }

  #onDisk(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      this.#waiters.push({ resolve, reject });
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
    while (this.#failure === undefined && this.#gathered.length + this.#waiters.length > 0) {
      const waiters = this.#waiters;
      this.#waiters = [];
      try {
        await this.#write(this.#taken());
        if (waiters.length > 0) await this.file.sync();
        for (const { resolve } of waiters) resolve();
      } catch (error) {
        this.#fail(error, waiters);
      }
    }
    // Set synchronously with the last check of the buffer, so that a later line starts a new sync.
    this.#isAtWork = false;
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#underWay = this.#underWay === undefined ? bytes : Buffer.concat([this.#underWay, bytes]);
    await Promise.all(this.#needed.splice(0));
    await this.file.write(this.#underWay, this.position);
    this.position += this.#underWay.length;
    this.#underWay = undefined;
  }

  #taken(): Buffer {
    const bytes = Buffer.from(this.#gathered.join(''));
    this.#gathered = [];
    return bytes;
  }

  #fail(error: unknown, waiters: readonly Waiter[]): void {
    this.#failure = asError(error);
    this.onFailure(error);
    for (const { reject } of [...waiters, ...this.#waiters]) reject(this.#failure);
    this.#waiters = [];
  }
}
