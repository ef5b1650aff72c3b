import type { Source } from '../../model/source/source.js';

/** A task that cannot go on because of what its playbook says: the message, its place, and what to do. Fails the task. */
export class TaskProblem extends Error {
  override readonly name = 'TaskProblem';

  constructor(
    message: string,
    readonly source?: Source,
    readonly hint?: string,
  ) {
    super(message);
  }
}
