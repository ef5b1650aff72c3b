import type { KV } from '@nats-io/kv';
import type { Session } from './attempt.js';
import { framesOf, publication } from '../channel/frames.js';
import { publishAfter } from '../broker/publishing.js';
import { EVENTS, subjects } from '../broker/storage.js';
import { RunKey } from '../channel/sealing.js';

/** Marks a run on the broker as having a coordinator. */
export class Presence {
  #timer: NodeJS.Timeout | undefined;
  #stopListening: () => void = () => undefined;

  /** @param onTakenOver called once when another coordinator has taken over the run */
  constructor(
    private readonly session: Session,
    private readonly runs: KV,
    private readonly leaseMs: number,
    private readonly onTakenOver: (reason: string) => void,
  ) {}

  /** Takes the run over from an earlier coordinator. */
  async start(): Promise<void> {
    await this.runs.put(this.session.run, this.session.id);
    const refresh = () => {
      if (this.session.storage.link.isUp) void this.#refresh().catch(() => undefined);
    };
    this.#timer = setInterval(refresh, this.leaseMs / 3);
    this.#stopListening = this.session.storage.link.onChange(refresh);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopListening();
    this.#timer = undefined;
  }

  /** Announces the end of the run. */
  async end(): Promise<void> {
    const { run, id } = this.session;
    if ((await this.runs.get(run))?.string() === id) await this.runs.delete(run);
  }

  async #refresh(): Promise<void> {
    const { storage, run, id } = this.session;
    const found = await storage.link.answer(this.runs.get(run));
    if (this.#timer === undefined) return;
    if (found?.operation !== 'PUT' || found.string() === id) {
      await storage.link.answer(this.runs.put(run, id, { previousSeq: found?.revision ?? 0 }));
    } else {
      this.stop();
      this.onTakenOver('another coordinator has taken over the run');
    }
  }
}

/** Closes the streams of an earlier coordinator of the run, so that they refuse further messages of its workers. */
export async function closeEarlier({ storage, run }: Session): Promise<void> {
  // `closed` frames are never decrypted, so any key will do.
  const key = new RunKey();
  const filter = subjects.eventsOf(run);
  const { state } = await storage.manager.streams.info(EVENTS, { subjects_filter: filter });
  for (const subject of Object.keys(state.subjects ?? {}))
    for (const frame of framesOf(key, subject, 0, { type: 'closed', texts: [] }))
      await publishAfter(storage, { stream: EVENTS, subject }, publication(frame), undefined);
}
