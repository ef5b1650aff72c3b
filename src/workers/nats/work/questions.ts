import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { NoRespondersError } from '@nats-io/transport-node';
import { isAnswer, parseMessage, type Answer, type Request } from '../protocol/messages.js';
import { now, type Instant } from '../protocol/registry.js';
import { subjects, type Buckets, type Storage } from '../broker/storage.js';

const RETRY_MS = 250;

/** One start of the coordinator of a run. */
export interface Coordinator {
  readonly run: string;
  readonly session: string;
}

/** Questions of a worker to coordinators. */
export class Questions {
  constructor(
    private readonly storage: Storage,
    private readonly buckets: Buckets,
    private readonly worker: { readonly site: string; readonly leaseMs: number },
  ) {}

  /**
   * Asks until the coordinator answers. Returns `gone` if the run has no coordinator, undefined if the signal was
   * aborted first.
   */
  async ask(to: Coordinator, request: Request, signal: AbortSignal): Promise<Answer | undefined> {
    const { link } = this.storage;
    while (!link.isClosed && !signal.aborted) {
      try {
        return await this.#request(to, request);
      } catch (error) {
        if (isUnreachable(error) && !(await this.isThere(to).catch(() => true))) return { type: 'gone' };
      }
      await link.retryIn(RETRY_MS);
    }
    return undefined;
  }

  /**
   * Waits for a coordinator that is away. Returns the time of the request; undefined if the worker has lost the walk.
   */
  async renew(to: Coordinator, request: Request, signal: AbortSignal): Promise<Instant | undefined> {
    const { link } = this.storage;
    while (!link.isClosed && !signal.aborted) {
      const sent = now();
      try {
        return (await this.#request(to, request))?.type === 'renewed' ? sent : undefined;
      } catch {
        await link.retryIn(RETRY_MS);
      }
    }
    return undefined;
  }

  /** @throws Error if the broker does not answer */
  async isThere({ run, session }: Coordinator): Promise<boolean> {
    try {
      const entry = await this.storage.link.answer(this.buckets.runs.get(run));
      return entry?.operation === 'PUT' && entry.string() === session;
    } catch (error) {
      // The broker has lost its streams.
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return false;
      throw error;
    }
  }

  async #request({ run, session }: Coordinator, request: Request): Promise<Answer | undefined> {
    const { site, leaseMs } = this.worker;
    const { link } = this.storage;
    const asked = link.connection.request(subjects.take(site, run, session), JSON.stringify(request), {
      timeout: leaseMs / 3,
    });
    const reply = await link.answer(asked);
    return parseMessage(reply.data, isAnswer);
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof NoRespondersError || (error instanceof Error && isUnreachable(error.cause));
}
