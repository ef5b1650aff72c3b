import type { Step } from '../../core/model/playbook/step.js';
import type { StepPosition } from '../../core/model/playbook/step_place.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Enclosing } from '../context/task_run.js';

/** The surroundings of the steps that a controller is walking through. */
export interface WalkFrame extends Enclosing {
  readonly position: StepPosition;
  /** Prefix of journal keys for the enclosing loops and includes. */
  readonly within: string;
  /** The steps among which equal ones must be distinguished: those of the play, or of the include. */
  readonly siblings: readonly Step[];
  /** Variables of the enclosing includes and loops, lowest precedence first within a level. */
  readonly layers: readonly VariableLayer[];
}

export const OUTERMOST: WalkFrame = {
  position: [],
  within: '',
  siblings: [],
  layers: [],
  rescuable: false,
  cleanup: 'none',
  handler: false,
};

export function inside(frame: WalkFrame, ...position: readonly number[]): WalkFrame {
  return { ...frame, position: [...frame.position, ...position] };
}
