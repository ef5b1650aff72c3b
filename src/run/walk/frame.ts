import type { Step } from '../../model/playbook/step.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Position } from '../../model/playbook/position.js';

/** What surrounds the steps that a controller is walking through. */
export interface Frame {
  readonly position: Position;
  /** In keys of the journal, the loops and includes around. */
  readonly within: string;
  /** Among which a step may have others like it: those of the play, or of the include. */
  readonly siblings: readonly Step[];
  /** Variables of the includes and loops around: weaker first within a level. */
  readonly layers: readonly VariableLayer[];
  /** Whether a `rescue` around would catch a failure. */
  readonly rescuable: boolean;
  /** What may still run when nothing new starts: a `rescue` after the batch was halted, an `always` even after an interrupt. */
  readonly shelter: 'none' | 'rescue' | 'always';
  /** Whether it is a handler that runs. */
  readonly handler: boolean;
}

export const OUTERMOST: Frame = {
  position: [],
  within: '',
  siblings: [],
  layers: [],
  rescuable: false,
  shelter: 'none',
  handler: false,
};

export function inside(frame: Frame, ...position: readonly number[]): Frame {
  return { ...frame, position: [...frame.position, ...position] };
}
