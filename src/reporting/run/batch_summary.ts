import type { Event, TaskFinished } from '../../core/model/run/event.js';
import { isTrouble } from '../../core/model/run/result.js';
import { placeText } from '../../core/model/source/source.js';
import { groupBy } from '../../core/model/values/groups.js';
import { changeTexts } from '../diff/change_groups.js';
import type { ReporterOptions } from '../output/options.js';
import { causeFirst, CONTROLLER, nameReplacer } from '../text/messages.js';
import { oneLine } from '../text/plain.js';
import { count, grouped } from '../text/words.js';
import type { ProgressOutcome } from './controller_progress.js';
import { identity } from './failures/failure_group.js';

/** In the order in which they are shown: what needs attention first. */
const STATUSES = ['failed', 'unreachable', 'interrupted', 'rescued', 'changed'] as const;
/** Number of different texts kept per task for changes. The others are only counted. */
const MOST_TEXTS = 100;
/** If there are more different changes in a batch, each task has one line. */
const MOST_CHANGES = 12;

/** What one task did to several controllers. */
export interface SummaryEntry {
  readonly status: (typeof STATUSES)[number];
  /** Of a task, at its position. */
  readonly place: string;
  readonly task: string;
  /** Generalised if controllers have different texts. */
  text: string;
  readonly controllers: Set<string>;
  /** The number of other changes of the task that are part of this entry. */
  others: number;
}

/** What failed, was interrupted, was rescued or changed in a batch, equal results once. A fold over events, reset at each batch. */
export class BatchSummary {
  #entries = new Map<string, SummaryEntry>();
  /** Controllers with changed items in the running loop. The changes of the items say more than their number. */
  #inLoop = new Set<string>();
  /** The number of different changes per task. */
  #texts = new Map<string, number>();

  constructor(private readonly options: Pick<ReporterOptions, 'writtenArguments' | 'plan'>) {}

  handle(event: Event): void {
    if (event.type === 'batch-started') {
      this.#entries = new Map();
      this.#inLoop = new Set();
      this.#texts = new Map();
    }
    if (event.type === 'task-finished') this.#finish(event);
  }

  /** Failures first, each with its cause; then changes, in one line per task if they are many. For a plan, only changes. */
  get entries(): readonly SummaryEntry[] {
    const all = STATUSES.flatMap((status) => [...this.#entries.values()].filter((one) => one.status === status));
    const changes = all.filter(({ status }) => status === 'changed');
    const others = this.options.plan === true ? [] : all.slice(0, all.length - changes.length);
    return [...others, ...(changes.length <= MOST_CHANGES ? changes : perTask(changes))];
  }

  #finish(event: TaskFinished): void {
    const { status, controller, item, message = '' } = event;
    const loop = this.#inLoop.has(controller);
    if (item === undefined) this.#inLoop.delete(controller);
    else if (status !== 'changed') return;
    else this.#inLoop.add(controller);
    // Its diff says more, and is shown, too.
    const isShown = event.diff && event.change !== undefined && event.change.kind !== 'none';
    if (status === 'changed') {
      if (!isShown && (item !== undefined || !loop)) this.#addChange(event);
    } else if (event.rescued === true) this.#add('rescued', event, identity(event), causeTexts(event));
    else if (status === 'interrupted')
      this.#add('interrupted', event, placeText(event.source), { own: message, common: message });
    else if (isTrouble(event))
      this.#add(status === 'failed' ? 'failed' : 'unreachable', event, identity(event), causeTexts(event));
  }

  #addChange(event: TaskFinished): void {
    const texts = changeTexts(event, this.options.writtenArguments?.(event.source));
    const place = placeText(event.source);
    const key = `${place} ${texts.common}`;
    if (this.#entries.has(`changed ${key}`)) {
      this.#add('changed', event, key, texts);
      return;
    }
    const number = (this.#texts.get(place) ?? 0) + 1;
    this.#texts.set(place, number);
    if (number <= MOST_TEXTS) this.#add('changed', event, key, texts);
    else this.#add('changed', event, place, { own: 'other changes', common: 'other changes' });
  }

  #add(
    status: SummaryEntry['status'],
    { task, source, controller }: TaskFinished,
    key: string,
    { own, common }: { readonly own: string; readonly common: string },
  ): void {
    const known = this.#entries.get(`${status} ${key}`);
    if (known === undefined) {
      const place = placeText(source);
      const entry = {
        status,
        place,
        task: oneLine(task),
        text: oneLine(own),
        controllers: new Set([controller]),
        others: 0,
      };
      this.#entries.set(`${status} ${key}`, entry);
      return;
    }
    known.controllers.add(controller);
    if (known.text !== oneLine(own)) known.text = oneLine(common);
  }
}

/** The cause of a failure, without the name of its controller: the end of the run names all that failed. */
function causeTexts({ controller, message = '' }: TaskFinished): { readonly own: string; readonly common: string } {
  const text = nameReplacer(controller, [CONTROLLER, CONTROLLER])(causeFirst(message));
  return { own: text, common: text };
}

/** One entry per task: its most frequent change, on the controllers of all its changes. */
function perTask(changes: readonly SummaryEntry[]): readonly SummaryEntry[] {
  return [...groupBy(changes, ({ place }) => place).values()].flatMap((own) => {
    const [first, ...rest] = own.toSorted((a, b) => b.controllers.size - a.controllers.size);
    if (first === undefined) return [];
    const controllers = new Set(own.flatMap((one) => [...one.controllers]));
    return [{ ...first, controllers, others: rest.length }];
  });
}

/** `10 controllers, 4 changed, 1 failed` for a finished batch; each controller counts once. */
export function outcomeText(total: number, outcomes: Readonly<Record<ProgressOutcome, number>>): string {
  const listed = (['changed', 'failed', 'unreachable', 'cut off', 'not started'] as const).flatMap((name) =>
    outcomes[name] > 0 ? [`${grouped(outcomes[name])} ${name}`] : [],
  );
  return [count(total, 'controller'), ...(listed.length > 0 ? listed : ['nothing changed'])].join(', ');
}
