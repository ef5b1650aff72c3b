import type { JsMsg } from '@nats-io/jetstream';
import { errorMessage } from '../../../model/error_message.js';
import type { Assignment, WalkPlace } from '../../../model/run/worker_transport.js';
import { ChannelWriter, type Spool } from '../channel/channel_writer.js';
import { FrameReader, type Received } from '../channel/frames.js';
import type { Instant, Lease } from '../protocol/registry.js';
import type { RunKey } from '../channel/sealing.js';
import { EVENTS, type Storage } from '../broker/storage.js';

export interface AssignmentOptions {
  readonly storage: Storage;
  readonly run: string;
  readonly key: RunKey;
  /** The subject of the worker's messages, and the sequence number of the last one. */
  readonly subject: string;
  readonly after: number;
  readonly lease: Lease;
  /**
   * Asks the coordinator whether the worker still has the walk. Returns the time of the request; undefined if the
   * worker has lost the walk.
   */
  readonly renew: (signal: AbortSignal) => Promise<Instant | undefined>;
  readonly spool: Spool;
  readonly place: WalkPlace;
}

/** How a walk ended on the worker. `refused`: it did not start, because the worker cannot carry out the run. */
export interface WalkOutcome {
  readonly type: 'ended' | 'failed' | 'refused';
  readonly reason?: string;
}

/** A walk that the worker has taken. */
export class NatsAssignment implements Assignment {
  text = '';
  readonly run: string;
  readonly place: WalkPlace;
  /** Resolves when the order has arrived, or the walk was revoked. */
  readonly ordered: Promise<void>;
  readonly #revoked = new AbortController();
  readonly #writer: ChannelWriter;
  readonly #reader: FrameReader;
  #order: () => void = () => undefined;
  #hasOrder = false;
  #epoch: number;
  #early: string[] = [];
  #listen: ((text: string) => void) | undefined;

  constructor(private readonly options: AssignmentOptions) {
    const { storage, key, subject, after, lease, spool } = options;
    this.run = options.run;
    this.place = withoutWaiting(options.place, this.revoked);
    this.ordered = new Promise((resolve) => {
      this.#order = resolve;
    });
    this.#epoch = lease.epoch;
    this.#reader = new FrameReader(key, 1);
    const channel = { stream: EVENTS, subject, key };
    this.#writer = new ChannelWriter(
      storage,
      channel,
      after,
      (error) => {
        this.revoke(error.message);
      },
      spool,
    );
  }

  get revoked(): AbortSignal {
    return this.#revoked.signal;
  }

  post(text: string): void {
    this.#writer.write(text);
  }

  async postDurably(text: string): Promise<void> {
    await this.#writer.writeDurably(text);
    await this.stillHeld();
  }

  async stillHeld(): Promise<void> {
    // While the process was suspended, the walk may have gone to another worker.
    while (!this.#isHeld()) await this.#renew();
    this.revoked.throwIfAborted();
  }

  onMessage(listen: (text: string) => void): void {
    this.#listen = listen;
    for (const text of this.#early.splice(0)) listen(text);
  }

  /** Keeps undelivered messages for the next worker with this state folder. */
  keepUnsent(): void {
    this.#writer.keepUnsent();
  }

  revoke(reason: string): void {
    if (this.#revoked.signal.aborted) return;
    const error = new Error(reason);
    this.#revoked.abort(error);
    this.#writer.refuse(error);
    this.#order();
  }

  /** Handles a message of the coordinator for this walk. */
  receive(message: Received): void {
    try {
      const content = this.#reader.read(message);
      if (content?.type === 'revoked') this.revoke('the walk was given to another worker, or its run is over');
      if (content?.type === 'texts') for (const text of content.texts) this.#receiveText(text);
    } catch (error) {
      this.revoke(`cannot read what the coordinator sent: ${errorMessage(error)}`);
    }
  }

  /** Sends the last message of the walk. Returns when it is delivered, or cannot be. */
  async finish({ type, reason = '' }: WalkOutcome): Promise<void> {
    await this.#writer.writeDurably(reason, type).catch(() => undefined);
  }

  #receiveText(text: string): void {
    if (!this.#hasOrder) {
      this.#hasOrder = true;
      this.text = text;
      this.#order();
    } else if (this.#listen === undefined) this.#early.push(text);
    else this.#listen(text);
  }

  #isHeld(): boolean {
    return this.options.lease.isFresh() && this.options.lease.epoch === this.#epoch;
  }

  async #renew(): Promise<void> {
    const { lease, renew } = this.options;
    const sent = await renew(this.revoked);
    if (sent === undefined) this.revoke('the worker was silent for too long: the walk was given to another worker');
    this.revoked.throwIfAborted();
    if (sent !== undefined) lease.confirm(sent);
    this.#epoch = lease.epoch;
  }
}

/** A revoked walk runs to its end without a place, because the walks that hold all places may wait for that end. */
function withoutWaiting(place: WalkPlace, revoked: AbortSignal): WalkPlace {
  return {
    giveBack: () => {
      place.giveBack();
    },
    takeAgain: (go) => {
      let isWaiting = true;
      const proceed = (): void => {
        isWaiting = false;
        revoked.removeEventListener('abort', proceed);
        go();
      };
      if (revoked.aborted) {
        proceed();
        return;
      }
      revoked.addEventListener('abort', proceed);
      place.takeAgain(() => {
        if (isWaiting) proceed();
        else place.giveBack();
      });
    },
  };
}

/** Keeps messages that arrive before the walk begins. */
export class Pending {
  #frames: JsMsg[] = [];
  #assignment: NatsAssignment | undefined;

  /** @param delivery of the job: the newest, if the broker sent it again */
  constructor(
    public delivery: JsMsg,
    readonly place: WalkPlace,
  ) {}

  get assignment(): NatsAssignment | undefined {
    return this.#assignment;
  }

  receive(message: JsMsg): void {
    if (this.#assignment === undefined) this.#frames.push(message);
    else this.#assignment.receive(message);
  }

  begin(assignment: NatsAssignment): void {
    this.#assignment = assignment;
    for (const frame of this.#frames.splice(0)) assignment.receive(frame);
  }
}
