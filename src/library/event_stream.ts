import type { Event } from '../model/run/event.js';
import type { Run, RunResult } from './result.js';

/** Starts a run whose events can be iterated while it is under way. */
export function streamed<R extends RunResult>(start: (emit: (event: Event) => void) => Promise<R>): Run<R> {
  const readers = new Set<Reader>();
  const result = start((event) => {
    for (const reader of readers) reader.add(event);
  });
  return Object.assign(result, {
    [Symbol.asyncIterator]: () => {
      const reader = new Reader(result);
      readers.add(reader);
      return reader.events(() => readers.delete(reader));
    },
  });
}

/** The events that one loop has not taken yet. */
class Reader {
  #waiting: Event[] = [];
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(private readonly result: Promise<unknown>) {
    const end = (): void => {
      this.#hasEnded = true;
      this.#wake();
    };
    result.then(end, end);
  }

  add(event: Event): void {
    this.#waiting.push(event);
    this.#wake();
  }

  /** Throws what the run throws. */
  async *events(stop: () => void): AsyncGenerator<Event, void, undefined> {
    try {
      for (;;) {
        const taken = this.#waiting;
        this.#waiting = [];
        yield* taken;
        if (this.#waiting.length > 0) continue;
        if (this.#hasEnded) break;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
      await this.result;
    } finally {
      stop();
    }
  }
}
