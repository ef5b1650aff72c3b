/** How long the event loop may be held. */
const MILLISECONDS = 10;

/**
 * Lets others have the event loop: tasks that wait for nothing (`debug` over ten thousand controllers) would otherwise
 * hold it, and neither Ctrl-C nor the screen would get a turn.
 */
export class Breather {
  #last = performance.now();
  #breath: Promise<void> | undefined;

  /** Resolves at once, but for every few milliseconds of work. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#last < MILLISECONDS) return;
    this.#breath ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#last = performance.now();
        this.#breath = undefined;
        resolve();
      });
    });
    await this.#breath;
  }
}
