import type { Event, TaskFinished } from '../../core/model/run/event.js';
import { changedSomething, isTrouble } from '../../core/model/run/result.js';
import { placeText, type Source } from '../../core/model/source/diagnostic.js';
import { groupBy } from '../../core/model/values/groups.js';
import { ChangeGroups, changeTexts, type ChangeGroup } from '../diff/change_groups.js';
import type { WrittenArguments } from '../output/options.js';
import { actingController, causeLine, withoutName } from '../text/messages.js';
import { oneLine } from '../text/plain.js';
import { titleText } from '../text/shorten.js';
import { compareNames } from '../text/words.js';
import { causeKey } from './failures/failure_group.js';

/** In the order in which they are shown: what needs attention first. */
const STATUSES = ['failed', 'unreachable', 'interrupted', 'rescued', 'ignored', 'changed'] as const;
/** Number of different texts kept per task for changes. The others are only counted. */
const MOST_TEXTS = 100;
const MOST_DIFFS = 1000;
const OTHERS = 'other changes';

/** What one task did to several controllers, in the same words. */
export interface ResultGroup {
  readonly status: (typeof STATUSES)[number];
  readonly source: Source;
  readonly task: string;
  /** Generalised if controllers have different texts. */
  text: string;
  /** With the delegates of those that delegated the task: `lb1 → lb2`. */
  readonly controllers: Set<string>;
  /** The changes in full, if they are kept. */
  readonly changes?: ChangeGroups | undefined;
}

/** The same change on some controllers. */
export interface EqualChange {
  /** `created cloud "edge"` */
  readonly words: string;
  /** Undefined if the task did not say what it changed. */
  readonly change: ChangeGroup | undefined;
  readonly controllers: readonly string[];
}

/** The changes of one task, the most frequent first. */
export interface TaskChanges {
  readonly task: string;
  readonly changes: readonly EqualChange[];
}

interface ResultOptions {
  /** The arguments of tasks as they are written, if known. */
  readonly written?: WrittenArguments | undefined;
  /** Keep changes in full. Else leave out those whose diff is shown anyway. */
  readonly full?: boolean;
  /** Masks the words, with what is secret by then. */
  readonly mask?: ((text: string) => string) | undefined;
}

/**
 * What failed, was interrupted, rescued or ignored, and what changed, equal results once: a fold over events. The terminal, logs and reports show these
 * groups; pages group cells by the same keys.
 */
export class ResultGroups {
  #groups = new Map<string, ResultGroup>();
  /** Controllers with changed items in the running loop. The changes of the items say more than their number. */
  #inLoop = new Set<string>();
  /** The number of different changes per task. */
  #texts = new Map<string, number>();

  readonly mask: (text: string) => string;

  constructor(private readonly options: ResultOptions = {}) {
    this.mask = options.mask ?? ((text) => text);
  }

  /** Failures first, each with its cause. */
  get all(): readonly ResultGroup[] {
    return this.#having(STATUSES).map((one) => this.#shown(one));
  }

  /** The last causes of failures, and the number of others: a view that is painted again and again masks only what it shows. */
  causes(most: number): { readonly shown: readonly ResultGroup[]; readonly hidden: number } {
    const found = this.#having(['failed', 'unreachable']);
    const shown = found.slice(-most).map((one) => this.#shown(one));
    return { shown, hidden: found.length - shown.length };
  }

  #having(statuses: readonly ResultGroup['status'][]): readonly ResultGroup[] {
    const groups = [...this.#groups.values()];
    return statuses.flatMap((status) => groups.filter((one) => one.status === status));
  }

  #shown(group: ResultGroup): ResultGroup {
    return { ...group, task: titleText(group.task, this.mask), text: this.mask(group.text) };
  }

  get tasks(): readonly TaskChanges[] {
    const changed = this.all.filter(({ status }) => status === 'changed');
    return [...groupBy(changed, ({ source, task }) => `${placeText(source)} ${task}`).values()].map((groups) => ({
      task: groups[0].task,
      changes: groups.flatMap(equalChanges).toSorted(byFrequency),
    }));
  }

  forget(): void {
    this.#groups = new Map();
    this.#inLoop = new Set();
    this.#texts = new Map();
  }

