import type { Step } from '../../core/model/playbook/step.js';
import type { StepPosition } from '../../core/model/playbook/step_place.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { LoadedModules } from '../../module/catalogue.js';
import type { BatchState } from '../batch/batch_state.js';
import type { Handlers } from '../batch/handlers.js';
import type { Enclosing, TaskContext } from '../context/task_run.js';

/** The state that the controllers of one batch of a play share. */
export interface PlayContext extends TaskContext {
  /** The steps that the tags select, and the flushes between them. */
  readonly steps: readonly Step[];
  readonly handlers: Handlers;
  readonly modules: LoadedModules;
  /** The area of the play in the journal. */
  readonly area: string;
  readonly batchState: BatchState;
  /** The controllers that the batch had before the interrupt, also those that are gone. */
  readonly membersBefore: readonly string[];
}

/** The context of the steps that a controller is walking through. */
export interface WalkFrame extends Enclosing {
  readonly position: StepPosition;
  /** The same for the controller alone, in its journal and plan. Absent: the same. In lockstep, the position counts the includes of all. */
  readonly ownPosition?: StepPosition | undefined;
  /** Prefix of journal keys for the enclosing loops and includes. */
  readonly keyPrefix: string;
  /** The steps among which equal ones must be distinguished: those of the play, or of the include. */
  readonly siblings: readonly Step[];
  /** What an include with a loop passes to its steps: its `vars` and its item. Absent: the include around has no loop. */
  readonly itemLayers?: readonly VariableLayer[] | undefined;
  /** Variables of the enclosing includes and loops, lowest precedence first within a level. */
  readonly layers: readonly VariableLayer[];
  /** The outermost loop or flush around, in which controllers can reach the same step at different positions. */
  readonly loopPosition?: StepPosition | undefined;
}

/** The numbers of the parts of a block, in positions. The parts follow each other; the last is `break_when`. */
export const BLOCK_PARTS = { steps: 0, rescue: 1, always: 2, end: 3 } as const;

export const OUTERMOST: WalkFrame = {
  position: [],
  keyPrefix: '',
  siblings: [],
  layers: [],
  rescuable: false,
  cleanup: 'none',
  handler: false,
};

export function inside(frame: WalkFrame, ...position: readonly number[]): WalkFrame {
  const { ownPosition } = frame;
  return {
    ...frame,
    position: [...frame.position, ...position],
    ...(ownPosition && { ownPosition: [...ownPosition, ...position] }),
  };
}
