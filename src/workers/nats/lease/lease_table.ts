import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import { createHash } from 'node:crypto';
import { fields, oneOf, text, type FieldsOf } from '../../../model/values/shape.js';
import type { Link } from '../broker/link.js';
import { parseMessage } from '../protocol/messages.js';

/** The run that holds a lease. */
export interface LeaseHolder {
  readonly run: string;
  readonly user: string;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
}

const LEASE = { token: text, run: text, user: text, host: text, since: text };
const isLease = fields(LEASE);
const isState = fields({ state: oneOf('acquiring', 'held') });
export type StoredLease = FieldsOf<typeof LEASE>;

/** A lease of another run that is alive. */
export interface Conflict {
  readonly place: string;
  readonly lease: StoredLease;
  /** The other run is still acquiring its leases, and may withdraw. */
  readonly isAcquiring: boolean;
}

/** Maximum number of concurrent requests. */
const WIDTH = 256;

/** The leases on the broker: which run holds each controller, and which runs are alive. */
export class LeaseTable {
  /** Whether runs have ended, by token. */
  readonly #gone = new Map<string, Promise<boolean>>();

  /**
   * @param own the lease of this run
   * @param onTakeOver called once for each expired run whose leases this run takes
   */
  constructor(
    private readonly link: Link,
    private readonly buckets: { readonly places: KV; readonly holders: KV },
    private readonly own: StoredLease,
    private readonly leaseMs: number,
    private readonly onTakeOver: (holder: LeaseHolder) => void,
  ) {}

  /** Refreshes the key that marks the run as alive. */
  async refresh(state: 'acquiring' | 'held'): Promise<void> {
    await this.link.answer(this.buckets.holders.put(this.own.token, JSON.stringify({ state })));
  }

  async end(): Promise<void> {
    await this.link.answer(this.buckets.holders.delete(this.own.token));
  }

  /** Returns the revision of the lease, or the conflict. */
  async take(place: string): Promise<number | Conflict> {
    const value = JSON.stringify(this.own);
    for (;;) {
      const { lease, revision } = await this.read(place);
      if (lease?.token === this.own.token) return revision;
      if (lease !== undefined) {
        const state = await this.#stateOf(lease.token);
        if (state !== undefined) return { place, lease, isAcquiring: state === 'acquiring' };
        if (!(await this.#isGone(lease))) continue;
      }
      try {
        return await this.link.answer(this.buckets.places.put(keyOf(place), value, { previousSeq: revision }));
      } catch (error) {
        if (!isConcurrent(error)) throw error;
      }
    }
  }

  /** The holder of a controller, with the revision that is needed to change it. */
  async read(place: string): Promise<{ readonly lease: StoredLease | undefined; readonly revision: number }> {
    const found = await this.link.answer(this.buckets.places.get(keyOf(place)));
    const lease = found?.operation === 'PUT' ? parseMessage(found.value, isLease) : undefined;
    return { lease, revision: found?.revision ?? 0 };
  }

  /** Deletes only leases that this run has written. */
  async release(taken: ReadonlyMap<string, number>): Promise<void> {
    const { places } = this.buckets;
    await eachOf([...taken], async ([place, previousSeq]) => {
      await this.link.answer(places.delete(keyOf(place), { previousSeq })).catch((error: unknown) => {
        if (!isConcurrent(error)) throw error;
      });
    });
  }

  /** The state of a run; undefined if its key has expired. */
  async #stateOf(token: string): Promise<'acquiring' | 'held' | undefined> {
    const found = await this.link.answer(this.buckets.holders.get(token));
    return found?.operation === 'PUT' ? parseMessage(found.value, isState)?.state : undefined;
  }

  /** Checks twice: after a restart of the broker, a live run soon refreshes its key. */
  #isGone(lease: StoredLease): Promise<boolean> {
    const known = this.#gone.get(lease.token);
    if (known !== undefined) return known;
    const looked = this.link.retryIn(this.leaseMs / 2).then(async () => {
      const isGone = (await this.#stateOf(lease.token)) === undefined;
      if (!isGone) this.#gone.delete(lease.token);
      else this.onTakeOver(withoutToken(lease));
      return isGone;
    });
    this.#gone.set(lease.token, looked);
    looked.catch(() => this.#gone.delete(lease.token));
    return looked;
  }
}

function keyOf(place: string): string {
  return createHash('sha256').update(place).digest('base64url');
}

export function withoutToken({ run, user, host, since }: StoredLease): LeaseHolder {
  return { run, user, host, since };
}

/** Whether another run wrote the key first. */
function isConcurrent(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence;
}

/** Runs `act` for each item, at most `WIDTH` at the same time. */
export async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const workers = Array.from({ length: Math.min(WIDTH, items.length) }, async () => {
    for (const item of rest) await act(item);
  });
  await Promise.all(workers);
}