  handle(event: Event): void {
    if (event.type !== 'task-finished') return;
    const { status, controller, item, message = '' } = event;
    const loop = this.#inLoop.has(controller);
    const isChanged = changedSomething(event);
    if (item === undefined) this.#inLoop.delete(controller);
    else if (isChanged) this.#inLoop.add(controller);
    if (isChanged) this.#change(event, loop);
    if (item !== undefined || status === 'changed') return;
    if (event.rescued === true) this.#add('rescued', event, causeKey(event), causeTexts(event));
    else if (event.ignored === true) this.#add('ignored', event, causeKey(event), causeTexts(event));
    else if (status === 'interrupted')
      this.#add('interrupted', event, placeText(event.source), { own: message, common: message });
    else if (isTrouble(event))
      this.#add(status === 'failed' ? 'failed' : 'unreachable', event, causeKey(event), causeTexts(event));
  }

  /** @param loop whether items of the task have changed */
  #change(event: TaskFinished, loop: boolean): void {
    const { change, item, source } = event;
    const { full = false, written } = this.options;
    const isFull = change !== undefined && change.kind !== 'none';
    // The message of a failure is its cause.
    if (!isFull && event.maskedChange !== true && event.status !== 'changed') return;
    if (isFull && !full && event.diff) return;
    if (!(isFull && full) && item === undefined && loop) return;
    const args = written?.(source);
    const group = this.#changeGroup(event, changeTexts(event, args));
    if (isFull) group.changes?.add(event, change, args);
  }

  #changeGroup(event: TaskFinished, texts: ReturnType<typeof changeTexts>): ResultGroup {
    const place = placeText(event.source);
    const key = `${place} ${event.task} ${texts.common}`;
    const number = this.#texts.get(place) ?? 0;
    if (!this.#groups.has(`changed ${key}`)) {
      const most = this.options.full === true ? MOST_DIFFS : MOST_TEXTS;
      if (number >= most) return this.#add('changed', event, place, { own: OTHERS, common: OTHERS });
      this.#texts.set(place, number + 1);
    }
    return this.#add('changed', event, key, texts);
  }

  #add(
    status: ResultGroup['status'],
    event: TaskFinished,
    key: string,
    { own, common }: ReturnType<typeof changeTexts>,
  ): ResultGroup {
    const { task, source } = event;
    const controller = actingController(event);
    const known = this.#groups.get(`${status} ${key}`);
    if (known === undefined) {
      const controllers = new Set([controller]);
      const changes = status === 'changed' && this.options.full === true ? new ChangeGroups() : undefined;
      const group = { status, source, task: oneLine(task), text: oneLine(own), controllers, changes };
      this.#groups.set(`${status} ${key}`, group);
      return group;
    }
    known.controllers.add(controller);
    if (known.text !== oneLine(own)) known.text = oneLine(common);
    return known;
  }
}

/** The cause of a failure. Of several controllers, without their names: the end of the run names all that failed. */
function causeTexts({ controller, message = '' }: TaskFinished): ReturnType<typeof changeTexts> {
  const own = causeLine(message);
  return { own, common: withoutName(own, controller) };
}

function equalChanges({ text, controllers, changes }: ResultGroup): readonly EqualChange[] {
  const sorted = changes?.sorted ?? [];
  const inFull = new Set(sorted.flatMap((change) => [...change.controllers]));
  const others = [...controllers].filter((name) => !inFull.has(name));
  return [
    ...sorted.map((change) => ({ words: text, change, controllers: [...change.controllers] })),
    ...(others.length > 0 ? [{ words: text, change: undefined, controllers: others }] : []),
  ];
}

/** Those that are not known in full come last. */
function byFrequency(a: EqualChange, b: EqualChange): number {
  if ((a.change === undefined) !== (b.change === undefined)) return a.change === undefined ? 1 : -1;
  return b.controllers.length - a.controllers.length || compareNames(firstName(a), firstName(b));
}

function firstName({ controllers }: EqualChange): string {
  return controllers.reduce((first, name) => (compareNames(name, first) < 0 ? name : first), controllers[0] ?? '');
}
