import { isBelow, isCleanup } from '../../../core/model/playbook/step_place.js';
import type { StepRef, WriteFinished } from '../../../core/model/run/journal.js';
import { appendTo } from '../../../core/model/values/groups.js';
import { recordText, type KeptRecord } from './entry.js';

/** One write and what became of it. */
export interface KeptWrite {
  readonly intent: KeptRecord;
  outcome: WriteFinished['outcome'];
  finished: KeptRecord | undefined;
  verified: KeptRecord | undefined;
}

/** The writes of a run by number, in the order of their intents. */
export class PastWrites {
  readonly #all = new Map<number, KeptWrite>();
  /** Writes of steps that may have to run again. */
  readonly #ofSteps = new Map<string, KeptWrite[]>();
  /** Objects that the controller does not show, by controller. */
  readonly #uncomparable = new Map<string, KeptWrite[]>();

  /** Writes of an `always` that ran because of an interrupt, by controller. */
  readonly #cleanups = new Map<string, KeptWrite[]>();

  /** The places whose steps no longer count, each with the last write before that, by controller. */
  readonly #forgotten = new Map<string, { readonly place: string; readonly after: number }[]>();

  /** The number of the last write; 0 if there is none. */
  last = 0;

  /** Built on first use. */
  #byTarget: Map<string, KeptWrite[]> | undefined;

  record(record: KeptRecord): void {
    this.#byTarget = undefined;
    if (record.type === 'steps-forgotten') {
      const forgotten = { place: recordText(record, 'place'), after: this.last };
      appendTo(this.#forgotten, recordText(record, 'controller'), forgotten);
    }
    const write = record.shown['write'];
    if (typeof write !== 'number') return;
    if (record.type === 'write-intended') this.#intend(write, record);
    const own = this.#all.get(write);
    if (own === undefined) return;
    if (record.type === 'write-finished') this.#finish(own, record);
    if (record.type === 'write-verified') own.verified = record;
  }

  get all(): readonly KeptWrite[] {
    return [...this.#all.values()];
  }

  of(ref: StepRef): readonly KeptWrite[] {
    const own = this.#ofSteps.get(ref.controller) ?? [];
    return own.filter(({ intent: { shown } }) => {
      const { place, item, key } = shown;
      return key === undefined || ref.key === undefined ? place === ref.place && item === ref.item : key === ref.key;
    });
  }

  /** All writes to a controller, whichever controller's tasks they were, and those that rolled a batch back. */
  to(target: string): readonly KeptWrite[] {
    if (this.#byTarget === undefined) {
      this.#byTarget = new Map();
      for (const write of this.#all.values()) appendTo(this.#byTarget, recordText(write.intent, 'target'), write);
    }
    return this.#byTarget.get(target) ?? [];
  }

  /** The writes of a step and of the items of its loop. */
  within(ref: StepRef): readonly KeptWrite[] {
    const { key } = ref;
    if (key === undefined) return this.of(ref);
    const own = this.#ofSteps.get(ref.controller) ?? [];
    return own.filter(({ intent }) => {
      const other = recordText(intent, 'key');
      return other === key || other.startsWith(`${key}#`);
    });
  }

  /** The number of the last write before the step of this one was forgotten; undefined if it was not. */
  forgottenAfter({ intent }: KeptWrite): number | undefined {
    const number = Number(intent.shown['write']);
    const isGone = ({ place, after }: { readonly place: string; readonly after: number }): boolean =>
      number <= after && isBelow(recordText(intent, 'place'), place);
    return this.#forgotten.get(recordText(intent, 'controller'))?.find(isGone)?.after;
  }

  cleanups(controller: string): readonly KeptWrite[] {
    return this.#cleanups.get(controller) ?? [];
  }

  uncomparable(target: string): readonly KeptWrite[] {
    return this.#uncomparable.get(target) ?? [];
  }

  /** Writes with an unknown outcome are kept, because repeating them could apply them twice. */
  forget(controller: string, isForgotten: (intent: KeptRecord) => boolean): void {
    for (const writes of [this.#ofSteps, this.#cleanups]) {
      const own = writes.get(controller) ?? [];
      const left = own.filter(({ intent, outcome }) => outcome === 'unknown' || !isForgotten(intent));
      writes.set(controller, left);
    }
  }

  #intend(write: number, intent: KeptRecord): void {
    const kept: KeptWrite = { intent, outcome: 'unknown', finished: undefined, verified: undefined };
    this.#all.set(write, kept);
    this.last = Math.max(this.last, write);
    appendTo(this.#ofSteps, recordText(intent, 'controller'), kept);
    if (isCleanup(recordText(intent, 'place'))) appendTo(this.#cleanups, recordText(intent, 'controller'), kept);
    if (intent.shown['uncomparable'] === true) appendTo(this.#uncomparable, recordText(intent, 'target'), kept);
  }

  #finish(write: KeptWrite, record: KeptRecord): void {
    const { outcome } = record.shown;
    if (outcome !== 'applied' && outcome !== 'refused' && outcome !== 'unknown') return;
    write.outcome = outcome;
    write.finished = record;
  }
}
