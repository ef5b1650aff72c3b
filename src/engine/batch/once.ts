import { comparePositions, type StepPosition } from '../../core/model/playbook/step_place.js';
import { getOrAdd } from '../../core/model/values/groups.js';

/** What a controller does at a step that one controller performs for the batch. */
export type OnceTurn<Result> =
  | {
      readonly type: 'perform';
      readonly done: (result: Result) => void;
      /** Leaves the step to the next controller, which begins once this one has gone on. */
      readonly passOn: () => void;
    }
  | { readonly type: 'share'; readonly result: Result };

/** What the journal says about a step of a resumed run. */
export interface EarlierTurn {
  /** The controller began it before the interrupt, so it goes on with it, whichever is the first now. */
  readonly hasBegun: boolean;
  /** Controllers that began a step written like this one, maybe this one. */
  readonly candidates: () => readonly string[];
}

const NO_EARLIER_TURN: EarlierTurn = { hasBegun: false, candidates: () => [] };

interface SharedStep<Result> {
  readonly position: StepPosition;
  /** Batch index of the first controller that has not passed yet. */
  front: number;
  /** Batch indexes of those that may have begun it, until they have reached or passed it. */
  readonly awaited: Set<number>;
  readonly waiting: Map<string, (turn: OnceTurn<Result>) => void>;
  performing: boolean;
  result: { readonly value: Result } | undefined;
}

/**
 * `run_once`: the first remaining controller of a batch that reaches the step runs it, and all use its result. The
 * first one is known only when all before it in the batch have reached the step, passed it, or left; after an interrupt,
 * also those that may have begun it.
 */
export class Once<Result> {
  readonly #places: ReadonlyMap<string, number>;
  readonly #reached: (StepPosition | 'left' | 'absent' | undefined)[];
  /** By step and position: a step inside a loop is visited several times, and controllers may include other steps at one position. */
  readonly #steps = new Map<string, SharedStep<Result>>();
  readonly #pending = new Set<SharedStep<Result>>();

  constructor(controllers: readonly string[]) {
    this.#places = new Map(controllers.map((name, place) => [name, place]));
    this.#reached = controllers.map(() => undefined);
  }

  /** The controller has reached the step at that position; positions only increase. */
  arrive(controller: string, position: StepPosition | 'left'): void {
    const place = this.#places.get(controller);
    if (place === undefined) return;
    this.#reached[place] = position === 'left' && this.#reached[place] === undefined ? 'absent' : position;
    for (const shared of this.#pending)
      if (shared.front === place || shared.awaited.has(place)) this.#moveFront(shared);
  }

  leave(controller: string): void {
    this.arrive(controller, 'left');
  }

  /** Whether the controller is not in the batch, or has left it without reaching a step. */
  isAbsent(controller: string): boolean {
    const place = this.#places.get(controller);
    return place === undefined || this.#reached[place] === 'absent';
  }

  /**
   * Resolves when it is known which controller performs the step; for the others, when the result is known.
   * @param step `placeText` of its source
   */
  turn(
    controller: string,
    step: string,
    position: StepPosition,
    earlier = NO_EARLIER_TURN,
  ): OnceTurn<Result> | Promise<OnceTurn<Result>> {
    const shared = this.#stepAt(step, position, earlier);
    if (shared.result !== undefined) return { type: 'share', result: shared.result.value };
    if (earlier.hasBegun && !shared.performing) return this.#perform(shared);
    this.#stopAwaiting(controller, position);
    if (this.#isFirst(controller, shared)) return this.#perform(shared);
    return new Promise((resolve) => shared.waiting.set(controller, resolve));
  }

  #stepAt(step: string, position: StepPosition, { candidates }: EarlierTurn): SharedStep<Result> {
    const key = `${step} ${position.join('.')}`;
    return getOrAdd(this.#steps, key, () => {
      const waiting = this.#pendingAt(position).flatMap((shared) => [...shared.waiting.keys()]);
      const awaited = new Set(
        candidates().flatMap((name) => (waiting.includes(name) ? [] : (this.#places.get(name) ?? []))),
      );
      const shared = { position, front: 0, awaited, waiting: new Map(), performing: false, result: undefined };
      this.#pending.add(shared);
      this.#moveFront(shared);
      return shared;
    });
  }

  /** The controller may have to wait at this position, so none waits there for it. */
  #stopAwaiting(controller: string, position: StepPosition): void {
    const place = this.#places.get(controller) ?? -1;
    for (const shared of this.#pendingAt(position)) if (shared.awaited.delete(place)) this.#moveFront(shared);
  }

  #pendingAt(position: StepPosition): readonly SharedStep<Result>[] {
    return [...this.#pending].filter((shared) => comparePositions(shared.position, position) === 0);
  }

  #perform(shared: SharedStep<Result>): OnceTurn<Result> {
    shared.performing = true;
    const done = (value: Result): void => {
      shared.result = { value };
      this.#pending.delete(shared);
      for (const resolve of shared.waiting.values()) resolve({ type: 'share', result: value });
      shared.waiting.clear();
    };
    const passOn = (): void => {
      shared.performing = false;
    };
    return { type: 'perform', done, passOn };
  }

  #moveFront(shared: SharedStep<Result>): void {
    while (this.#hasGoneBy(shared.front, shared.position)) shared.front++;
    for (const place of shared.awaited) if (this.#hasGoneBy(place, shared.position)) shared.awaited.delete(place);
    for (const [controller, resolve] of shared.waiting)
      if (this.#isFirst(controller, shared)) return resolve(this.#perform(shared));
  }

  #hasGoneBy(place: number, position: StepPosition): boolean {
    const reached = this.#reached[place];
    if (typeof reached === 'string') return true;
    return reached !== undefined && comparePositions(reached, position) > 0;
  }

  #isFirst(controller: string, shared: SharedStep<Result>): boolean {
    const { performing, awaited, front } = shared;
    return !performing && awaited.size === 0 && this.#places.get(controller) === front;
  }
}
