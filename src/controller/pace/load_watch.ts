/** Sees each exchange, to judge how much the controllers and the way to them can take. Times are in ms of `performance.now()`. */
export interface LoadWatch {
  /** @param isFirst whether its connection has had no answer yet */
  sent(now: number, isFirst: boolean): SentRequest;
  /** `unknown`: a write, a transfer, or a failure that says nothing about the load. */
  ended(sent: SentRequest, now: number, end: 'answered' | 'overloaded' | 'unknown'): void;
}

/** A request on its way. */
export interface SentRequest {
  readonly at: number;
  readonly isFirst: boolean;
}
