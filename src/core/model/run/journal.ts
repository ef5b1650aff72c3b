import type { Source } from '../source/diagnostic.js';
import { fields, optional, text, type CheckedType, type StoredValue } from '../values/stored.js';
import type { Mapping, Value } from '../values/value.js';
import type { Change, RunTaskResult, TaskStatus } from './result.js';
import type { RawAnswer } from './session.js';

/**
 * What a run records so that it can be resumed after a crash, and rolled back. The engine passes these records unchanged to a port
 * (`Journal`), whose implementation masks secrets, seals what must be restored exactly, and writes to disk.
 */

/**
 * One visit of one controller to one step. A resume has the same `place` (of `step_place.ts`). `item` counts from 0.
 */
export interface StepRef {
  readonly controller: string;
  readonly place: string;
  readonly item?: number | undefined;
  /**
   * Identifies the step or item independently of its place, so that a resume finds it after an edit inserts steps
   * before it. Consists of the area and keyed digests of the task as written and of the items around it. Absent if only
   * the place is known.
   */
  readonly key?: string | undefined;
  /** The number of identical steps that can have different meanings. Absent: it is the only one. */
  readonly alike?: number | undefined;
  /** The digest of the loop's list as written. */
  readonly list?: string | undefined;
}

/** A finished step, or a finished item of its loop, which a resume must not repeat. */
export interface StepSettled extends StepRef {
  readonly type: 'step-settled';
  readonly module: string;
  /** The task's displayed name; a different name means that the playbook changed. */
  readonly title: string;
  /** An ignored failure is completed. */
  readonly end: 'completed' | 'failed' | 'unreachable' | 'stale';
  /** The counts for the recap. */
  readonly counted: CountedEnd;
  /** Absent if no later step can see its effects. Sealed on disk. */
  readonly left?: StepLeft | undefined;
}

export interface CountedEnd {
  readonly status: TaskStatus;
  readonly ignored?: boolean | undefined;
  readonly rescued?: boolean | undefined;
  readonly changed?: boolean | undefined;
  readonly included?: number | undefined;
}

/** The effects of a step on the run. */
export interface StepLeft {
  /** Only where a later step reads it: for failures, items, and results that `run_once` shares. */
  readonly result?: RunTaskResult | undefined;
  /** `set_fact` and `register`. */
  readonly values?: Mapping | undefined;
  /** `set_fact` with `cacheable`. */
  readonly facts?: Mapping | undefined;
  /** Texts that must be masked: what an action asked for, such as a hidden answer of the user, and what `no_log` hides. */
  readonly secrets?: readonly string[] | undefined;
  /** With `delegate_facts`: the variables of other controllers, in order. */
  readonly elsewhere?: readonly Elsewhere[] | undefined;
  /** Whether `no_log` hid it, if the task has one: for a loop, whether it hid any item. */
  readonly masked?: boolean | undefined;
  /** Words in these values that must be masked because of `no_log`. */
  readonly hidden?: readonly string[] | undefined;
  /**
   * A resume must run the step again, without a report, because it changes the run itself: `include_tasks`, `add_host`.
   */
  readonly again?: boolean | undefined;
}

/** Variables that a step set for another controller. */
export interface Elsewhere {
  readonly owner: string;
  readonly values: Mapping;
  readonly facts: Mapping;
}

/**
 * No controller of a batch starts anything new: the batch stopped (`max_fail_percentage`, `any_errors_fatal`), or a
 * task ended it. Precedes the record of the step that caused it.
 */
export interface BatchEnded {
  readonly type: 'batch-ended';
  /** From 0. */
  readonly play: number;
  /** From 1. */
  readonly batch: number;
  readonly how: 'halted' | 'batch' | 'play';
  /** Why the batch stopped. */
  readonly reason?: string | undefined;
  /** Place of the step that stopped it, if `clear_host_errors` may let it continue. */
  readonly place?: string | undefined;
  /** Steps that had started: they finish. */
  readonly underWay: readonly StepRef[];
}

/** A gate rolled back a batch, so its play (`2:`) starts again: earlier records below that place no longer count. */
interface StepsForgotten {
  readonly type: 'steps-forgotten';
  readonly controller: string;
  readonly place: string;
}

/** The user declined the step (`--step`), so a resume does not ask again. */
interface StepDeclined extends StepRef {
  readonly type: 'step-declined';
}

/**
 * The controller that a request is to, and the user who sends it: the same for all hosts of the inventory that reach it so. What is known
 * about objects is kept by it, never by the name of a host.
 */
