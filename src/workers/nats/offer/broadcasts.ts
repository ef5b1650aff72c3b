import { ORDERS, subjects } from '../broker/storage.js';
import { ChannelWriter } from '../channel/channel_writer.js';
import { workerKey } from '../protocol/registry.js';
import type { Session } from './attempt.js';
import type { SiteSessions } from './site_sessions.js';

/** Messages of a coordinator to all walks of its workers. A worker that joins later gets the earlier messages, too. */
export class Broadcasts {
  readonly #workers = new Map<string, { readonly writer: ChannelWriter; readonly ready: Promise<void> }>();
  readonly #texts: string[] = [];

  constructor(
    private readonly session: Session,
    private readonly sites: SiteSessions,
  ) {}

  write(text: string): void {
    this.#texts.push(text);
    for (const { writer } of this.#workers.values()) writer.write(text, 'broadcast');
  }

  /** Resolves when the worker has all messages so far. */
  sendTo(site: string, instance: string): Promise<void> {
    const { storage, run, id } = this.session;
    const worker = workerKey({ site, instance });
    const known = this.#workers.get(worker);
    if (known !== undefined) return known.ready;
    const subject = subjects.orders(site, instance, { run, session: id }, 'all');
    const { key } = this.sites.of(site);
    const writer = new ChannelWriter(storage, { stream: ORDERS, subject, key }, 0);
    const written = this.#texts.map((text) => writer.writeDurably(text, 'broadcast'));
    const ready = Promise.all(written).then(() => undefined);
    this.#workers.set(worker, { writer, ready });
    return ready;
  }

  /** Announces the end of the run. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#workers.values()].map(({ writer }) => writer.writeDurably('', 'over')));
  }
}
