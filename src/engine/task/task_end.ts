import type { Handler } from '../../core/model/playbook/step.js';
import type { CountedEnd } from '../../core/model/run/journal.js';
import type { RunTaskResult } from '../../core/model/run/result.js';
import type { KeptVariables } from '../controllers/kept_variables.js';
import type { IncludedRun } from './included_run.js';

/** The end of a task, and how its controller continues. */
export interface TaskEnd {
  /** An ignored failure is completed; a task that an interrupt ended early is stopped. */
  readonly status: 'completed' | 'failed' | 'unreachable' | 'stale' | 'stopped';
  readonly title: string;
  readonly result: RunTaskResult;
  /** The variables that it set: facts, the registered result. With `run_once`, all other controllers get them. */
  readonly keptVariables: KeptVariables;
  /** Handlers to run later. */
  readonly notified: readonly Handler[];
  /** The steps that an include added, for each item of its loop. */
  readonly included: readonly IncludedRun[];
  readonly counted: CountedEnd;
  /** See `Performed`. */
  readonly again: boolean;
  /** The interrupt affected the result, so a resume runs it again. */
  readonly interrupted: boolean;
}
