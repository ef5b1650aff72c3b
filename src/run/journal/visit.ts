import type { Journal, Past, PastWrite, StepRef, StepSettled } from '../../model/journal.js';

/** One visit of one controller to a step, or to one item of its loop, as the journal sees it. */
export class Visit {
  #unsettled: readonly PastWrite[] | undefined;

  /** @param past absent if nothing of what was done before counts here */
  constructor(
    readonly journal: Journal | undefined,
    private readonly past: Past | undefined,
    readonly ref: StepRef,
    private readonly secrets: string[] = [],
  ) {}

  /** What an item hides the whole loop does. */
  item(index: number): Visit {
    return new Visit(this.journal, this.past, { ...this.ref, item: index }, this.secrets);
  }

  /** Whoever goes on with the run must know this for a secret, too. */
  hide(secret: string): void {
    this.secrets.push(secret);
  }

  get hidden(): readonly string[] {
    return this.secrets;
  }

  /** What came of it before the run was cut off. */
  settled(): StepSettled | undefined {
    return this.past?.settled(this.ref);
  }

  settle(settled: Omit<StepSettled, 'type' | keyof StepRef>): void {
    this.journal?.record({ type: 'step-settled', ...this.ref, ...settled });
  }

  /** What it had written, or was about to, when the run was cut off: each write until it is dealt with. */
  get unsettled(): readonly PastWrite[] {
    this.#unsettled ??= this.past?.writes(this.ref) ?? [];
    return this.#unsettled;
  }

  /** It is known what became of these writes, or what is done about them. */
  dealtWith(writes: readonly PastWrite[]): void {
    this.#unsettled = this.unsettled.filter((write) => !writes.includes(write));
  }
}
