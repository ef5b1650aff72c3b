import type { Source } from '../source/diagnostic.js';
import type {
  ControllerFinished,
  ControllerThrottled,
  Fact,
  HandlerNotified,
  RequestFinished,
  RequestRetried,
  TaskFinished,
  TaskProgressed,
  TaskRetried,
  TaskStarted,
} from './controller_event.js';
import type { Stats } from './result.js';

export type * from './controller_event.js';

/** Raised when the meaning of a field changes; additions do not raise it. */
export const SCHEMA_VERSION = 1;

export interface RunStarted extends Fact {
  readonly type: 'run-started';
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly version: string;
  readonly playbooks: readonly string[];
  readonly environment: string | null;
  /** `2/4`: the part of the fleet that this run has. Absent: the whole fleet. */
  readonly shard?: string;
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
  /** Indexes into `controllers` by the route to them. Absent: all are reached directly. */
  readonly routes?: Readonly<Record<string, readonly number[]>>;
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

/** Something about a batch of a play. */
interface BatchFact extends Fact {
  readonly play: string;
  /** From 1. */
  readonly batch: number;
}

export interface BatchStarted extends BatchFact {
  readonly type: 'batch-started';
  readonly batches: number;
  readonly controllers: readonly string[];
  /** The others of the batch, which had failed or were unreachable before. Absent: none. */
  readonly lost?: readonly string[];
}

/** The checks of a `gate` begin: the batch has finished the play. */
export interface GateStarted extends BatchFact {
  readonly type: 'gate-started';
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
export interface GateChecked extends BatchFact {
  readonly type: 'gate-checked';
  /** From 1. */
  readonly round: number;
  /** Controllers that were unreachable or whose checks failed. Empty: the round passed. */
  readonly failed: readonly string[];
}

/**
 * The result of a gate, and what follows. `continue`: the next batch starts, because the gate passed or the user
 * decided so. Not emitted after an interrupt.
 */
export interface GateFinished extends BatchFact {
  readonly type: 'gate-finished';
  readonly status: 'passed' | 'failed';
  readonly action: 'continue' | 'stop' | 'rollback';
}

export interface BatchFinished extends BatchFact {
  readonly type: 'batch-finished';
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
  /** Controllers that changed something only in failures that were rescued, or that `ignore_unreachable` ignored: `stats` does not count them as changed. Absent: none. */
  readonly changed?: readonly string[];
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

/** An event without its time and run, which `engine/control/clock.ts` adds. */
export type EventBody = Event extends infer E ? (E extends Event ? Omit<E, 'time' | 'run'> : never) : never;

export type Emit = (event: EventBody) => void;

/** The controllers that failed, were not reached, were stopped, or did not start. */
export function unsuccessful({
  stats,
  unstarted,
  cutOff = [],
}: Pick<RunFinished, 'stats' | 'unstarted' | 'cutOff'>): readonly string[] {
  const failed = Object.entries(stats).flatMap(([name, one]) => (one.failed + one.unreachable > 0 ? [name] : []));
  return [...failed, ...unstarted, ...cutOff];
}

/**
 * A controller that is down is in the first batch of each rerun, too, and ends it before the others start. What failed is no
 * reason to go on without it.
 */
export function wasStoppedByUnreachable({ reason, stats, unstarted }: RunFinished): boolean {
  const all = Object.values(stats);
  const isAway = all.some((one) => one.unreachable > 0) && all.every((one) => one.failed === 0);
  return reason !== undefined && unstarted.length > 0 && isAway;
}

/** The controllers that changed something, or would in check mode. */
export function changedControllers({ stats, changed = [] }: Pick<RunFinished, 'stats' | 'changed'>): Set<string> {
  return new Set([...Object.keys(stats).filter((name) => (stats[name]?.changed ?? 0) > 0), ...changed]);
}

/** What a text of an event is: the name of a play, task or handler; a message, an item or a URL; the body of a request. */
export type TextKind = 'title' | 'text' | 'body';

type TextsOf<E> = { readonly [Name in keyof E]?: TextKind };

const PLAY = { play: 'title' } as const;
const TASK = { ...PLAY, task: 'title' } as const;

/** The texts that a user, a template or a controller wrote: they may contain secrets, and have any length. */
const EVENT_TEXTS: { readonly [E in Event as E['type']]: TextsOf<E> } = {
  'run-started': {},
  'play-started': PLAY,
  'batch-started': PLAY,
  'task-started': TASK,
  'task-finished': { ...TASK, tenant: 'text', address: 'text', item: 'text', message: 'text', hint: 'text' },
  'task-retried': { ...TASK, message: 'text' },
  'task-progressed': { ...TASK, message: 'text' },
  'handler-notified': { ...PLAY, handler: 'title' },
  'request-finished': { url: 'text', error: 'text', requestBody: 'body', responseBody: 'body' },
  'request-retried': { awaited: 'text', reason: 'text' },
  'controller-throttled': {},
  'gate-started': PLAY,
  'gate-checked': PLAY,
  'gate-finished': PLAY,
  'controller-finished': PLAY,
  'batch-finished': PLAY,
  'play-finished': PLAY,
  'run-finished': { reason: 'text' },
  warning: { message: 'text' },
};

const LISTED = new Map(Object.entries(EVENT_TEXTS).map(([type, texts]) => [type, Object.entries(texts)]));

/** The event with each of its texts changed, or the same event if none changes. */
export function withTexts<E extends Event>(event: E, edit: (text: string, kind: TextKind, name: string) => string): E {
  const changed: Record<string, string> = {};
  for (const [name, kind] of LISTED.get(event.type) ?? []) {
    const text: unknown = Reflect.get(event, name);
    if (typeof text !== 'string') continue;
    const other = edit(text, kind, name);
    if (other !== text) changed[name] = other;
  }
  return Object.keys(changed).length === 0 ? event : { ...event, ...changed };
}
