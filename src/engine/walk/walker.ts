import type { Step } from '../../core/model/playbook/step.js';
import type { StepPosition } from '../../core/model/playbook/step_place.js';
import type { StepEnd } from '../batch/batch_state.js';
import type { Barrier } from '../batch/strategy.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { ControllerState } from '../controllers/controller_state.js';
import type { WalkFrame } from './frame.js';
import type { NotifiedHandlers } from './notified_handlers.js';
import type { PlayContext } from './play_context.js';
import type { WalkJournal } from './walk_journal.js';
import type { WalkVariables } from './walk_variables.js';

/** One controller's walk through one play, as steps see it. */
export interface Walker {
  readonly context: PlayContext;
  readonly state: ControllerState;
  readonly barrier: Barrier;
  readonly connections: ControllerConnections;
  readonly variables: WalkVariables;
  readonly notified: NotifiedHandlers;
  readonly journal: WalkJournal;
  /** Number of tasks that were carried out, not skipped. */
  performed: number;
  /** The step that a halt of the batch kept the controller from. */
  readonly haltedAt: StepPosition | undefined;
  /** Why nothing more may start on this controller; undefined if it may. */
  refusal(frame: WalkFrame): StepEnd | undefined;
  steps(steps: readonly Step[], frame: WalkFrame): Promise<StepEnd>;
}
