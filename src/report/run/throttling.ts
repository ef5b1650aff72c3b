import type { ControllerThrottled, Event } from '../../model/run/event.js';
import { oneLine } from '../text/plain.js';
import { count, duration } from '../text/words.js';

/** So many controllers are told of; behind one gateway all of them would say the same. */
const MOST_TOLD = 3;

/** Which controllers asked for fewer requests. The first few are told when they first do, all are counted at the end. */
export class ThrottleLog {
  readonly #controllers = new Set<string>();
  #seconds = 0;

  /** What is to be told of it at once, if anything. */
  take(event: ControllerThrottled, verbosity: number): string | undefined {
    const known = this.#controllers.has(event.controller);
    this.#count(event);
    if (verbosity === 0 && (known || this.#controllers.size > MOST_TOLD)) return undefined;
    const { controller, status, seconds } = event;
    return `${oneLine(controller)}  answered ${status}: nothing is sent to it for ${duration(seconds)}, then less often`;
  }

  handle(event: Event): void {
    if (event.type === 'controller-throttled') this.#count(event);
  }

  /** For the recap: `throttled: 3 controllers, 12 s in all`; undefined if there were none. */
  get remark(): string | undefined {
    if (this.#controllers.size === 0) return undefined;
    return `throttled: ${count(this.#controllers.size, 'controller')}, ${duration(this.#seconds)} in all`;
  }

  #count({ controller, seconds }: ControllerThrottled): void {
    this.#controllers.add(controller);
    this.#seconds += seconds;
  }
}
