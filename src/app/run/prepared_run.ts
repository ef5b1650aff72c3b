import type { RunInput } from '../../run/input/run_input.js';
import type { SelectedPlay } from '../../cli/text/listing.js';
import type { LoadedRun } from '../load/load_run.js';
import type { ExecutionOptions, RunOptions } from '../request/options.js';
import type { Keeping } from './run_record.js';

/** A run that somebody has called for. */
export interface Performance {
  readonly loaded: LoadedRun;
  readonly selected: readonly SelectedPlay[];
  readonly options: ExecutionOptions &
    Pick<RunOptions, 'tags' | 'skipTags' | 'strategy' | 'startAtTask' | 'step' | 'forceHandlers'>;
  /** To `vars_prompt`. */
  readonly answers?: RunInput['answers'];
  /** What is run, for the question of an environment that wants to be confirmed. */
  readonly label: string;
  /** Absent: nothing is known that would help to make the same run again. */
  readonly keeping?: Pick<Keeping, 'invocation' | 'fingerprint' | 'kept' | 'undoes'> &
    Partial<Pick<Keeping, 'playbooks'>>;
  /** The user has seen what will be done, and has agreed to it. */
  readonly agreed?: boolean;
}
