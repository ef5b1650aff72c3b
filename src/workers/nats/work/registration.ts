import type { KV } from '@nats-io/kv';
import type { Link } from '../broker/link.js';
import { Lease, now, workerKey, type WorkerEntry } from '../protocol/registry.js';

/** The entry of a worker in the registry, refreshed while the worker runs. */
export class Registration {
  readonly lease: Lease;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: () => void = () => undefined;

  /** @param load number of its current walks */
  constructor(
    private readonly link: Link,
    private readonly workers: KV,
    private readonly entry: Omit<WorkerEntry, 'load'>,
    private readonly load: () => number,
    private readonly leaseMs: number,
  ) {
    this.lease = new Lease(leaseMs);
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#refresh(), this.leaseMs / 3);
    this.#stopListening = this.link.onChange(() => void this.#refresh());
    await this.#refresh();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening();
    if (this.link.isUp) await this.link.answer(this.workers.delete(workerKey(this.entry))).catch(() => undefined);
  }

  async #refresh(): Promise<void> {
    if (!this.link.isUp) return;
    const sent = now();
    const value = JSON.stringify({ ...this.entry, load: this.load() } satisfies WorkerEntry);
    try {
      await this.link.answer(this.workers.put(workerKey(this.entry), value));
      this.lease.confirm(sent);
    } catch {
      // Ignored, because the next heartbeat follows soon.
    }
  }
}
