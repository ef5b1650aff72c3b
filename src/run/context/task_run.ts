import type { Include, Included, Task } from '../../model/playbook/step.js';
import type { TaskResult, TaskStatus } from '../../model/run/result.js';
import type { Module } from '../../module/contract.js';
import type { Variables } from '../../template/scope.js';
import type { ControllerState } from '../controllers/controller_state.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { Fork } from '../control/forks.js';
import type { UsedVariables } from '../../secrets/masked_words.js';
import type { StepJournal } from '../journal/step_journal.js';
import type { TaskContext } from './run_context.js';
import type { KeptVariables } from '../controllers/kept_variables.js';

/** One task on one controller. */
export interface TaskRun {
  readonly context: TaskContext;
  readonly state: ControllerState;
  readonly task: Task | Include;
  readonly module: Module;
  /** The task's name with its templates filled in. */
  readonly title: string;
  readonly handler: boolean;
  /** Whether a `rescue` around it would catch its failure. */
  readonly rescuable: boolean;
  /** Whether it runs during an interrupt, because it belongs to an `always`. */
  readonly sheltered: boolean;
  readonly connections: ControllerConnections;
  /** Of the controller whose task it is, also if the task is delegated. */
  readonly fork: Fork;
  /** Absent: no task of the run hides anything. */
  readonly used?: UsedVariables | undefined;
  /** What the journal keeps of it and knows about it; absent: nothing. */
  readonly stepJournal?: StepJournal | undefined;
  /**
   * How it finished before the run was cut off. It is repeated only for its effect on the run, and must not write. It ends the same way,
   * although the effect may have been there this time.
   */
  readonly again?: TaskStatus | undefined;
  /** The current variables of the task: facts may change during a loop. */
  readonly scope: () => Variables;
}

/** What carrying out a task, or one item of its loop, came to. */
export interface Performed {
  readonly result: TaskResult;
  /** The message is the point of the task. */
  readonly spoken?: boolean | undefined;
  /** Variables of the controller from now on. */
  readonly keptVariables?: KeptVariables | undefined;
  /** The tenant in which the task acted; undefined if it contacted no controller with tenants. */
  readonly tenant?: string | undefined;
  /** What an include brought. */
  readonly included?: Included | undefined;
  /** It changed the run itself, which a resume must repeat. */
  readonly again?: boolean | undefined;
  /** It is unknown whether its last write took effect. */
  readonly unconfirmed?: true;
  /** The run was interrupted before all was done: it must not count as done. */
  readonly unfinished?: boolean | undefined;
}
