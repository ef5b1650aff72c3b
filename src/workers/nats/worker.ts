import type { JsMsg } from '@nats-io/jetstream';
import { randomBytes } from 'node:crypto';
import { errorMessage } from '../../model/error_message.js';
import type { WorkerTransport } from '../../model/run/worker_transport.js';
import { connectToNats, NatsError, natsError, type NatsOptions } from './broker/connection.js';
import { Link } from './broker/link.js';
import { JobQueue } from './work/job_queue.js';
import { Jobs } from './work/jobs.js';
import { Places } from './work/places.js';
import { Outbox } from './work/outbox.js';
import type { Allows } from './protocol/registry.js';
import { Registration } from './work/registration.js';
import { Questions } from './work/questions.js';
import { openIdentity, type Identity } from './channel/sealing.js';
import {
  LEASE_MS,
  openStorage,
  ORDERS,
  requireToken,
  subjects,
  type Buckets,
  type Storage,
  waitForBuckets,
} from './broker/storage.js';
import { StreamReader } from './broker/stream_reader.js';
import { mustEnd } from './work/ending.js';
import type { Work } from './work/worker_run.js';
import { WorkerRuns } from './work/worker_runs.js';

export interface NatsWorkerOptions {
  readonly nats: NatsOptions;
  readonly site: string;
  /** Name for users, shown with the controllers that the worker works on. */
  readonly name: string;
  readonly version: string;
  /** Maximum number of concurrent walks. */
  readonly concurrency: number;
  /** What the worker may carry out. Absent: everything. */
  readonly allows?: Allows | undefined;
  /** Holds the key of the worker, and undelivered messages. Each worker needs a different folder. */
  readonly stateFolder: string;
  /** Milliseconds without a heartbeat after which the worker is lost. Must equal the coordinator's value. */
  readonly leaseMs?: number | undefined;
  /** Aborts the wait for a coordinator to create the streams. */
  readonly signal?: AbortSignal | undefined;
  readonly report: (line: string) => void;
}

/** A worker ends its work for a run after this many leases without a coordinator. */
const GRACE_LEASES = 4;
/** Maximum number of walks beyond the concurrency, which wait for others. */
const MOST_RESTING = 1000;

/** @throws NatsError */
export async function openNatsWorker(options: NatsWorkerOptions): Promise<WorkerTransport> {
  requireToken('name of a site', options.site);
  const leaseMs = options.leaseMs ?? LEASE_MS;
  const identity = await openIdentity(options.stateFolder);
  const outbox = await Outbox.open(options.stateFolder, options.report);
  const nats = { pingInterval: leaseMs / 3, ...options.nats };
  const connection = await connectToNats(nats, `evenkeel worker ${options.name}`, `_INBOX_${options.site}`);
  const link = new Link(connection, options.report);
  try {
    const storage = await openStorage(link);
    const buckets = await waitForBuckets(storage, { ...options, leaseMs });
    const queue = await JobQueue.open(storage, options.site, leaseMs, options.concurrency);
    await outbox.deliver(storage);
    return new NatsWorker({ ...options, leaseMs }, storage, buckets, identity, outbox, queue);
  } catch (error) {
    await link.close();
    throw natsError(error, `work for site ${options.site}`);
  }
}

class NatsWorker implements WorkerTransport {
  readonly #instance = randomBytes(9).toString('base64url');
  readonly #registration: Registration;
  readonly #questions: Questions;
  readonly #places: Places;
  readonly #runs: WorkerRuns;
  readonly #jobs: Jobs;
  readonly #ended = new AbortController();

