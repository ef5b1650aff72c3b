import type { TaskFinished } from './event.js';

/** Whether a task failed, and the failure is neither ignored nor rescued. */
export function isTrouble({ status, ignored, rescued }: Pick<TaskFinished, 'status' | 'ignored' | 'rescued'>): boolean {
  return (status === 'failed' || status === 'unreachable') && ignored !== true && rescued !== true;
}
