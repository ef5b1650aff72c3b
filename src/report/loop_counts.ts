import type { TaskFinished } from '../model/run/event.js';
import { count, grouped } from './words.js';

/** Counts the items of loops under way, for the one line that a loop gets in the end. */
export class LoopCounts {
  readonly #counts = new Map<string, { items: number; changed: number }>();

  /** For the event of a whole task: `2 of 5 items changed`, or undefined if it was no loop. */
  take(event: TaskFinished): string | undefined {
    if (event.item !== undefined) {
      this.#count(event);
      return undefined;
    }
    const counts = this.#counts.get(event.controller);
    this.#counts.delete(event.controller);
    if (counts === undefined) return undefined;
    return `${grouped(counts.changed)} of ${count(counts.items, 'item')} changed`;
  }

  #count({ controller, status }: TaskFinished): void {
    const counts = this.#counts.get(controller) ?? { items: 0, changed: 0 };
    counts.items++;
    if (status === 'changed') counts.changed++;
    this.#counts.set(controller, counts);
  }
}
