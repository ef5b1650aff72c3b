/**
 * What Evenkeel keeps on the broker: streams, buckets and subjects.
 *
 * - `evenkeel.jobs.SITE`: a walk is there to be taken. A work queue: one worker of the site gets it.
 * - `evenkeel.take.SITE.RUN.SESSION`: a worker asks the coordinator for the walk of a job. A session is one start of a coordinator.
 * - `evenkeel.events.RUN.SITE.JOB`: what the worker of a job says, in order.
 * - `evenkeel.orders.SITE.WORKER.RUN.SESSION.JOB`: what the coordinator says to the worker of a job, in order; with `all` instead of a job, what
 *   concerns all walks of the worker.
 */
import {
  JetStreamApiCodes,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { Kvm, type KV } from '@nats-io/kv';
import { nanos } from '@nats-io/transport-node';
import { Objm, type ObjectStore } from '@nats-io/obj';
import { NatsError, natsError, violation } from './connection.js';
import type { Link } from './link.js';

export const JOBS = 'EVENKEEL_JOBS';
export const EVENTS = 'EVENKEEL_EVENTS';
export const ORDERS = 'EVENKEEL_ORDERS';

/** Milliseconds without a heartbeat after which a worker or a coordinator is lost. */
export const LEASE_MS = 15_000;
const KEPT_MS = 3 * 24 * 3600 * 1000;
const NAME_IN_USE = 10058;

export const subjects = {
  jobs: (site: string) => `evenkeel.jobs.${site}`,
  take: (site: string, run: string, session: string) => `evenkeel.take.${site}.${run}.${session}`,
  events: (run: string, site: string, job: string) => `evenkeel.events.${run}.${site}.${job}`,
  eventsOf: (run: string) => `evenkeel.events.${run}.>`,
  /** @param job or `all` */
  orders: (site: string, worker: string, { run, session }: { run: string; session: string }, job: string) =>
    `evenkeel.orders.${site}.${worker}.${run}.${session}.${job}`,
  ordersFor: (site: string, worker: string) => `evenkeel.orders.${site}.${worker}.>`,
};

export interface Storage {
  readonly link: Link;
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;
}

export interface Buckets {
  /** One entry for each worker, `SITE.WORKER`, which expires unless it is refreshed. */
  readonly workers: KV;
  /** The session of each run that has a coordinator, which expires unless it is refreshed. */
  readonly runs: KV;
  /** Sealed descriptions of runs, named by their SHA-256. */
  readonly descriptions: ObjectStore;
}

const STREAMS: readonly (Pick<StreamConfig, 'retention'> & { readonly name: string; readonly subjects: string[] })[] = [
  { name: JOBS, subjects: ['evenkeel.jobs.*'], retention: RetentionPolicy.Workqueue },
  { name: EVENTS, subjects: ['evenkeel.events.>'], retention: RetentionPolicy.Limits },
  { name: ORDERS, subjects: ['evenkeel.orders.>'], retention: RetentionPolicy.Limits },
];

export async function openStorage(link: Link): Promise<Storage> {
  const { connection } = link;
  return {
    link,
    js: jetstream(connection, { checkAPI: false }),
    manager: await jetstreamManager(connection, { checkAPI: false }),
  };
}

/**
 * Opens streams and buckets, and creates missing ones.
 * @throws NatsError
 */
export async function openBuckets(storage: Storage, leaseMs: number): Promise<Buckets> {
  for (const stream of STREAMS)
    await openOrMake(storage, stream.name, () =>
      storage.manager.streams.add({
        ...stream,
        storage: StorageType.File,
        max_age: nanos(KEPT_MS),
        num_replicas: 1,
        allow_direct: true,
      }),
    );
  const objects = new Objm(storage.js);
  await openOrMake(storage, 'OBJ_evenkeel_descriptions', () =>
    objects.create('evenkeel_descriptions', { ttl: nanos(KEPT_MS), storage: StorageType.File, replicas: 1 }),
  );
  return {
    workers: await openBucket(storage, 'evenkeel_workers', leaseMs),
    runs: await openBucket(storage, 'evenkeel_runs', leaseMs),
    descriptions: await objects.open('evenkeel_descriptions'),
  };
}

/**
 * Waits until the first coordinator has created the streams, which a site may not do.
 * @throws NatsError
 */
export async function waitForBuckets(
  storage: Storage,
  {
    leaseMs,
    report,
    signal,
  }: { readonly leaseMs: number; readonly report: (line: string) => void; readonly signal?: AbortSignal | undefined },
): Promise<Buckets> {
  const stopped = new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => {
      resolve();
    });
  });
  for (let count = 0; ; count += 1)
    try {
      return await openBuckets(storage, leaseMs);
    } catch (error) {
      if (!(error instanceof NatsError && error.isDenied) || storage.link.isClosed) throw error;
      if (count === 0) report(`waiting for a coordinator to create the streams of Evenkeel: ${error.message}`);
      await Promise.race([storage.link.retryIn(Math.min(2000, leaseMs / 3)), stopped]);
      if (signal?.aborted === true) throw error;
    }
}

/**
 * @param ttl in ms; entries that are not refreshed expire after it
 * @throws NatsError
 */
export async function openBucket({ js, ...storage }: Storage, name: string, ttl?: number): Promise<KV> {
  const buckets = new Kvm(js);
  await openOrMake({ js, ...storage }, `KV_${name}`, () =>
    buckets.create(name, { history: 1, storage: StorageType.File, replicas: 1, ...(ttl === undefined ? {} : { ttl }) }),
  );
  return buckets.open(name);
}

export const TOKEN_HAS = 'letters, digits, - and _, at most 100 of them';

/** Whether a text can be a part of a subject: the name of a site, a worker or a run. */
export function isToken(name: string): boolean {
  return /^[\w-]{1,100}$/.test(name);
}

/** @throws NatsError */
export function requireToken(kind: string, name: string): void {
  if (isToken(name)) return;
  throw new NatsError(`not a ${kind}: ${JSON.stringify(name)}`, `the ${kind} may have ${TOKEN_HAS}`);
}

async function openOrMake({ manager }: Storage, stream: string, make: () => Promise<unknown>): Promise<void> {
  try {
    await manager.streams.info(stream);
    return;
  } catch (error) {
    // A user without permission to ask may still use the stream.
    if (violation(error) !== undefined) return;
    if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound))
      throw natsError(error, `open the stream ${stream}`);
  }
  try {
    await make();
  } catch (error) {
    // Another process has just created it.
    if (error instanceof JetStreamApiError && error.code === NAME_IN_USE) return;
    throw natsError(error, `create the stream ${stream}`);
  }
}
