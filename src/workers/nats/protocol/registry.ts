import type { KV } from '@nats-io/kv';
import { fields, flag, number, optional, text, texts, type FieldsOf } from '../../../model/values/shape.js';

/** The entry of a worker in the registry. */
export type WorkerEntry = FieldsOf<typeof ENTRY>;

/** What a worker may carry out. */
export type Allows = FieldsOf<typeof ALLOWS>;

const ALLOWS = {
  /** Modules that may write. Empty: all of them. */
  modules: texts,
  /** Whether code of projects may run. */
  code: flag,
};
/** Absent: everything. */
export const allows = optional(fields(ALLOWS));

const ENTRY = {
  site: text,
  name: text,
  /** Identifies this start of the worker. */
  instance: text,
  version: text,
  publicKey: text,
  concurrency: number,
  /** Number of its current walks. */
  load: number,
  /** ISO 8601. */
  since: text,
  allows,
};

const isWorkerEntry = fields(ENTRY);
const LIST_MS = 5000;
const LIST_ATTEMPTS = 3;

export function workerKey({ site, instance }: Pick<WorkerEntry, 'site' | 'instance'>): string {
  return `${site}.${instance}`;
}

type Listed = ReadonlyMap<string, { readonly entry: WorkerEntry; readonly revision: number }>;

/** All registered workers with the revisions of their entries, by `SITE.INSTANCE`. */
export async function listWorkers(workers: KV): Promise<Listed> {
  for (let left = LIST_ATTEMPTS - 1; ; left -= 1)
    try {
      return await listOnce(workers);
    } catch (error) {
      // The client hangs if an entry expires while it reads the others.
      if (left === 0) throw error;
    }
}

async function listOnce(workers: KV): Promise<Listed> {
  const found = new Map<string, { readonly entry: WorkerEntry; readonly revision: number }>();
  const entries = await workers.history({ key: '>' });
  // A lost connection does not end the iteration.
  const timer = setTimeout(() => {
    entries.stop(new Error('the list of workers did not arrive'));
  }, LIST_MS);
  try {
    for await (const { key, operation, revision, value } of entries) {
      const entry = operation === 'PUT' ? parse(value) : undefined;
      if (entry !== undefined) found.set(key, { entry, revision });
      else found.delete(key);
    }
  } finally {
    clearTimeout(timer);
  }
  return found;
}

function parse(value: Uint8Array): WorkerEntry | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(value).toString());
    return isWorkerEntry(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether this process may act as the holder of its leases: the broker confirmed a heartbeat recently. Counts from the
 * time at which the heartbeat was sent, and uses the faster of two clocks, so that time in which the machine was
 * suspended counts.
 */
export class Lease {
  #confirmed = now();
  #epoch = 0;

  constructor(private readonly ms: number) {}

  /** Changes when the lease expired before it was confirmed again: earlier claims may be lost. */
  get epoch(): number {
    return this.#epoch;
  }

  isFresh(at = now()): boolean {
    return elapsed(this.#confirmed, at) < this.ms * 0.8;
  }

  confirm(sent: Instant): void {
    if (!this.isFresh(sent)) this.#epoch += 1;
    if (sent.monotonic > this.#confirmed.monotonic) this.#confirmed = sent;
  }
}

export interface Instant {
  readonly monotonic: number;
  readonly wall: number;
}

export function now(): Instant {
  return { monotonic: performance.now(), wall: Date.now() };
}

export function elapsed(from: Instant, to = now()): number {
  return Math.max(to.monotonic - from.monotonic, to.wall - from.wall);
}
