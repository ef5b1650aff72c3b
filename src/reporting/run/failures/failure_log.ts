import type { Event, PlayStarted, TaskFinished } from '../../../core/model/run/event.js';
import { changedSomething, isTrouble } from '../../../core/model/run/result.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import type { HasWritten } from '../../output/options.js';
import { EqualTexts, type EqualText } from '../../text/equal_texts.js';
import { addRoutes } from '../routes.js';
import { addUnconfirmed, causeKey, newGroup, objectPlace, writtenObject, type FailureGroup } from './failure_group.js';

interface WalkFailures {
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
  readonly #walks = new Map<string, WalkFailures>();
  readonly #gates = new GateFailures();
  readonly #names = new SharedNames();
  /** The route of each controller that has one. */
  readonly routes = new Map<string, string>();
  readonly #unconfirmed = new EqualTexts();
  /** Failures of the current play. */
  #open: { readonly group: FailureGroup; readonly walk: WalkFailures }[] = [];
  #tasks = 0;
  /** Whether this was a check. */
  check = false;
  #resumed = false;

  constructor(writtenBefore: readonly HasWritten[] = []) {
    for (const { controller, object } of writtenBefore) this.#walk(controller).written.add(object);
  }

  handle(event: Event): void {
    if (event.type === 'run-started') {
      this.check = event.check;
      this.#resumed = event.resumed === true;
    }
    if (event.type === 'play-started') this.#startPlay(event);
    if (event.type === 'task-finished') this.#finish(event);
    for (const { event: check, batch } of this.#gates.handle(event))
      this.#add(check, this.#walk(check.controller), batch);
    if (event.type === 'play-finished' || event.type === 'run-finished') this.#countLeft();
  }

  /** In the order in which they first happened. */
  get groups(): readonly FailureGroup[] {
    return [...this.#groups.values()];
  }

  /** Writes with an unknown outcome that are in no group, because the task was ignored, rescued or interrupted. */
  get unconfirmed(): readonly EqualText[] {
    return this.#unconfirmed.joined;
  }

  /** Controllers that failed or could not be reached, each once. */
  get controllers(): readonly string[] {
    return [...new Set(this.groups.flatMap(({ controllers }) => [...controllers.keys()]))];
  }

  #startPlay(event: PlayStarted): void {
    addRoutes(this.routes, event);
    this.#tasks = event.tasks;
    for (const walk of this.#walks.values()) {
      walk.done = 0;
      walk.straight = true;
    }
  }

  #finish(event: TaskFinished): void {
    const walk = this.#walk(event.controller);
    if (event.item === undefined && !event.handler && event.round === undefined) walk.done++;
    if (event.rescued === true || event.module.startsWith('include_')) walk.straight = false;
    if (hasWritten(event)) walk.written.add(objectPlace(writtenObject(event), event));
    if (event.item !== undefined) {
      if (event.status === 'failed' || event.status === 'unreachable') (walk.failedItems ??= []).push(event);
      else if (mayHaveWritten(event)) addUnconfirmed(this.#unconfirmed, event);
      return;
    }
    const items = walk.failedItems;
    walk.failedItems = undefined;
    if (!isTrouble(event)) {
      for (const one of items ?? [event]) if (mayHaveWritten(one)) addUnconfirmed(this.#unconfirmed, one);
      return;
    }
    const failures = items ?? [event];
    if (event.round !== undefined) this.#gates.add(failures);
    else for (const one of failures) this.#open.push({ group: this.#add(one, walk), walk });
  }

  #walk(controller: string): WalkFailures {
    return getOrAdd(this.#walks, controller, () => ({
      done: 0,
      straight: true,
      written: new WrittenNames(this.#names),
      failedItems: undefined,
    }));
  }

  /** @param batch the batch whose gate failed */
  #add(event: TaskFinished, walk: WalkFailures, batch?: number): FailureGroup {
    const group = this.#group(event, batch);
    if (event.item !== undefined) group.items.add(event.item);
    if (event.delegatedTo !== undefined) group.delegates.add(event.delegatedTo);
    if (mayHaveWritten(event)) addUnconfirmed(group.unconfirmed, event);
    const route = this.routes.get(event.delegatedTo ?? event.controller);
    if (route !== undefined && !group.controllers.has(event.controller))
      group.routes.set(route, (group.routes.get(route) ?? 0) + 1);
    group.controllers.set(event.controller, walk.written.all);
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
    return getOrAdd(this.#groups, causeKey(event), () => newGroup(event, batch));
  }
}

/** Also of a task that failed. In check mode, a task with `check_mode: false` writes. */
export function hasWritten(event: TaskFinished): boolean {
  return changedSomething(event) && hasChange(event) && event.check !== true;
}

function hasChange({ change, maskedChange }: TaskFinished): boolean {
  return change !== undefined || maskedChange === true;
}

/** The outcome is unknown, or the controller does not show what it has accepted. */
export function mayHaveWritten(event: TaskFinished): boolean {
  const { check, status, unconfirmed } = event;
  if (unconfirmed === true) return true;
  const hasFailed = status === 'failed' || status === 'unreachable';
  return hasFailed && hasChange(event) && check !== true && !hasWritten(event);
}

/** A check that failed, in a failed round. */
interface LoggedCheck {
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
  handle(event: Event): readonly LoggedCheck[] {
    if (event.type === 'gate-checked') {
      this.#last = this.#round;
      this.#round = [];
    }
    if (event.type !== 'gate-finished' || event.action === 'continue') return [];
    return this.#last.map((one) => ({ event: one, batch: event.batch }));
  }
}

/** Names of objects that one controller wrote, each once. */
export class WrittenNames {
  /** The first names, in a list that controllers with the same names share. */
  #first: readonly string[];
  #others: string[] | undefined;

  constructor(private readonly shared: SharedNames) {
    this.#first = shared.none;
  }

  get all(): readonly string[] {
    return this.#others === undefined ? this.#first : [...this.#first, ...this.#others];
  }

  add(name: string): void {
    if (name === '' || this.#first.includes(name) || this.#others?.includes(name) === true) return;
    const longer = this.#others === undefined ? this.shared.longer(this.#first, name) : undefined;
    if (longer === undefined) (this.#others ??= []).push(this.shared.name(name));
    else this.#first = longer;
  }
}

const MOST_SHARED = 1_000;
const LONGEST_SHARED = 50;

/** Most controllers write the same objects in the same order: their names, and lists of names, are kept once. */
export class SharedNames {
  readonly none: readonly string[] = [];
  readonly #names = new Map<string, string>();
  /** For each list, the lists that are longer by one name, keyed by that name. */
  readonly #longer = new Map<readonly string[], Map<string, readonly string[]>>([[this.none, new Map()]]);

  name(name: string): string {
    const known = this.#names.get(name) ?? name;
    if (this.#names.size < MOST_SHARED) this.#names.set(known, known);
    return known;
  }

  /** Undefined if there are too many lists, or the list is too long. */
  longer(list: readonly string[], name: string): readonly string[] | undefined {
    const known = this.#longer.get(list)?.get(name);
    if (known !== undefined) return known;
    if (this.#longer.size >= MOST_SHARED || list.length >= LONGEST_SHARED) return undefined;
    const longer = [...list, this.name(name)];
    this.#longer.get(list)?.set(name, longer);
    this.#longer.set(longer, new Map());
    return longer;
  }
}
