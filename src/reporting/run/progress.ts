import type {
  BatchFinished,
  BatchStarted,
  Event,
  PlayStarted,
  TaskFinished,
  TaskProgressed,
  TaskRetried,
  TaskStarted,
} from '../../core/model/run/event.js';
import { changedSomething, isTrouble } from '../../core/model/run/result.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { causeFirst } from '../text/messages.js';
import {
  hasFailed,
  noOutcomes,
  type ActiveTask,
  type ControllerProgress,
  type ProgressOutcome,
} from './controller_progress.js';
import { mayHaveWritten } from './failures/failure_log.js';
import { GateProgress } from './gate_text.js';
import { ResultGroups } from './result_groups.js';
import { addRoutes } from './routes.js';
import { RequestWaits } from './throttling.js';

/** The progress of a play: a fold over its events. Each event takes constant time, whatever the size of the fleet. */
export class PlayProgress {
  readonly play: string;
  readonly startedAt: number;
  /** When the first play began. */
  readonly runStartedAt: number;
  readonly total: number;
  /** The place of the play among the plays of the run; undefined if it is the only one. */
  readonly place: { readonly number: number; readonly plays: number } | undefined;
  readonly #tasks: number;
  readonly #controllers = new Map<string, ControllerProgress>();
  /** Ordered by the start of the task, so the slowest come first. */
  readonly #running = new Map<string, ActiveTask>();
  /** Controllers with an item of the running loop that wrote, or may have. */
  readonly #wroteInLoop = new Set<string>();
  readonly outcomes = noOutcomes();
  /** The number of tasks in earlier and in later plays, summed over their controllers. */
  readonly #workBefore: number;
  readonly #workAfter: number;
  readonly #waits = new RequestWaits();
  /** The route of each controller that has one. */
  readonly routes = new Map<string, string>();
  /** Controllers that finished the play, with or without success. */
  finished = 0;
  active = 0;
  #tasksDone = 0;
  batch: BatchStarted | undefined;
  /** The gate that the batch is waiting for. */
  gate: GateProgress | undefined;

  /**
   * @param before the previous play of the run
   * @param results collects what happens in each batch
   */
  constructor(
    event: PlayStarted,
    before?: PlayProgress,
    readonly results = new ResultGroups(),
  ) {
    this.play = event.play;
    this.startedAt = Date.parse(event.time);
    this.runStartedAt = before?.runStartedAt ?? this.startedAt;
    this.#workBefore = before === undefined ? 0 : before.#workBefore + before.total * before.#tasks;
    this.#workAfter = event.later ?? 0;
    this.total = event.controllers.length;
    addRoutes(this.routes, event);
    this.#tasks = event.tasks;
    const { number, plays } = event;
    this.place = number === undefined || plays === undefined ? undefined : { number, plays };
  }

  /** Masks what is secret by now. */
  get mask(): (text: string) => string {
    return this.results.mask;
  }

  handle(event: Event): void {
    if (event.type === 'batch-started') this.results.forget();
    this.results.handle(event);
    if (event.type === 'gate-started') this.gate = new GateProgress(event);
    if (event.type === 'gate-finished') this.gate = undefined;
    // The checks of a gate do not count as work of the play.
    if (this.gate === undefined) this.#work(event);
    else this.gate.handle(event);
  }

