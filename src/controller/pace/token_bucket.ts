/** The burst after a pause, in seconds of the rate: enough for a task's read, write and verification at a moderate rate. */
const BURST_SECONDS = 0.2;

/** Lets so many requests a second begin. A fifth of a second's worth of them, and always one, may begin at once after a rest. */
export class TokenBucket {
  #tokens = 1;
  #filledAt = 0;
  #perSecond = Infinity;
  /** How many may begin at once. */
  #size = Infinity;

  /** Infinity: as fast as it goes. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /**
   * From now on; what was taken before keeps its turn.
   * @param bursts false: not even after a rest may several begin at once.
   */
  setRate(perSecond: number, now: number, bursts = true): void {
    this.#fill(now);
    this.#perSecond = perSecond;
    this.#size = bursts || perSecond === Infinity ? Math.max(1, perSecond * BURST_SECONDS) : 1;
    this.#tokens = Math.min(this.#tokens, this.#size);
  }

  /** Takes the next turn; returns the milliseconds until it comes. */
  take(now: number): number {
    if (this.#perSecond === Infinity) return 0;
    this.#fill(now);
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1000;
  }

  #fill(now: number): void {
    const gained = this.#perSecond === Infinity ? Infinity : ((now - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#size, this.#tokens + gained);
    this.#filledAt = now;
  }
}
