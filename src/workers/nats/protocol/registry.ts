import type { KV } from '@nats-io/kv';
import { fields, flag, number, optional, text, texts, type FieldsOf } from '../../../model/values/shape.js';

/** A worker, as it registers. */
export type WorkerEntry = FieldsOf<typeof ENTRY>;

/** What a worker carries out. */
export type Allows = FieldsOf<typeof ALLOWS>;

const ALLOWS = {
  /** Modules that may write. Empty: all. */
  modules: texts,
  /** Code of projects. */
  code: flag,
};
/** Absent: everything. */
export const allows = optional(fields(ALLOWS));

const ENTRY = {
  site: text,
  name: text,
  /** Of this start of the worker. */
  instance: text,
  version: text,
  publicKey: text,
  concurrency: number,
  /** How many walks it does now. */
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

/** Every worker that is registered, with the revision of its entry, by `SITE.INSTANCE`. */
export async function listWorkers(workers: KV): Promise<Listed> {
  for (let left = LIST_ATTEMPTS - 1; ; left -= 1)
    try {
      return await listOnce(workers);
    } catch (error) {
      // The client waits for ever for an entry that expires while it reads the others.
      if (left === 0) throw error;
    }
}

async function listOnce(workers: KV): Promise<Listed> {
  const found = new Map<string, { readonly entry: WorkerEntry; readonly revision: number }>();
  const entries = await workers.history({ key: '>' });
  // A lost connection does not end it.
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
 * Whether this process may act as the holder of what it took: the broker confirmed a heartbeat a short while ago. Counts from when the
 * heartbeat was sent, and by the clock that goes faster: a machine that was suspended must not believe that no time has passed.
 */
export class Lease {
  #confirmed = now();
  #epoch = 0;

  constructor(private readonly ms: number) {}

  /** Changes when the lease had run out before it was confirmed again: what was taken before may be lost. */
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
