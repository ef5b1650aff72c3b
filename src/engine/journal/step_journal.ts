import type { Journal, StepRef, StepSettled } from '../../core/model/run/journal.js';
import type { Past, PastWrite } from '../../core/model/run/past.js';
import type { Change, TaskStatus } from '../../core/model/run/result.js';

/** The visits of controllers that began a step for their batch, and do not go on with it. */
interface Continued {
  readonly visits: readonly StepRef[];
  /** They may have been to another step that is written like it. */
  readonly areUnclear: boolean;
}

const NOTHING: Continued = { visits: [], areUnclear: false };

/** The journal of one visit of a controller to a step, or to one item of its loop. */
export class StepJournal {
  #openWrites: readonly PastWrite[] | undefined;
  /** Most steps have none. */
  #secrets: Set<string> | undefined;
  /** The change of its last write, while the outcome is unknown. */
  unconfirmed: Change | undefined;
  /** The change of its last write that the controller confirmed. */
  written: Change | undefined;
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
    readonly statusBefore?: TaskStatus,
    /** Of the loop, if this is the journal of an item. */
    private readonly loop?: StepJournal,
    private readonly continued = NOTHING,
  ) {}

  /**
   * The visit, going on with what others of these controllers began and do not go on with themselves: at the same place, or, if they are
   * absent, elsewhere before the playbook was edited. Other visits of those that take part are other steps.
   *
   * @param isOnly whether the play has the step once, so that all visits are to this one
   */
  continuing(
    controllers: readonly string[],
    { isAbsent, isOnly }: { readonly isAbsent: (controller: string) => boolean; readonly isOnly: () => boolean },
  ): StepJournal {
    const { place, key } = this.ref;
    const begun = this.past?.begunAlike(this.ref, controllers) ?? [];
    const visits = begun.filter((one) => one.place === place || (one.key === key && isAbsent(one.controller)));
    if (visits.length === 0) return this;
    const areUnclear = visits.some((one) => one.place !== place) && !isOnly();
    return new StepJournal(this.journal, this.past, this.ref, this.statusBefore, this.loop, { visits, areUnclear });
  }

  /**
   * The journals of a loop's items, identified by content, and equal ones by order. The loop masks what any item masks.
   * @param items their digests
   */
  items(items: readonly string[]): readonly StepJournal[] {
    const counts = new Map<string, number>();
    return items.map((digest, item) => {
      const count = (counts.get(digest) ?? 0) + 1;
      counts.set(digest, count);
      const within = ({ key, ...ref }: StepRef): StepRef => ({
        ...ref,
        item,
        ...(key !== undefined && { key: `${key}#${digest}~${count}` }),
      });
      const { visits } = this.continued;
      const continued = visits.length === 0 ? NOTHING : { visits: visits.map(within), areUnclear: false };
      return new StepJournal(this.journal, this.past, within(this.ref), this.statusBefore, this, continued);
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
    const settled = this.#before((past, ref) => past.finishedStep(ref)).find((one) => one !== undefined);
    const isItem = this.ref.item !== undefined;
    return isItem || settled?.key === undefined || settled.list === this.ref.list ? settled : undefined;
  }

  /** Whether the cleanup after an interrupt may have undone its writes. */
  get wasCleanedUp(): boolean {
    return this.#before((past, ref) => past.isCleanedUp(ref)).includes(true);
  }

  /** Whether it changed something in the cleanup after an interrupt, which it need not do again. */
  get hasCleanedUp(): boolean {
    return this.#before((past, ref) => past.hasCleanedUp(ref)).includes(true);
  }

  /** The same visit without earlier records. */
  withoutPast(): StepJournal {
    return new StepJournal(this.journal, undefined, this.ref);
  }

  /** The same visit with earlier records, but without writing new ones. */
  repeating(statusBefore: TaskStatus): StepJournal {
    return new StepJournal(undefined, this.past, this.ref, statusBefore, undefined, this.continued);
  }

  /** Who goes first if one of these controllers does the step for all; undefined if nothing is known. */
  earlierTurn(controllers: readonly string[]) {
    const { past, ref } = this;
    if (past === undefined) return undefined;
    const candidates = (): readonly string[] => past.begunAlike(ref, controllers).map(({ controller }) => controller);
    return { hasBegun: past.known(ref) !== undefined, candidates };
  }

  /**
   * Whether the recorded step cannot be identified: there are equal steps, and their number, or what one of them loops over, has changed;
   * or who began it is gone, and had done so at another place.
   */
  get isAmbiguous(): boolean {
    const { alike, list } = this.ref;
    if (this.continued.areUnclear) return true;
    return this.#before((past, ref) => past.known(ref)).some((known) => {
      return known !== undefined && (known.alike !== alike || (alike !== undefined && known.list !== list));
    });
  }

  /** What the journal says of each of its visits, of its own first. */
  #before<T>(read: (past: Past, ref: StepRef) => T): readonly T[] {
    const { past } = this;
    return past === undefined ? [] : [this.ref, ...this.continued.visits].map((ref) => read(past, ref));
  }

  recordFinished(settled: Omit<StepSettled, 'type' | keyof StepRef>): void {
    this.journal?.record({ type: 'step-settled', ...this.ref, ...settled });
  }

  /** Records that the user declined the step. */
  decline(): void {
    this.journal?.record({ type: 'step-declined', ...this.ref });
  }

  get wasDeclined(): boolean {
    return this.#before((past, ref) => past.isDeclined(ref)).includes(true);
  }

  /** Its writes from before the interrupt, complete or announced, that are not yet handled. */
  get openWrites(): readonly PastWrite[] {
    this.#openWrites ??= this.#before((past, ref) => past.writes(ref))
      .toReversed()
      .flat();
    return this.#openWrites;
  }

  /** Marks the writes as handled. */
  closeWrites(writes: readonly PastWrite[]): void {
    this.#openWrites = this.openWrites.filter((write) => !writes.includes(write));
  }
}
