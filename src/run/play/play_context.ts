import type { Step } from '../../model/playbook/step.js';
import type { Play, Playbook } from '../../model/playbook/playbook.js';
import type { Value } from '../../model/values/value.js';
import type { BatchState } from '../batch/batch_state.js';
import type { Confirmation } from '../batch/confirmation.js';
import type { Handlers } from '../batch/handlers.js';
import type { LoadedModules } from '../batch/loaded_modules.js';
import type { PlayVariables } from '../controllers/play_variables.js';
import type { RunContext } from './run_context.js';

/** What all controllers of one batch of a play share. */
export interface PlayContext {
  readonly run: RunContext;
  readonly playbook: Playbook;
  readonly play: Play;
  /** The play's own name, or what it runs on. */
  readonly name: string;
  /** Of the play, from 0. */
  readonly number: number;
  /** Where its steps stand in the journal. */
  readonly area: string;
  /** Those that the tags select, and where handlers run. */
  readonly steps: readonly Step[];
  readonly handlers: Handlers;
  readonly modules: LoadedModules;
  readonly variables: PlayVariables;
  /** The magic variable `hostvars`. */
  readonly hostvars: Value;
  /** Everyone whom the play names, those that failed before included. */
  readonly targets: readonly string[];
  readonly batch: readonly string[];
  readonly batchState: BatchState;
  /** `--step`. */
  readonly confirmation: Confirmation | undefined;
}
