import type { Step } from '../../core/model/playbook/step.js';
import type { BatchState } from '../batch/batch_state.js';
import type { Handlers } from '../batch/handlers.js';
import type { LoadedModules } from '../batch/loaded_modules.js';
import type { TaskContext } from '../context/run_context.js';

/** The state that the controllers of one batch of a play share. */
export interface PlayContext extends TaskContext {
  /** The steps that the tags select, and the flushes between them. */
  readonly steps: readonly Step[];
  readonly handlers: Handlers;
  readonly modules: LoadedModules;
  /** The area of the play in the journal. */
  readonly area: string;
  readonly batchState: BatchState;
}
