import { setImmediate } from 'node:timers/promises';

/** Maximum time to block the event loop. */
const MILLISECONDS = 10;

/**
 * Yields to the event loop: tasks that never wait (`debug` on ten thousand controllers) would otherwise block it, so
 * that Ctrl-C and the screen would not be handled.
 */
export class LoopYielder {
  #last = performance.now();
  #breath: Promise<void> | undefined;

  /**
   * Undefined, so that nothing waits, except after every few milliseconds of work. Checks again after a wait, because many callers
   * wait for the same turn.
   */
  yieldLoop(): Promise<void> | undefined {
    return performance.now() - this.#last >= MILLISECONDS ? this.#wait() : undefined;
  }

  async #wait(): Promise<void> {
    while (performance.now() - this.#last >= MILLISECONDS) {
      this.#breath ??= this.#take();
      await this.#breath;
    }
  }

  async #take(): Promise<void> {
    await setImmediate();
    this.#last = performance.now();
    this.#breath = undefined;
  }
}
