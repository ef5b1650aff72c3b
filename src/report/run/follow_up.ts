import type { Event } from '../../model/run/event.js';
import { count, grouped } from '../text/words.js';

/** The module of the task that a rollback consists of. */
const ROLLBACK = 'rollback';

/** For the recap: what a resume made of writes that were cut off, and what a rollback put back. A fold over the events of a run. */
export class FollowUpLog {
  #found = 0;
  #repeated = 0;
  #restored = 0;
  #before = 0;
  #check = false;

  handle(event: Event): void {
    if (event.type === 'run-started') this.#check = event.check;
    if (event.type !== 'task-finished') return;
    if (event.resumed === 'found') this.#found++;
    if (event.resumed === 'repeated') this.#repeated++;
    if (event.module !== ROLLBACK || event.item === undefined) return;
    if (event.status === 'changed') this.#restored++;
    if (event.status === 'ok') this.#before++;
  }

  /** `1 interrupted write had taken effect`, `put back 6 objects` */
  get remarks(): readonly string[] {
    const put = this.#check ? 'would put back' : 'put back';
    return [
      ...(this.#found > 0 ? [`${count(this.#found, 'interrupted write')} had taken effect`] : []),
      ...(this.#repeated > 0 ? [`${count(this.#repeated, 'interrupted write')} repeated`] : []),
      ...(this.#restored > 0 ? [`${put} ${count(this.#restored, 'object')}`] : []),
      ...(this.#before > 0
        ? [`${grouped(this.#before)} ${this.#before === 1 ? 'was' : 'were'} as before already`]
        : []),
    ];
  }
}
