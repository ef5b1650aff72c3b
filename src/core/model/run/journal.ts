import type { Source } from '../source/diagnostic.js';
import {
  choiceShape,
  either,
  fields,
  flag,
  listShape,
  mapping,
  nullable,
  number,
  optional,
  present,
  text,
  trusted,
  type FieldsOf,
  type ShapeFields,
  type StoredValue,
} from '../values/stored.js';
import type { Mapping, Value } from '../values/value.js';
import type { TaskFinished } from './controller_event.js';
import type { Change, RunTaskResult } from './result.js';

/**
 * What a run records so that it can be resumed after a crash, and rolled back. The engine passes these records unchanged to a port
 * (`Journal`), whose implementation masks secrets, seals what must be restored exactly, and writes to disk.
 */

/**
 * One visit of one controller to one step. A resume has the same `place` (of `step_place.ts`). `item` counts from 0.
 */
const STEP = {
  controller: text,
  place: text,
  item: optional(number),
  /**
   * Identifies the step or item independently of its place, so that a resume finds it after an edit inserts steps
   * before it. Consists of the area and keyed digests of the task as written and of the items around it. Absent if only
   * the place is known.
   */
  key: optional(text),
  /** The number of identical steps that can have different meanings. Absent: it is the only one. */
  alike: optional(number),
  /** The digest of the loop's list as written. */
  list: optional(text),
};

export type StepRef = FieldsOf<typeof STEP>;

export type CountedEnd = Pick<TaskFinished, 'status' | 'ignored' | 'rescued' | 'changed' | 'included' | 'notCompared'>;

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
  /** A resume must run the step again, without a report, because it changes the run itself: `include_tasks`, `add_host`. */
  readonly again?: boolean | undefined;
}

/** Variables that a step set for another controller. */
export interface Elsewhere {
  readonly owner: string;
  readonly values: Mapping;
  readonly facts: Mapping;
}

/**
 * The controller that a request is to, and the user who sends it: the same for all hosts of the inventory that reach it so. What is known
 * about objects is kept by it, never by the name of a host.
 */
const REACHED = {
  /** Its URL, and its route. For messages, and for what the next run must know. */
  url: text,
  /** A keyed digest of these and of the headers, which can choose one of several controllers. Another tenant is not another controller. */
  controller: text,
  /** A keyed digest of the controller and the user. */
  account: text,
};

export type ReachedController = FieldsOf<typeof REACHED>;

const isChange = trusted<Change>(
  either(
    either(
      fields({ kind: choiceShape('none') }),
      either(
        fields({ kind: choiceShape('invoke'), object: text }),
        fields({ kind: choiceShape('delete'), object: text, before: mapping }),
      ),
    ),
    either(
      fields({ kind: choiceShape('create'), object: text, after: mapping }),
      fields({ kind: choiceShape('update'), object: text, before: nullable(mapping), after: mapping }),
    ),
  ),
);

