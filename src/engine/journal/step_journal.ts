import type { Journal, StepRef, StepSettled } from '../../core/model/run/journal.js';
import type { Past, PastWrite } from '../../core/model/run/past.js';
import type { Change, TaskStatus } from '../../core/model/run/result.js';

/** The journal of one visit of a controller to a step, or to one item of its loop. */
export class StepJournal {
  #openWrites: readonly PastWrite[] | undefined;
  /** Most steps have none. */
  #secrets: Set<string> | undefined;
  /** The change of its last write, while the outcome is unknown. */
  unconfirmed: Change | undefined;
  /** Confirms the last write of a module that looks for it on the controller. */
  confirmLooked: (() => void) | undefined;
  /** Whether the plan has the decision, because each retry decides again. */
  isPlanned = false;

  /** @param past absent if earlier records do not apply */
  constructor(
    readonly journal: Journal | undefined,
    private readonly past: Past | undefined,
    readonly ref: StepRef,
    /**
     * The task's status before the interrupt. The task is repeated only for its effect on the run, must not write, and keeps this status
     * even if its effect exists already.
     */
    readonly again?: TaskStatus,
    /** Of the loop, if this is the journal of an item. */
    private readonly loop?: StepJournal,
  ) {}

  /**
   * The journals of a loop's items, identified by content, and equal ones by order. The loop masks what any item masks.
   * @param items their digests
   */
  items(items: readonly string[]): readonly StepJournal[] {
    const counts = new Map<string, number>();
    const { key } = this.ref;
    return items.map((digest, item) => {
      const count = (counts.get(digest) ?? 0) + 1;
      counts.set(digest, count);
      const own = { ...this.ref, item, ...(key !== undefined && { key: `${key}#${digest}~${count}` }) };
      return new StepJournal(this.journal, this.past, own, this.again, this);
    });
  }

  /** Records texts, so that a resume masks them, too. */
  addSecrets(texts: Iterable<string>): void {
    for (const text of texts) (this.#secrets ??= new Set()).add(text);
    this.loop?.addSecrets(texts);
  }

  get knownSecrets(): readonly string[] {
    return [...(this.#secrets ?? [])];
  }

  /** The result from before the interrupt; undefined for a loop whose list has changed, whose items have their own results. */
  finishedBefore(): StepSettled | undefined {
    const settled = this.past?.finishedStep(this.ref);
    const isItem = this.ref.item !== undefined;
    return isItem || settled?.key === undefined || settled.list === this.ref.list ? settled : undefined;
  }

  /** Whether the cleanup after an interrupt may have undone its writes. */
  get wasCleanedUp(): boolean {
    return this.past?.isCleanedUp(this.ref) === true;
  }

  /** Whether it changed something in the cleanup after an interrupt, which it need not do again. */
  get hasCleanedUp(): boolean {
    return this.past?.hasCleanedUp(this.ref) === true;
  }

  /** The same visit without earlier records. */
  withoutPast(): StepJournal {
    return new StepJournal(this.journal, undefined, this.ref);
  }

  /** The same visit with earlier records, but without writing new ones. */
  repeating(again: TaskStatus): StepJournal {
    return new StepJournal(undefined, this.past, this.ref, again);
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

  recordFinished(settled: Omit<StepSettled, 'type' | keyof StepRef>): void {
    this.journal?.record({ type: 'step-settled', ...this.ref, ...settled });
  }

  /** Records that the user declined the step. */
  decline(): void {
    this.journal?.record({ type: 'step-declined', ...this.ref });
  }

  get wasDeclined(): boolean {
    return this.past?.isDeclined(this.ref) === true;
  }

  /** Its writes from before the interrupt, complete or announced, that are not yet handled. */
  get openWrites(): readonly PastWrite[] {
    this.#openWrites ??= this.past?.writes(this.ref) ?? [];
    return this.#openWrites;
  }

  /** Marks the writes as handled. */
  closeWrites(writes: readonly PastWrite[]): void {
    this.#openWrites = this.openWrites.filter((write) => !writes.includes(write));
  }
}
