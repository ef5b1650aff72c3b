import type { OutputStream } from './options.js';

const ENOUGH = 64 * 1024;

/**
 * Writes to a stream in batches and at the reader's pace: everything from one turn of the event loop is one write, and a full stream gets no
 * more. A closed reader (`| head`) ends the output without an error.
 */
export class Outlet {
  #waiting: (string | Buffer)[] = [];
  #size = 0;
  #scheduled = false;
  #full = false;
  #broken = false;
  #failure: Error | undefined;
  #whenEmpty: (() => void)[] = [];

  constructor(private readonly stream: OutputStream) {
    stream.on('error', this.#onError);
    stream.on('drain', this.#onDrain);
    stream.on('close', this.#onClose);
  }

  /** Whether the reader lags behind, so optional output should be skipped. */
  get lagging(): boolean {
    return this.#full;
  }

  /** @param text bytes: a command of the workflow in GitHub Actions */
  write(text: string | Buffer): void {
    if (this.#broken || text.length === 0) return;
    const last = this.#waiting.at(-1);
    if (typeof text === 'string' && typeof last === 'string') this.#waiting.splice(-1, 1, last + text);
    else this.#waiting.push(text);
    this.#size += text.length;
    if (this.#size >= ENOUGH) this.#flush();
    else this.#schedule();
  }

  /** Resolves when the stream has accepted everything written so far, or has failed. */
  async flushed(): Promise<void> {
    while (!this.#broken && (this.#full || this.#waiting.length > 0)) {
      this.#flush();
      await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
    }
    if (!this.#broken) await this.#lastByte();
  }

  /** Throws the error that stopped the output, unless the reader closed it. */
  async close(): Promise<void> {
    await this.flushed();
    this.stream.off('drain', this.#onDrain);
    this.stream.off('close', this.#onClose);
    // Keep the error listener: a pipe may break after the last byte, which must not end the process.
    if (this.#failure !== undefined) throw this.#failure;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#full || this.#broken) return;
    if (this.#waiting.length > 0) {
      const chunks = this.#waiting;
      this.#waiting = [];
      this.#size = 0;
      for (const chunk of chunks) this.#full = !this.stream.write(chunk);
    }
    if (!this.#full) this.#resolveWhenEmpty();
  }

  #lastByte(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenEmpty.push(resolve);
      this.stream.write('', (error) => {
        if (error) this.#onError(error);
        else this.#resolveWhenEmpty();
      });
    });
  }

  #resolveWhenEmpty(): void {
    const waiting = this.#whenEmpty;
    this.#whenEmpty = [];
    for (const resolve of waiting) resolve();
  }

  readonly #onDrain = (): void => {
    this.#full = false;
    this.#flush();
  };

  readonly #onClose = (): void => this.#end();

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') this.#failure ??= error;
    this.#end();
  };

  #end(): void {
    this.#broken = true;
    this.#waiting = [];
    this.#resolveWhenEmpty();
  }
}
