/** The lowest rate for a busy controller, unless its settings are lower, in requests per second. */
const SLOWEST = 0.5;
/** The number of answers after which a halved rate is back at its former value. */
const RECOVERY = 10;

export interface SlowDownRequest {
  readonly now: number;
  readonly sentAt: number;
  readonly pauseMs: number;
  /** The part of the pause that the controller asked for. */
  readonly askedMs: number;
  /** The limits of the settings: simultaneous requests, and requests per second. */
  readonly settings: { readonly maxRequests: number; readonly perSecond: number };
}

/**
 * Slows down after 429 or 503: a pause, then half the former rate, which then rises with each answer. Times are in ms
 * of one clock.
 */
export class SlowDown {
  #heldUntil = 0;
  /** Until then because the controller asked for it. */
  #askedUntil = 0;
  #since = -Infinity;
  /** Refusals since the last request that was let through. */
  #refusals = 0;
  /** The average time of recent answers. */
  #duration: number | undefined;
  #reduced: { readonly before: number; now: number } | undefined;

  /** The current limit in requests per second; Infinity if the controller has not throttled. */
  get perSecond(): number {
    return this.#reduced?.now ?? Infinity;
  }

  get refusals(): number {
    return this.#refusals;
  }

  /** The remaining pause. */
  pauseMs(now: number): number {
    return Math.max(0, this.#heldUntil - now);
  }

  /** What is left of the pause that the controller asked for. */
  askedMs(now: number): number {
    return Math.max(0, this.#askedUntil - now);
  }

  /** Ends the pause then, but not before the controller allows it. */
  resumeAt(time: number): void {
    this.#heldUntil = Math.max(this.#askedUntil, Math.min(this.#heldUntil, time));
  }

  /**
   * The controller rejected a request sent at this time. Of several simultaneous ones only the first slows down.
   * @returns whether this starts a pause.
   */
  refused({ now, sentAt, pauseMs, askedMs, settings }: SlowDownRequest): boolean {
    this.#heldUntil = Math.max(this.#heldUntil, now + pauseMs);
    this.#askedUntil = Math.max(this.#askedUntil, now + askedMs);
    if (sentAt < this.#since) return false;
    this.#since = now;
    this.#refusals += 1;
    const { maxRequests, perSecond } = settings;
    const usual = Math.min((maxRequests * 1000) / Math.max(1, this.#duration ?? now - sentAt), perSecond);
    const { before, now: current } = this.#reduced ?? { before: usual, now: usual };
    this.#reduced = { before, now: Math.max(Math.min(SLOWEST, before), current / 2) };
    return true;
  }

  /** The controller accepted a request that was sent at `sentAt`. */
  passed(now: number, sentAt: number): void {
    this.#duration = this.#duration === undefined ? now - sentAt : 0.8 * this.#duration + 0.2 * (now - sentAt);
    if (this.#reduced === undefined || sentAt < this.#since) return;
    this.#refusals = 0;
    this.#reduced.now += this.#reduced.before / 2 / RECOVERY;
    if (this.#reduced.now >= this.#reduced.before) this.#reduced = undefined;
  }
}

/** Sees each exchange, to judge how much the controllers and the way to them can take. Times are in ms of `performance.now()`. */
export interface LoadWatch {
  /** @param isFirst whether its connection has had no answer yet */
  sent(now: number, isFirst: boolean): SentRequest;
  /** `unknown`: a write, a transfer, or a failure that says nothing about the load. */
  ended(sent: SentRequest, now: number, end: 'answered' | 'overloaded' | 'unknown'): void;
}

export interface SentRequest {
  readonly at: number;
  readonly isFirst: boolean;
}
