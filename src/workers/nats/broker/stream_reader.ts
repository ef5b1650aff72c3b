import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { natsError, violation } from './connection.js';
import type { Storage } from './storage.js';

const RETRY_MS = 200;
/** Subscribe again after this time without a message: the library does not notice that the last message was lost. */
const IDLE_MS = 10_000;

/**
 * Reads the messages of a stream from now on, in order and each once. Continues at the same message after a lost
 * connection, because the library notices a lost message only when the next one arrives.
 */
export class StreamReader {
  #cursor = 0;
  #closed = false;
  #messages: ConsumerMessages | undefined;
  readonly #idle: NodeJS.Timeout;
  #stopListening: () => void = () => undefined;

  private constructor(
    private readonly storage: Storage,
    private readonly stream: string,
    private readonly filter: string,
    private readonly handle: (message: JsMsg) => void,
    idleMs: number,
  ) {
    this.#idle = setTimeout(() => {
      this.#messages?.stop();
    }, idleMs).unref();
  }

  /** @throws NatsError */
  static async open(
    storage: Storage,
    stream: string,
    filter: string,
    handle: (message: JsMsg) => void,
    idleMs = IDLE_MS,
  ): Promise<StreamReader> {
    const reader = new StreamReader(storage, stream, filter, handle, idleMs);
    try {
      const { state } = await storage.manager.streams.info(stream);
      reader.#cursor = state.last_seq;
      reader.#messages = await reader.#consume();
    } catch (error) {
      clearTimeout(reader.#idle);
      throw natsError(error, `read the stream ${stream}`);
    }
    reader.#stopListening = storage.link.onChange(() => reader.#messages?.stop());
    void reader.#read();
    return reader;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#stopListening();
    this.#messages?.stop();
  }

  async #read(): Promise<void> {
    const { link } = this.storage;
    while (!this.#closed && !link.isClosed) {
      try {
        this.#messages ??= await this.#resume();
        this.#idle.refresh();
        for await (const message of this.#messages) {
          if (this.#isClosed()) return;
          this.#idle.refresh();
          this.#cursor = message.seq;
          this.handle(message);
        }
      } catch (error) {
        if (violation(error) !== undefined) return;
      }
      this.#messages = undefined;
      if (!this.#isClosed()) await link.retryIn(RETRY_MS);
    }
  }

  /** A method, because the compiler assumes that a field does not change across an `await`. */
  #isClosed(): boolean {
    return this.#closed;
  }

  async #resume(): Promise<ConsumerMessages> {
    const resumed = this.#toCursor().then(() => this.#consume());
    try {
      return await this.storage.link.answer(resumed);
    } catch (error) {
      // It may still succeed, after the next reconnection.
      void resumed.then(
        (messages) => {
          messages.stop();
        },
        () => undefined,
      );
      throw error;
    }
  }

  /** When nats-server is killed, it may forget which messages it deleted last. It then gives their numbers to new ones. */
  async #toCursor(): Promise<void> {
    const { state } = await this.storage.manager.streams.info(this.stream);
    if (state.last_seq < this.#cursor) this.#cursor = 0;
  }

  async #consume(): Promise<ConsumerMessages> {
    const consumer = await this.storage.js.consumers.get(this.stream, {
      filter_subjects: this.filter,
      opt_start_seq: this.#cursor + 1,
      inactive_threshold: 60_000,
    });
    return consumer.consume({ max_messages: 1000 });
  }
}
