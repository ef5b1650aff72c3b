import { AckPolicy, JetStreamApiCodes, JetStreamApiError, type Consumer, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { natsError } from '../broker/connection.js';
import { JOBS, subjects, type Storage } from '../broker/storage.js';

const POLL_MS = 5000;
const RETRY_MS = 250;

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound;
}

/** The queue of a site. Each job goes to one of its workers, and again to one if it is not acknowledged. */
export class JobQueue {
  readonly #waiting = new Set<() => void>();

  private constructor(
    private readonly storage: Storage,
    private readonly queue: Consumer,
    /** Creates the queue if it is missing: a coordinator may have been lost while it repaired the queue. */
    private readonly ensure: () => Promise<void>,
  ) {}

  /**
   * Opens the queue; creates it if missing.
   * @param concurrency maximum number of concurrent walks
   * @throws NatsError
   */
  static async open(storage: Storage, site: string, leaseMs: number, concurrency: number): Promise<JobQueue> {
    const { consumers } = storage.manager;
    const ensure = async (): Promise<void> => {
      try {
        await consumers.info(JOBS, site);
      } catch (error) {
        if (!isMissing(error)) throw error;
        await consumers.add(JOBS, {
          durable_name: site,
          filter_subject: subjects.jobs(site),
          ack_policy: AckPolicy.Explicit,
          ack_wait: nanos(leaseMs),
          max_deliver: -1,
          max_ack_pending: concurrency,
          max_waiting: 8192,
        });
      }
    };
    try {
      await ensure();
      return new JobQueue(storage, await storage.js.consumers.get(JOBS, site), ensure);
    } catch (error) {
      throw natsError(error, `open the queue of site ${site}`);
    }
  }

  /** Ends every wait for a job. */
  stop(): void {
    for (const stop of this.#waiting) stop();
  }

  /** The next job; undefined if there is none, the connection was lost, or `stop` was called. */
  async next(): Promise<JsMsg | undefined> {
    const { link } = this.storage;
    let isDone = false;
    const pull = this.queue.next({ expires: POLL_MS }).then(
      (message) => {
        if (isDone) message?.nak();
        return message ?? undefined;
      },
      async () => {
        await link.retryIn(RETRY_MS);
        await this.ensure().catch(() => undefined);
      },
    );
    const message = await new Promise<JsMsg | undefined>((resolve) => {
      const stop = () => {
        resolve(undefined);
      };
      const end = link.onChange(stop);
      this.#waiting.add(stop);
      void pull.then((found) => {
        end();
        this.#waiting.delete(stop);
        resolve(found ?? undefined);
      });
    });
    isDone = true;
    return message;
  }
}
