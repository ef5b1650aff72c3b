import type { Event, RequestRetried } from '../../model/run/event.js';
import { oneLine } from '../text/plain.js';

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

  /** Undefined if for nothing. */
  of(controller: string, now: number): string | undefined {
    const retry = this.#retries.get(controller);
    const left = retry === undefined ? 0 : Date.parse(retry.time) / 1000 + retry.seconds - now / 1000;
    if (retry !== undefined && left > 0) return `retry ${retryText(retry, left)}`;
    return now < (this.#throttled.get(controller) ?? 0) ? 'throttled' : undefined;
  }
}

/** `3/5 in 2 s: ECONNREFUSED`. */
export function retryText({ attempt, attempts, reason }: RequestRetried, seconds: number): string {
  return `${attempt}/${attempts} in ${Math.ceil(seconds)} s: ${oneLine(reason)}`;
}