/** The records of the journal besides events, whole. */
export const RECORDS = {
  /** A finished step, or a finished item of its loop, which a resume must not repeat. */
  'step-settled': {
    ...STEP,
    module: text,
    /** The task's displayed name. */
    title: text,
    /** An ignored failure is completed. */
    end: choiceShape('completed', 'failed', 'unreachable', 'stale'),
    /** The counts for the recap. */
    counted: trusted<CountedEnd>(fields({ status: text })),
    /** Absent if no later step can see its effects. Sealed on disk. */
    left: optional(trusted<StepLeft>(mapping)),
  },
  /** A gate rolled back a batch, so its play (`2:`) starts again: earlier records below that place no longer count. */
  'steps-forgotten': { controller: text, place: text },
  /** The user declined the step (`--step`), so a resume does not ask again. */
  'step-declined': STEP,
  /**
   * No controller of a batch starts anything new: the batch stopped (`max_fail_percentage`, `any_errors_fatal`), or a
   * task ended it. Precedes the record of the step that caused it.
   */
  'batch-ended': {
    /** Plays count from 0, batches from 1. */
    play: number,
    batch: number,
    how: choiceShape('halted', 'batch', 'play'),
    /** Why the batch stopped. */
    reason: optional(text),
    /** Place of the step that stopped it, if `clear_host_errors` may let it continue. */
    place: optional(text),
    /** Steps that had started: they finish. */
    underWay: listShape(fields(STEP)),
  },
  /** A write before its request is sent. On disk before the request leaves. */
  'write-intended': {
    ...STEP,
    /** Unique in the run, from 1, in the order of the intents. */
    write: number,
    /** The host of the write: the task's, or the one in `delegate_to`. */
    target: text,
    reached: fields(REACHED),
    /** The tenant of the object; absent without tenants. */
    tenant: optional(text),
    /**
     * The connection variables of the play, the task or the run that a rollback needs besides those of the inventory. Absent: the target was
     * reached by the inventory's settings. Sealed on disk.
     */
    connection: optional(mapping),
    play: text,
    task: text,
    module: text,
    source: trusted<Source>(fields({ file: text, line: number, column: number })),
    /** For messages: `cloud "edge-1"`. */
    object: text,
    method: text,
    /** Below the controller's URL. Create: the path of the collection; update: the path of the object. */
    path: text,
    /** Create: the name that finds the object again. */
    name: optional(text),
    /** The object before and after. Secrets are sealed on disk. */
    change: isChange,
    body: present,
    /** The controller does not show the object, so it cannot be compared. */
    uncomparable: optional(flag),
    /** `no_log`: mask the entire written value, whether or not it is a known secret. */
    hidden: optional(flag),
  },
  /**
   * The outcome of a write. `applied`: the controller confirmed it. `refused`: the controller rejected it, and nothing has changed.
   * `unknown`: the reply was lost and reading did not resolve it. A write without this record is unknown, too.
   */
  'write-finished': {
    write: number,
    controller: text,
    outcome: choiceShape('applied', 'refused', 'unknown'),
    /** The outcome is unknown although the controller answered: so the write can no longer take effect. */
    answered: optional(trusted<true>(flag)),
    /** The answer to a raw request (`RawAnswer`), which a resume needs. Sealed on disk. */
    answer: optional(
      fields({
        status: number,
        body: present,
        says: optional(text),
        denied: optional(flag),
        uncertain: optional(flag),
        outcomeUnknown: optional(flag),
      }),
    ),
  },
  /**
   * The object as the controller showed it after the write: the state that a rollback expects. Sealed on disk if it
   * contains secrets. `hidden`: as in the intent.
   */
  'write-verified': { write: number, controller: text, seen: mapping, hidden: optional(flag) },
  /** Where the inventory or the play led to at the first contact: a resume must not go on at another controller of that name. */
  'controller-reached': { controller: text, /** Its identity: its URL, and its route. */ url: text },
} satisfies Readonly<Record<string, ShapeFields>>;

type RecordType = keyof typeof RECORDS;

export type TypedRecord<Type extends RecordType> = { readonly type: Type } & FieldsOf<(typeof RECORDS)[Type]>;

export type JournalRecord = { [Type in RecordType]: TypedRecord<Type> }[RecordType];
export type StepSettled = TypedRecord<'step-settled'>;
export type BatchEnded = TypedRecord<'batch-ended'>;
export type WriteIntended = TypedRecord<'write-intended'>;
export type WriteFinished = TypedRecord<'write-finished'>;
export type WriteAnswer = NonNullable<WriteFinished['answer']>;
export type WriteVerified = TypedRecord<'write-verified'>;

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
  /** Resolves when all records so far are on disk, or `broken` is aborted. Never rejects. Absent: the journal has no disk. */
  readonly untilOnDisk?: (() => Promise<void>) | undefined;
}
