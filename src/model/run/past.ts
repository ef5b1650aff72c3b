import type { Mapping, Value } from '../values/value.js';
import type {
  JournalRecord,
  WriteIntended,
  WriteFinished,
  WriteAnswer,
  StepRef,
  StepSettled,
  BatchEnded,
} from './journal.js';

/** What a run had done before it was interrupted, from its journal. */
export interface Past {
  /** By its key, or by its place if it was kept without one. */
  settled(ref: StepRef): StepSettled | undefined;
  /**
   * Whether an `always` that ran because of an interrupt has written to an object after the step did: the object may not be as the
   * step left it.
   */
  isCleanedUp(ref: StepRef): boolean;
  /** What is kept of a step, or of any item of it, that has that key: as it was written then. */
  known(ref: StepRef): Pick<StepRef, 'alike' | 'list'> | undefined;
  /** Whether the user declined it (`--step`). */
  isDeclined(ref: StepRef): boolean;
  /** As that of the journal. */
  digest(value: Value): string;
  /** The last place of an area (`2:`) at which the controller finished a step, by position. Items of loops do not count. */
  reached(controller: string, area: string): string | undefined;
  /** How a batch (from 1) ended early, in order; empty if it did not. */
  ended(play: number, batch: number): readonly BatchEnded[];
  /** All that is kept of a controller, so that another process can go on with it. */
  records(controller: string): readonly JournalRecord[];
  /** Writes of a step (or item) that was begun and is not settled, in their order. */
  writes(ref: StepRef): readonly PastWrite[];
  /** What was last put at a path that its controller cannot show: the next write must not lose it. */
  written(at: WrittenPath): Mapping | undefined;
  /**
   * All writes to a controller that were not rolled back, in their order, whichever controller's tasks they were.
   *
   * @param digest of an object as the controller showed it
   */
  writtenTo(target: string, digest: (seen: Mapping) => string): readonly WrittenBefore[];
  /** The controllers of a play in its order (`order: shuffle`); undefined if it had not started. */
  controllers(play: number): readonly string[] | undefined;
  /** Whether a batch (from 1) has passed its gate. */
  hasPassed(play: number, batch: number): boolean;
}

/** A write of an interrupted step. */
export interface PastWrite {
  readonly intent: WriteIntended;
  readonly outcome: WriteFinished['outcome'];
  readonly answer?: WriteAnswer | undefined;
}

/** A write of the run before it was cut off. Other processes get it, too: it does not say what was written. */
export interface WrittenBefore extends Pick<WriteIntended, 'write' | 'path' | 'name' | 'tenant'> {
  /** The id of its connection; absent: as the inventory says. */
  readonly connection?: string | undefined;
  readonly outcome: WriteFinished['outcome'];
  /** The digest of the object as the controller showed it afterwards; absent: it was not read. */
  readonly seen?: string | undefined;
}

export interface WrittenPath extends Pick<WriteIntended, 'target' | 'path' | 'tenant'> {
  /** As of `WrittenBefore`. */
  readonly connection?: string | undefined;
}
