import type { Event } from '../model/run/event.js';

/** One way of showing events; all of them are redacted already. */
export interface Output {
  handle(event: Event): void;
  close(): Promise<void>;
}
