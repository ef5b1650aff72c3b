import { errorMessage } from '../../../model/error_message.js';
import type { WorkerTransport } from '../../../model/run/worker_transport.js';
import type { NatsAssignment, WalkOutcome } from './assignment.js';
import type { Link } from '../broker/link.js';
import { FrameReader, type Received } from '../channel/frames.js';
import type { Taken } from '../protocol/messages.js';
import type { Coordinator } from './questions.js';
import { elapsed, type Instant, now } from '../protocol/registry.js';
import { digestOf, RunKey } from '../channel/sealing.js';
import { parseDescription } from '../protocol/description.js';
import type { Buckets } from '../broker/storage.js';

const RETRY_MS = 250;

export type Work = Parameters<WorkerTransport['serve']>[0];

/** A run that the worker has taken walks of. */
export class WorkerRun {
  /** Resolves when the first walk may begin. Rejects if the description was modified. */
  readonly ready: Promise<void>;
  readonly #walks = new Map<NatsAssignment, Promise<void>>();
  readonly #control: FrameReader;
  #absent: Instant | undefined;
  #ending: Promise<void> | undefined;

  constructor(
    readonly run: string,
    readonly taken: Taken,
    readonly key: RunKey,
    buckets: Buckets,
    private readonly work: Work,
    private readonly link: Link,
    private readonly report: (line: string) => void,
  ) {
    this.#control = new FrameReader(key);
    this.ready = this.#begin(buckets);
    this.ready.catch((error: unknown) => {
      this.report(`cannot work for run ${run}: ${errorMessage(error)}`);
    });
  }

  get coordinator(): Coordinator {
    return { run: this.run, session: this.taken.session };
  }

  get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  /** Carries out a walk. */
  async walk(assignment: NatsAssignment): Promise<WalkOutcome> {
    const walking = this.#walk(assignment);
    const done = walking.then(() => undefined);
    this.#walks.set(assignment, done);
    try {
      return await walking;
    } finally {
      this.#walks.delete(assignment);
    }
  }

  /** Handles a message for all walks. Returns true if the run is over. */
  receive(message: Received): boolean {
    try {
      const content = this.#control.read(message);
      if (content?.type === 'over') return true;
      if (content?.type === 'broadcast') void this.#broadcast(content.texts);
    } catch (error) {
      this.report(`cannot read what the coordinator of run ${this.run} sent: ${errorMessage(error)}`);
    }
    return false;
  }

  /**
   * Whether the coordinator has been away for so long that the worker gives up.
   * @param isPresent undefined if the broker does not answer; the coordinator may be alive then, even if its entry
   * expires
   */
  isAbandoned(isPresent: boolean | undefined, graceMs: number): boolean {
    this.#absent = isPresent === false ? (this.#absent ?? now()) : undefined;
    return this.#absent !== undefined && elapsed(this.#absent) > graceMs;
  }

  /** Revokes all walks and ends the run, once. */
  end(reason: string): Promise<void> {
    this.#ending ??= this.#end(reason);
    return this.#ending;
  }

  async #begin(buckets: Buckets): Promise<void> {
    const content = await this.#opened(buckets, this.taken.description, 'description', this.key);
    const { text, files } = parseDescription(content.toString());
    const bytes = files && (await this.#opened(buckets, files.name, 'bundle', RunKey.of(files.key)));
    await this.work.begin(this.run, text, bytes);
  }

  /** @throws Error if the content was modified */
  async #opened(buckets: Buckets, name: string, what: string, key: RunKey): Promise<Buffer> {
    const sealed = await this.#fetch(buckets, name);
    if (sealed === null) throw new Error(`its ${what} is not on the NATS server`);
    if (digestOf(sealed) !== name) throw new Error(`its ${what} does not match its digest ${name}: nothing was run`);
    return key.open(this.run, sealed);
  }

  /** Retries, because a short outage of the broker must not fail the controllers of the run. */
  async #fetch(buckets: Buckets, name: string): Promise<Uint8Array | null> {
    for (;;) {
      const loss = new AbortController();
      const end = this.link.onChange(() => {
        loss.abort();
      });
      try {
        return await this.link.answer(buckets.descriptions.getBlob(name));
      } catch (error) {
        if (!loss.signal.aborted || this.link.isClosed) throw error;
      } finally {
        end();
      }
      await this.link.retryIn(RETRY_MS);
    }
  }

  async #walk(assignment: NatsAssignment): Promise<WalkOutcome> {
    try {
      await this.ready;
    } catch (error) {
      return { type: 'refused', reason: this.work.whyUnfit?.() ?? errorMessage(error) };
    }
    const reason = this.work.whyUnfit?.();
    if (reason !== undefined) return { type: 'refused', reason };
    try {
      await assignment.ordered;
      if (!assignment.revoked.aborted) await this.work.walk(assignment);
      return { type: 'ended' };
    } catch (error) {
      return { type: 'failed', reason: errorMessage(error) };
    }
  }

  async #broadcast(texts: readonly string[]): Promise<void> {
    await this.ready.catch(() => undefined);
    if (!this.isEnding) for (const text of texts) this.work.onBroadcast(this.run, text);
  }

  async #end(reason: string): Promise<void> {
    for (const assignment of this.#walks.keys()) assignment.revoke(reason);
    await Promise.all(this.#walks.values());
    await this.ready.then(
      () => this.work.end(this.run),
      () => undefined,
    );
  }
}
