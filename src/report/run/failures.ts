import { type Event, HANDOVER, type TaskFinished } from '../../model/run/event.js';
import type { Source } from '../../model/source/source.js';
import { generalMessage, generalText, causeFirst } from '../text/messages.js';
import { changeObject } from '../diff/change_words.js';
import type { WrittenBefore } from '../output/options.js';
import { isTrouble } from '../../model/run/result.js';
import { SiteLog } from './sites.js';
import { SharedNames, WrittenNames } from './written_names.js';

/** Controllers that failed at the same task for the same cause. */
export interface FailureGroup {
  readonly status: 'failed' | 'unreachable';
  readonly task: string;
  readonly module: string;
  readonly source: Source;
  readonly message: string;
  readonly item: string | undefined;
  readonly hint: string | undefined;
  readonly cause: Source | undefined;
  /** The gate, if the task was one of its checks. */
  readonly gate: { readonly batch: number; readonly round: number } | undefined;
  readonly controllers: string[];
  /** The sites of the controllers that have one, with the number of controllers each. */
  readonly sites: Map<string, number>;
  /** Objects written before the failure, with the number of controllers each. */
  readonly written: Map<string, number>;
  /** Writes with an unknown outcome. */
  readonly unconfirmed: UnconfirmedWrites;
  /** Fewest and most tasks of the play that did not run after it, where they can be counted. */
  readonly left: { least: number; most: number };
}

/** Objects whose last write has an unknown outcome. Objects that differ only in the name of their controller are one entry. */
export interface UnconfirmedWrite {
  /** The object, with `<controller>` in place of the controller's name if it differs. Empty: `no_log` masks it. */
  object: string;
  readonly controllers: string[];
}

type UnconfirmedWrites = Map<string, UnconfirmedWrite>;

interface Walk {
  /** Finished tasks of the current play. */
  done: number;
  /** Whether there was no rescue and no include so far, so that the remaining planned tasks can be counted. */
  straight: boolean;
  /** Objects written in this run. */
  readonly written: WrittenNames;
  /** Failed items of the running loop. */
  failedItems: TaskFinished[] | undefined;
}

/** Records what each controller did, and groups failures. A fold over the events of a run, or of a resumed part of it. */
export class FailureLog {
  readonly #groups = new Map<string, FailureGroup>();
  readonly #walks = new Map<string, Walk>();
  readonly #gates = new GateFailures();
  readonly #names = new SharedNames();
  readonly #sites = new SiteLog();
  readonly #unconfirmed: UnconfirmedWrites = new Map();
  /** Failures of the current play. */
  #open: { readonly group: FailureGroup; readonly walk: Walk }[] = [];
  #tasks = 0;
  #check = false;
  #wrote: boolean;
  #resumed = false;

  constructor(writtenBefore: readonly WrittenBefore[] = []) {
    this.#wrote = writtenBefore.length > 0;
    for (const { controller, object } of writtenBefore) this.#walk(controller).written.add(object);
  }

  handle(event: Event): void {
    if (event.type === 'run-started') {
      this.#check = event.check;
      this.#resumed = event.resumed === true;
    }
    this.#sites.handle(event);
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

  /** The site of each controller that has one. */
  get sites(): ReadonlyMap<string, string> {
    return this.#sites.all;
  }

  /** Writes with an unknown outcome that are in no group, because the task was ignored, rescued or interrupted. */
  get unconfirmed(): readonly UnconfirmedWrite[] {
    return [...this.#unconfirmed.values()];
  }

  /** Whether a task wrote something. In check mode, a task with `check_mode: false` does. */
  get wrote(): boolean {
    return this.#wrote;
  }

  /** Whether this was a check. */
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
    if (event.item === undefined && !event.handler && event.round === undefined && event.module !== HANDOVER)
      walk.done++;
    if (event.rescued === true || event.module.startsWith('include_')) walk.straight = false;
    if (event.status === 'changed' && event.change !== undefined && event.check !== true) {
      walk.written.add(changeObject(event.change));
      this.#wrote = true;
    }
    if (event.item !== undefined) {
      if (event.status === 'failed' || event.status === 'unreachable') (walk.failedItems ??= []).push(event);
      else if (event.unconfirmed === true) addUnconfirmed(this.#unconfirmed, event);
      return;
    }
    const items = walk.failedItems;
    walk.failedItems = undefined;
    if (!isTrouble(event)) {
      for (const one of items ?? [event]) if (one.unconfirmed === true) addUnconfirmed(this.#unconfirmed, one);
      return;
    }
    const failures = items ?? [event];
    if (event.round !== undefined) this.#gates.add(failures);
    else for (const one of failures) this.#open.push({ group: this.#add(one, walk), walk });
  }

  #walk(controller: string): Walk {
    let walk = this.#walks.get(controller);
    if (walk === undefined) {
      walk = { done: 0, straight: true, written: new WrittenNames(this.#names), failedItems: undefined };
      this.#walks.set(controller, walk);
    }
    return walk;
  }

  /** @param batch the batch whose gate failed */
  #add(event: TaskFinished, walk: Walk, batch?: number): FailureGroup {
    const group = this.#group(event, batch);
    if (group.controllers.at(-1) === event.controller) return group;
    group.controllers.push(event.controller);
    const site = this.sites.get(event.controller);
    if (site !== undefined) group.sites.set(site, (group.sites.get(site) ?? 0) + 1);
    for (const object of walk.written.all) group.written.set(object, (group.written.get(object) ?? 0) + 1);
    if (event.change !== undefined || event.unconfirmed === true) addUnconfirmed(group.unconfirmed, event);
    return group;
  }

  /** Counts at the end of a play, because an `always` may still run after a failure. */
  #countLeft(): void {
    for (const { group, walk } of this.#open) {
      // Events from before a resume are not reported again.
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

/** An unreachable controller fails at its first task, so the task says nothing about the cause. */
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
    message: causeFirst(event.message ?? 'failed without a message'),
    item,
    hint,
    cause,
    gate: batch === undefined ? undefined : { batch, round: event.round ?? 1 },
    controllers: [],
    sites: new Map(),
    written: new Map(),
    unconfirmed: new Map(),
    left: { least: Infinity, most: 0 },
  };
}

function addUnconfirmed(writes: UnconfirmedWrites, { controller, change }: TaskFinished): void {
  const object = change === undefined ? '' : changeObject(change);
  const general = generalText(object, controller);
  const known = writes.get(general);
  if (known === undefined) writes.set(general, { object, controllers: [controller] });
  else {
    if (known.object !== object) known.object = general;
    if (known.controllers.at(-1) !== controller) known.controllers.push(controller);
  }
}

/** A check that failed, in a failed round. */
interface FailedCheck {
  readonly event: TaskFinished;
  readonly batch: number;
}

/** The checks that made a gate fail. A fold over the events of a run. */
class GateFailures {
  #round: TaskFinished[] = [];
  #last: readonly TaskFinished[] = [];

  /** Failures of the current round. */
  add(failures: readonly TaskFinished[]): void {
    for (const failure of failures) this.#round.push(failure);
  }

  /** If this event stops the rollout, the failures of the last round, which are the reason. */
  handle(event: Event): readonly FailedCheck[] {
    if (event.type === 'gate-checked') {
      this.#last = this.#round;
      this.#round = [];
    }
    if (event.type !== 'gate-finished' || event.action === 'continue') return [];
    return this.#last.map((one) => ({ event: one, batch: event.batch }));
  }
}