  #work(event: Event): void {
    this.#waits.handle(event);
    if (event.type === 'batch-started') this.batch = event;
    if (event.type === 'task-started') this.#start(event);
    if (event.type === 'task-retried') this.#retry(event);
    if (event.type === 'task-progressed') this.#progress(event);
    if (event.type === 'task-finished') this.#finishTask(event);
    if (event.type === 'controller-finished') this.#finishController(event.controller);
    if (event.type === 'batch-finished') this.#finishBatch(event);
  }

  /** The finished share of the play's tasks on all controllers, from 0 to 1. A failed controller has no tasks left. */
  get fraction(): number {
    const all = this.total * this.#tasks;
    return all === 0 ? this.finished / Math.max(1, this.total) : Math.min(1, this.#tasksDone / all);
  }

  /** The finished share of all plays of the run, from 0 to 1. */
  get overall(): number {
    const work = this.total * this.#tasks;
    const all = this.#workBefore + work + this.#workAfter;
    return all === 0 ? this.fraction : (this.#workBefore + this.fraction * work) / all;
  }

  controller(name: string): ControllerProgress {
    const nothing = { task: undefined, message: undefined };
    return getOrAdd(this.#controllers, name, () => {
      return { name, state: 'waiting', outcome: 'ok', tasks: 0, changes: 0, ...nothing };
    });
  }

  runningOn(name: string): ActiveTask | undefined {
    return this.#running.get(name);
  }

  /** The longest-running tasks first. */
  get running(): Iterable<ActiveTask> {
    return this.#running.values();
  }

  /** What the next request to the controller waits for at this time; undefined if it need not wait. */
  pause(name: string, now: number): string | undefined {
    return this.#waits.text(name, now);
  }

  /** The tasks that have been running the longest. */
  slowest(limit: number): readonly ActiveTask[] {
    const found: ActiveTask[] = [];
    for (const task of this.#running.values()) {
      if (found.length === limit) break;
      found.push(task);
    }
    return found;
  }

  #start({ controller, task, time, handler }: TaskStarted): void {
    const one = this.controller(controller);
    if (one.state === 'waiting') {
      one.state = 'active';
      this.active++;
    }
    this.#running.delete(controller);
    const place = handler || one.tasks >= this.#tasks ? undefined : `${one.tasks + 1}/${this.#tasks}`;
    this.#running.set(controller, { controller, task, place, since: Date.parse(time), until: NaN });
  }

  #retry({ controller, attempt, attempts, message }: TaskRetried): void {
    const what = message === undefined ? '' : `: ${message}`;
    this.#wait(controller, `until ${Math.min(attempt + 1, attempts)}/${attempts}${what}`);
  }

  #progress({ controller, message, seconds = NaN, time }: TaskProgressed): void {
    this.#wait(controller, message, Date.parse(time) + seconds * 1000);
  }

  #wait(controller: string, waiting: string, until = NaN): void {
    const running = this.#running.get(controller);
    if (running !== undefined) this.#running.set(controller, { ...running, waiting, until });
  }

  #finishTask(event: TaskFinished): void {
    const isWritten = changedSomething(event) || mayHaveWritten(event);
    if (event.item !== undefined) {
      if (isWritten) this.#wroteInLoop.add(event.controller);
      return;
    }
    const one = this.controller(event.controller);
    this.#running.delete(event.controller);
    if (this.#wroteInLoop.delete(event.controller) || isWritten) one.changes++;
    if (!event.handler) {
      one.tasks++;
      // Included and rescue tasks were not planned, so they add to the total.
      if (one.tasks <= this.#tasks) this.#tasksDone++;
    }
    if (isTrouble(event)) this.#fail(one, event);
    if (event.status === 'interrupted' && !hasFailed(one)) one.outcome = 'cut off';
  }

  #stop(name: string, outcome: ProgressOutcome): void {
    const one = this.controller(name);
    if (hasFailed(one)) return;
    if (one.state === 'finished') this.outcomes[one.outcome]--;
    one.outcome = outcome;
    if (one.state === 'finished') this.outcomes[one.outcome]++;
  }

  #fail(one: ControllerProgress, event: TaskFinished): void {
    if (hasFailed(one)) return;
    one.task = event.task;
    one.message = event.message === undefined ? undefined : causeFirst(event.message);
    one.outcome = event.status === 'unreachable' ? 'unreachable' : 'failed';
  }

  #finish(one: ControllerProgress): void {
    if (one.state === 'finished') return;
    if (one.state === 'active') this.active--;
    if (one.outcome === 'ok' && one.changes > 0) one.outcome = 'changed';
    this.#tasksDone += Math.max(0, this.#tasks - one.tasks);
    this.outcomes[one.outcome]++;
    one.state = 'finished';
    this.finished++;
  }

  #finishController(name: string): void {
    this.#running.delete(name);
    this.#finish(this.controller(name));
  }

  #finishBatch({ unstarted = [], cutOff = [] }: BatchFinished): void {
    for (const name of unstarted) this.#stop(name, 'not started');
    for (const name of cutOff) this.#stop(name, 'cut off');
    for (const name of this.batch?.controllers ?? []) this.#finishController(name);
  }
}
