import { comparePositions, type Position } from '../../model/playbook/position.js';

interface Group<Waiting> {
  readonly position: Position;
  readonly waiting: Waiting[];
}

/** Who waits at which position. Thousands of controllers may wait at as many positions: none looks at all the others. */
export class WaitingList<Waiting> {
  /** The lowest position last. */
  readonly #groups: Group<Waiting>[] = [];

  add(position: Position, one: Waiting): void {
    const index = this.#indexOf(position);
    const group = this.#groups[index];
    if (group !== undefined && comparePositions(group.position, position) === 0) group.waiting.push(one);
    else this.#groups.splice(index, 0, { position, waiting: [one] });
  }

  /** Takes out those who wait at the lowest position. */
  takeLowest(): readonly Waiting[] {
    return this.#groups.pop()?.waiting ?? [];
  }

  /** Of the first group that is not above the position, by halving. */
  #indexOf(position: Position): number {
    let [from, to] = [0, this.#groups.length];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      const group = this.#groups[middle];
      if (group !== undefined && comparePositions(group.position, position) > 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
