import { errorMessage } from '../../../model/error_message.js';
import type { Attempt, AttemptEnd, Order, OrderListener } from '../../../model/run/worker_transport.js';
import { ChannelWriter } from '../channel/channel_writer.js';
import { FrameReader, framesOf, publication, type Received } from '../channel/frames.js';
import type { Answer, Take } from '../protocol/messages.js';
import { publishAfter } from '../broker/publishing.js';
import { EVENTS, ORDERS, subjects, type Storage } from '../broker/storage.js';
import type { SiteSession } from './site_sessions.js';

/** What all attempts of a run share. */
export interface Session {
  readonly storage: Storage;
  readonly run: string;
  /** Identifies this start of the coordinator. */
  readonly id: string;
  /** Milliseconds without a heartbeat after which a worker is lost. */
  readonly leaseMs: number;
}

/** The site of an order, and the key that seals it. */
export interface OrderPlace extends SiteSession {
  readonly site: string;
}

interface Holder {
  readonly take: Take;
  readonly orders: ChannelWriter;
  readonly answer: Promise<Answer>;
}

/**
 * The coordinator's view of one order. The worker's messages have a subject of the stream, which begins with `opened`.
 * After `closed`, the stream refuses messages of the worker, because each must directly follow the worker's last one.
 */
export class NatsAttempt implements Attempt {
  readonly end: Promise<AttemptEnd>;
  #resolve: (end: AttemptEnd) => void = () => undefined;
  readonly #subject: string;
  readonly #reader: FrameReader;
  /** Messages that were sent before a worker took the order. */
  #early: string[] | undefined = [];
  #holder: Holder | undefined;
  #lost: string | undefined;
  #isOver = false;
  #isCancelled = false;

  constructor(
    private readonly session: Session,
    readonly job: string,
    private readonly place: OrderPlace,
    private readonly order: Order,
    private readonly listener: OrderListener,
  ) {
    this.end = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#subject = subjects.events(session.run, place.site, job);
    this.#reader = new FrameReader(place.key, 0);
  }

