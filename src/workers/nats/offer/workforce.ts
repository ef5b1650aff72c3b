import { nearestName } from '../../../model/source/suggestion.js';
import { elapsed, type Instant, listWorkers, now, workerKey, type WorkerEntry } from '../protocol/registry.js';
import { JOBS, type Buckets, type Storage } from '../broker/storage.js';
import type { NatsAttempt } from './attempt.js';

export interface WorkforceOptions {
  readonly version: string;
  readonly leaseMs: number;
  readonly workerKeys?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Why a worker must not work for the run, judged by what it may carry out. Undefined: it may. */
  readonly objectionTo?: ((worker: Pick<WorkerEntry, 'site' | 'name' | 'allows'>) => string | undefined) | undefined;
}

type OfferedWorker = Pick<WorkerEntry, 'site' | 'instance' | 'name' | 'version' | 'publicKey' | 'allows'>;

interface Seen {
  readonly entry: WorkerEntry;
  revision: number;
  /** Milliseconds since its entry last changed, counting only time in which the broker answered. */
  silentMs: number;
  isListed: boolean;
}

/** The coordinator's view of the workers: which are registered, which may work for it, and which are lost. */
export class Workforce {
  readonly #seen = new Map<string, Seen>();
  readonly #concurrency = new Map<string, number>();
  /** Why workers cannot carry out the run, as they reported. */
  readonly #unable = new Map<string, string>();
  #polled = now();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly storage: Storage,
    private readonly buckets: Buckets,
    private readonly options: WorkforceOptions,
  ) {}

  /** @param onPoll called after each poll */
  async start(onPoll: () => void): Promise<void> {
    await this.#poll();
    const intervalMs = this.#intervalMs;
    const again = () => {
      this.#timer = setTimeout(() => {
        void this.#poll()
          .then(onPoll, () => undefined)
          .then(() => {
            if (this.#timer !== undefined) again();
          });
      }, intervalMs);
    };
    again();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Whether a worker was silent for longer than a lease, so that its walks may go to others. Time in which the
   * coordinator was offline or suspended does not count.
   */
  isGone(site: string, instance: string): boolean {
    return (this.#seen.get(workerKey({ site, instance }))?.silentMs ?? 0) > this.options.leaseMs;
  }

  /** Registers that a worker asked for a walk: from now on, its silence counts. */
  noteSignOfLife(worker: OfferedWorker): void {
    const { site, instance } = worker;
    const key = workerKey({ site, instance });
    if (this.#seen.has(key)) this.renew(site, instance);
    else {
      const entry = { ...worker, concurrency: 0, load: 0, since: '' };
      this.#seen.set(key, { entry, revision: 0, silentMs: 0, isListed: true });
    }
  }

  /** Extends the lease of a worker's walks. */
  renew(site: string, instance: string): void {
    const seen = this.#seen.get(workerKey({ site, instance }));
    if (seen !== undefined) seen.silentMs = 0;
  }

  /** Why no worker of a site can take a walk; undefined if one can. */
  whyNone(site: string): string | undefined {
    const workers = this.#listed(site);
    if (workers.length === 0) return this.#noWorkers(site);
    const reasons = workers.map((entry) => this.refusal(entry));
    return reasons.includes(undefined)
      ? undefined
      : `no worker of site ${site} can be used: ${[...new Set(reasons)].join('; ')}`;
  }

  #noWorkers(site: string): string {
    const others = [...this.#seen.values()].flatMap(({ entry, isListed }) => (isListed ? [entry.site] : []));
    const other = nearestName(site, [...new Set(others)]);
    return `site ${site} has no workers${other === undefined ? '' : `, but site ${other} has`}`;
  }

  /** Whether all workers of a site cannot carry out the run, so that waiting for them is useless. */
  isUnable(site: string): boolean {
    const workers = this.#listed(site);
    return workers.length > 0 && workers.every((entry) => this.#unable.has(workerKey(entry)));
  }

  /** Excludes a worker that reported that it cannot carry out the run. Returns false if it was excluded before. */
  exclude(site: string, instance: string, reason: string): boolean {
    const key = workerKey({ site, instance });
    if (this.#unable.has(key)) return false;
    this.#unable.set(key, reason);
    return true;
  }

  /** Why a worker may not work for this coordinator. */
  refusal(worker: OfferedWorker): string | undefined {
    const unable = this.#unable.get(workerKey(worker));
    if (unable !== undefined) return unableText(worker, unable);
    return this.#unfit(worker) ?? this.options.objectionTo?.(worker);
  }

  /** The registered workers of a site that have the right version and key. */
  eligible(site: string): readonly WorkerEntry[] {
    return this.#listed(site).filter((entry) => this.#unfit(entry) === undefined);
  }

  #unfit({ site, name, version, publicKey }: OfferedWorker): string | undefined {
    if (version !== this.options.version)
      return `worker ${name} has version ${version}, the coordinator ${this.options.version}: install the same version`;
    const { workerKeys } = this.options;
    if (workerKeys === undefined || workerKeys.get(site)?.includes(publicKey) === true) return undefined;
    return `the key ${publicKey} of worker ${name} is not among the keys that the coordinator accepts for site ${site}`;
  }

  /** Limits the queue of a site to the number of walks that its workers can carry out at the same time. */
  async limitQueue(site: string): Promise<void> {
    const concurrency = this.#listed(site).reduce((sum, entry) => sum + entry.concurrency, 0);
    if (concurrency === 0 || this.#concurrency.get(site) === concurrency) return;
    this.#concurrency.set(site, concurrency);
    // Fails if the user lacks the permission, or if the queue does not exist yet. A worker creates it with its
    // concurrency.
    await this.storage.manager.consumers
      .update(JOBS, site, { max_ack_pending: concurrency })
      .catch(() => this.#concurrency.delete(site));
  }

  #listed(site: string): readonly WorkerEntry[] {
    return [...this.#seen.values()].flatMap(({ entry, isListed }) => (isListed && entry.site === site ? [entry] : []));
  }

  get #intervalMs(): number {
    return Math.min(1000, this.options.leaseMs / 4);
  }

  async #poll(): Promise<void> {
    const listed = await listWorkers(this.buckets.workers);
    const silentMs = Math.min(elapsed(this.#polled), 2 * this.#intervalMs);
    this.#polled = now();
    for (const [key, { entry, revision }] of listed) {
      const seen = this.#seen.get(key);
      if (seen === undefined) this.#seen.set(key, { entry, revision, silentMs: 0, isListed: true });
      else if (seen.revision !== revision) Object.assign(seen, { entry, revision, silentMs: 0, isListed: true });
      else seen.silentMs += silentMs;
    }
    for (const [key, seen] of this.#seen) {
      if (listed.has(key)) continue;
      seen.isListed = false;
      seen.silentMs += silentMs;
    }
  }
}

/** The message for a worker that cannot carry out the run. */
export function unableText({ site, name }: Pick<WorkerEntry, 'site' | 'name'>, reason: string): string {
  return `worker ${site}/${name} cannot carry out the run: ${reason}`;
}

/** Decides how long attempts wait for workers: for the first worker of a site, or for a sign of life. */
export class SiteWatch {
  /** Sites without workers: since when, and the reason that was last reported. */
  readonly #empty = new Map<string, { readonly since: Instant; readonly said: string | undefined }>();

  constructor(
    private readonly workforce: Workforce,
    private readonly options: { readonly leaseMs: number; readonly siteTimeout: number },
  ) {}

  /** Called after each poll of the workers. */
  look(attempts: readonly NatsAttempt[]): void {
    // A site that has workers again waits its whole time when it next has none.
    for (const site of this.#empty.keys()) if (this.workforce.whyNone(site) === undefined) this.#empty.delete(site);
    for (const attempt of attempts) this.lookAt(attempt);
    for (const site of new Set(attempts.map(({ site }) => site))) void this.workforce.limitQueue(site);
  }

  /** Gives up, or tells the user why it waits. */
  lookAt(attempt: NatsAttempt): void {
    const { site, instance } = attempt;
    if (instance !== undefined) {
      if (this.workforce.isGone(site, instance))
        void attempt.lose(`no sign of life for ${this.options.leaseMs / 1000} s`);
      return;
    }
    const reason = this.workforce.whyNone(site);
    if (reason === undefined) return;
    if (this.workforce.isUnable(site)) {
      attempt.giveUp(reason);
      return;
    }
    const { since, said } = this.#empty.get(site) ?? { since: now(), said: undefined };
    this.#empty.set(site, { since, said: reason });
    if (said !== reason) attempt.wait(reason);
    const { siteTimeout } = this.options;
    if (elapsed(since) > siteTimeout * 1000) attempt.giveUp(`${reason} (waited ${siteTimeout} s)`);
  }
}
