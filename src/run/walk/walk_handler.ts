import type { Handler } from '../../model/playbook/step.js';
import type { Frame } from './frame.js';
import type { StepEnd } from './step_end.js';
import type { Walker } from './walker.js';
import { walkInclude } from './walk_include.js';
import { walkTask } from './walk_task.js';

export function walkHandler(walk: Walker, handler: Handler, frame: Frame): Promise<StepEnd> {
  switch (handler.type) {
    case 'task':
      return walkTask(walk, handler, frame);
    case 'include':
      return walkInclude(walk, handler, frame);
    case 'meta':
      return walk.steps([handler], frame);
    default:
      return handler satisfies never;
  }
}
