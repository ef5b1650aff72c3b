import type { Source } from '../source/diagnostic.js';
import type { Mapping } from '../values/value.js';
import type { Change, NotComparedReason, Resumption, TaskStatus } from './result.js';

/** The fields of every event: when it happened (ISO 8601) and in which run. */
export interface Fact {
  readonly time: string;
  readonly run: string;
}

/** Something about a task on a controller. */
interface TaskFact extends Fact {
  readonly play: string;
  readonly task: string;
  readonly controller: string;
}

export interface TaskStarted extends TaskFact {
  readonly type: 'task-started';
  readonly module: string;
  /** The controller that the task is delegated to (`delegate_to`), if already known. */
  readonly delegatedTo?: string;
  readonly handler: boolean;
}

export interface TaskFinished extends TaskFact {
  readonly type: 'task-finished';
  readonly module: string;
  /** The controller that the task contacted instead (`delegate_to`). */
  readonly delegatedTo?: string;
  /** The tenant of the task's requests; absent if it contacted no controller with tenants. */
  readonly tenant?: string;
  /** The URL of the controller and its route, unless the inventory says that by itself. */
  readonly address?: string;
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
  /** A failed or interrupted task that changed something: `change` is what it wrote. An ignored failure counts as changed. */
  readonly changed?: boolean;
  /** Number of files of an `include_tasks`: each counts as ok, as in Ansible. */
  readonly included?: number;
  readonly notCompared?: NotComparedReason;
  /** The round of a gate's check, from 1. The recap does not count the check; its failure counts for the gate. */
  readonly round?: number;
  /** Duration of the task. */
  readonly seconds: number;
  readonly change?: Change;
  /** `no_log` masks its change. */
  readonly maskedChange?: true;
  /** The last write was sent, but no answer confirms it. The change is what it may have changed. */
  readonly unconfirmed?: true;
  /** For a task whose write was interrupted before a resume. */
  readonly resumed?: Resumption;
  readonly message?: string;
  readonly hint?: string;
  /** The route that is down, for all of its controllers. */
  readonly route?: string;
  /** The position of the cause, if it is outside the task. */
  readonly cause?: Source;
  /** The output of `debug` and, with `-v` or more, the return values of any task. */
  readonly values?: Mapping;
  /** Set by `debug` and similar tasks: the message is their purpose, so every output except quiet shows it. */
  readonly spoken?: boolean;
  readonly diff: boolean;
  readonly source: Source;
}

export interface TaskRetried extends TaskFact {
  readonly type: 'task-retried';
  readonly attempt: number;
  readonly attempts: number;
  /** What the task waits for (`wait_until`). */
  readonly message?: string | undefined;
  readonly source: Source;
}

/** Progress of a long task (a file transfer). */
export interface TaskProgressed extends TaskFact {
  readonly type: 'task-progressed';
  readonly message: string;
  /** How long the task waits from now on. Absent: it does not know, or does not wait. */
  readonly seconds?: number | undefined;
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
export interface Throttling {
  readonly controller: string;
  readonly status: number;
  /** Duration of the pause. */
  readonly seconds: number;
}

export interface ControllerThrottled extends Fact, Throttling {
  readonly type: 'controller-throttled';
}

/** A request without an answer, or with one that means "not now", before the client sends it again. */
export interface Retry {
  readonly controller: string;
  /** The number of the next attempt. */
  readonly attempt: number;
  /** The wait before the attempt. */
  readonly seconds: number;
  /** How long the request is tried again at most, from now on. */
  readonly left: number;
  /** What it waits for: the controller, or `route madrid` if that is down for all of its controllers. */
  readonly awaited: string;
  /** Why, in a few words: `ECONNREFUSED`, `answered 503`. */
  readonly reason: string;
}

export interface RequestRetried extends Fact, Retry {
  readonly type: 'request-retried';
}

/** A controller finished its part of the play. */
export interface ControllerFinished extends Fact {
  readonly type: 'controller-finished';
  readonly play: string;
  readonly controller: string;
  /** It was stopped before its end. */
  readonly cutOff?: true;
}

/** Measures where the time of a run goes (`--profile`). */
export interface Meter {
  /** Evaluates a template, and measures how long that takes. */
  template<T>(evaluate: () => T): T;
  /** Counts a request with its answer. */
  request(exchange: Exchange): void;
}
