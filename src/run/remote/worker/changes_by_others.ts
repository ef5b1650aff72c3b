import { comparePositions, type Position } from '../../../model/playbook/step_place.js';
import type { ControllerState } from '../../controllers/controller_state.js';
import { applyChange } from '../../controllers/kept_variables.js';
import type { ChangeByOtherNotice } from '../messages.js';
import type { BeforeWalk, ChangeByOther } from '../walk_order.js';

/**
 * Changes that other controllers make to the variables of a walk's controller. Later attempts repeat earlier steps, and
 * see each change at the same step as the first attempt did.
 */
export class ChangesByOthers {
  #waiting: ChangeByOther[];
  #seen: number;
  readonly #reached: Position | undefined;
  #state: ControllerState | undefined;
  #at: Position | undefined;
  /**
   * For each controller whose steps made changes in this process, how many of them the coordinator has yet to report.
   */
  readonly #here = new Map<string, number>();

  constructor({ changesByOthers, lastReached }: Pick<BeforeWalk, 'changesByOthers' | 'lastReached'>) {
    this.#waiting = [...changesByOthers];
    this.#seen = changesByOthers.length;
    this.#reached = lastReached;
  }

  /** Number of changes that the state contains, or will contain when the walk ends. */
  get seenCount(): number {
    return this.#seen;
  }

  /** @param state of the controller before the walk */
  begin(state: ControllerState): void {
    this.#state = state;
    this.#apply(({ position }) => position === undefined);
  }

  receive({ change, number, here }: ChangeByOtherNotice): void {
    this.#seen = number + 1;
    if (here !== undefined && this.#wasHere(here)) return;
    this.#waiting.push(change);
    if (this.#state !== undefined)
      this.#apply(({ position }) => position === undefined || compare(position, this.#at) <= 0);
  }

  /** A step of the controller `by` has changed the state in this process. */
  changedHere(by: string): void {
    // While the walk repeats steps, the coordinator decides where changes apply.
    const isRepeating = this.#reached !== undefined && compare(this.#reached, this.#at) >= 0;
    if (this.#state === undefined || isRepeating) return;
    this.#here.set(by, (this.#here.get(by) ?? 0) + 1);
  }

  /** The walk reaches a step. */
  arrive(position: Position): void {
    this.#at = position;
    this.#apply((one) => compare(one.position, position) < 0);
    if (this.#state !== undefined && compare(position, this.#reached) > 0) this.#state.shown = undefined;
  }

  end(): void {
    this.#apply(() => true);
    if (this.#state !== undefined) this.#state.shown = undefined;
  }

  #apply(isDue: (change: ChangeByOther) => boolean): void {
    const later = this.#waiting.findIndex((one) => !isDue(one));
    for (const { change } of this.#waiting.splice(0, later < 0 ? Infinity : later))
      if (this.#state !== undefined) applyChange(this.#state, change);
  }

  #wasHere(by: string): boolean {
    const count = this.#here.get(by) ?? 0;
    this.#here.set(by, Math.max(count - 1, 0));
    return count > 0;
  }
}

/** Compares positions; undefined is before all steps. */
function compare(one: Position | undefined, other: Position | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  return comparePositions(one, other);
}
