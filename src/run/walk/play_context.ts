import type { Step } from '../../model/playbook/step.js';
import type { SharedBatch, StepEnd } from '../batch/batch_state.js';
import type { Handlers } from '../batch/handlers.js';
import type { LoadedModules } from '../batch/loaded_modules.js';
import type { Barrier } from '../batch/strategy.js';
import type { MadePlay } from '../input/target.js';
import type { ControllerState } from '../controllers/controller_state.js';
import type { HostContext } from '../controllers/magic.js';
import type { TaskContext } from '../context/run_context.js';

/** What the controllers of one batch of a play share. */
export interface PlayContext extends TaskContext {
  /** The steps that the tags select, and the flushes between them. */
  readonly steps: readonly Step[];
  readonly handlers: Handlers;
  readonly modules: LoadedModules;
  readonly part: PlayPart;
  /** The part of the journal that has the steps of the play. */
  readonly area: string;
  readonly batchState: SharedBatch;
  readonly dispatcher: Dispatcher;
}

/** What of a run the steps are. */
interface PlayPart {
  /** Of the play, from 0. */
  readonly number: number;
  readonly type: 'play' | 'gate';
  readonly made: MadePlay | undefined;
}

/** Carries out walks of controllers: in this process, or in another one. The engine does not know which. */
export interface Dispatcher {
  /**
   * Takes a controller through the steps of the context, in its turn. What it does is reported, recorded and kept in the state as it
   * happens; the caller handles the result. Never rejects for anything that a controller or a worker does.
   */
  walk(context: PlayContext, state: ControllerState, barrier: Barrier): Promise<StepEnd>;
  /** The site whose workers carry out the controller's walk. Undefined: none, or a template that cannot name it yet. */
  siteOf?(context: HostContext, state: ControllerState): string | undefined;
  /** The run is over. */
  close(): Promise<void>;
}
