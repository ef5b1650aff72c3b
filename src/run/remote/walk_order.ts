import type { Position } from '../../model/playbook/step_place.js';
import type { JournalRecord } from '../../model/run/journal.js';
import type { PlannedStep, PlanProgress, PlanState } from '../../model/run/plan.js';
import type { BatchEnding, StepEnd } from '../batch/batch_state.js';
import type { OutsideChange } from '../controllers/kept_variables.js';
import type { InventoryChange } from '../controllers/live_inventory.js';
import type { KnownOfController } from './known.js';

/** One controller's walk through a play, or through the checks of a gate. */
export interface WalkOrder {
  readonly controller: string;
  /** The number of the play, from 0. */
  readonly play: number;
  readonly part: 'play' | 'gate';
  /**
   * For a play that the run generates: the data from which the worker builds it, and its area in the journal. Absent:
   * the worker has loaded the play.
   */
  readonly made?: { readonly of: unknown; readonly area: string } | undefined;
  readonly batch: OrderedBatch;
  readonly options: WalkOptions;
  readonly before: BeforeWalk;
  /** The part of the applied plan for the controller. Absent: the run does not apply a plan. */
  readonly planned?: { readonly steps: readonly PlannedStep[]; readonly state: PlanState } | undefined;
  readonly news: News;
}

/** The batch of a walk. */
interface OrderedBatch {
  /** Identifies the batch in the run, so that a worker asks for its controllers only once. */
  readonly id: string;
  /** The controllers of the batch wait for each other. */
  readonly lockstep: boolean;
  readonly ending: BatchEnding;
  /** The walk may continue up to this step although its batch has ended. */
  readonly mayReach?: Position | undefined;
}

/** What the run needs from a walk. */
export interface WalkOptions {
  /** The user confirms each task (`--step`). */
  readonly confirms: boolean;
  /** The coordinator needs the results of tasks. */
  readonly wantsResults: boolean;
  /** Whether the controller's session is used again later in the run. */
  readonly neededLater: boolean;
  /** Tasks of other controllers may read the controller's variables. */
  readonly shares: boolean;
}

/** What happened to the controller before. */
export interface BeforeWalk {
  /** What the controller did: journal records of an interrupted run or of a lost attempt. */
  readonly past: readonly JournalRecord[];
  /** The variables of the controller before the walk. */
  readonly known: KnownOfController;
  /** The variables of the controller now, if earlier attempts have changed them and other controllers may read them. */
  readonly now?: KnownOfController | undefined;
  /** Changes that other controllers made to its variables since the walk began. */
  readonly changesByOthers: readonly ChangeByOther[];
  /** The last step that earlier attempts reached. */
  readonly lastReached?: Position | undefined;
}

/** A change that another controller made to the variables of a walk's controller. */
export interface ChangeByOther {
  readonly change: OutsideChange;
  /**
   * The walk's step at the time: an attempt that repeats it sees the change in later steps. Absent: before all steps.
   */
  readonly position?: Position | undefined;
}

export interface BatchFacts {
  readonly controllers: readonly string[];
  /** Tasks may use controllers of other walks (`delegate_to`, connection variables, includes), and take turns there. */
  readonly usesOtherControllers: boolean;
}

/** What happened in the run since the last news for the worker. */
export interface News {
  /**
   * Increases with each news of the run. A process may receive newer news first: an order waits for the end of an
   * earlier walk.
   */
  readonly number: number;
  /** Controllers and whether they are in the run. */
  readonly statuses?:
    readonly (readonly [name: string, status: 'alive' | 'failed' | 'unreachable' | 'stale'])[] | undefined;
  readonly effects?: readonly InventoryChange[] | undefined;
  /** The index of the first effect among those of the run. */
  readonly firstEffect?: number | undefined;
  /** Progress of other walks with the applied plan. */
  readonly planProgress?: readonly PlanProgress[] | undefined;
  /** Variables of controllers, if tasks of other controllers may read them. */
  readonly variables?: readonly (readonly [name: string, known: KnownOfController])[] | undefined;
}

/** How the walk ended, with the data that only the end has. */
export interface WalkEnd {
  readonly end: StepEnd;
  readonly started: boolean;
  /** The variables of the controller now. Absent: unchanged. */
  readonly known?: KnownOfController | undefined;
  /** Number of changes of other controllers that `known` contains. */
  readonly seenChanges: number;
}
