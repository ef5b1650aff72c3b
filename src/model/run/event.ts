import type { Change } from './change.js';
import type { Resumption, Stats, TaskStatus } from './result.js';
import type { Source } from '../source/source.js';
import type { Mapping } from '../values/value.js';

/** Raised when the meaning of a field changes; additions do not raise it. */
export const SCHEMA_VERSION = 1;

/** What every event carries: when it happened (ISO 8601) and in which run. */
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
  /** Resumes an interrupted run: earlier results are not reported again, but count in the recap. Absent for a new run. */
  readonly resumed?: boolean;
}

export interface PlayStarted extends Fact {
  readonly type: 'play-started';
  readonly play: string;
  readonly controllers: readonly string[];
  /** By group: places in `controllers`. Without `all`; absent: none. */
  readonly groups?: Readonly<Record<string, readonly number[]>>;
  /** By site whose workers carry out the play: places in `controllers`. Absent: none. */
  readonly sites?: Readonly<Record<string, readonly number[]>>;
  readonly strategy: string;
  /** Tasks that the tags select and that run if nothing fails: without those of `rescue`, and of what is included later. */
  readonly tasks: number;
  /** From 1, of all plays of the run. Absent: there is only one, or it is a rollback. */
  readonly number?: number;
  readonly plays?: number;
  /** Tasks of the plays after it, added up over their controllers. Absent: it is the last, or a rollback. */
  readonly later?: number;
  /** No playbook has it: it puts back what a batch has written whose gate failed. */
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
  /** The worker that carries it out, `SITE/NAME`; absent: the run's own process. */
  readonly worker?: string;
  readonly handler: boolean;
}

/** The `module` of an event that says why a controller cannot be handed to a worker: it is not a task of the play. */
export const HANDOVER = 'worker';

export interface TaskFinished extends Fact {
  readonly type: 'task-finished';
  readonly play: string;
  readonly task: string;
  readonly module: string;
  readonly controller: string;
  /** The controller that the task spoke to in its place (`delegate_to`). */
  readonly delegatedTo?: string;
  /** The worker that carried it out, `SITE/NAME`; absent: the run's own process. */
  readonly worker?: string;
  /** The tenant in which it acted; absent if it contacted no controller with tenants. */
  readonly tenant?: string;
  readonly handler: boolean;
  /** The loop item's label. A loop sends one event an item and, last, one without `item` for the whole task: only that one counts. */
  readonly item?: string;
  readonly status: TaskStatus;
  /** It ran in check mode: a change is what it would have changed. */
  readonly check?: boolean;
  readonly ignored?: boolean;
  readonly rescued?: boolean;
  /** Of an ignored failure: something was changed, and counts as changed. */
  readonly changed?: boolean;
  /** Files that an `include_tasks` brought: each counts as ok, as in Ansible. */
  readonly included?: number;
  /** For the check of a gate: its round, from 1. It does not count in the recap, and its failure counts for the gate. */
  readonly round?: number;
  /** How long it took. */
  readonly seconds: number;
  readonly change?: Change;
  /** Its last write was sent, and no answer says whether it took effect. The change is what it may have changed. */
  readonly unconfirmed?: true;
  /** Of a task whose write was cut off before the run was resumed. */
  readonly resumed?: Resumption;
  readonly message?: string;
  readonly hint?: string;
  /** The position of the cause, if it is not the task. */
  readonly cause?: Source;
  /** What `debug` prints, and from `-v` on, what any task returned. */
  readonly values?: Mapping;
  /** Seen by `debug` and its like: the message is the point of the task, so every output but quiet shows it. */
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

/** How far a task is that takes long (a transfer of a file). */
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

/** One request on the wire and its answer. Carries no header: those hold credentials. */
export interface Exchange {
  readonly controller: string;
  readonly method: string;
  readonly url: string;
  /** Absent if no answer came. */
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

/** A controller asked for fewer requests (429, 503, `Retry-After`), so nothing is sent to it for a while. */
export interface ControllerThrottled extends Fact {
  readonly type: 'controller-throttled';
  readonly controller: string;
  readonly status: number;
  /** How long nothing is sent. */
  readonly seconds: number;
}

/** A request that found no answer, or one that means "not now", before it is sent again. */
export interface Retry {
  readonly controller: string;
  /** The number of the attempt to come, of so many at most. */
  readonly attempt: number;
  readonly attempts: number;
  /** How long it waits before. */
  readonly seconds: number;
  /** Why, in a few words: `ECONNREFUSED`, `answered 503`. */
  readonly reason: string;
}

export interface RequestRetried extends Fact, Retry {
  readonly type: 'request-retried';
}

/** The checks of a `gate` begin: the batch is through with the play. */
export interface GateStarted extends Fact {
  readonly type: 'gate-started';
  readonly play: string;
  /** From 1. */
  readonly batch: number;
  readonly controllers: readonly string[];
  /** Rounds in a row that must pass. */
  readonly passes: number;
  /** Failed rounds that end it. */
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
  /** Controllers whose checks failed or that could not be reached; none: the round passed. */
  readonly failed: readonly string[];
}

/**
 * The result of a gate, and what follows. `continue`: the next batch, because the gate passed or because the user says so. Not emitted if the run was interrupted before.
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
  /** As of `RunFinished`, for this batch alone; absent: none. */
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
  /** Controllers that had begun, and are well, but were stopped before they were through. Absent: none. */
  readonly cutOff?: readonly string[];
  /** The journal could not be written to the end: what is kept is a run that was cut off. */
  readonly unkept?: true;
}

export interface Warning extends Fact {
  readonly type: 'warning';
  readonly message: string;
  /** It is the second interrupt: running requests are given up. */
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

/** An event before the one place that stamps it (`run/clock.ts`) adds time and run. */
export type EventBody = Event extends infer E ? (E extends Event ? Omit<E, 'time' | 'run'> : never) : never;

export type Emit = (event: EventBody) => void;
