import type { Change } from './change.js';
import type { TaskResult, TaskStatus } from './result.js';
import type { Source } from '../source/source.js';
import type { StoredValue } from '../values/stored.js';
import type { Mapping, Value } from '../values/value.js';

/**
 * What a run records so that it can be resumed after a crash, and rolled back. The engine passes these records unchanged to a port
 * (`Journal`), whose implementation masks secrets, seals what must be restored exactly, and writes to disk.
 */

/**
 * One visit of one controller to one step. `place` (of `step_place.ts`) is the same whenever the same run is walked through
 * again. `item` counts from 0.
 */
export interface StepRef {
  readonly controller: string;
  readonly place: string;
  readonly item?: number | undefined;
  /**
   * Identifies the step or item independently of its place, so that it is found again after an insertion before it. Consists of the area
   * and keyed digests of the task as written and of the items around it. Absent if only the place is known.
   */
  readonly key?: string | undefined;
  /** How many steps are written like this one, if they can mean different things. Absent: it is the only one. */
  readonly alike?: number | undefined;
  /** Of a loop: the digest of its list as it is written. */
  readonly list?: string | undefined;
}

/** A step, or an item of its loop, that is finished and must not be repeated. */
export interface StepSettled extends StepRef {
  readonly type: 'step-settled';
  readonly module: string;
  /** The task's name as it was shown; another one means that the playbook is another. */
  readonly title: string;
  /** An ignored failure is completed. */
  readonly end: 'completed' | 'failed' | 'unreachable' | 'stale';
  /** What the recap counts. */
  readonly counted: Counted;
  /** Absent if nothing that comes later can see it. Sealed on disk. */
  readonly left?: StepLeft | undefined;
}

export interface Counted {
  readonly status: TaskStatus;
  readonly ignored?: boolean | undefined;
  readonly rescued?: boolean | undefined;
  readonly changed?: boolean | undefined;
  readonly included?: number | undefined;
}

/** What a step changed in the run. */
export interface StepLeft {
  /** Only where it is looked at again: of failures, of items, and of what `run_once` shares. */
  readonly result?: TaskResult | undefined;
  /** `set_fact` and `register`. */
  readonly values?: Mapping | undefined;
  /** `set_fact` with `cacheable`. */
  readonly facts?: Mapping | undefined;
  /** Texts that an action asked to mask, such as a hidden answer of the user. */
  readonly secrets?: readonly string[] | undefined;
  /** With `delegate_facts`: what others have been given, in its order. */
  readonly elsewhere?: readonly Elsewhere[] | undefined;
  /** Words in them that must be masked, because of `no_log`. */
  readonly hidden?: readonly string[] | undefined;
  /** The step must run again without a report, because it changes the run itself: `include_tasks`, `add_host`. */
  readonly again?: boolean | undefined;
}

/** Variables that a step gave to another controller than its own. */
export interface Elsewhere {
  readonly owner: string;
  readonly values: Mapping;
  readonly facts: Mapping;
}

/**
 * No controller of a batch starts anything new: the batch was halted (`max_fail_percentage`, `any_errors_fatal`), or a task ended it.
 * Precedes the record of the step that caused it.
 */
export interface BatchEnded {
  readonly type: 'batch-ended';
  /** From 0. */
  readonly play: number;
  /** From 1. */
  readonly batch: number;
  readonly how: 'halted' | 'batch' | 'play';
  /** Why it was halted. */
  readonly reason?: string | undefined;
  /** Steps that had started: they are finished. */
  readonly underWay: readonly StepRef[];
}

/** A gate rolled back a batch, so its play (`2:`) starts again: earlier records below that place no longer count. */
interface StepsForgotten {
  readonly type: 'steps-forgotten';
  readonly controller: string;
  readonly place: string;
}

/** The user declined the step (`--step`), so it is not asked for again. */
interface StepDeclined extends StepRef {
  readonly type: 'step-declined';
}

