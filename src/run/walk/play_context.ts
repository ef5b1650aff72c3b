import type { Step } from '../../model/playbook/step.js';
import type { SharedBatch, StepEnd } from '../batch/batch_state.js';
import type { Handlers } from '../batch/handlers.js';
import type { LoadedModules } from '../batch/loaded_modules.js';
import type { Barrier } from '../batch/strategy.js';
import type { MadePlay } from '../input/target.js';
import type { ControllerState } from '../controllers/controller_state.js';
import type { HostContext } from '../controllers/magic.js';
import type { TaskContext } from '../context/run_context.js';

/** The state that the controllers of one batch of a play share. */
export interface PlayContext extends TaskContext {
  /** The steps that the tags select, and the flushes between them. */
  readonly steps: readonly Step[];
  readonly handlers: Handlers;
  readonly modules: LoadedModules;
  readonly part: PlayPart;
  /** The area of the play in the journal. */
  readonly area: string;
  readonly batchState: SharedBatch;
  readonly dispatcher: Dispatcher;
}

/** The part of a run to which the steps belong. */
interface PlayPart {
  /** Of the play, from 0. */
  readonly number: number;
  readonly type: 'play' | 'gate';
  readonly made: MadePlay | undefined;
}

/** Carries out walks of controllers: in this process, or in another one. The engine does not know which. */
export interface Dispatcher {
  /**
   * Runs the steps of the context on a controller, in its turn. Reports, records and state are updated as steps run;
   * the caller handles the result. Never rejects because of a controller or a worker.
   */
  walk(context: PlayContext, state: ControllerState, barrier: Barrier): Promise<StepEnd>;
  /** The site whose workers carry out the controller's walk. Undefined: none, or a template that cannot name it yet. */
  siteOf?(context: HostContext, state: ControllerState): string | undefined;
  /** The run is over. */
  close(): Promise<void>;
}
