import type { Include } from '../../core/model/playbook/step.js';
import type { StepEnd } from '../batch/batch_state.js';
import type { WalkFrame } from './play_context.js';
import { runStep } from './walk_task.js';
import type { Walker } from './walker.js';

/** Runs an include, then its content. */
export async function walkInclude(walk: Walker, include: Include, frame: WalkFrame): Promise<StepEnd> {
  const end = await runStep(walk, include, frame);
  if (typeof end === 'string') return end;
  if (end.status !== 'completed' || end.included.length === 0) return end.status;
  const { walkIncluded } = await import('./included_steps.js');
  return walkIncluded(walk, include, end.included, frame);
}
