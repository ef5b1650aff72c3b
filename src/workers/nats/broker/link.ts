import type { NatsConnection } from '@nats-io/transport-node';

/** The connection to the broker, with its interruptions. */
export class Link {
  #isUp = true;
  #closed = false;
  #isClosing = false;
  readonly #onChange = new Set<() => void>();

  constructor(
    readonly connection: NatsConnection,
    report: (line: string) => void,
  ) {
    void this.#watch(report);
    void connection.closed().then(() => {
      this.#closed = true;
      this.#changed(false);
    });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Whether the connection was closed for good. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Calls `listen` when the connection is lost, restored or closed. Returns a function that removes the listener. */
  onChange(listen: () => void): () => void {
    this.#onChange.add(listen);
    return () => this.#onChange.delete(listen);
  }

  /** The result of a request. Rejects at once when the connection is lost, because the answer is then lost, too. */
  async answer<T>(request: Promise<T>): Promise<T> {
    let end: () => void = () => undefined;
    const lost = new Promise<never>((_, reject) => {
      end = this.onChange(() => {
        reject(new Error('the connection to the NATS server was lost'));
      });
    });
    try {
      return await Promise.race([request, lost]);
    } finally {
      end();
      // Either may reject later; without a handler, that would be an unhandled rejection.
      void Promise.allSettled([request, lost]);
    }
  }

  /** Waits `ms`, then until there is a connection. */
  async retryIn(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (this.#isUp || this.#closed) return;
    await new Promise<void>((resolve) => {
      const end = this.onChange(() => {
        if (!this.#isUp && !this.#closed) return;
        end();
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.connection.close();
  }

  async #watch(report: (line: string) => void): Promise<void> {
    const server = this.connection.getServer();
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect' && this.#isUp) {
        if (!this.#isClosing) report(`lost the connection to the NATS server ${server}: reconnecting`);
        this.#changed(false);
      } else if (type === 'reconnect' && !this.#isUp) {
        report(`connected to the NATS server ${this.connection.getServer()} again`);
        this.#changed(true);
      }
    }
  }

  #changed(isUp: boolean): void {
    this.#isUp = isUp;
    for (const listen of [...this.#onChange]) listen();
  }
}
