import type { Event } from '../../../core/model/run/event.js';
import type { StartedBatch } from '../../../core/model/run/past.js';

type Batches = Map<number, StartedBatch>;

/** The batches of each play that had started: a fold over a journal. */
export class StartedBatches {
  readonly #plays: Batches[] = [];
  /** Of the current play. A rollback has its own, which no resume continues. */
  #current: Batches = new Map();

  /** @param play the number of the current one */
  event(event: Event, play: number): void {
    if (event.type === 'play-started')
      this.#current = event.rollback === true ? new Map<number, StartedBatch>() : (this.#plays[play] ??= new Map());
    if (event.type !== 'batch-started') return;
    const { batch, batches, controllers, lost = [] } = event;
    const before = this.#current.get(batch)?.controllers ?? [];
    const all = [...new Set([...before, ...controllers, ...lost])];
    this.#current.set(batch, { controllers: all, isLast: batch === batches });
  }

  forget(play: number, batch: number): void {
    this.#plays[play]?.delete(batch);
  }

  in(play: number): ReadonlyMap<number, StartedBatch> | undefined {
    return this.#plays[play];
  }
}
