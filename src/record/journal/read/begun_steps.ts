import type { StepRef } from '../../../core/model/run/journal.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import { recordText, type KeptRecord } from './entry.js';

/** The steps that controllers have begun: one record of each, or of an item of its loop. */
export class BegunSteps {
  /** By controller, then by step key. */
  readonly #records = new Map<string, Map<string, KeptRecord>>();
  /** The highest number of a visit to a step, by its key without that number. */
  readonly #visits = new Map<string, number>();

  add(record: KeptRecord): void {
    const key = stepOfKey(recordText(record, 'key'));
    if (key === '') return;
    getOrAdd(this.#records, recordText(record, 'controller'), () => new Map<string, KeptRecord>()).set(key, record);
    const [step, visit] = splitVisit(key);
    if (visit > (this.#visits.get(step) ?? 0)) this.#visits.set(step, visit);
  }

  find({ controller, key }: Pick<StepRef, 'controller' | 'key'>): KeptRecord | undefined {
    return key === undefined ? undefined : this.#records.get(controller)?.get(stepOfKey(key));
  }

  /** The visits of others of these controllers to steps that are written like this one. */
  alike({ key = '', ...ref }: StepRef, controllers: readonly string[]): readonly StepRef[] {
    const [step] = splitVisit(key);
    const visits = Array.from({ length: this.#visits.get(step) ?? 0 }, (_, index) => `${step}~${index + 1}`);
    const others = controllers.filter((controller) => controller !== ref.controller);
    return others.flatMap((controller) =>
      visits.flatMap((visit) => {
        const record = this.find({ controller, key: visit });
        return record === undefined ? [] : [{ ...ref, controller, key: visit, place: recordText(record, 'place') }];
      }),
    );
  }

  forget(controller: string, isGone: (record: KeptRecord) => boolean): void {
    const records = this.#records.get(controller);
    for (const [key, record] of records ?? []) if (isGone(record)) records?.delete(key);
  }
}

/** A step, or an item of its loop (`…#…`), by what it is. */
function stepOfKey(key: string): string {
  return key.split('#', 1)[0] ?? key;
}

/** The key of a step without the number of the visit, and that number (`visitKey`). */
function splitVisit(key: string): readonly [step: string, visit: number] {
  const end = key.lastIndexOf('~');
  return [key.slice(0, end), Number(key.slice(end + 1))];
}
