import type { Handler } from '../../model/playbook/step.js';
import type { Counted } from '../../model/run/journal.js';
import type { TaskResult } from '../../model/run/result.js';
import type { IncludedRun } from './included_run.js';
import type { KeptVariables } from '../controllers/kept_variables.js';

/** How its controller continues after a task. */
export interface TaskEnd {
  /** An ignored failure is completed, what an interrupt kept from its end is stopped. */
  readonly status: 'completed' | 'failed' | 'unreachable' | 'stale' | 'stopped';
  readonly title: string;
  readonly result: TaskResult;
  /** What it left behind as variables of the controller: facts, the registered result. With `run_once` all others take them over. */
  readonly keptVariables: KeptVariables;
  /** Handlers to run later. */
  readonly notified: readonly Handler[];
  /** What an include brought, for each item of its loop. */
  readonly included: readonly IncludedRun[];
  readonly counted: Counted;
  /** As of `Performed`. */
  readonly again: boolean;
  /** The interrupt affected the result, so a resume runs it again. */
  readonly anew: boolean;
}
