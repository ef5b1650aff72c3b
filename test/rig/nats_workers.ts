import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Assignment, AttemptEnd, CoordinatorTransport } from '../../src/model/run/worker_transport.js';
import { openNatsCoordinator, type NatsCoordinatorOptions } from '../../src/workers/nats/coordinator.js';
import { openNatsWorker, type NatsWorkerOptions } from '../../src/workers/nats/worker.js';
import { NATS_SERVER, Broker } from './nats.js';

/** Short, so that tests need not wait. */
export const LEASE_MS = 1500;

type Walk = (assignment: Assignment) => Promise<void>;

/** A list that others wait for. */
export class Log<T> {
  readonly items: T[] = [];
  #wake = new Set<() => void>();

  add(item: T): void {
    this.items.push(item);
    for (const wake of [...this.#wake]) wake();
  }

  async until(holds: (items: readonly T[]) => boolean): Promise<readonly T[]> {
    while (!holds(this.items))
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#wake.delete(wake);
          resolve();
        };
        this.#wake.add(wake);
      });
    return this.items;
  }

  first(found: (item: T) => boolean): Promise<readonly T[]> {
    return this.until((items) => items.some(found));
  }
}

async function later(act: () => void): Promise<void> {
  await Promise.resolve();
  act();
}

/** A broker, with coordinators and workers in this process. */
export class NatsScene {
  readonly #ends: (() => Promise<unknown>)[] = [];
  readonly log = new Log<string>();
  runs = 0;

  private constructor(readonly broker: Broker) {}

  static async start(config?: string): Promise<NatsScene> {
    if (NATS_SERVER === undefined) throw new Error('no nats-server');
    return new NatsScene(await Broker.start(config));
  }

  async coordinator(options: Partial<NatsCoordinatorOptions> = {}): Promise<CoordinatorTransport> {
    this.runs += 1;
    const coordinator = await openNatsCoordinator({
      nats: { url: this.broker.url },
      run: `run-${this.runs}`,
      describe: () => 'the description',
      version: '1',
      sites: ['berlin'],
      siteTimeout: 20,
      leaseMs: LEASE_MS,
      report: (line) => {
        this.log.add(`coordinator: ${line}`);
      },
      ...options,
    });
    this.#ends.unshift(() => coordinator.close());
    return coordinator;
  }

  /** Returns what stops the worker, and waits until it has ended. */
  async worker(
    walk: Walk,
    {
      mayBegin = () => true,
      whyUnfit,
      abort,
      ...options
    }: Partial<NatsWorkerOptions> & {
      readonly mayBegin?: () => boolean;
      readonly whyUnfit?: () => string | undefined;
      readonly abort?: AbortSignal;
    } = {},
  ): Promise<() => Promise<void>> {
    const name = options.name ?? 'w1';
    const stateFolder = options.stateFolder ?? (await this.folder());
    const log = (line: string) => {
      this.log.add(`${name}: ${line}`);
    };
    const worker = await openNatsWorker({
      nats: { url: this.broker.url },
      site: 'berlin',
      name,
      version: '1',
      concurrency: 1,
      stateFolder,
      leaseMs: LEASE_MS,
      report: log,
      ...options,
    });
    const stop = new AbortController();
    const served = worker.serve({
      begin: (run, description) =>
        later(() => {
          log(`begin ${run} ${description}`);
          if (!mayBegin()) throw new Error('the disk is full');
        }),
      walk,
      whyUnfit,
      onBroadcast: (run, text) => {
        log(`broadcast ${run} ${text}`);
      },
      end: (run) =>
        later(() => {
          log(`end ${run}`);
        }),
      signal: stop.signal,
      abort,
    });
    served.catch((error: unknown) => {
      log(`failed: ${String(error)}`);
    });
    const end = async () => {
      stop.abort();
      await served.catch(() => undefined);
    };
    this.#ends.push(end);
    return end;
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-worker-'));
    this.#ends.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Ends everything that tests have started, coordinators first. */
  async end(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
    this.log.items.length = 0;
  }

  async dispose(): Promise<void> {
    await this.end();
    await this.broker.dispose();
  }
}

/** One offered walk, and the messages that the coordinator receives for it. */
export class Offered {
  readonly heard = new Log<string>();
  readonly end: Promise<AttemptEnd>;
  readonly send: (text: string) => void;
  readonly cancel: () => void;

  constructor(coordinator: CoordinatorTransport, walk: string, site = 'berlin') {
    const attempt = coordinator.offer(
      { walk, controller: walk, site, text: () => `do ${walk}` },
      {
        taken: (worker) => {
          this.heard.add(`taken by ${worker}`);
        },
        message: (text) => {
          this.heard.add(text);
        },
        waiting: (reason) => {
          this.heard.add(`waiting: ${reason}`);
        },
      },
    );
    this.end = attempt.end;
    this.cancel = () => {
      attempt.cancel();
    };
    this.send = (text) => {
      attempt.send(text);
    };
  }
}
