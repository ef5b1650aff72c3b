import type { AppendFile } from './append_file.js';

/** What nobody waits for is gathered so long: a crash of the machine may lose it, and one of the process hardly more. */
const GATHERED_MS = 10;

const NOTHING = Buffer.alloc(0);

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends lines in the order in which they come. Those that somebody waits for are put on disk together: all that come while the disk
 * is at work share the next turn, so a thousand controllers cost hardly more turns than one. They are made into text together as well:
 * one at a time, each would find the processor's caches full of what the run did in between, which costs more than the work itself.
 */
export class GroupCommit<Entry> {
  readonly #file: AppendFile;
  readonly #lineOf: (entry: Entry) => string;
  readonly #onFailure: (error: unknown) => void;
  #position: number;
  #gathered: Entry[] = [];
  /** Made into text by a flush, and before all that is gathered. */
  #flushed: Buffer = NOTHING;
  /** Taken, and not known to be written. */
  #underWay: Buffer | undefined;
  #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isAtWork = false;
  #failure: Error | undefined;

  /**
   * @param lineOf without its end
   * @param onFailure called once, when the file could not be written or put on disk: from then on nobody can wait for anything.
   */
  constructor(
    file: AppendFile,
    position: number,
    lineOf: (entry: Entry) => string,
    onFailure: (error: unknown) => void,
  ) {
    this.#file = file;
    this.#lineOf = lineOf;
    this.#position = position;
    this.#onFailure = onFailure;
  }

  /** Never throws and never waits. */
  append(entry: Entry): void {
    this.#gathered.push(entry);
    if (this.#failure === undefined && !this.#isAtWork) this.#timer ??= setTimeout(this.#start, GATHERED_MS);
  }

  /** Resolves when the entry and all before it are on disk. */
  commit(entry: Entry): Promise<void> {
    this.#gathered.push(entry);
    return this.#onDisk();
  }

  /** Writes at once, without giving anything else a turn. */
  flush(): void {
    this.#flushed = this.#taken();
    const bytes = this.#underWay === undefined ? this.#flushed : Buffer.concat([this.#underWay, this.#flushed]);
    // All of it is still to be written in its turn: the same bytes at the same place do no harm.
    if (bytes.length > 0) this.#file.writeNow(bytes, this.#position);
  }

  /** All is on disk, or cannot be; never rejects. What failed is tried once more, since somebody may have made room. */
  async close(): Promise<void> {
    await this.#onDisk().catch(() => undefined);
    if (this.#failure !== undefined) await this.#writeRest().catch(() => undefined);
    await this.#file.close().catch(() => undefined);
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
    // Whoever comes in the same turn of the event loop shares the first sync.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#failure === undefined && this.#gathered.length + this.#flushed.length + this.#waiters.length > 0) {
      const waiters = this.#waiters;
      this.#waiters = [];
      try {
        await this.#write(this.#taken());
        if (waiters.length > 0) await this.#file.sync();
        for (const { resolve } of waiters) resolve();
      } catch (error) {
        this.#fail(error, waiters);
      }
    }
    // In the same breath as the last look at what is gathered: whoever comes after it begins anew.
    this.#isAtWork = false;
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#underWay = this.#underWay === undefined ? bytes : Buffer.concat([this.#underWay, bytes]);
    await this.#file.write(this.#underWay, this.#position);
    this.#position += this.#underWay.length;
    this.#underWay = undefined;
  }

  async #writeRest(): Promise<void> {
    await this.#write(this.#taken());
    await this.#file.sync();
  }

  #taken(): Buffer {
    const [flushed, entries] = [this.#flushed, this.#gathered];
    this.#flushed = NOTHING;
    this.#gathered = [];
    let text = '';
    for (const entry of entries) text += `${this.#lineOf(entry)}\n`;
    return flushed.length === 0 ? Buffer.from(text) : Buffer.concat([flushed, Buffer.from(text)]);
  }

  #fail(error: unknown, waiters: readonly Waiter[]): void {
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#onFailure(error);
    for (const { reject } of [...waiters, ...this.#waiters]) reject(this.#failure);
    this.#waiters = [];
  }
}
