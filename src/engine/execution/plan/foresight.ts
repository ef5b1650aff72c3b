import type { PlanMaker } from '../../../core/model/run/plan.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import type { StepJournal } from '../../journal/step_journal.js';
import type { ReadyStep } from './kept_steps.js';

/** What a plan foresees, by the address of a controller; empty: of an unknown one. */
export class Foresight {
  /** At which the plan has something that is not foreseen, or a delete. */
  readonly #unforeseen = new Set<string>();
  /** What had nothing to do there. Each attempt of a task decides again. */
  readonly #idle = new Map<string, Map<StepJournal, ReadyStep>>();

  constructor(private readonly plan: PlanMaker) {}

  foresees(address: string): boolean {
    return !this.#unforeseen.has('') && !this.#unforeseen.has(address);
  }

  /** A task had nothing to do, where the plan foresees everything so far. */
  noteIdle(address: string, step: ReadyStep): void {
    getOrAdd(this.#idle, address, () => new Map<StepJournal, ReadyStep>()).set(step.stepJournal, step);
  }

  /**
   * The plan keeps what had nothing to do there, because an apply may have the hosts of a controller in another order, but has the tasks
   * of a host in theirs.
   */
  noteUnforeseen(address: string, host: string): void {
    this.#unforeseen.add(address);
    for (const at of address === '' ? this.#idle.keys() : [address]) this.#keepIdle(at, host);
  }

  #keepIdle(address: string, host: string): void {
    const steps = this.#idle.get(address);
    if (steps === undefined) return;
    for (const step of steps.values()) {
      if (step.host === host) continue;
      step.keepIn(this.plan);
      steps.delete(step.stepJournal);
    }
    if (steps.size === 0) this.#idle.delete(address);
  }
}