/** A connection whose settings come not only from the inventory, but from variables of the play, the task or the run. */
export interface WriteConnection {
  /** A keyed digest of the URL, the user and the headers: the same object of another tenant is another object. */
  readonly id: string;
  readonly url: string;
  /** Connection variables that a rollback needs beside those of the inventory. Sealed on disk. */
  readonly variables: Mapping;
}

/** A write that is about to be sent. On disk before the request is sent. */
export interface WriteIntended extends StepRef {
  readonly type: 'write-intended';
  /** Unique in the run, from 1, in the order of the intents. */
  readonly write: number;
  /** The controller that is written to: the task's, or the one that it was delegated to. */
  readonly target: string;
  /** The tenant that the object is in; absent if there are no tenants. */
  readonly tenant?: string | undefined;
  /** How the target was reached, where the inventory does not say so. */
  readonly connection?: WriteConnection | undefined;
  readonly play: string;
  readonly task: string;
  readonly module: string;
  readonly source: Source;
  /** For messages: `cloud "edge-1"`. */
  readonly object: string;
  readonly method: string;
  /** Below the controller's URL: of a create the collection, of an update the object itself. */
  readonly path: string;
  /** Of a create: the name by which it is found again. */
  readonly name?: string | undefined;
  /** The object as it was read, and as it will be. Secrets are sealed on disk. */
  readonly change: Change;
  readonly body: Value;
  /** The controller does not show the object, so it cannot be compared. */
  readonly uncomparable?: boolean | undefined;
  /** `no_log`: all of the written value is masked, whether it is known as a secret or not. */
  readonly hidden?: boolean | undefined;
}

/**
 * The outcome of a write. `applied`: the controller confirmed it. `refused`: the controller rejected it, and nothing has changed.
 * `unknown`: the reply was lost and reading did not resolve it. A write without this record is unknown, too.
 */
export interface WriteFinished {
  readonly type: 'write-finished';
  readonly write: number;
  readonly controller: string;
  readonly outcome: 'applied' | 'refused' | 'unknown';
  /** The answer to a raw request, for a resume. Sealed on disk. */
  readonly answer?: WriteAnswer | undefined;
}

/** The same as the module contract's `RawAnswer`. */
export interface WriteAnswer {
  readonly status: number;
  readonly body: Value;
  readonly says?: string | undefined;
}

/** The object as the controller showed it after the write: what a rollback expects to find. Sealed on disk where it holds secrets. */
export interface WriteVerified {
  readonly type: 'write-verified';
  readonly write: number;
  readonly controller: string;
  readonly seen: Mapping;
  /** As in the intent. */
  readonly hidden?: boolean | undefined;
}

/** The address of a controller at first contact: a rollback must not write to another controller of that name. */
interface ControllerReached {
  readonly type: 'controller-reached';
  readonly controller: string;
  readonly url: string;
}

/** What is kept beside the stream of events. */
export type JournalRecord =
  | StepSettled
  | StepsForgotten
  | StepDeclined
  | BatchEnded
  | WriteIntended
  | WriteFinished
  | WriteVerified
  | ControllerReached;

/** Keeps what a run does. */
export interface Journal {
  /** Resolves when the record is on disk. Rejects if that cannot be, and says so: then the write must not be made. */
  intend(intent: Omit<WriteIntended, 'write'>): Promise<number>;
  /** Never throws and never waits. */
  record(record: Exclude<JournalRecord, WriteIntended>): void;
  /** Aborted when nothing more can be kept (a full disk): nothing new may start. The reason is a sentence for the user. */
  readonly broken: AbortSignal;
  /** A keyed digest: equal for equal values of this run, and meaningless without the key. */
  digest(value: Value): string;
  /**
   * Puts a large value into a file. Resolves when it is on disk; rejects, saying why, if that cannot be. Absent: large values stay in
   * memory.
   */
  readonly store?: ((value: Value) => Promise<StoredValue>) | undefined;
  /** Resolves when everything so far is on disk, or `broken` is aborted. Never rejects. Absent: there is no disk. */
  readonly untilOnDisk?: (() => Promise<void>) | undefined;
}
