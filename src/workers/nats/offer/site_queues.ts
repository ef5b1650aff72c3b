import type { ConsumerInfo } from '@nats-io/jetstream';
import { errorMessage } from '../../../model/error_message.js';
import { publishAfter } from '../broker/publishing.js';
import { JOBS, type Storage, subjects } from '../broker/storage.js';
import type { NatsAttempt, Session } from './attempt.js';

/** The queues from which workers take the walks of their sites. */
export class SiteQueues {
  /** The sites whose queues were checked since the last connection to the broker. */
  readonly #repaired = new Map<string, Promise<void>>();

  constructor(private readonly session: Session) {}

  /** There is a new connection to the broker, which may have lost queues. */
  checkAgain(): void {
    this.#repaired.clear();
  }

  /**
   * Puts the job into the queue of its site.
   * @param count how often it was queued before
   */
  async put(attempt: NatsAttempt, count: number): Promise<void> {
    const { storage, run, id } = this.session;
    const data = Buffer.from(JSON.stringify({ run, session: id, job: attempt.job }));
    const channel = { stream: JOBS, subject: subjects.jobs(attempt.site) };
    const repair = this.#repaired.get(attempt.site) ?? repairQueue(storage, attempt.site);
    this.#repaired.set(attempt.site, repair);
    try {
      await repair;
      await publishAfter(storage, channel, { id: `${attempt.job}.${count}`, data }, undefined);
    } catch (error) {
      attempt.giveUp(errorMessage(error));
    }
  }
}

/**
 * Creates the queue of a site again if it would never deliver anything. Jobs that workers are taking at this moment are delivered a second
 * time, and their coordinator tells the second worker that they are gone.
 * Needs permissions that only the coordinator has.
 */
async function repairQueue(storage: Storage, site: string): Promise<void> {
  const { consumers } = storage.manager;
  try {
    const queue = await consumers.info(JOBS, site);
    if (!(await isStuck(storage, site, queue))) return;
    await consumers.delete(JOBS, site);
    await consumers.add(JOBS, queue.config);
  } catch {
    // No worker has created the queue yet, or one has created it again, or the broker is lost again.
  }
}

/**
 * When nats-server is killed, it may forget which jobs it deleted last. It then gives their numbers to new jobs, which the queue has delivered
 * already. Or it may forget an acknowledgement, and waits for that of a job that no longer exists.
 */
async function isStuck({ manager }: Storage, site: string, queue: ConsumerInfo): Promise<boolean> {
  const { state } = await manager.streams.info(JOBS);
  const delivered = queue.delivered.stream_seq;
  if (delivered > state.last_seq) return true;
  // The server itself corrects the queues of a stream without messages.
  if (state.messages === 0) return false;
  let seq = queue.ack_floor.stream_seq;
  for (let count = 0; count < queue.num_ack_pending; count += 1) {
    const job = await manager.direct.getMessage(JOBS, { seq: seq + 1, next_by_subj: subjects.jobs(site) });
    if (job === null || job.seq > delivered) return true;
    ({ seq } = job);
  }
  return false;
}
