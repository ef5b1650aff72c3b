import type { Change } from './change.js';
import type { Resumption, Stats, TaskStatus } from './result.js';
import type { Source } from '../source/source.js';
import type { Mapping } from '../values/value.js';

/** Raised when the meaning of a field changes; additions do not raise it. */
export const SCHEMA_VERSION = 1;

/** The fields of every event: when it happened (ISO 8601) and in which run. */
interface Fact {
  readonly time: string;
  readonly run: string;
}

export interface RunStarted extends Fact {
  readonly type: 'run-started';
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly version: string;
  readonly playbooks: readonly string[];
  readonly environment: string | null;
  readonly check: boolean;
  readonly forks: number;
  /** True if the controllers are simulated in this process. */
  readonly simulated: boolean;
  /**
   * Resumes an interrupted run: earlier results are not reported again, but the recap includes them. Absent for a new
   * run.
   */
  readonly resumed?: boolean;
}

export interface PlayStarted extends Fact {
  readonly type: 'play-started';
  readonly play: string;
  readonly controllers: readonly string[];
  /** Indexes into `controllers` by group, without `all`. Absent: none. */
  readonly groups?: Readonly<Record<string, readonly number[]>>;
  /** Indexes into `controllers` by the site whose workers run the play. Absent: none. */
  readonly sites?: Readonly<Record<string, readonly number[]>>;
  readonly strategy: string;
  /**
   * Number of tasks that the tags select and that run if nothing fails: without those of `rescue` and of later
   * includes.
   */
  readonly tasks: number;
  /** The number of the play in the run, from 1. Absent: it is the only play, or a rollback. */
  readonly number?: number;
  readonly plays?: number;
  /** Number of tasks in later plays, summed over their controllers. Absent: this is the last play, or a rollback. */
  readonly later?: number;
  /** Not a play of the playbook: it rolls back a batch whose gate failed. */
  readonly rollback?: true;
  readonly source: Source;
}

export interface BatchStarted extends Fact {
  readonly type: 'batch-started';
  readonly play: string;
  /** From 1. */
  readonly batch: number;
  readonly batches: number;
  readonly controllers: readonly string[];
}

export interface TaskStarted extends Fact {
  readonly type: 'task-started';
  readonly play: string;
  readonly task: string;
  readonly module: string;
  readonly controller: string;
  /** The controller that the task is delegated to (`delegate_to`), if already known. */
  readonly delegatedTo?: string;
  /** The worker that runs the task, `SITE/NAME`; absent: the run's own process. */
  readonly worker?: string;
  readonly handler: boolean;
}

/** The `module` of an event that says why no worker can take a controller. The play has no such task. */
export const HANDOVER = 'worker';

export interface TaskFinished extends Fact {
  readonly type: 'task-finished';
  readonly play: string;
  readonly task: string;
  readonly module: string;
  readonly controller: string;
  /** The controller that the task contacted instead (`delegate_to`). */
  readonly delegatedTo?: string;
  /** The worker that ran the task, `SITE/NAME`; absent: the run's own process. */
  readonly worker?: string;
  /** The tenant of the task's requests; absent if it contacted no controller with tenants. */
  readonly tenant?: string;
  readonly handler: boolean;
  /**
   * The label of the loop item. A loop emits an event per item and, last, one without `item` for the whole task: only
   * that one counts.
   */
  readonly item?: string;
  readonly status: TaskStatus;
  /** The task ran in check mode: the change is what it would have changed. */
  readonly check?: boolean;
  readonly ignored?: boolean;
  readonly rescued?: boolean;
  /** An ignored failure that changed something, and counts as changed. */
  readonly changed?: boolean;
  /** Number of files of an `include_tasks`: each counts as ok, as in Ansible. */
  readonly included?: number;
  /** The round of a gate's check, from 1. The recap does not count the check; its failure counts for the gate. */
  readonly round?: number;
  /** Duration of the task. */
  readonly seconds: number;
  readonly change?: Change;
  /** The last write was sent, but no answer confirms it. The change is what it may have changed. */
  readonly unconfirmed?: true;
  /** For a task whose write was interrupted before a resume. */
  readonly resumed?: Resumption;
  readonly message?: string;
  readonly hint?: string;
  /** The position of the cause, if it is outside the task. */
  readonly cause?: Source;
  /** The output of `debug` and, with `-v` or more, the return values of any task. */
  readonly values?: Mapping;
  /** Set by `debug` and similar tasks: the message is their purpose, so every output except quiet shows it. */
  readonly spoken?: boolean;
  readonly diff: boolean;
  readonly source: Source;
}

export interface TaskRetried extends Fact {
  readonly type: 'task-retried';
  readonly play: string;
  readonly task: string;
  readonly controller: string;
  readonly attempt: number;
  readonly attempts: number;
  /** What the task waits for (`wait_until`). */
  readonly message?: string | undefined;
  readonly source: Source;
}

/** Progress of a long task (a file transfer). */
export interface TaskProgressed extends Fact {
  readonly type: 'task-progressed';
  readonly play: string;
  readonly task: string;
  readonly controller: string;
  readonly message: string;
  readonly source: Source;
}

