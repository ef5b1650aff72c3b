import type { Exchange } from './event.js';

/** Which controller was sent a request, and how long its answer took. */
export type SentRequest = Pick<Exchange, 'controller' | 'seconds'>;

/** Measures where the time of a run goes (`--profile`). */
export interface Meter {
  /** Evaluates a template, and measures how long that takes. */
  template<T>(evaluate: () => T): T;
  /** Takes a request with its answer. */
  request(exchange: Exchange): void;
  /** The same of a worker, whose own work is not measured. */
  requestOfWorker(request: SentRequest): void;
}
