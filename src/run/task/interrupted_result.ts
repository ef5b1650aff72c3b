import { ControllerError } from '../../controller/controller_error.js';
import { isRead } from '../../model/run/http_method.js';
import type { TaskResult } from '../../model/run/result.js';
import { Interrupted } from '../../template/errors.js';
import type { TaskRun } from './task_run.js';

export type InterruptedResult = Extract<TaskResult, { status: 'interrupted' }>;

/** Not brought to its end, and nobody's failure: it begins anew when the run goes on. */
export function interrupted(message: string, details: Partial<InterruptedResult> = {}): InterruptedResult {
  return { values: {}, ...details, status: 'interrupted', message };
}

/**
 * The result if Ctrl-C ended the command of a template, or if the run stopped before the controller answered a read. Undefined for
 * any other error; a write may have taken effect and is reported.
 */
export function interruptedBecause({ context }: TaskRun, error: unknown): InterruptedResult | undefined {
  if (error instanceof Interrupted) return interrupted(error.message);
  if (!(error instanceof ControllerError) || !isRead(error.method)) return undefined;
  if (!context.run.brake.applied || !(error.passing || error.givenUp)) return undefined;
  return interrupted(`interrupted before there was an answer: ${error.message}`);
}
