import type { Controller } from '../../core/model/inventory/inventory.js';
import type { Handler } from '../../core/model/playbook/step.js';
import type { Emit, TaskFinished } from '../../core/model/run/event.js';
import type { CountedEnd } from '../../core/model/run/journal.js';
import type { SecretFinder } from '../../core/secrets/secret_finder.js';
import type { ForkLimit } from '../control/auto_forks.js';
import type { LoopYielder } from '../control/clock.js';
import type { TaskConfirmation } from '../control/confirmation.js';
import type { StopSignals } from '../control/stop_signals.js';
import type { LockMode, Turns } from '../control/turns.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { Fleet } from '../controllers/fleet.js';
import type { LiveInventory } from '../controllers/live_inventory.js';
import type { PlayView } from '../controllers/play_variables.js';
import type { SessionPool } from '../controllers/session_pool.js';
import type { RunInput } from '../input/run_input.js';
import type { StepKeys } from '../journal/step_keys.js';
import type { StartAt } from '../keywords/selected_steps.js';
import type { FollowedPlan } from '../resource/followed_plan.js';

/** A run, as its plays see it. */
export interface RunContext extends RunState {
  readonly input: RunInput;
  readonly emit: Emit;
  /** Adds a task to the recap that an earlier part of the run reported. */
  readonly count: (task: CountedTask) => void;
}

/** The state that all plays of a run share. */
export interface RunState {
  readonly fleet: Fleet;
  readonly inventory: LiveInventory;
  readonly sessions: SessionPool;
  readonly secrets: SecretFinder;
  readonly control: RunControl;
  /** Absent: the run follows no plan. */
  readonly followed: FollowedPlan | undefined;
  /** Absent: the run makes and follows no plan, has no journal, and resumes none. */
  readonly keys: StepKeys | undefined;
  /** `--start-at-task`. */
  readonly start: StartAt;
}

/** Decides when the tasks of a run may start. */
export interface RunControl {
  readonly forks: ForkLimit;
  readonly stopSignals: StopSignals;
  readonly loopYielder: LoopYielder;
  /** By controller. */
  readonly locks: Turns<LockMode>;
  /** By the place of a task. */
  readonly throttles: Turns<number>;
  /** The controller whose task saves a local file: another controller must not overwrite it. */
  readonly savedFiles: Map<string, string>;
  /** `--step`. */
  readonly confirmation: TaskConfirmation | undefined;
}

/** What a task needs to know about its run and its play. */
export interface TaskContext {
  readonly run: RunContext;
  readonly play: PlayView;
  readonly handlers: HandlerIndex;
  /** Connections to controllers that tasks of the play are delegated to. */
  readonly delegates: Map<Controller, ControllerConnections>;
  /** Its tasks run again if they fail, so that their requests need not be repeated. */
  readonly isImpatient?: boolean | undefined;
}

/** Finds the handlers that a notification means. */
interface HandlerIndex {
  find(notification: string, nameOf: (handler: Handler) => string | undefined): readonly Handler[];
}

/** The fields of a task that the recap uses. */
export type CountedTask = Pick<TaskFinished, 'controller' | 'item' | 'round'> & CountedEnd;
