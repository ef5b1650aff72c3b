import { getOrAdd } from '../../../core/model/values/groups.js';

interface PlayStart {
  readonly controllers: readonly string[];
  /** How many plays had started, this one included. */
  readonly starts: number;
}

/** Which controllers started which plays: a fold over a journal. */
export class PlayStarts {
  readonly #plays: PlayStart[] = [];
  /** By controller: how many plays had started with its first one. */
  readonly #first = new Map<string, number>();
  #starts = 0;

  /** In a resumed run, the first start counts, because later ones omit controllers that had failed by then. */
  start(play: number, controllers: readonly string[]): void {
    const starts = ++this.#starts;
    this.#plays[play] ??= { controllers, starts };
    for (const name of controllers) getOrAdd(this.#first, name, () => starts);
  }

  controllers(play: number): readonly string[] | undefined {
    return this.#plays[play]?.controllers;
  }

  isNew(controller: string, play: number): boolean {
    return (this.#first.get(controller) ?? Infinity) > (this.#plays[play]?.starts ?? Infinity);
  }
}
