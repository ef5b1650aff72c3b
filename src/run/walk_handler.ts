import type { Handler } from '../model/playbook.js';
import type { Frame } from './frame.js';
import type { StepEnd } from './step_end.js';
import type { Walker } from './walker.js';
import { walkInclude } from './walk_include.js';
import { walkTask } from './walk_task.js';

export function walkHandler(walk: Walker, handler: Handler, frame: Frame): Promise<StepEnd> {
  return handler.type === 'include' ? walkInclude(walk, handler, frame) : walkTask(walk, handler, frame);
}
