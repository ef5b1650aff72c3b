/** Spaces requests evenly at a rate per second, without bursts. */
export class Pace {
  #next = 0;

  /** Undefined: no limit. */
  constructor(private readonly perSecond: number | undefined) {}

  /** Takes the next turn; returns the milliseconds until it comes. */
  take(now: number): number {
    if (this.perSecond === undefined) return 0;
    const turn = Math.max(now, this.#next);
    this.#next = turn + 1000 / this.perSecond;
    return turn - now;
  }
}
