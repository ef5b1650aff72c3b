import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Emit, Event } from '../../core/model/run/event.js';

/** The only place that adds the time (ISO 8601) and the run to events. */
export function stamped(run: string, emit: (event: Event) => void): Emit {
  return (body) => emit({ time: new Date().toISOString(), run, ...body });
}

/** Returns the seconds since this call. */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => Math.round(performance.now() - start) / 1000;
}

/** The limit of Node's timers, 24 days. A longer wait would return at once. */
export const LONGEST_MS = 2 ** 31 - 1;

/** Waits this many seconds, or until the signal is aborted; never rejects. */
export async function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  if (seconds <= 0) return;
  await setTimeout(Math.min(seconds * 1000, LONGEST_MS), undefined, { signal }).catch(() => undefined);
}

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
