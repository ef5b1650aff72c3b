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

  /** Also those that are gone. */
  members(play: number, batch: number): readonly string[] {
    return this.#plays[play]?.members(batch) ?? [];
  }

  forget(play: number, batch: number): void {
    this.#plays[play]?.forget(batch);
  }

  in(
    play: number,
    hasEnded: (batch: number) => boolean,
    isAlive: (name: string) => boolean,
  ): ReadonlyMap<number, StartedBatch> | undefined {
    return this.#plays[play]?.all(hasEnded, isAlive);
  }
}

interface Membership {
  readonly batch: number;
  /** It had failed before the batch. */
  readonly wasLost: boolean;
}

class PlayBatches {
  /** Whether no batch followed, by number. */
  readonly #last = new Map<number, boolean>();
  /** The latest batch of each controller: early journals may have several, because a resume cut the batches anew. */
  readonly #latest = new Map<string, Membership>();

  start({ batch, batches, controllers, lost = [] }: BatchStarted): void {
    this.#last.set(batch, batch === batches);
    for (const [names, wasLost] of [[controllers, false] as const, [lost, true] as const])
      for (const name of names) {
        const isIn = this.#latest.get(name)?.batch === batch;
        // It goes behind those that were in the batch.
        if (!isIn) this.#latest.delete(name);
        if (!isIn || !wasLost) this.#latest.set(name, { batch, wasLost });
      }
  }

  members(batch: number): readonly string[] {
    if (!this.#last.has(batch)) return [];
    return [...this.#latest].flatMap(([name, latest]) => (latest.batch === batch ? [name] : []));
  }

  forget(batch: number): void {
    this.#last.delete(batch);
    for (const [name, latest] of this.#latest) if (latest.batch === batch) this.#latest.delete(name);
  }

  all(hasEnded: (batch: number) => boolean, isAlive: (name: string) => boolean): ReadonlyMap<number, StartedBatch> {
    const members = groupBy(this.#latest, ([, { batch }]) => batch);
    return new Map(
      Array.from(this.#last, ([batch, isLast]) => {
        const isOver = hasEnded(batch);
        // What ended the batch is no reason to leave out one that did not get that far, and is back.
        const stays = ([name, { wasLost }]: [string, Membership]): boolean => !(isOver && wasLost && isAlive(name));
        const controllers = (members.get(batch) ?? []).filter(stays).map(([name]) => name);
        return [batch, { controllers, mayGetOthers: isLast && !isOver }];
      }),
    );
  }
}
