import { randomBytes } from 'node:crypto';
import type { Attempt, CoordinatorTransport, Order, OrderListener } from '../../model/run/worker_transport.js';
import { NatsAttempt, type Session } from './offer/attempt.js';
import { connectToNats, natsError, type NatsOptions } from './broker/connection.js';
import { Link } from './broker/link.js';
import { isRequest, parseMessage, type Answer, type Take } from './protocol/messages.js';
import { closeEarlier, Presence } from './offer/presence.js';
import type { WorkerEntry } from './protocol/registry.js';
import {
  EVENTS,
  LEASE_MS,
  openBuckets,
  openStorage,
  requireToken,
  isToken,
  subjects,
  type Buckets,
} from './broker/storage.js';
import { StreamReader } from './broker/stream_reader.js';
import { SiteQueues } from './offer/site_queues.js';
import { SiteSessions } from './offer/site_sessions.js';
import { Broadcasts } from './offer/broadcasts.js';
import { SiteWatch, unableText, Workforce, type WorkforceOptions } from './offer/workforce.js';

export interface NatsCoordinatorOptions {
  readonly nats: NatsOptions;
  readonly run: string;
  /** The description of the run for the workers of a site, sent before its first walk. Other sites cannot read it. */
  readonly describe: (site: string) => string | Promise<string>;
  /** Further content for the workers of all sites. */
  readonly files?: Uint8Array | undefined;
  /** The sites that are known before the run starts. */
  readonly sites?: readonly string[] | undefined;
  readonly version: string;
  /** Seconds to wait for a worker of a site without workers. */
  readonly siteTimeout: number;
  /** Milliseconds without a heartbeat after which a worker is lost. */
  readonly leaseMs?: number | undefined;
  /** The accepted public keys, by site. Absent: accept every worker that the broker lets in. */
  readonly workerKeys?: WorkforceOptions['workerKeys'];
  readonly objectionTo?: WorkforceOptions['objectionTo'];
  readonly report: (line: string) => void;
}

export interface SiteTransport extends CoordinatorTransport {
  /** The registered workers of a site that have the right version and key. */
  workersOf(site: string): readonly Pick<WorkerEntry, 'site' | 'name' | 'allows'>[];
}

/** Maximum time that `close` waits for a broker that does not answer. */
const CLOSE_MS = 5000;

/** @throws NatsError */
export async function openNatsCoordinator(options: NatsCoordinatorOptions): Promise<SiteTransport> {
  requireToken('run id', options.run);
  const leaseMs = options.leaseMs ?? LEASE_MS;
  const nats = { pingInterval: leaseMs / 3, ...options.nats };
  const link = new Link(await connectToNats(nats, `evenkeel run ${options.run}`), options.report);
  try {
    const storage = await openStorage(link);
    const buckets = await openBuckets(storage, leaseMs);
    const id = randomBytes(9).toString('base64url');
    const sites = new SiteSessions(buckets.descriptions, options);
    for (const site of options.sites ?? []) await sites.of(site).description();
    const session = { storage, run: options.run, id, leaseMs };
    const coordinator = new NatsCoordinator(session, sites, buckets, { ...options, leaseMs });
    await coordinator.open();
    return coordinator;
  } catch (error) {
    await link.close();
    throw natsError(error, 'coordinate the run');
  }
}

class NatsCoordinator implements SiteTransport {
  readonly #attempts = new Map<string, NatsAttempt>();
  readonly #workforce: Workforce;
  readonly #presence: Presence;
  readonly #broadcasts: Broadcasts;
  readonly #siteWatch: SiteWatch;
  #events: StreamReader | undefined;
  #isClosing = false;
  readonly #reported = new Set<string>();
  readonly #queues: SiteQueues;

