/** Says whether anything new may start. What is under way is finished in any case. */
export class Brake {
  constructor(
    private readonly interrupt: AbortSignal,
    private readonly refused: AbortSignal,
  ) {}

  /** Whether the same credentials were refused by several controllers: not even cleaning up may go on with them. */
  get isRefused(): boolean {
    return this.refused.aborted;
  }

  get applied(): boolean {
    return this.interrupted || this.refused.aborted;
  }

  get interrupted(): boolean {
    return this.interrupt.aborted;
  }
}
