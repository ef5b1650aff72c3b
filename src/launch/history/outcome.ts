import type { Event, RunFinished, TaskFinished } from '../../core/model/run/event.js';

export const STATES = ['failed', 'unreachable', 'unstarted'] as const;
/**
 * Why a controller did not succeed. `unstarted` includes controllers that were stopped midway, and those whose batch
 * failed its gate, so that a rerun cannot skip the gate.
 */
export type KeptState = (typeof STATES)[number];

/** The outcome of a run, computed from its events. */
export class KeptOutcome {
  readonly #failed = new Set<string>();
  readonly #unreachable = new Set<string>();
  readonly #held = new Set<string>();
  #atGate: readonly string[] = [];
  #plays = 0;
  /** The number of plays that have started. */
  begunPlays = 0;
  /** Undefined if the run was cut off. */
  finished: RunFinished | undefined;

  readonly add = (event: Event): void => {
    if (event.type === 'run-started') this.#start();
    else if (event.type === 'play-started') this.#play(event.rollback === true);
    else if (event.type === 'run-finished') this.finished = event;
    else if (event.type === 'task-finished') this.#addTask(event);
    else if (event.type === 'gate-started') this.#atGate = event.controllers;
    else if (event.type === 'gate-finished') this.#finishGate(event.action === 'continue');
  };

  #start(): void {
    this.finished = undefined;
    this.#plays = 0;
  }

  /** The rollback of a batch is not one of the run's plays. */
  #play(isRollback: boolean): void {
    if (!isRollback) this.#plays++;
    this.begunPlays = Math.max(this.begunPlays, this.#plays);
  }

  #finishGate(passed: boolean): void {
    for (const name of this.#atGate) {
      if (passed) this.#held.delete(name);
      else this.#held.add(name);
    }
  }

  /** Counts a loop once. A failed check of a gate is not a failure of the controller. */
  #addTask({ controller, status, item, round, ignored, rescued }: TaskFinished): void {
    if (item !== undefined || round !== undefined || ignored === true || rescued === true) return;
    if (status === 'failed') this.#failed.add(controller);
    if (status === 'unreachable') this.#unreachable.add(controller);
  }

  /** Without those that succeeded when a resume ran their tasks again. */
  #still(names: ReadonlySet<string>, state: 'failed' | 'unreachable'): readonly string[] {
    return [...names].filter((name) => this.finished === undefined || (this.finished.stats[name]?.[state] ?? 0) > 0);
  }

  /** Undefined if the run was cut off, because the journal does not record the remaining work. */
  controllers(state: KeptState): readonly string[] | undefined {
    switch (state) {
      case 'failed':
        return this.#still(this.#failed, 'failed');
      case 'unreachable':
        return this.#still(this.#unreachable, 'unreachable');
      case 'unstarted':
        return this.finished && [...this.finished.unstarted, ...(this.finished.cutOff ?? []), ...this.#held];
    }
  }
}
