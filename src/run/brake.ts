/** Says whether anything new may start. What is under way is finished in any case. */
export class Brake {
  constructor(
    private readonly interrupt: AbortSignal,
    private readonly refused: AbortSignal,
  ) {}

  get applied(): boolean {
    return this.interrupted || this.refused.aborted;
  }

  get interrupted(): boolean {
    return this.interrupt.aborted;
  }
}