export interface ReachedController {
  /** Its URL, and its route. For messages, and for what the next run must know. */
  readonly url: string;
  /** A keyed digest of these and of the headers, which can choose one of several controllers. Another tenant is not another controller. */
  readonly controller: string;
  /** A keyed digest of the controller and the user. */
  readonly account: string;
}

/** A write before its request is sent. On disk before the request leaves. */
export interface WriteIntended extends StepRef {
  readonly type: 'write-intended';
  /** Unique in the run, from 1, in the order of the intents. */
  readonly write: number;
  /** The host of the write: the task's, or the one in `delegate_to`. */
  readonly target: string;
  readonly reached: ReachedController;
  /** The tenant of the object; absent without tenants. */
  readonly tenant?: string | undefined;
  /**
   * The connection variables of the play, the task or the run that a rollback needs besides those of the inventory. Absent: the target was
   * reached by the inventory's settings. Sealed on disk.
   */
  readonly connection?: Mapping | undefined;
  readonly play: string;
  readonly task: string;
  readonly module: string;
  readonly source: Source;
  /** For messages: `cloud "edge-1"`. */
  readonly object: string;
  readonly method: string;
  /** Below the controller's URL. Create: the path of the collection; update: the path of the object. */
  readonly path: string;
  /** Create: the name that finds the object again. */
  readonly name?: string | undefined;
  /** The object before and after. Secrets are sealed on disk. */
  readonly change: Change;
  readonly body: Value;
  /** The controller does not show the object, so it cannot be compared. */
  readonly uncomparable?: boolean | undefined;
  /** `no_log`: mask the entire written value, whether or not it is a known secret. */
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
  /** The outcome is unknown although the controller answered: so the write can no longer take effect. */
  readonly answered?: true | undefined;
  /** The answer to a raw request, which a resume needs. Sealed on disk. */
  readonly answer?: WriteAnswer | undefined;
}

export type WriteAnswer = Pick<RawAnswer, 'status' | 'body'> & {
  readonly [Name in 'says' | 'denied' | 'uncertain']?: RawAnswer[Name] | undefined;
};

/**
 * The object as the controller showed it after the write: the state that a rollback expects. Sealed on disk if it
 * contains secrets.
 */
export interface WriteVerified {
  readonly type: 'write-verified';
  readonly write: number;
  readonly controller: string;
  readonly seen: Mapping;
  /** As in the intent. */
  readonly hidden?: boolean | undefined;
}

/** Where the inventory or the play led to at the first contact: a resume must not go on at another controller of that name. */
interface ControllerReached {
  readonly type: 'controller-reached';
  readonly controller: string;
  /** Its identity: its URL, and its route. */
  readonly url: string;
}

/** The records of the journal besides events. */
export type JournalRecord =
  | StepSettled
  | StepsForgotten
  | StepDeclined
  | BatchEnded
  | WriteIntended
  | WriteFinished
  | WriteVerified
  | ControllerReached;

/** Records what a run does. */
export interface Journal {
  /** Resolves when the record is on disk. Otherwise rejects with the reason, and the write must not happen. */
  intend(intent: Omit<WriteIntended, 'write'>): Promise<number>;
  /** Never throws and never waits. */
  record(record: Exclude<JournalRecord, WriteIntended>): void;
  /**
   * Aborted when the journal cannot write any more (a full disk): nothing new may start. The reason is a sentence for
   * the user.
   */
  readonly broken: AbortSignal;
  /** A keyed digest: equal for equal values of this run, and meaningless without the key. */
  digest(value: Value): string;
  /**
   * Stores a large value in a file. Resolves when it is on disk; otherwise rejects with the reason. Absent: large
   * values stay in memory.
   */
  readonly store?: ((value: Value) => Promise<StoredValue>) | undefined;
  /**
   * Resolves when all records so far are on disk, or `broken` is aborted. Never rejects. Absent: the journal has no
   * disk.
   */
  readonly untilOnDisk?: (() => Promise<void>) | undefined;
}

/** Identifies a process although process ids are reused. */
export const isProcess = fields({
  host: text,
  /** Identifies the boot of the machine; undefined where the system does not provide it. */
  boot: optional(text),
  /** The namespace of process ids: containers have their own. */
  space: optional(text),
  pid: (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
  /** The start time, in the system's own format; undefined where the system does not provide it. */
  started: optional(text),
});

export type ProcessIdentity = CheckedType<typeof isProcess>;