  constructor(
    private readonly session: Session,
    private readonly sites: SiteSessions,
    buckets: Buckets,
    private readonly options: NatsCoordinatorOptions & { readonly leaseMs: number },
  ) {
    this.#broadcasts = new Broadcasts(session, sites);
    this.#workforce = new Workforce(session.storage, buckets, options);
    this.#siteWatch = new SiteWatch(this.#workforce, options);
    this.#queues = new SiteQueues(session);
    this.#presence = new Presence(session, buckets.runs, options.leaseMs, (reason) => {
      options.report(reason);
      this.#abandonAll(reason);
    });
  }

  async open(): Promise<void> {
    const { storage, run, id } = this.session;
    await closeEarlier(this.session);
    this.#events = await StreamReader.open(storage, EVENTS, subjects.eventsOf(run), (message) => {
      this.#attempts.get(message.subject.split('.')[4] ?? '')?.receive(message);
    });
    storage.link.connection.subscribe(subjects.take('*', run, id), {
      callback: (error, message) => {
        if (error === null)
          void this.#answer(message.subject.split('.')[2] ?? '', message.data).then((answer) =>
            message.respond(JSON.stringify(answer)),
          );
      },
    });
    await this.#presence.start();
    await this.#workforce.start(() => {
      this.#siteWatch.look([...this.#attempts.values()]);
    });
    storage.link.onChange(() => {
      this.#linkChanged();
    });
  }

  offer(order: Order, listener: OrderListener): Attempt {
    const site = order.site ?? '';
    const job = randomBytes(12).toString('base64url');
    const attempt = new NatsAttempt(this.session, job, { site, ...this.sites.of(site) }, order, listener);
    this.#attempts.set(job, attempt);
    void attempt.end.then((end) => {
      this.#attempts.delete(job);
      if (end.type === 'refused') this.#exclude(attempt, end);
    });
    if (this.#isClosing) attempt.giveUp('the run is over');
    else if (isToken(site)) {
      void this.#queues.put(attempt, 0);
      queueMicrotask(() => {
        this.#siteWatch.lookAt(attempt);
      });
    } else
      attempt.giveUp(
        site === ''
          ? 'it has no site'
          : `evenkeel_site is not the name of a site: ${JSON.stringify(site)}: use letters, digits, - and _`,
      );
    return attempt;
  }

  workersOf(site: string): ReturnType<SiteTransport['workersOf']> {
    return this.#workforce.eligible(site);
  }

  broadcast(text: string): void {
    this.#broadcasts.write(text);
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#workforce.stop();
    this.#presence.stop();
    const { storage, run } = this.session;
    await withinTime(this.#endWork());
    this.#abandonAll('the run is over');
    this.#events?.close();
    await withinTime(
      Promise.allSettled([
        this.#presence.end(),
        this.sites.removeAll(),
        storage.manager.streams.purge(EVENTS, { filter: subjects.eventsOf(run) }),
      ]),
    );
    await storage.link.close();
  }

  async #endWork(): Promise<void> {
    const ends = [...this.#attempts.values()].map(async (attempt) => {
      attempt.giveUp('the run is over');
      await attempt.lose('the run is over');
      await attempt.end;
    });
    await Promise.allSettled([...ends, this.#broadcasts.end()]);
  }

  async #answer(site: string, data: Uint8Array): Promise<Answer> {
    const request = parseMessage(data, isRequest);
    const attempt = this.#attempts.get(request?.job ?? '');
    if (request === undefined || attempt?.site !== site || attempt.isOver) return { type: 'gone' };
    switch (request.type) {
      case 'take':
        return this.#take(attempt, request);
      case 'release':
        if (attempt.isHeldBy(request.instance)) void attempt.lose('the worker did not get the walk that it asked for');
        return { type: 'gone' };
      case 'renew':
        if (!attempt.isHeldBy(request.instance)) return { type: 'gone' };
        this.#workforce.renew(site, request.instance);
        return { type: 'renewed' };
      default:
        return request satisfies never;
    }
  }

  async #take(attempt: NatsAttempt, take: Take): Promise<Answer> {
    const { site } = attempt;
    const refusal = this.#workforce.refusal({ ...take, site });
    if (refusal !== undefined) {
      if (this.#workforce.whyNone(site) === undefined) this.#reportOnce(refusal);
      return { type: 'refused', reason: refusal };
    }
    this.#workforce.noteSignOfLife({ ...take, site });
    return attempt.take(take, () => this.#broadcasts.sendTo(site, take.instance));
  }

  /** Excludes a worker that cannot carry out the run, so that the walk goes to another one. */
  #exclude({ site, instance = '' }: NatsAttempt, { worker, reason }: { worker: string; reason: string }): void {
    if (this.#workforce.exclude(site, instance, reason)) this.#reportOnce(unableText({ site, name: worker }, reason));
  }

  #reportOnce(line: string): void {
    if (this.#reported.has(line)) return;
    this.#reported.add(line);
    this.options.report(line);
  }

  #linkChanged(): void {
    const { link } = this.session.storage;
    if (link.isClosed) this.#abandonAll('the connection to the NATS server is closed');
    if (!link.isUp || this.#isClosing) return;
    this.#queues.checkAgain();
    // Workers may have dropped jobs while they could not reach the coordinator.
    for (const attempt of this.#attempts.values())
      if (attempt.instance === undefined) void this.#queues.put(attempt, Date.now());
      else attempt.probe();
  }

  #abandonAll(reason: string): void {
    for (const attempt of this.#attempts.values()) attempt.abandon(reason);
  }
}

async function withinTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
