import { randomBytes } from 'node:crypto';
import { connectToNats, natsError, type NatsOptions } from './broker/connection.js';
import { eachOf, LeaseTable, withoutToken, type Conflict, type LeaseHolder } from './lease/lease_table.js';
import { Link } from './broker/link.js';
import { Lease, now } from './protocol/registry.js';
import { LEASE_MS, openBucket, openStorage, requireToken } from './broker/storage.js';

/** Another run's lease on controllers that this run needs. */
interface LeaseConflict {
  readonly holder: LeaseHolder;
  /** The controllers that both runs need. Empty if both are processes of one run. */
  readonly places: readonly string[];
}

export type AcquireLeases =
  { readonly status: 'held' } | { readonly status: 'refused'; readonly conflicts: readonly LeaseConflict[] };

export interface NatsLocksOptions {
  readonly nats: NatsOptions;
  readonly holder: LeaseHolder;
  /** Called when this run takes over the lease of a run that ended without releasing it. */
  readonly onTakeOver?: ((holder: LeaseHolder) => void) | undefined;
  readonly report: (line: string) => void;
  /** Milliseconds without a heartbeat after which the leases of a run expire. */
  readonly leaseMs?: number | undefined;
}

/** Maximum wait for a run that is still acquiring its leases. */
const PATIENCE_MS = 5000;
const SOON_MS = 50;

/**
 * Leases on controllers, for coordinators on several machines. A key for each controller names the run that holds it; a run is alive as
 * long as its own key is refreshed. Keys are created, and taken over, only at the revision that was read, so one of two runs wins. If
 * each of two runs has some of the other's controllers, the one with the smaller token waits and the other withdraws.
 */
export class NatsLocks {
  /** Revisions of the held leases, by place. */
  readonly #held = new Map<string, number>();
  readonly #lost = new AbortController();
  readonly #lease: Lease;
  #state: 'acquiring' | 'held' = 'held';
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly run: string,
    private readonly token: string,
    private readonly link: Link,
    private readonly table: LeaseTable,
    private readonly leaseMs: number,
  ) {
    this.#lease = new Lease(leaseMs);
  }

  /** @throws NatsError */
  static async open({ nats, holder, onTakeOver, report, leaseMs = LEASE_MS }: NatsLocksOptions): Promise<NatsLocks> {
    const { run } = holder;
    requireToken('run id', run);
    const link = new Link(await connectToNats(nats, `evenkeel locks ${run}`), report);
    try {
      const storage = await openStorage(link);
      const places = await openBucket(storage, 'evenkeel_locks');
      const holders = await openBucket(storage, 'evenkeel_lock_holders', leaseMs);
      const token = `${run}_${randomBytes(6).toString('hex')}`;
      const table = new LeaseTable(link, { places, holders }, { token, ...holder }, leaseMs, (gone) =>
        onTakeOver?.(gone),
      );
      const locks = new NatsLocks(run, token, link, table, leaseMs);
      await locks.#refresh();
      locks.#timer = setInterval(() => void locks.#refresh().catch(() => undefined), leaseMs / 3);
      return locks;
    } catch (error) {
      await link.close();
      throw natsError(error, 'lock controllers');
    }
  }

  has(place: string): boolean {
    return this.#held.has(place);
  }

  /** Aborted when another run has taken over a lease, because this run sent no heartbeat for too long. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Whether the broker has recently confirmed the leases. If not, another run may soon take them over. */
  get areConfirmed(): boolean {
    return this.#lease.isFresh() && !this.#lost.signal.aborted;
  }

  /**
   * Acquires all of them or none. Never waits for another run to end.
   * @throws NatsError
   */
  async acquire(places: Iterable<string>): Promise<AcquireLeases> {
    // Two processes of one run never hold leases at the same time.
    const wanted = [...new Set([`run ${this.run}`, ...places])].filter((place) => !this.has(place)).sort();
    if (wanted.length === 0) return { status: 'held' };
    const taken = new Map<string, number>();
    try {
      await this.#enter('acquiring');
      const conflicts = await this.#takeAll(wanted, taken);
      if (conflicts.length > 0) {
        await this.table.release(taken);
        return { status: 'refused', conflicts: byHolder(conflicts) };
      }
      for (const [place, revision] of taken) this.#held.set(place, revision);
      return { status: 'held' };
    } catch (error) {
      await this.table.release(taken).catch(() => undefined);
      throw natsError(error, 'lock controllers');
    } finally {
      await this.#enter('held').catch(() => undefined);
    }
  }

  /** Releases all leases. Never throws. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.table.release(this.#held);
      this.#held.clear();
      await this.table.end();
    } catch {
      // The leases expire by themselves.
    }
    await this.link.close();
  }

  /** Retries while a conflicting run can still withdraw. */
  async #takeAll(wanted: readonly string[], taken: Map<string, number>): Promise<readonly Conflict[]> {
    const end = performance.now() + PATIENCE_MS;
    let missing = wanted;
    for (;;) {
      const conflicts = await this.#takeEach(missing, taken);
      const isHopeless = conflicts.some(({ isAcquiring, lease }) => !isAcquiring || lease.token < this.token);
      if (conflicts.length === 0 || isHopeless || performance.now() > end) return conflicts;
      missing = conflicts.map(({ place }) => place);
      await this.link.retryIn(SOON_MS);
    }
  }

  async #takeEach(places: readonly string[], taken: Map<string, number>): Promise<readonly Conflict[]> {
    const conflicts: Conflict[] = [];
    await eachOf(places, async (place) => {
      const result = await this.table.take(place);
      if (typeof result === 'number') taken.set(place, result);
      else conflicts.push(result);
    });
    return conflicts;
  }

  async #enter(state: 'acquiring' | 'held'): Promise<void> {
    this.#state = state;
    await this.#refresh();
  }

  async #refresh(): Promise<void> {
    const { epoch } = this.#lease;
    const sent = now();
    await this.table.refresh(this.#state);
    this.#lease.confirm(sent);
    if (this.#lease.epoch !== epoch) await this.#verify();
  }

  /** After missed heartbeats, checks that this run still has its leases. */
  async #verify(): Promise<void> {
    await eachOf([...this.#held.keys()], async (place) => {
      const { lease } = await this.table.read(place);
      if (lease?.token === this.token || this.#lost.signal.aborted) return;
      const by = lease === undefined ? 'another run' : `run ${lease.run} (${lease.user} on ${lease.host})`;
      this.#lost.abort(
        new Error(
          `the locks of this run are lost: ${by} has taken them over, since this one could not reach the NATS server for ${this.leaseMs / 1000} s`,
        ),
      );
    });
  }
}

function byHolder(conflicts: readonly Conflict[]): readonly LeaseConflict[] {
  const leases = new Map(conflicts.map(({ lease }) => [lease.token, lease]));
  return [...leases.values()].map((lease) => ({
    holder: withoutToken(lease),
    places: conflicts
      .filter((conflict) => conflict.lease.token === lease.token && !conflict.place.startsWith('run '))
      .map(({ place }) => place),
  }));
}
