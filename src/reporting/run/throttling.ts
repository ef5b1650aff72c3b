import type { ControllerThrottled, Event, RequestRetried } from '../../core/model/run/event.js';
import { oneLine } from '../text/plain.js';
import { count, duration } from '../text/words.js';

/** Maximum number of controllers to report one by one. One gateway may throttle all controllers behind it. */
const MOST_REPORTED = 3;

/** The controllers that asked for fewer requests. The first few are reported at once, all are counted at the end. */
export class ThrottleLog {
  /** When the last pause of each controller ends, in milliseconds since the epoch. */
  readonly #pauses = new Map<string, number>();
  #seconds = 0;

  /** The line to report at once, if any. */
  take(event: ControllerThrottled, verbosity: number): string | undefined {
    const known = this.#pauses.has(event.controller);
    this.count(event);
    if (verbosity === 0 && (known || this.#pauses.size > MOST_REPORTED)) return undefined;
    const { controller, status, seconds } = event;
    return `${oneLine(controller)}  answered ${status}: pausing requests to it for ${duration(seconds)}, then sending fewer`;
  }

  /** The run has ended at that time. */
  finish(time: string): void {
    // Longer pauses are not waited for.
    const now = Date.parse(time);
    for (const [controller, end] of this.#pauses) {
      this.#seconds -= Math.max(0, end - now) / 1000;
      this.#pauses.set(controller, Math.min(end, now));
    }
  }

  /** For the recap: `throttled: 3 controllers, 12 s in all`; undefined if there were none. */
  get remark(): string | undefined {
    if (this.#pauses.size === 0) return undefined;
    return `throttled: ${count(this.#pauses.size, 'controller')}, ${duration(this.#seconds)} in all`;
  }

  count({ controller, seconds, time }: ControllerThrottled): void {
    const now = Date.parse(time);
    const end = now + seconds * 1000;
    // Pauses of one controller overlap.
    const last = Math.max(now, this.#pauses.get(controller) ?? now);
    this.#seconds += Math.max(0, end - last) / 1000;
    this.#pauses.set(controller, Math.max(end, last));
  }
}

/** What the next request to each controller waits for. A fold over the events of a play. */
export class RequestWaits {
  /** Throttled controllers, with the end of the pause in milliseconds since the epoch. */
  readonly #throttled = new Map<string, number>();
  /** The last of each controller. */
  readonly #retries = new Map<string, RequestRetried>();

  handle(event: Event): void {
    if (event.type === 'request-retried') this.#retries.set(event.controller, event);
    if (event.type === 'controller-throttled')
      this.#throttled.set(event.controller, Date.parse(event.time) + event.seconds * 1000);
  }

  /** Undefined if the next request need not wait. */
  text(controller: string, now: number): string | undefined {
    const retry = this.#retries.get(controller);
    if (retry !== undefined) {
      const waited = (now - Date.parse(retry.time)) / 1000;
      if (waited < retry.seconds) return waitText(retry, retry.left - waited);
    }
    return now < (this.#throttled.get(controller) ?? 0) ? 'throttled' : undefined;
  }
}

/** `waiting for route madrid, 12 s left: ECONNREFUSED`. */
export function waitText({ awaited, reason }: RequestRetried, seconds: number): string {
  return `waiting for ${oneLine(awaited)}, ${Math.ceil(seconds)} s left: ${oneLine(reason)}`;
}
