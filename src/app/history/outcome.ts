import type { Event, RunFinished, TaskFinished } from '../../model/run/event.js';

export const STATES = ['failed', 'unreachable', 'unstarted'] as const;
/**
 * How it went for a controller that did not make it; `unstarted`: also if it was stopped on its way, or if its batch failed the gate:
 * nobody shall come around that.
 */
export type State = (typeof STATES)[number];

/** What the events of a run say about its end. */
export class Outcome {
  readonly #failed = new Set<string>();
  readonly #unreachable = new Set<string>();
  readonly #held = new Set<string>();
  #atGate: readonly string[] = [];
  #plays = 0;
  #begun = 0;
  #finished: RunFinished | undefined;

  readonly add = (event: Event): void => {
    if (event.type === 'run-started') this.#start();
    else if (event.type === 'play-started') this.#play(event.rollback === true);
    else if (event.type === 'run-finished') this.#finished = event;
    else if (event.type === 'task-finished') this.#addTask(event);
    else if (event.type === 'gate-started') this.#atGate = event.controllers;
    else if (event.type === 'gate-finished') this.#finishGate(event.action === 'continue');
  };

  #start(): void {
    this.#finished = undefined;
    this.#plays = 0;
  }

  /** What puts a batch back is no play of the run's. */
  #play(isRollback: boolean): void {
    if (!isRollback) this.#plays++;
    this.#begun = Math.max(this.#begun, this.#plays);
  }

  /** How many plays have begun. */
  get begunPlays(): number {
    return this.#begun;
  }

  #finishGate(passed: boolean): void {
    for (const name of this.#atGate) {
      if (passed) this.#held.delete(name);
      else this.#held.add(name);
    }
  }

  /** Of a loop only what it comes to counts; a check of a gate that fails is no failure of the controller's. */
  #addTask({ controller, status, item, round, ignored, rescued }: TaskFinished): void {
    if (item !== undefined || round !== undefined || ignored === true || rescued === true) return;
    if (status === 'failed') this.#failed.add(controller);
    if (status === 'unreachable') this.#unreachable.add(controller);
  }

  /** Undefined if the run was cut off. */
  get finished(): RunFinished | undefined {
    return this.#finished;
  }

  /** Undefined if that cannot be told: of a run that was cut off, nobody knows who is still owed what. */
  controllers(state: State): readonly string[] | undefined {
    switch (state) {
      case 'failed':
        return [...this.#failed];
      case 'unreachable':
        return [...this.#unreachable];
      case 'unstarted':
        return this.#finished && [...this.#finished.unstarted, ...(this.#finished.cutOff ?? []), ...this.#held];
      default:
        return state satisfies never;
    }
  }
}
