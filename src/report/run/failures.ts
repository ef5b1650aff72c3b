import type { Event, TaskFinished } from '../../model/run/event.js';
import type { Source } from '../../model/source/source.js';
import { generalMessage } from '../text/general_message.js';
import { changeObject } from '../diff/change_words.js';
import type { WrittenBefore } from '../output/options.js';
import { isTrouble } from './progress.js';

/** Controllers that failed for the same cause at the same task. */
export interface FailureGroup {
  readonly status: 'failed' | 'unreachable';
  readonly task: string;
  readonly module: string;
  readonly source: Source;
  readonly message: string;
  readonly item: string | undefined;
  readonly hint: string | undefined;
  readonly cause: Source | undefined;
  /** The gate whose check it was. */
  readonly gate: { readonly batch: number; readonly round: number } | undefined;
  readonly controllers: string[];
  /** What was written before, with the number of controllers on which it was. */
  readonly written: Map<string, number>;
  /** What was sent, but may or may not have taken effect. */
  readonly doubtful: Map<string, number>;
  /** Fewest and most tasks of the play that did not run after it, as far as that can be counted. */
  readonly left: { least: number; most: number };
}

interface Walk {
  /** Tasks of the current play that have finished. */
  done: number;
  /** Neither rescued nor sent through an include: it went through planned tasks only, so those that are left can be counted. */
  straight: boolean;
  /** Objects written in this run. */
  readonly written: string[];
  /** Failed items of the loop under way. */
  failedItems: TaskFinished[];
}

/** Remembers what each controller did, and groups the failures. A fold over all events of a run, or of what is left of it. */
export class FailureLog {
  readonly #groups = new Map<string, FailureGroup>();
  readonly #walks = new Map<string, Walk>();
  readonly #gates = new GateFailures();
  /** Failures of the current play. */
  #open: { readonly group: FailureGroup; readonly walk: Walk }[] = [];
  #tasks = 0;
  #check = false;
  #wrote: boolean;
  #resumed = false;

  constructor(writtenBefore: readonly WrittenBefore[] = []) {
    this.#wrote = writtenBefore.length > 0;
    for (const { controller, object } of writtenBefore) remember(this.#walk(controller).written, object);
  }

  handle(event: Event): void {
    if (event.type === 'run-started') {
      this.#check = event.check;
      this.#resumed = event.resumed === true;
    }
    if (event.type === 'play-started') this.#startPlay(event.tasks);
    if (event.type === 'task-finished') this.#finish(event);
    for (const { event: check, batch } of this.#gates.handle(event))
      this.#add(check, this.#walk(check.controller), batch);
    if (event.type === 'play-finished' || event.type === 'run-finished') this.#countLeft();
  }

  /** In the order in which they first happened. */
  get groups(): readonly FailureGroup[] {
    return [...this.#groups.values()];
  }

  /** Whether a task wrote something: in check mode one with `check_mode: false` does. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** Whether nothing was to be written at all. */
  get check(): boolean {
    return this.#check;
  }

  /** Controllers that failed or could not be reached, each once. */
  get controllers(): readonly string[] {
    return [...new Set(this.groups.flatMap(({ controllers }) => controllers))];
  }

  #startPlay(tasks: number): void {
    this.#tasks = tasks;
    for (const walk of this.#walks.values()) {
      walk.done = 0;
      walk.straight = true;
    }
  }

  #finish(event: TaskFinished): void {
    const walk = this.#walk(event.controller);
    if (event.item === undefined && !event.handler && event.round === undefined) walk.done++;
    if (event.rescued === true || event.module.startsWith('include_')) walk.straight = false;
    if (event.status === 'changed' && event.change !== undefined && event.check !== true) {
      remember(walk.written, changeObject(event.change));
      this.#wrote = true;
    }
    if (event.item !== undefined) {
      if (event.status === 'failed' || event.status === 'unreachable') walk.failedItems.push(event);
      return;
    }
    const items = walk.failedItems;
    walk.failedItems = [];
    if (!isTrouble(event)) return;
    const failures = items.length > 0 ? items : [event];
    if (event.round !== undefined) this.#gates.add(failures);
    else for (const one of failures) this.#open.push({ group: this.#add(one, walk), walk });
  }

  #walk(controller: string): Walk {
    let walk = this.#walks.get(controller);
    if (walk === undefined)
      this.#walks.set(controller, (walk = { done: 0, straight: true, written: [], failedItems: [] }));
    return walk;
  }

  /** @param batch whose gate it failed */
  #add(event: TaskFinished, walk: Walk, batch?: number): FailureGroup {
    const group = this.#group(event, batch);
    if (group.controllers.at(-1) === event.controller) return group;
    group.controllers.push(event.controller);
    for (const object of walk.written) group.written.set(object, (group.written.get(object) ?? 0) + 1);
    const doubtful = event.change === undefined ? '' : changeObject(event.change);
    if (doubtful !== '') group.doubtful.set(doubtful, (group.doubtful.get(doubtful) ?? 0) + 1);
    return group;
  }

  /** At the end of a play: after a failure an `always` may still run. */
  #countLeft(): void {
    for (const { group, walk } of this.#open) {
      // What was done before a run was gone on with is not told again.
      if (!walk.straight || this.#resumed) continue;
      const left = Math.max(0, this.#tasks - walk.done);
      group.left.least = Math.min(group.left.least, left);
      group.left.most = Math.max(group.left.most, left);
    }
    this.#open = [];
  }

  #group(event: TaskFinished, batch: number | undefined): FailureGroup {
    const key = identity(event);
    let group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, (group = newGroup(event, batch)));
    return group;
  }
}

/** A controller that cannot be reached fails at whatever task comes first: the task then says nothing about the cause. */
function identity(event: TaskFinished): string {
  const cause = generalMessage(event.message ?? '', event.controller);
  if (event.status === 'unreachable' && event.round === undefined) return JSON.stringify(['unreachable', cause]);
  return JSON.stringify([event.source, event.cause ?? null, cause]);
}

function newGroup(event: TaskFinished, batch: number | undefined): FailureGroup {
  const { task, module, source, item, hint, cause } = event;
  return {
    status: event.status === 'unreachable' ? 'unreachable' : 'failed',
    task,
    module,
    source,
    message: event.message ?? 'failed without a message',
    item,
    hint,
    cause,
    gate: batch === undefined ? undefined : { batch, round: event.round ?? 1 },
    controllers: [],
    written: new Map(),
    doubtful: new Map(),
    left: { least: Infinity, most: 0 },
  };
}

function remember(list: string[], object: string): void {
  if (object !== '' && !list.includes(object)) list.push(object);
}

/** A check that failed, in a round that did not pass. */
export interface FailedCheck {
  readonly event: TaskFinished;
  readonly batch: number;
}

/** Which checks a gate failed by. A fold over all events of a run. */
export class GateFailures {
  #round: TaskFinished[] = [];
  #last: readonly TaskFinished[] = [];

  /** Of the round that is under way. */
  add(failures: readonly TaskFinished[]): void {
    for (const failure of failures) this.#round.push(failure);
  }

  /** The failures that ended the rollout, if this event says that they did: those of the last round. */
  handle(event: Event): readonly FailedCheck[] {
    if (event.type === 'gate-checked') {
      this.#last = this.#round;
      this.#round = [];
    }
    if (event.type !== 'gate-finished' || event.action === 'continue') return [];
    return this.#last.map((one) => ({ event: one, batch: event.batch }));
  }
}