export interface HandlerNotified extends Fact {
  readonly type: 'handler-notified';
  readonly play: string;
  readonly handler: string;
  readonly controller: string;
}

/** A request and its answer, without headers, because they contain credentials. */
export interface Exchange {
  readonly controller: string;
  readonly method: string;
  readonly url: string;
  /** Absent without an answer. */
  readonly status?: number;
  readonly error?: string;
  readonly seconds: number;
  readonly requestBody?: string;
  readonly responseBody?: string;
}

/** An exchange with a controller, for `-vvv` and for tests. Bodies only at `-vvvv`. */
export interface RequestFinished extends Fact, Exchange {
  readonly type: 'request-finished';
}

/** A controller asked for fewer requests (429, 503, `Retry-After`), so the run sends it none for a while. */
export interface ControllerThrottled extends Fact {
  readonly type: 'controller-throttled';
  readonly controller: string;
  readonly status: number;
  /** Duration of the pause. */
  readonly seconds: number;
}

/** A request without an answer, or with one that means "not now", before the client sends it again. */
export interface Retry {
  readonly controller: string;
  /** The number of the next attempt; `attempts` is the maximum. */
  readonly attempt: number;
  readonly attempts: number;
  /** The wait before the attempt. */
  readonly seconds: number;
  /** Why, in a few words: `ECONNREFUSED`, `answered 503`. */
  readonly reason: string;
}

export interface RequestRetried extends Fact, Retry {
  readonly type: 'request-retried';
}

/** The checks of a `gate` begin: the batch has finished the play. */
export interface GateStarted extends Fact {
  readonly type: 'gate-started';
  readonly play: string;
  /** From 1. */
  readonly batch: number;
  readonly controllers: readonly string[];
  /** The number of consecutive rounds that must pass. */
  readonly passes: number;
  /** The number of failed rounds after which the gate fails. */
  readonly failures: number;
  /** Seconds between two rounds. */
  readonly interval: number;
  readonly source: Source;
}

/** One round of a gate's checks on all controllers of the batch. */
export interface GateChecked extends Fact {
  readonly type: 'gate-checked';
  readonly play: string;
  readonly batch: number;
  /** From 1. */
  readonly round: number;
  /** Controllers that were unreachable or whose checks failed. Empty: the round passed. */
  readonly failed: readonly string[];
}

/**
 * The result of a gate, and what follows. `continue`: the next batch starts, because the gate passed or the user
 * decided so. Not emitted after an interrupt.
 */
export interface GateFinished extends Fact {
  readonly type: 'gate-finished';
  readonly play: string;
  readonly batch: number;
  readonly status: 'passed' | 'failed';
  readonly action: 'continue' | 'stop' | 'rollback';
}

/** A controller finished its part of the play. */
export interface ControllerFinished extends Fact {
  readonly type: 'controller-finished';
  readonly play: string;
  readonly controller: string;
}

export interface BatchFinished extends Fact {
  readonly type: 'batch-finished';
  readonly play: string;
  readonly batch: number;
  readonly failed: readonly string[];
  /** Like that of `RunFinished`, for this batch alone. Absent: none. */
  readonly unstarted?: readonly string[];
  readonly cutOff?: readonly string[];
}

export interface PlayFinished extends Fact {
  readonly type: 'play-finished';
  readonly play: string;
}

export interface RunFinished extends Fact {
  readonly type: 'run-finished';
  readonly status: 'ok' | 'failed' | 'unreachable' | 'stale' | 'interrupted';
  readonly exitCode: number;
  /** Why the run stopped early: a batch that failed as a whole, `max_fail_percentage`, `any_errors_fatal`. */
  readonly reason?: string;
  readonly seconds: number;
  readonly stats: Readonly<Record<string, Stats>>;
  /** Controllers that never started a task because the run ended before their turn. */
  readonly unstarted: readonly string[];
  /** Controllers without failures that were stopped before they finished. Absent: none. */
  readonly cutOff?: readonly string[];
  /** The journal could not be written to the end: it looks like that of an interrupted run. */
  readonly unkept?: true;
}

export interface Warning extends Fact {
  readonly type: 'warning';
  readonly message: string;
  /** The second interrupt: the run aborts pending requests. */
  readonly givesUp?: true;
  readonly controller?: string;
  readonly source?: Source;
}

/** What happened, named as facts and never mutated. The engine emits events; reporters word them. */
export type Event =
  | RunStarted
  | PlayStarted
  | BatchStarted
  | TaskStarted
  | TaskFinished
  | TaskRetried
  | TaskProgressed
  | HandlerNotified
  | RequestFinished
  | RequestRetried
  | ControllerThrottled
  | GateStarted
  | GateChecked
  | GateFinished
  | ControllerFinished
  | BatchFinished
  | PlayFinished
  | RunFinished
  | Warning;

/** An event without its time and run, which `run/clock.ts` adds. */
export type EventBody = Event extends infer E ? (E extends Event ? Omit<E, 'time' | 'run'> : never) : never;

export type Emit = (event: EventBody) => void;
