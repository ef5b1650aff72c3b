import type { StrategyName } from '../../model/playbook.js';
import { forEachAtOnce } from '../at_once.js';
import type { Position } from './position.js';
import { WaitingList } from './waiting_list.js';

/** What a controller passes before each task. */
export interface Gate {
  /** Whether no controller starts a step before all others are done with the ones before it. */
  readonly lockstep: boolean;
  /** Resolves when the controller may start the step at that position. */
  enter(position: Position): Promise<void>;
  /** The step is done. */
  exit(): void;
}

/** How the controllers of one batch take turns: calls `walk` once for each of them and resolves when all are done. */
export type Strategy = (
  controllers: readonly string[],
  walk: (controller: string, gate: Gate) => Promise<void>,
) => Promise<void>;

export function strategyOf(name: StrategyName, forks: number): Strategy {
  switch (name) {
    case 'host_pinned':
      return hostPinned(forks);
    case 'linear':
      return linear(forks);
    default:
      return name satisfies never;
  }
}

const OPEN: Gate = { lockstep: false, enter: () => Promise.resolve(), exit: () => undefined };

/** Each controller goes from its first task to its last without waiting for others, `forks` of them at a time. */
function hostPinned(forks: number): Strategy {
  return (controllers, walk) => forEachAtOnce(controllers, forks, (controller) => walk(controller, OPEN));
}

/** No controller starts a task before all others are done with the ones before it, `forks` tasks at a time. */
function linear(forks: number): Strategy {
  return async (controllers, walk) => {
    const gate = new LinearGate(controllers.length, forks);
    const walkThenLeave = (controller: string, place: number): Promise<void> =>
      walk(controller, gate.at(place)).finally(() => {
        gate.leave();
      });
    await Promise.all(controllers.map(walkThenLeave));
  };
}

interface Waiting {
  /** Of the controller in its batch. */
  readonly place: number;
  readonly open: () => void;
}

/** Opens for the lowest waiting position once every controller that still takes part has arrived. */
class LinearGate {
  readonly #waiting = new WaitingList<Waiting>();
  /** Those for whom it has opened, in the order of the batch; `#next` is the first that has not gone through. */
  #opened: readonly Waiting[] = [];
  #next = 0;
  #underWay: number;
  #free: number;

  constructor(controllers: number, forks: number) {
    this.#underWay = controllers;
    this.#free = forks;
  }

  /** As one controller of the batch passes it. */
  at(place: number): Gate {
    return {
      lockstep: true,
      enter: (position) => this.#enter(place, position),
      exit: () => {
        this.#exit();
      },
    };
  }

  #enter(place: number, position: Position): Promise<void> {
    return new Promise<void>((open) => {
      this.#waiting.add(position, { place, open });
      // The last to arrive must wait as the others do by then, or it would go after them.
      queueMicrotask(() => {
        this.leave();
      });
    });
  }

  #exit(): void {
    this.#free++;
    this.#letThrough();
  }

  /** One controller less is under way: it waits at the gate, or it is done. */
  leave(): void {
    this.#underWay--;
    if (this.#underWay > 0) return;
    this.#open();
    this.#letThrough();
  }

  #open(): void {
    [this.#opened, this.#next] = [this.#waiting.takeLowest().toSorted((a, b) => a.place - b.place), 0];
    this.#underWay = this.#opened.length;
  }

  #letThrough(): void {
    for (; this.#free > 0 && this.#next < this.#opened.length; this.#free--) this.#opened[this.#next++]?.open();
  }
}
