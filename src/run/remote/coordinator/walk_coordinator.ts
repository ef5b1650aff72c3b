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

/** What the walks of a run have in common. */
export interface WalkCoordinator {
  readonly transport: CoordinatorTransport;
  /** Whether tasks of others may look at the controller's variables. */
  shares(controller: string): boolean;
  isNeededLater(controller: string, play: number): boolean;
  /** The site whose workers reach a controller. */
  siteOf(context: PlayContext, state: ControllerState): string | undefined;
  refuseCredentials(): void;
  /** For `--profile`. */
  noteRequest(request: SentRequest): void;
  lockController(url: string): Promise<string | null>;
  noteVariables(controller: string): void;
  /** The process that has the walk of a controller. Undefined: none has. */
  instanceOf(controller: string | undefined): string | undefined;
  readonly hidden: HiddenWrites;
  /** Of the plan that the run makes. Absent: it makes none. */
  readonly plan: PlanOfWorkers | undefined;
  notePlanProgress(progress: PlanProgress): void;
  /** What a walk of the controller must know of the plan that is applied. Undefined: none is. */
  planStateFor(controller: string): PlanState | undefined;
  /** @param instance the process that hears it: another one of the same name has heard nothing yet */
  newsFor(instance: string): News;
  /** What was sent to it may not have arrived: it hears everything again. */
  retell(instance: string): void;
  knownOf(controller: string): KnownOfController;
}

/** A batch whose controllers workers have. */
export interface BatchAtWork {
  readonly id: string;
  readonly state: SharedBatch;
  readonly facts: BatchFacts;
  readonly walks: Set<WalkAtWork>;
  /** One for each key of what workers included, because the order of includes compares them by identity. */
  readonly included: Map<string, IncludedRun>;
}

/** What the others of its batch say to a walk. */
interface WalkAtWork {
  /** The batch has ended, was halted, or is pardoned. */
  tellBatchEnd(): void;
}

/** What a walk in another process is about. */
export interface Walked {
  readonly context: PlayContext;
  readonly state: ControllerState;
  readonly barrier: Barrier;
  readonly batch: BatchAtWork;
  readonly site: string | undefined;
}
