/**
 * Says whether anything new may start; what is under way is finished in any case. What cleans up (the `always` of a block that was
 * begun) is sheltered from a first interrupt.
 */
export class Brake {
  /** @param givenUp the second interrupt, from which nothing is sheltered */
  constructor(
    private readonly interrupt: AbortSignal,
    private readonly refused: AbortSignal,
    private readonly givenUp: AbortSignal = new AbortController().signal,
  ) {}

  get applied(): boolean {
    return this.interrupted || this.refused.aborted;
  }

  get interrupted(): boolean {
    return this.interrupt.aborted;
  }

  /** With credentials that several controllers refused, not even cleaning up goes on. */
  stops(sheltered: boolean): boolean {
    return sheltered ? this.givenUp.aborted || this.refused.aborted : this.applied;
  }

  /** What cuts waiting short. */
  signal(sheltered: boolean): AbortSignal {
    return sheltered ? this.givenUp : this.interrupt;
  }
}