  constructor(
    private readonly options: NatsWorkerOptions & { readonly leaseMs: number },
    private readonly storage: Storage,
    buckets: Buckets,
    identity: Identity,
    private readonly outbox: Outbox,
    private readonly queue: JobQueue,
  ) {
    const { site, name, version, concurrency, leaseMs, allows } = options;
    const { publicKey } = identity;
    const since = new Date().toISOString();
    const entry = { site, name, instance: this.#instance, version, publicKey, concurrency, since, allows };
    this.#places = new Places(concurrency);
    const load = () => this.#places.taken;
    this.#registration = new Registration(storage.link, buckets.workers, entry, load, leaseMs);
    this.#questions = new Questions(storage, buckets, options);
    const { link } = storage;
    const runs = new WorkerRuns({ link, buckets, identity, questions: this.#questions, report: options.report });
    this.#runs = runs;
    const lease = this.#registration.lease;
    this.#jobs = new Jobs(storage, { ...entry, lease }, { questions: this.#questions, runs, outbox }, options);
  }

  async serve(work: Work): Promise<void> {
    const { link } = this.storage;
    const { site, leaseMs } = this.options;
    const subject = subjects.ordersFor(site, this.#instance);
    const reader = await StreamReader.open(this.storage, ORDERS, subject, (message) => {
      this.#receive(message);
    });
    const timer = setInterval(() => void this.#runs.watch(GRACE_LEASES * leaseMs), leaseMs / 2);
    const stopListening = link.onChange(() => {
      if (link.isClosed) this.#revokeAll('the NATS server refuses this worker');
    });
    try {
      await this.#registration.start();
      work.signal.addEventListener(
        'abort',
        () => {
          this.queue.stop();
        },
        { once: true },
      );
      const isEarly = mustEnd(work, link, leaseMs, this.#ended.signal);
      const isDone = await Promise.race([this.#work(work).then(() => true), isEarly.then(() => false)]);
      if (!isDone) this.#leave();
      if (link.isClosed && !work.signal.aborted)
        throw new NatsError('the NATS server closed the connection and refuses this worker', 'check its credentials');
    } finally {
      clearInterval(timer);
      stopListening();
      this.#ended.abort();
      reader.close();
      await this.#registration.end();
      await link.close();
    }
  }

  async #work(work: Work): Promise<void> {
    const { concurrency } = this.options;
    await Promise.all(Array.from({ length: concurrency + MOST_RESTING }, () => this.#takeWalks(work)));
    await this.#runs.endAll();
  }

  /** Keeps undelivered messages for the next worker with this state folder. */
  #leave(): void {
    const { assignments, count } = this.#jobs;
    for (const assignment of assignments) assignment.keepUnsent();
    const folder = this.outbox.keep();
    this.options.report(
      `ends with ${count} ${count === 1 ? 'controller' : 'controllers'} at work: what it could not report is in ${folder}, and is delivered when a worker with this state folder starts`,
    );
    this.#revokeAll('the worker ends');
  }

  #revokeAll(reason: string): void {
    for (const assignment of this.#jobs.assignments) assignment.revoke(reason);
  }

  /** Takes walks one after the other. */
  async #takeWalks(work: Work): Promise<void> {
    const { link } = this.storage;
    const isEnding = (): boolean => work.signal.aborted || link.isClosed;
    while (!isEnding()) {
      await this.#places.free();
      const message = isEnding() ? undefined : await this.queue.next();
      if (message === undefined) {
        this.#places.giveUp();
        continue;
      }
      const place = this.#places.begin();
      try {
        await this.#jobs.carryOut(message, place, work);
      } catch (error) {
        this.options.report(`cannot carry out a walk: ${errorMessage(error)}`);
      } finally {
        place.giveBack();
      }
    }
  }

  /** A message of a coordinator to this worker. */
  #receive(message: JsMsg): void {
    const [, , , , run = '', session = '', job = ''] = message.subject.split('.');
    const pending = this.#jobs.find(job);
    if (job === 'all') this.#runs.receive(run, session, message);
    else if (pending !== undefined) pending.receive(message);
    // The answer to a question that this worker no longer asks.
    else
      void this.#questions.ask(
        { run, session },
        { type: 'release', job, instance: this.#instance },
        this.#ended.signal,
      );
  }
}
