import type { Event, TaskFinished } from '../../core/model/run/event.js';
import { isTrouble } from '../../core/model/run/result.js';
import { changeWords, resumptionWords } from '../diff/change_words.js';
import { causeFirst, generalMessage } from '../text/messages.js';
import { oneLine } from '../text/plain.js';
import { count, grouped } from '../text/words.js';
import type { ProgressOutcome } from './controller_progress.js';

/** Number of different texts kept per task. Beyond it, only the task is named. */
const MOST_TEXTS = 5;

/** What one task did to several controllers. */
export interface SummaryEntry {
  readonly status: 'changed' | 'rescued' | 'failed' | 'unreachable' | 'interrupted';
  readonly text: string;
  readonly controllers: string[];
}

/** What changed, was rescued, failed or was interrupted in a batch, grouped. A fold over events, reset at each batch. */
export class BatchSummary {
  #entries = new Map<string, SummaryEntry>();
  /** For each controller in a loop, the entries of its items. */
  #items = new Map<string, Set<string>>();
  /** The number of different texts per task. */
  #texts = new Map<string, number>();

  handle(event: Event): void {
    if (event.type === 'batch-started') this.#restart();
    if (event.type === 'task-finished') this.#finish(event);
  }

  get entries(): readonly SummaryEntry[] {
    return [...this.#entries.values()];
  }

  #restart(): void {
    this.#entries = new Map();
    this.#items = new Map();
    this.#texts = new Map();
  }

  #finish(event: TaskFinished): void {
    if (event.item !== undefined) {
      this.#finishItem(event);
      return;
    }
    const items = this.#items.get(event.controller);
    this.#items.delete(event.controller);
    // The changes of the items say more than their number.
    if (event.status === 'changed' && items !== undefined) return;
    if (event.status === 'changed') this.#add('changed', event, this.#changeText(event));
    else if (event.rescued === true) this.#add('rescued', event, causeFirst(event.message ?? ''));
    else if (event.status === 'interrupted') this.#add('interrupted', event, event.message ?? '');
    else if (isTrouble(event))
      this.#add(event.status === 'failed' ? 'failed' : 'unreachable', event, causeFirst(event.message ?? ''));
  }

  #finishItem(event: TaskFinished): void {
    const words = event.status === 'changed' ? this.#changeText(event) : '';
    if (words === '') return;
    const shown = this.#items.get(event.controller) ?? new Set();
    this.#items.set(event.controller, shown);
    this.#add('changed', event, words, shown);
  }

  #changeText(event: TaskFinished): string {
    const { message = '', resumed } = event;
    const words = changeWords(event);
    const again = resumptionWords(resumed);
    return `${words === '' ? message : words}${again === '' ? '' : `; ${again}`}`;
  }

  /** @param shown for an item of a loop: the entries that the controller is already in */
  #add(status: SummaryEntry['status'], event: TaskFinished, detail: string, shown = new Set<string>()): void {
    const task = oneLine(event.task);
    const place = JSON.stringify([status, event.source.file, event.source.line, event.source.column]);
    const exact = place + generalMessage(detail, event.controller);
    const known = this.#entries.get(exact);
    if (known !== undefined) {
      if (!shown.has(exact)) known.controllers.push(event.controller);
      shown.add(exact);
      return;
    }
    const texts = (this.#texts.get(place) ?? 0) + 1;
    this.#texts.set(place, texts);
    const crowded = texts > MOST_TEXTS;
    const text = crowded ? `${task}: otherwise` : `${task}${detail === '' ? '' : `: ${oneLine(detail)}`}`;
    const key = crowded ? `${place}…` : exact;
    if (!shown.has(key)) this.#append(key, { status, text, controllers: [event.controller] });
    shown.add(key);
  }

  #append(key: string, entry: SummaryEntry): void {
    const known = this.#entries.get(key);
    if (known === undefined) this.#entries.set(key, entry);
    else for (const name of entry.controllers) known.controllers.push(name);
  }
}

/** `10 controllers, 4 changed, 1 failed` for a finished batch; each controller counts once. */
export function outcomeText(total: number, outcomes: Readonly<Record<ProgressOutcome, number>>): string {
  const listed = (['changed', 'failed', 'unreachable', 'cut off', 'not started'] as const).flatMap((name) =>
    outcomes[name] > 0 ? [`${grouped(outcomes[name])} ${name}`] : [],
  );
  return [count(total, 'controller'), ...(listed.length > 0 ? listed : ['nothing changed'])].join(', ');
}
