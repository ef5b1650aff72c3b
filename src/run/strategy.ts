import type { StrategyName } from '../model/playbook.js';
import { Forks, forEachAtOnce } from './forks.js';
import { comparePositions, type Position } from './position.js';

/** What a controller passes before each task. */
export interface Gate {
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

const OPEN: Gate = { enter: () => Promise.resolve(), exit: () => undefined };

/** Each controller goes from its first task to its last without waiting for others, `forks` of them at a time. */
function hostPinned(forks: number): Strategy {
  return (controllers, walk) => forEachAtOnce(controllers, forks, (controller) => walk(controller, OPEN));
}

/** No controller starts a task before all others are done with the ones before it, `forks` tasks at a time. */
function linear(forks: number): Strategy {
  return async (controllers, walk) => {
    const gate = new LinearGate(controllers.length, new Forks(forks));
    const walkThenLeave = (controller: string): Promise<void> =>
      walk(controller, gate).finally(() => {
        gate.leave();
      });
    await Promise.all(controllers.map(walkThenLeave));
  };
}

/** Opens for the lowest waiting position once every controller that still takes part has arrived. */
class LinearGate implements Gate {
  #waiting: { readonly position: Position; readonly open: () => void }[] = [];
  #underWay: number;

  constructor(
    controllers: number,
    private readonly forks: Forks,
  ) {
    this.#underWay = controllers;
  }

  async enter(position: Position): Promise<void> {
    await new Promise<void>((open) => {
      this.#waiting.push({ position, open });
      this.leave();
    });
    await this.forks.acquire();
  }

  exit(): void {
    this.forks.release();
  }

  /** One controller less is under way: it waits at the gate, or it is done. */
  leave(): void {
    this.#underWay--;
    if (this.#underWay === 0) this.#open();
  }

  #open(): void {
    const lowest = this.#waiting.map(({ position }) => position).reduce<Position | undefined>(lower, undefined);
    if (lowest === undefined) return;
    const atGate = this.#waiting.filter(({ position }) => comparePositions(position, lowest) === 0);
    this.#waiting = this.#waiting.filter(({ position }) => comparePositions(position, lowest) !== 0);
    this.#underWay = atGate.length;
    for (const { open } of atGate) open();
  }
}

function lower(a: Position | undefined, b: Position): Position {
  return a === undefined || comparePositions(b, a) < 0 ? b : a;
}
