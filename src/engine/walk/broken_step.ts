import type { Source } from '../../core/model/source/diagnostic.js';
import type { ControllerState } from '../controllers/controller_state.js';
import type { FailedResult } from '../keywords/failed_result.js';
import type { PlayContext, WalkFrame } from './play_context.js';
import type { Walker } from './walker.js';

/** A step that is not a task, such as the loop of a block, and cannot be carried out. */
export interface BrokenStep {
  /** The step's name in reports. */
  readonly title: string;
  readonly kind: string;
  readonly source: Source;
  readonly rescuable: boolean;
}

/** Whether to report it. A step passed before the interrupt was already reported. */
function novelty(walk: Walker, frame: WalkFrame): 'new' | 'reported' {
  return walk.journal.hasPassed(frame) ? 'reported' : 'new';
}

/** The controller fails at the step, which counts for `max_fail_percentage` unless a `rescue` catches it. */
export function failAt(
  walk: Walker,
  frame: WalkFrame,
  step: Omit<BrokenStep, 'rescuable'>,
  why: FailedResult,
): 'failed' {
  const { context, state, barrier } = walk;
  reportBrokenStep(context, state, { ...step, rescuable: frame.rescuable }, why, novelty(walk, frame));
  if (!frame.rescuable) context.batchState.lose(state.name, { round: barrier.round, position: frame.position });
  return 'failed';
}

/** Reports it as a failed task, because the controller cannot continue. */
export function reportBrokenStep(
  { run, play }: PlayContext,
  state: ControllerState,
  { title, kind, source, rescuable }: BrokenStep,
  { failure, values }: FailedResult,
  novelty: 'new' | 'reported' = 'new',
): void {
  if (novelty === 'reported') {
    run.count({ controller: state.name, status: 'failed', ...(rescuable && { rescued: true }) });
    return;
  }
  const { message, hint, source: cause = source } = failure;
  run.emit({
    type: 'task-finished',
    play: play.name,
    task: title,
    module: kind,
    controller: state.name,
    handler: false,
    status: 'failed',
    ...(rescuable && { rescued: true }),
    seconds: 0,
    message,
    ...(hint !== undefined && { hint }),
    ...(run.input.settings.verbosity > 0 && { values }),
    diff: false,
    source: cause,
  });
}
