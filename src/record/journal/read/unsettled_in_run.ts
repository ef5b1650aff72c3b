import type { Event } from '../../../core/model/run/event.js';
import type { UnsettledWrite } from '../../../core/model/run/past.js';
import { orElse } from '../../../core/model/source/diagnostic.js';
import { recordText, shownText, type KeptRecord } from './entry.js';
import { reachedIn, type KeptWrite } from './past_writes.js';
import type { WholeRecords } from './whole_record.js';

/** Which writes of a run may still take effect, and when their requests left at the latest. */
export class UnsettledInRun {
  /** When the run last did anything: it may have sent until then what waited for its turn. */
  #alive = '';
  /** By name: the end of the last pause before a request. All names of a controller share the pauses that it asks for. */
  readonly #pauses = new Map<string, number>();

  /** @param reached where the run reached each name */
  constructor(
    private readonly reached: ReadonlyMap<string, KeptRecord>,
    private readonly whole: WholeRecords,
    /** Whether the clock of the run is that of this process. Otherwise its times say nothing here. */
    private readonly isSameClock: boolean,
  ) {}

  event(event: Event): void {
    if (event.time > this.#alive) this.#alive = event.time;
    if (event.type === 'request-retried' || event.type === 'controller-throttled')
      this.#pauses.set(event.controller, Date.parse(event.time) + event.seconds * 1000);
  }

  /** @throws JournalError if the key is lost, where an address is sealed */
  among(writes: readonly KeptWrite[]): readonly UnsettledWrite[] {
    return writes.filter(isUnsettled).flatMap(({ intent, finished }) => {
      const intended = Date.parse(recordText(intent, 'time'));
      if (Number.isNaN(intended)) return [];
      const end = finished === undefined ? this.#latestTime(intent) : Date.parse(recordText(finished, 'time'));
      const place = orElse(reachedIn(intent, 'url'), () => this.whole.intended(intent).reached.url);
      const sent = end > intended ? end : intended;
      return [{ place, time: this.isSameClock ? sent : Date.now(), object: shownText(intent, 'object') }];
    });
  }

  #latestTime(intent: KeptRecord): number {
    const [url, target] = [reachedIn(intent, 'url'), recordText(intent, 'target')];
    const isThere = (name: string): boolean => {
      const record = this.reached.get(name);
      return name === target || (record !== undefined && recordText(record, 'url') === url);
    };
    const pauses = [...this.#pauses].filter(([name]) => isThere(name)).map(([, end]) => end);
    return pauses.reduce((latest, end) => (latest > end ? latest : end), Date.parse(this.#alive));
  }
}

/** The controller may still carry it out. */
function isUnsettled({ outcome, finished }: KeptWrite): boolean {
  return outcome === 'unknown' && finished?.shown['answered'] !== true;
}
