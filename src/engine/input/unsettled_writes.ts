import type { UnsettledWrite } from '../../core/model/run/past.js';
import { getOrAdd } from '../../core/model/values/groups.js';

/** The unsettled writes to a controller, and what the run has done about them. */
interface Unsettled {
  readonly objects: Set<string>;
  /** When the last one was about to be sent, on the monotonic clock. */
  since: number;
  last: string | undefined;
  isAnnounced: boolean;
  hasSettled: boolean;
}

/** A task that reads an object again, and reports if it has changed. */
export type Recheck = () => Promise<void>;

/**
 * The writes that runs before this one left without an outcome. Before it reads, the run waits until they have settled.
 * At its end it reads their objects once more.
 */
export class UnsettledWrites {
  readonly #places = new Map<string, Unsettled>();
  readonly #rechecks = new Map<string, Recheck>();

  constructor(private readonly toPlace: (identity: string) => string) {}

  /** With the identities of controllers as places. */
  addTo(writes: readonly UnsettledWrite[]): void {
    this.add(writes.map((write) => ({ ...write, place: this.toPlace(write.place) })));
  }

  /** With places as `toPlace` returns them. */
  add(writes: readonly UnsettledWrite[]): void {
    for (const { place, object, time } of writes) {
      const fresh = { since: -Infinity, last: undefined, isAnnounced: false, hasSettled: false };
      const known = getOrAdd(this.#places, place, () => ({ ...fresh, objects: new Set<string>() }));
      if (object !== undefined) known.objects.add(object);
      const since = performance.now() - Math.max(0, Date.now() - time);
      if (since < known.since) continue;
      known.hasSettled = false;
      known.since = since;
      known.last = object;
    }
  }

  /**
   * How long to wait before the controller is contacted. Undefined: there is nothing to wait for.
   * @param settles the seconds after which a write has settled
   */
  waitFor(
    identity: string,
    settles: number,
  ): { readonly seconds: number; readonly object: string | undefined } | undefined {
    const known = this.#unsettled(identity);
    if (known === undefined) return undefined;
    const seconds = settles - (performance.now() - known.since) / 1000;
    known.hasSettled = seconds <= 0;
    return known.hasSettled ? undefined : { seconds, object: known.last };
  }

  /** Whether the run has waited for the writes of a place. */
  haveSettled(place: string): boolean {
    return this.#places.get(place)?.hasSettled !== false;
  }

  /** True once for each controller. */
  announce(identity: string): boolean {
    const known = this.#unsettled(identity);
    if (known === undefined || known.isAnnounced) return false;
    known.isAnnounced = true;
    return true;
  }

  /** The last task that was carried out on an object decides how it must be at the end. */
  recheckAtEnd(identity: string, object: string, recheck: Recheck): void {
    if (this.#unsettled(identity)?.objects.has(object) === true) this.#rechecks.set(`${identity} ${object}`, recheck);
  }

  async recheck(): Promise<void> {
    await Promise.all([...this.#rechecks.values()].map((recheck) => recheck()));
  }

  #unsettled(identity: string): Unsettled | undefined {
    return this.#places.size === 0 ? undefined : this.#places.get(this.toPlace(identity));
  }
}
