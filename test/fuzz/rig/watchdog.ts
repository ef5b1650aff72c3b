import { Worker } from 'node:worker_threads';

/** How long one input may keep the program busy, in milliseconds: all of them take a few. */
const LIMIT = 20_000;
const LONGEST = 1 << 20;

/** Ends the process if an input takes too long, and shows that input. */
export class Watchdog {
  readonly #shared = new SharedArrayBuffer(8 + LONGEST);
  readonly #state = new Int32Array(this.#shared, 0, 2);
  readonly #worker = new Worker(WATCH, { eval: true, workerData: { shared: this.#shared, limit: LIMIT } });

  /** Starts watching this input. */
  begin(input: string): void {
    const bytes = Buffer.from(input).subarray(0, LONGEST);
    Buffer.from(this.#shared, 8).set(bytes);
    Atomics.store(this.#state, 1, bytes.length);
    Atomics.add(this.#state, 0, 1);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Runs in a separate thread, because the watched one may be busy. */
const WATCH = `
const { workerData: { shared, limit } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const state = new Int32Array(shared, 0, 2);
for (;;) {
  const nth = Atomics.load(state, 0);
  if (Atomics.wait(state, 0, nth, limit) !== 'timed-out' || nth === 0) continue;
  if (Atomics.load(state, 0) !== nth) continue;
  writeSync(2, 'no end after ' + limit + ' ms:\\n' + Buffer.from(shared, 8, Atomics.load(state, 1)).toString() + '\\n');
  process.kill(process.pid, 'SIGKILL');
}
`;
