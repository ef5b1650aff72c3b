import type { Exchange } from './event.js';

/** Measures where the time of a run goes (`--profile`). */
export interface Meter {
  /** Evaluates a template, and measures how long that takes. */
  template<T>(evaluate: () => T): T;
  /** Counts a request with its answer. */
  request(exchange: Exchange): void;
}
