import type { SentRequest } from '../../../model/run/meter.js';
import type { CoordinatorTransport } from '../../../model/run/worker_transport.js';
import type { SharedBatch } from '../../batch/batch_state.js';
import type { Barrier } from '../../batch/strategy.js';
import type { ControllerState } from '../../controllers/controller_state.js';
import type { IncludedRun } from '../../task/included_run.js';
import type { Variables } from '../../../template/scope.js';
import type { AppliedPlan } from './applied_plan.js';
import type { HiddenWrites } from './hidden_writes.js';
import type { PlanOfWorkers } from './plan_of_workers.js';
import type { WorkerNews } from './worker_news.js';
import type { PlayContext } from '../../walk/play_context.js';
import type { BatchFacts } from '../walk_order.js';

/** The workers of this site, or any worker; `here`: this process. */
export type Place = { readonly site?: string | undefined } | 'here';

/** The workers that carry out walks for the run. */
export interface RunWorkers {
  readonly transport: CoordinatorTransport;
  /**
   * Returns the site whose workers reach the controller with these variables. Absent: any worker can take any
   * controller.
   */
  readonly siteOf?: (variables: Variables) => Place;
  /** Called when several controllers in a row refused the same credentials in a worker. */
  readonly refuseCredentials: () => void;
  /** Called for each request of workers, for `--profile`. Absent: requests are not measured. */
  readonly onRequest?: ((request: SentRequest) => void) | undefined;
  /**
   * Locks a controller at an address that is known only during the run. Resolves to why that failed; null: it is
   * locked.
   */
  readonly lockController: (url: string) => Promise<string | null>;
}

/** What the walks of a run share. */
export interface WalkCoordinator {
  readonly workers: RunWorkers;
  readonly news: WorkerNews;
  /** The plan that the run makes. Absent: it makes none. */
  readonly plan: PlanOfWorkers | undefined;
  readonly appliedPlan: AppliedPlan;
  readonly hidden: HiddenWrites;
  isNeededLater(controller: string, play: number): boolean;
  /** The site whose workers reach a controller. */
  siteOf(context: PlayContext, state: ControllerState): string | undefined;
  /** The process that has the walk of a controller; undefined if none has. */
  instanceOf(controller: string | undefined): string | undefined;
}

/** A batch whose controllers are with workers. */
export interface BatchAtWork {
  readonly id: string;
  readonly state: SharedBatch;
  readonly facts: BatchFacts;
  readonly walks: Set<WalkAtWork>;
  /** One object for each key of an include, because the order of includes compares them by identity. */
  readonly included: Map<string, IncludedRun>;
}

/** What other walks of the batch need from a walk. */
interface WalkAtWork {
  /** Called when the batch has ended, was halted, or was allowed to continue. */
  tellBatchEnd(): void;
}

/** The controller, batch and play of a walk in another process. */
export interface Walked {
  readonly context: PlayContext;
  readonly state: ControllerState;
  readonly barrier: Barrier;
  readonly batch: BatchAtWork;
  readonly site: string | undefined;
}
