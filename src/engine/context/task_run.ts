import type { Controller } from '../../core/model/inventory/inventory.js';
import type { Handler, Include, Included, Task } from '../../core/model/playbook/step.js';
import type { Emit, TaskFinished } from '../../core/model/run/event.js';
import type { CountedEnd } from '../../core/model/run/journal.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import type { UsedVariables } from '../../core/secrets/masked_words.js';
import type { SecretFinder } from '../../core/secrets/secret_finder.js';
import type { Variables } from '../../language/scope.js';
import type { Module } from '../../module/contract.js';
import type { ForkLimit } from '../control/auto_forks.js';
import type { LoopYielder } from '../control/clock.js';
import type { Fork } from '../control/forks.js';
import type { LockMode, StopSignals, Turns } from '../control/start_conditions.js';
import type { TaskConfirmation } from '../control/task_confirmation.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { ControllerState, KeptVariables } from '../controllers/controller_state.js';
import type { Expectations } from '../controllers/expected_objects.js';
import type { Fleet } from '../controllers/fleet.js';
import type { LiveInventory } from '../controllers/live_inventory.js';
import type { PlayView } from '../controllers/play_variables.js';
import type { SessionPool } from '../controllers/session_pool.js';
import type { RunInput } from '../input/run_input.js';
import type { StepJournal } from '../journal/step_journal.js';
import type { StepKeys } from '../journal/step_keys.js';
import type { StartAt } from '../keywords/selected_steps.js';
import type { FollowedPlan } from '../resource/followed_plan.js';

export interface Enclosing {
  /** Whether a `rescue` around would catch a failure. */
  readonly rescuable: boolean;
  /**
   * What may still run when nothing new starts: `rescue` after the batch was halted, `always` even after an interrupt.
   */
  readonly cleanup: 'none' | 'rescue' | 'always';
  readonly handler: boolean;
}

/** Aborts the waiting of a task. */
export function stopSignal({ context, enclosing }: ReportedTask): AbortSignal {
  return context.run.control.stopSignals.signal(enclosing.cleanup === 'always');
}

/** Whether nothing new may start for a task. */
export function isBlocked({ context, enclosing }: ReportedTask): boolean {
  return context.run.control.stopSignals.blocks(enclosing.cleanup === 'always');
}

/** One task on one controller, as its events show it. */
export interface ReportedTask {
  readonly context: TaskContext;
  readonly state: ControllerState;
  readonly task: Task | Include;
  /** The rendered name of the task. */
  readonly title: string;
  readonly enclosing: Enclosing;
  /** Absent: no task of the run masks anything. */
  readonly used?: UsedVariables | undefined;
}

/** One task on one controller. */
export interface TaskRun extends ReportedTask {
  readonly module: Module;
  readonly connections: ControllerConnections;
  /** The fork of the task's own controller, even if the task is delegated. */
  readonly fork: Fork;
  /** The task's part of the journal. Absent: there is no journal. */
  readonly stepJournal?: StepJournal | undefined;
  /** The current variables of the task: facts may change during a loop. */
  readonly scope: () => Variables;
  /** The current variables of a handler, which determine its name. */
  readonly handlerScope: (handler: Handler) => Variables;
}

/** The outcome of a task, or of one item of its loop. */
export interface Performed {
  readonly result: RunTaskResult;
  /** The message is the purpose of the task, as of `debug`. */
  readonly spoken?: boolean | undefined;
  readonly keptVariables?: KeptVariables | undefined;
  /** The tenant in which the task acted; undefined if it contacted no controller with tenants. */
  readonly tenant?: string | undefined;
  /** The URL of the controller and its route, unless the inventory says that by itself. */
  readonly address?: string | undefined;
  readonly included?: Included | undefined;
  /** The task changed the run itself, so a resume must repeat it. */
  readonly again?: boolean | undefined;
  /** It is unknown whether its last write took effect. */
  readonly unconfirmed?: true;
  /** The run was interrupted before the task was complete: it must not count as done. */
  readonly unfinished?: boolean | undefined;
  /** It took longer than its `timeout`. As in Ansible, it is not tried again, and `failed_when` does not judge it. */
  readonly timedOut?: true;
}

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
  readonly expected: Expectations;
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
  readonly delegates: Map<Controller, Promise<ControllerConnections>>;
  /** Whether requests are repeated: not if its tasks run again when they fail. Absent: they are. */
  readonly isPatient?: boolean | undefined;
  /** Gets the controllers to which a write was sent that must not be sent again, because it is unknown whether it took effect. */
  readonly unknownOutcomes?: Set<string> | undefined;
}

/** Finds the handlers that a notification means. */
interface HandlerIndex {
  find(notification: string, nameOf: (handler: Handler) => string | undefined): readonly Handler[];
}

/** The fields of a task that the recap uses. */
export type CountedTask = Pick<TaskFinished, 'controller' | 'item' | 'round'> & CountedEnd;
