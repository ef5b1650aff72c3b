import { isRollback } from '../../../core/model/playbook/step_place.js';
import type { Event } from '../../../core/model/run/event.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import { recordText, type KeptRecord } from './entry.js';

/** The controllers that have passed the gate of a play, and whose steps in it did nothing since: a fold over a journal. */
export class PassedGates {
  /** By the number of the play. */
  readonly #passed = new Map<number, Set<string>>();
  /** The controllers of the latest gate. */
  #gated: readonly string[] = [];

  /** @param play the number of the current one */
  event(event: Event, play: number): void {
    if (event.type === 'gate-started') this.#gated = event.controllers;
    else if (event.type !== 'gate-finished') return;
    const passed = getOrAdd(this.#passed, play, () => new Set<string>());
    const hasPassed = event.type === 'gate-finished' && event.action === 'continue';
    for (const name of this.#gated) {
      if (hasPassed) passed.add(name);
      else passed.delete(name);
    }
  }

  record(record: KeptRecord): void {
    if (record.type !== 'step-settled' && record.type !== 'write-intended') return;
    const place = recordText(record, 'place');
    if (!isRollback(place)) this.#passed.get(Number.parseInt(place, 10))?.delete(recordText(record, 'controller'));
  }

  has(play: number, controllers: readonly string[]): boolean {
    return controllers.every((name) => this.#passed.get(play)?.has(name) === true);
  }
}