  get site(): string {
    return this.place.site;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The worker that has the order. */
  get instance(): string | undefined {
    return this.#holder?.take.instance;
  }

  send(text: string): void {
    if (this.#early !== undefined) this.#early.push(text);
    else if (!this.#isOver) this.#holder?.orders.write(text);
  }

  /** Reports why no worker has taken the order yet. */
  wait(reason: string): void {
    if (!this.#isOver && this.#holder === undefined) this.listener.waiting(reason);
  }

  /**
   * A worker asks for the order; the first one gets it.
   * @param ready resolves when the worker may begin
   */
  take(take: Take, ready: () => Promise<void>): Promise<Answer> {
    if (this.#isOver || (this.#holder !== undefined && this.#holder.take.token !== take.token))
      return Promise.resolve({ type: 'gone' });
    if (this.#holder === undefined) {
      const { session, job } = this;
      const { site, key } = this.place;
      const subject = subjects.orders(site, take.instance, { run: session.run, session: session.id }, job);
      const orders = new ChannelWriter(session.storage, { stream: ORDERS, subject, key }, 0, (error) => {
        void this.lose(error.message);
      });
      this.#holder = { take, orders, answer: this.#begin(take, orders, ready) };
    }
    return this.#holder.answer;
  }

  /** Whether the worker still has the order, so that its lease can be extended. */
  isHeldBy(instance: string): boolean {
    return !this.#isOver && this.#lost === undefined && this.instance === instance;
  }

  /** Probes after an interrupted connection: a worker that has given the walk back reports that. */
  probe(): void {
    if (!this.#isOver) this.#holder?.orders.write('', 'probe');
  }

  /** Takes the order from its worker. Messages that the stream has accepted by then count; later ones do not. */
  async lose(reason: string): Promise<void> {
    if (this.#holder === undefined || this.#isOver || this.#lost !== undefined) return;
    this.#lost = reason;
    const { storage } = this.session;
    const [closed] = framesOf(this.place.key, this.#subject, 0, { type: 'closed', texts: [] });
    if (closed === undefined) return;
    try {
      await publishAfter(storage, { stream: EVENTS, subject: this.#subject }, publication(closed), undefined);
    } catch (error) {
      this.#finish({ type: 'lost', worker: this.#holder.take.name, reason: `${reason}; ${errorMessage(error)}` });
    }
    this.#holder.orders.write('', 'revoked');
  }

  /** The worker learns of it from a broadcast. Without the broker, waits for one lease, unless called twice. */
  cancel(): void {
    this.giveUp('it was withdrawn');
    const { storage, leaseMs } = this.session;
    const { link } = storage;
    const reason = 'the NATS server cannot be reached';
    if (this.#isCancelled && !link.isUp) this.abandon(reason);
    if (this.#isOver || this.#isCancelled) return;
    this.#isCancelled = true;
    let timer: NodeJS.Timeout | undefined;
    const look = (): void => {
      clearTimeout(timer);
      if (link.isUp) return;
      timer = setTimeout(() => {
        this.abandon(reason);
      }, leaseMs);
    };
    const stopLooking = link.onChange(look);
    look();
    void this.end.then(() => {
      clearTimeout(timer);
      stopLooking();
    });
  }

  refuse(reason: string): void {
    void this.lose(reason);
  }

  /** Ends the attempt if no worker has taken it. */
  giveUp(reason: string): void {
    if (this.#holder === undefined) this.#finish({ type: 'untaken', reason });
  }

  /** Ends the attempt because the broker is lost. */
  abandon(reason: string): void {
    this.giveUp(reason);
    if (this.#holder !== undefined) this.#finish({ type: 'lost', worker: this.#holder.take.name, reason });
  }

  /** Handles a message in the subject of the attempt. */
  receive(message: Received): void {
    if (this.#isOver || this.#holder === undefined) return;
    const worker = this.#holder.take.name;
    try {
      const content = this.#reader.read(message);
      if (content === undefined) return;
      switch (content.type) {
        case 'texts':
          for (const text of content.texts) this.listener.message(text);
          break;
        case 'ended':
          this.#finish({ type: 'ended' });
          break;
        case 'failed':
          this.#finish({ type: 'failed', worker, reason: content.texts.join() });
          break;
        case 'refused':
          this.#finish({ type: 'refused', worker, reason: content.texts.join() });
          break;
        case 'closed':
          this.#finish({ type: 'lost', worker, reason: this.#lost ?? 'another coordinator has taken over the run' });
          break;
        case 'opened':
        case 'broadcast':
        case 'probe':
        case 'revoked':
        case 'over':
          break;
        default:
          content.type satisfies never;
      }
    } catch (error) {
      void this.lose(`cannot read what worker ${worker} sent: ${errorMessage(error)}`);
    }
  }

  async #begin(take: Take, orders: ChannelWriter, ready: () => Promise<void>): Promise<Answer> {
    const { storage, id } = this.session;
    const { key } = this.place;
    try {
      const sealed = key.sealedFor(take.publicKey);
      const description = await this.place.description();
      const [opened] = framesOf(key, this.#subject, 0, { type: 'opened', texts: [] });
      if (opened === undefined) return { type: 'gone' };
      await ready();
      const channel = { stream: EVENTS, subject: this.#subject };
      const after = await publishAfter(storage, channel, publication(opened), 0);
      if (after === undefined) throw new Error('the stream has messages of it already');
      if (this.#isOver) return { type: 'gone' };
      this.listener.taken(take.name, take.instance);
      for (const text of [this.order.text(), ...(this.#early ?? [])]) orders.write(text);
      this.#early = undefined;
      return { type: 'taken', session: id, key: sealed, description, after };
    } catch (error) {
      void this.lose(`cannot hand the walk to worker ${take.name}: ${errorMessage(error)}`);
      return { type: 'gone' };
    }
  }

  #finish(end: AttemptEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#resolve(end);
  }
}
