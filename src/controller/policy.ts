/** How patiently a request is repeated. */
export interface RetryPolicy {
  /** Requests in all, the first one included. */
  readonly attempts: number;
  /** The first pause; each further one is twice as long. */
  readonly baseMs: number;
  /** No pause of our own is longer. A controller's `Retry-After` may be, up to the deadline. */
  readonly capMs: number;
  /** No attempt starts later than this after the first. */
  readonly deadlineSeconds: number;
}

/** What no answer may exceed. */
export interface Limits {
  readonly responseBytes: number;
  /** Pages of one list. */
  readonly pages: number;
}

export const RETRY: RetryPolicy = { attempts: 5, baseMs: 500, capMs: 8000, deadlineSeconds: 60 };

export const LIMITS: Limits = { responseBytes: 16 * 2 ** 20, pages: 100 };
