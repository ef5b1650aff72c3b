import type { BatchStarted, Event } from '../../../core/model/run/event.js';
import type { StartedBatch } from '../../../core/model/run/past.js';
import { groupBy } from '../../../core/model/values/groups.js';

/** The batches of each play that had started: a fold over a journal. */
export class StartedBatches {
  readonly #plays: PlayBatches[] = [];
  /** Of the current play. A rollback has its own, which no resume continues. */
  #current = new PlayBatches();

  /** @param play the number of the current one */
  event(event: Event, play: number): void {
    if (event.type === 'play-started')
      this.#current = event.rollback === true ? new PlayBatches() : (this.#plays[play] ??= new PlayBatches());
    if (event.type === 'batch-started') this.#current.start(event);
  }

  forget(play: number, batch: number): void {
    this.#plays[play]?.forget(batch);
  }

  in(play: number, hasEnded: (batch: number) => boolean): ReadonlyMap<number, StartedBatch> | undefined {
    return this.#plays[play]?.all(hasEnded);
  }
}

class PlayBatches {
  /** Whether no batch followed, by number. */
  readonly #last = new Map<number, boolean>();
  /** The number of each controller's latest batch: early journals may have several, because a resume cut the batches anew. */
  readonly #latest = new Map<string, number>();

  start({ batch, batches, controllers, lost = [] }: BatchStarted): void {
    this.#last.set(batch, batch === batches);
    for (const name of [...controllers, ...lost]) {
      // It goes behind those that were in the batch.
      if (this.#latest.get(name) !== batch) this.#latest.delete(name);
      this.#latest.set(name, batch);
    }
  }

  forget(batch: number): void {
    this.#last.delete(batch);
    for (const [name, latest] of this.#latest) if (latest === batch) this.#latest.delete(name);
  }

  all(hasEnded: (batch: number) => boolean): ReadonlyMap<number, StartedBatch> {
    const controllers = groupBy(this.#latest.keys(), (name) => this.#latest.get(name));
    return new Map(
      Array.from(this.#last, ([batch, isLast]) => [
        batch,
        { controllers: controllers.get(batch) ?? [], mayGetOthers: isLast && !hasEnded(batch) },
      ]),
    );
  }
}
