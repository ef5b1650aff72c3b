import type { Handler, Include, Included, Task } from '../../core/model/playbook/step.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import type { UsedVariables } from '../../core/secrets/masked_words.js';
import type { Variables } from '../../language/scope.js';
import type { Module } from '../../module/contract.js';
import type { Fork } from '../control/forks.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { ControllerState } from '../controllers/controller_state.js';
import type { KeptVariables } from '../controllers/kept_variables.js';
import type { StepJournal } from '../journal/step_journal.js';
import type { TaskContext } from './run_context.js';

export interface Enclosing {
  /** Whether a `rescue` around would catch a failure. */
  readonly rescuable: boolean;
  /**
   * What may still run when nothing new starts: `rescue` after the batch was halted, `always` even after an interrupt.
   */
  readonly cleanup: 'none' | 'rescue' | 'always';
  readonly handler: boolean;
}

/** Whether the task runs even during an interrupt. */
export function isCleanup({ cleanup }: Enclosing): boolean {
  return cleanup === 'always';
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
  /** The fork of the task's own controller, also if the task is delegated. */
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
  /** Variables that the task sets for the controller. */
  readonly keptVariables?: KeptVariables | undefined;
  /** The tenant in which the task acted; undefined if it contacted no controller with tenants. */
  readonly tenant?: string | undefined;
  /** The content of an include. */
  readonly included?: Included | undefined;
  /** The task changed the run itself, so a resume must repeat it. */
  readonly again?: boolean | undefined;
  /** It is unknown whether its last write took effect. */
  readonly unconfirmed?: true;
  /** The run was interrupted before the task was complete: it must not count as done. */
  readonly unfinished?: boolean | undefined;
}
