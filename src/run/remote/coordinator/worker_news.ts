import type { PlanProgress } from '../../../model/run/plan.js';
import type { RunContext } from '../../context/run_context.js';
import type { KnownOfController } from '../known.js';
import type { News } from '../walk_order.js';
import { sharedVariables } from './shared_variables.js';

/** What walks change in the run, until each worker process knows it. */
export class WorkerNews {
  /** Controllers whose variables the tasks of other controllers may read. */
  readonly #shared: ReadonlySet<string> | 'all';
  /** Controllers whose variables changed, in order. */
  readonly #variables: string[] = [];
  readonly #planProgress: PlanProgress[] = [];
  /** How much of the news each worker process has been sent. */
  readonly #sent = new Map<string, SentNews>();
  #count = 0;

  constructor(private readonly run: Pick<RunContext, 'input' | 'fleet'>) {
    this.#shared = sharedVariables(run.input.sources);
  }

  /** Whether tasks of other controllers may read the controller's variables. */
  shares(controller: string): boolean {
    return this.#shared === 'all' || this.#shared.has(controller);
  }

  /** The variables of the controller have changed. */
  noteVariables(controller: string): void {
    if (this.shares(controller)) this.#variables.push(controller);
  }

  notePlanProgress(progress: PlanProgress): void {
    this.#planProgress.push(progress);
  }

  /**
   * The news that the process has not been sent yet.
   * @param instance identifies the process: a restarted worker with the same name needs all news again
   */
  for(instance: string): News {
    const { fleet } = this.run;
    const { changes } = fleet.inventory;
    const sent = this.#sent.get(instance) ?? NOTHING;
    const statuses = new Set(fleet.statusChanges.slice(sent.statuses));
    const effects = changes.slice(sent.effects);
    const planProgress = this.#planProgress.slice(sent.planProgress);
    const variables = new Set(this.#variables.slice(sent.variables));
    this.#sent.set(instance, {
      statuses: fleet.statusChanges.length,
      effects: changes.length,
      planProgress: this.#planProgress.length,
      variables: this.#variables.length,
    });
    return {
      number: this.#count++,
      ...(statuses.size > 0 && {
        statuses: [...statuses].map((name) => [name, fleet.find(name)?.status ?? 'alive'] as const),
      }),
      ...(effects.length > 0 && { effects, firstEffect: sent.effects }),
      ...(planProgress.length > 0 && { planProgress }),
      ...(variables.size > 0 && { variables: [...variables].map((name) => [name, this.knownOf(name)] as const) }),
    };
  }

  /** Sends all news to the process again, because earlier news may be lost. */
  retell(instance: string): void {
    this.#sent.delete(instance);
  }

  /** The variables of the controller now. */
  knownOf(controller: string): KnownOfController {
    const { fleet } = this.run;
    const known = fleet.find(controller)?.known ?? { values: {}, facts: {}, included: [] };
    return { ...known, masked: fleet.maskedWords.variables(controller) };
  }
}

interface SentNews {
  readonly statuses: number;
  readonly effects: number;
  readonly planProgress: number;
  readonly variables: number;
}

const NOTHING: SentNews = { statuses: 0, effects: 0, planProgress: 0, variables: 0 };
