import type { SentRequest } from '../../../model/run/meter.js';
import type { CoordinatorTransport } from '../../../model/run/worker_transport.js';
import type { SharedBatch } from '../../batch/batch_state.js';
import type { Barrier } from '../../batch/strategy.js';
import type { ControllerState } from '../../controllers/controller_state.js';
import type { IncludedRun } from '../../task/included_run.js';
import type { HiddenWrites } from './hidden_writes.js';
import type { PlanOfWorkers } from './plan_of_workers.js';
import type { PlayContext } from '../../walk/play_context.js';
import type { PlanProgress, PlanState } from '../../../model/run/plan.js';
import type { BatchFacts, News } from '../messages.js';
import type { KnownOfController } from '../known.js';

/** Services of the run that its walks share. */
export interface WalkCoordinator {
  readonly transport: CoordinatorTransport;
  /** Whether tasks of other controllers may read the controller's variables. */
  shares(controller: string): boolean;
  isNeededLater(controller: string, play: number): boolean;
  /** The site whose workers reach a controller. */
  siteOf(context: PlayContext, state: ControllerState): string | undefined;
  refuseCredentials(): void;
  /** Records a request for `--profile`. */
  noteRequest(request: SentRequest): void;
  lockController(url: string): Promise<string | null>;
  noteVariables(controller: string): void;
  /** The process that has the walk of a controller; undefined if none has. */
  instanceOf(controller: string | undefined): string | undefined;
  readonly hidden: HiddenWrites;
  /** The plan that the run makes. Absent: it makes none. */
  readonly plan: PlanOfWorkers | undefined;
  notePlanProgress(progress: PlanProgress): void;
  /** The state of the applied plan for a walk of the controller. Undefined: the run does not apply a plan. */
  planStateFor(controller: string): PlanState | undefined;
  /** @param instance identifies the process: a restarted worker with the same name needs all news again */
  newsFor(instance: string): News;
  /** Sends all news to the process again, because earlier news may be lost. */
  retell(instance: string): void;
  knownOf(controller: string): KnownOfController;
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
