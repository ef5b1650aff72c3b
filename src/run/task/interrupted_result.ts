import { ControllerError } from '../../controller/controller_error.js';
import { isRead } from '../../model/http_method.js';
import type { TaskResult } from '../../model/result.js';
import type { TaskRun } from './task_run.js';

export type InterruptedResult = Extract<TaskResult, { status: 'interrupted' }>;

/** Not brought to its end, and nobody's failure: it begins anew when the run goes on. */
export function interrupted(message: string, details: Partial<InterruptedResult> = {}): InterruptedResult {
  return { values: {}, ...details, status: 'interrupted', message };
}

/**
 * What became of a read that was given up, or not tried again, because nothing was to be begun any more: the controller might have
 * answered. Undefined for any other error; a write may have taken effect, which is for nobody to pass over.
 */
export function interruptedRead({ context }: TaskRun, error: unknown): InterruptedResult | undefined {
  if (!(error instanceof ControllerError) || !isRead(error.method)) return undefined;
  if (!context.run.brake.applied || !(error.passing || error.givenUp)) return undefined;
  return interrupted(`interrupted before there was an answer: ${error.message}`);
}
