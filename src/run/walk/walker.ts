import type { Handler, Include, Step, Task } from '../../model/playbook/step.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Variables } from '../../template/scope.js';
import type { ControllerState } from '../controllers/controller_state.js';
import type { Frame } from './frame.js';
import type { ControllerConnections } from '../controllers/controller_connections.js';
import type { StepJournal } from '../journal/step_journal.js';
import type { PlayContext } from './play_context.js';
import type { StepEnd } from '../batch/batch_state.js';
import type { Barrier } from '../batch/strategy.js';

/** One controller's walk through one play, as steps see it. */
export interface Walker {
  readonly context: PlayContext;
  readonly state: ControllerState;
  readonly barrier: Barrier;
  readonly connections: ControllerConnections;
  /** Handlers that were notified and have not run yet. */
  readonly pending: Set<Handler>;
  /** A handler failed, and no `rescue` handled the failure. */
  handlerFailed: boolean;
  /** Keys of the roles that were walked through. */
  readonly completedRoles: Set<string>;
  /** Number of tasks that were carried out, not skipped. */
  performed: number;
  /** The controller's variables as they are now, with further ones. */
  scope(layers: readonly VariableLayer[]): Variables;
  /** Makes variables visible to all later steps. */
  publish(layers: readonly VariableLayer[]): void;
  /** @param novelty notifications from before the interrupt are already `reported` */
  notify(handlers: readonly Handler[], novelty: 'new' | 'reported'): void;
  /** An interrupt stopped the walk, so a resume runs the cleanup again. */
  isCutOff: boolean;
  /** Whether the controller had passed this step before the interrupt. */
  hasPassed(frame: Frame): boolean;
  /** The controller reaches a step. Resolves when the step may start, if it is new. */
  arriveAt(frame: Frame): Promise<void> | undefined;
  /** What the journal keeps of a step and knows about it; undefined if there is nothing. */
  stepJournal(frame: Frame, step: Task | Include): StepJournal | undefined;
  /** Why nothing more may start on this controller; undefined if it may. */
  refusal(frame: Frame): StepEnd | undefined;
  steps(steps: readonly Step[], frame: Frame): Promise<StepEnd>;
}
