import type { JsMsg } from '@nats-io/jetstream';
import { randomBytes } from 'node:crypto';
import type { WalkPlace } from '../../../model/run/worker_transport.js';
import { type Storage, subjects } from '../broker/storage.js';
import { isJob, parseMessage, type Job, type Take, type Taken } from '../protocol/messages.js';
import type { Lease, WorkerEntry } from '../protocol/registry.js';
import { NatsAssignment, Pending } from './assignment.js';
import type { Outbox } from './outbox.js';
import type { Questions } from './questions.js';
import type { Work, WorkerRun } from './worker_run.js';
import type { WorkerRuns } from './worker_runs.js';

const RETRY_MS = 250;
const MOST_WAITED_MS = 5000;

/** What coordinators must know of the worker. */
interface WaitingWorker extends Pick<WorkerEntry, 'site' | 'name' | 'instance' | 'version' | 'publicKey' | 'allows'> {
  readonly lease: Lease;
}

/** The walks that this worker asks for, and carries out. */
export class Jobs {
  /** By job. */
  readonly #pending = new Map<string, Pending>();
  readonly #refusals = new Set<string>();
  /** Sessions of coordinators that refused this worker for the rest of the run. */
  readonly #refusedBy = new Set<string>();

  constructor(
    private readonly storage: Storage,
    private readonly worker: WaitingWorker,
    private readonly services: {
      readonly questions: Questions;
      readonly runs: WorkerRuns;
      readonly outbox: Pick<Outbox, 'spool'>;
    },
    private readonly options: { readonly leaseMs: number; readonly report: (line: string) => void },
  ) {}

  find(job: string): Pending | undefined {
    return this.#pending.get(job);
  }

  /** Number of requested and running walks. */
  get count(): number {
    return this.#pending.size;
  }

  /** The running walks. */
  get assignments(): readonly NatsAssignment[] {
    return [...this.#pending.values()].flatMap(({ assignment }) => assignment ?? []);
  }

  /** Carries out a walk from the queue, unless its coordinator has given it to another worker, or refuses this one. */
  async carryOut(message: JsMsg, place: WalkPlace, work: Work): Promise<void> {
    const job = parseMessage(message.data, isJob);
    if (job === undefined) {
      message.term();
      return;
    }
    if (this.#refusedBy.has(job.session)) {
      leaveToOthers(message);
      return;
    }
    const known = this.#pending.get(job.job);
    if (known !== undefined) {
      // The broker redelivers a job after a while without an acknowledgement, but the worker is still at work.
      known.delivery = message;
      if (known.assignment !== undefined) message.ack();
      return;
    }
    const pending = new Pending(message, place);
    this.#pending.set(job.job, pending);
    const working = setInterval(() => {
      pending.delivery.working();
    }, this.options.leaseMs / 3).unref();
    try {
      await this.#take(job, pending, work);
    } finally {
      clearInterval(working);
      this.#pending.delete(job.job);
    }
  }

  async #take(given: Job, pending: Pending, work: Work): Promise<void> {
    const { name, version, allows, publicKey, instance } = this.worker;
    const { run, job } = given;
    const take: Take = {
      type: 'take',
      job,
      token: randomBytes(9).toString('base64url'),
      instance,
      name,
      version,
      publicKey,
      allows,
    };
    const answer = await this.services.questions.ask(given, take, work.signal);
    switch (answer?.type) {
      case undefined:
        pending.delivery.nak(1000);
        break;
      case 'gone':
      case 'renewed':
        pending.delivery.ack();
        break;
      case 'refused':
        this.#refusedBy.add(given.session);
        this.#reportRefusal(run, answer.reason);
        leaveToOthers(pending.delivery);
        break;
      case 'taken':
        // Acknowledged before the work: if this worker is lost, the coordinator queues the walk again.
        pending.delivery.ack();
        await this.#walk(await this.services.runs.begin(run, answer, work), job, answer, pending);
        pending.delivery.ack();
        break;
      default:
        answer satisfies never;
    }
  }

  async #walk(run: WorkerRun, job: string, { after }: Taken, pending: Pending): Promise<void> {
    const subject = subjects.events(run.run, this.worker.site, job);
    const assignment = new NatsAssignment({
      storage: this.storage,
      run: run.run,
      key: run.key,
      subject,
      after,
      lease: this.worker.lease,
      renew: (signal) =>
        this.services.questions.renew(run.coordinator, { type: 'renew', job, instance: this.worker.instance }, signal),
      spool: this.services.outbox.spool(job, subject),
      place: pending.place,
    });
    pending.begin(assignment);
    await assignment.finish(await run.walk(assignment));
  }

  #reportRefusal(run: string, reason: string): void {
    if (this.#refusals.has(reason)) return;
    this.#refusals.add(reason);
    this.options.report(`the coordinator of run ${run} refuses this worker: ${reason}`);
  }
}

/** Returns the job to the queue. The broker may redeliver it to this worker, so each delay is longer than the last. */
function leaveToOthers(delivery: JsMsg): void {
  delivery.nak(Math.min(MOST_WAITED_MS, RETRY_MS * delivery.info.deliveryCount));
}
