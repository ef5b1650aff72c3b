import { comparePositions, type Position } from '../../model/playbook/position.js';

/** What a controller is to do at a step that only one of its batch carries out. */
export type Turn<Result> =
  | { readonly type: 'perform'; readonly done: (result: Result) => void }
  | { readonly type: 'share'; readonly result: Result };

interface Visit<Result> {
  readonly position: Position;
  /** Place in the batch of the first controller that has not gone by. */
  front: number;
  readonly waiting: Map<string, (turn: Turn<Result>) => void>;
  performing: boolean;
  result: { readonly value: Result } | undefined;
}

/**
 * `run_once`: of the controllers of a batch, the first living one that comes to the step carries it out, and its result serves
 * all. Who is first can be said only when all before it have come to the step, gone by, or left.
 */
export class Once<Result> {
  readonly #places: ReadonlyMap<string, number>;
  readonly #reached: (Position | 'left' | undefined)[];
  /** By step, then by position: a step inside a loop is visited several times. */
  readonly #visits = new Map<object, Map<string, Visit<Result>>>();
  readonly #pending = new Set<Visit<Result>>();

  constructor(controllers: readonly string[]) {
    this.#places = new Map(controllers.map((name, place) => [name, place]));
    this.#reached = controllers.map(() => undefined);
  }

  /** The controller stands before the step at that position; it never goes back. */
  arrive(controller: string, position: Position): void {
    this.#advance(controller, position);
  }

  /** The controller takes no further part in the play. */
  leave(controller: string): void {
    this.#advance(controller, 'left');
  }

  /** Resolves when it is known who carries the step out, and to the result once there is one. */
  turn(controller: string, step: object, position: Position): Turn<Result> | Promise<Turn<Result>> {
    const visit = this.#visit(step, position);
    if (visit.result !== undefined) return { type: 'share', result: visit.result.value };
    if (this.#isFirst(controller, visit)) return this.#perform(visit);
    return new Promise((resolve) => {
      visit.waiting.set(controller, resolve);
    });
  }

  #visit(step: object, position: Position): Visit<Result> {
    const visits = this.#visits.get(step) ?? new Map<string, Visit<Result>>();
    this.#visits.set(step, visits);
    const key = position.join('.');
    const known = visits.get(key);
    if (known !== undefined) return known;
    const visit: Visit<Result> = { position, front: 0, waiting: new Map(), performing: false, result: undefined };
    visits.set(key, visit);
    this.#pending.add(visit);
    this.#moveFront(visit);
    return visit;
  }

  #perform(visit: Visit<Result>): Turn<Result> {
    visit.performing = true;
    const done = (value: Result): void => {
      visit.result = { value };
      this.#pending.delete(visit);
      for (const resolve of visit.waiting.values()) resolve({ type: 'share', result: value });
      visit.waiting.clear();
    };
    return { type: 'perform', done };
  }

  #advance(controller: string, reached: Position | 'left'): void {
    const place = this.#places.get(controller);
    if (place === undefined) return;
    this.#reached[place] = reached;
    for (const visit of this.#pending) if (visit.front === place) this.#moveFront(visit);
  }

  #moveFront(visit: Visit<Result>): void {
    while (visit.front < this.#reached.length && this.#hasGoneBy(visit.front, visit.position)) visit.front++;
    if (visit.performing) return;
    for (const [controller, resolve] of visit.waiting) {
      if (!this.#isFirst(controller, visit)) continue;
      visit.waiting.delete(controller);
      resolve(this.#perform(visit));
      return;
    }
  }

  #hasGoneBy(place: number, position: Position): boolean {
    const reached = this.#reached[place];
    return reached === 'left' || (reached !== undefined && comparePositions(reached, position) > 0);
  }

  #isFirst(controller: string, visit: Visit<Result>): boolean {
    return !visit.performing && this.#places.get(controller) === visit.front;
  }
}
