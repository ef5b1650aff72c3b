import type { Change } from '../../model/run/change.js';
import type { Journal, StepRef, StepSettled } from '../../model/run/journal.js';
import type { PastWrite, Past } from '../../model/run/past.js';

/** One visit of one controller to a step, or to one item of its loop, as the journal sees it. */
export class StepJournal {
  #unsettled: readonly PastWrite[] | undefined;
  /** What its last write was to change, while it is unknown whether that took effect. */
  unconfirmed: Change | undefined;
  /** Whether the plan that is made has what was decided: each retry decides again. */
  isPlanned = false;

  /** @param past absent if nothing of what was done before counts here */
  constructor(
    readonly journal: Journal | undefined,
    private readonly past: Past | undefined,
    readonly ref: StepRef,
    private readonly secrets: string[] = [],
  ) {}

  /**
   * The items of a loop, each known by what it is, and the equal ones by their order. What an item hides the whole loop does.
   *
   * @param items their digests
   */
  items(items: readonly string[]): readonly StepJournal[] {
    const counts = new Map<string, number>();
    const { key } = this.ref;
    return items.map((digest, item) => {
      const count = (counts.get(digest) ?? 0) + 1;
      counts.set(digest, count);
      const own = { ...this.ref, item, ...(key !== undefined && { key: `${key}#${digest}~${count}` }) };
      return new StepJournal(this.journal, this.past, own, this.secrets);
    });
  }

  /** A resume must know this as a secret, too. */
  addSecret(secret: string): void {
    this.secrets.push(secret);
  }

  get knownSecrets(): readonly string[] {
    return this.secrets;
  }

  /** The result from before the interrupt; undefined for a loop whose list has changed, whose items have their own results. */
  settled(): StepSettled | undefined {
    const settled = this.past?.settled(this.ref);
    const isItem = this.ref.item !== undefined;
    return isItem || settled?.key === undefined || settled.list === this.ref.list ? settled : undefined;
  }

  /** What it wrote may have been taken back by what cleaned up after an interrupt. */
  get wasCleanedUp(): boolean {
    return this.past?.isCleanedUp(this.ref) === true;
  }

  /** The same visit as if nothing had been done before. */
  withoutPast(): StepJournal {
    return new StepJournal(this.journal, undefined, this.ref);
  }

  /** It keeps nothing, and knows what was done before. */
  withoutJournal(): StepJournal {
    return new StepJournal(undefined, this.past, this.ref, this.secrets);
  }

  /**
   * Whether the recorded step cannot be identified: there are equal steps, and their number, or what one of them loops over, has changed.
   */
  get isAmbiguous(): boolean {
    const { alike, list } = this.ref;
    const known = this.past?.known(this.ref);
    if (known === undefined) return false;
    return known.alike !== alike || (alike !== undefined && known.list !== list);
  }

  settle(settled: Omit<StepSettled, 'type' | keyof StepRef>): void {
    this.journal?.record({ type: 'step-settled', ...this.ref, ...settled });
  }

  /** The user declined it. */
  decline(): void {
    this.journal?.record({ type: 'step-declined', ...this.ref });
  }

  get wasDeclined(): boolean {
    return this.past?.isDeclined(this.ref) === true;
  }

  /** What it had written, or was about to, when the run was cut off: each write until it is dealt with. */
  get openWrites(): readonly PastWrite[] {
    this.#unsettled ??= this.past?.writes(this.ref) ?? [];
    return this.#unsettled;
  }

  /** It is known what became of these writes, or what is done about them. */
  closeWrites(writes: readonly PastWrite[]): void {
    this.#unsettled = this.openWrites.filter((write) => !writes.includes(write));
  }
}
