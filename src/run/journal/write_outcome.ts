import { ControllerError } from '../../controller/controller_error.js';
import type { WriteFinished } from '../../model/run/journal.js';
import { TaskProblem } from '../task/task_problem.js';

type WriteEnd = WriteFinished['outcome'];

/** What an error says about the write that ended with it. What does not say for certain that nothing was changed is `unknown`. */
export function outcomeOfError(error: unknown, method: string): WriteEnd {
  // It was thrown before anything was sent: the time was over, or nobody knows how to reach the controller.
  if (error instanceof TaskProblem) return 'refused';
  if (!(error instanceof ControllerError)) return 'unknown';
  const { status, uncertain, passing } = error;
  // A create is settled by reading: an error of a read says nothing about the write before it.
  if (uncertain || error.method !== method) return 'unknown';
  if (status === undefined) return passing && method === 'POST' ? 'unknown' : 'refused';
  return status < 400 ? 'unknown' : outcomeOfStatus(status);
}

/** Of an answer that was read. */
export function outcomeOfStatus(status: number): WriteEnd {
  if (status < 400) return 'applied';
  return status < 500 && status !== 408 ? 'refused' : 'unknown';
}
