import type { Event, RunFinished, TaskFinished } from '../core/model/run/event.js';
import type { Diagnostic } from '../core/model/source/diagnostic.js';
import { placeText } from '../core/model/source/source.js';

/**
 * The content of the event `run-finished`, and warnings from before the run. Failed controllers are part of the result,
 * never an exception.
 */
export interface RunResult extends RunFinished {
  /** Warnings of loading, with secrets masked. */
  readonly warnings: readonly Diagnostic[];
}

export interface TaskResult extends RunResult {
  /** The result of the task, by controller. */
  readonly tasks: Readonly<Record<string, TaskFinished>>;
}

/** Its `run` is empty if there was nothing to restore. */
export interface RollbackResult extends RunResult {
  readonly notRestored: readonly NotRestored[];
}

export interface NotRestored {
  readonly controller: string;
  /** Absent: the whole controller. */
  readonly object?: string;
  /** Worded to follow the object or controller: `was created: a rollback deletes nothing`. */
  readonly reason: string;
}

/**
 * A run that has started: a promise of its result, and its events for `for await`. Events before the loop are not kept,
 * so begin the loop at once. Leaving the loop does not end the run; the option `signal` does.
 */
export interface Run<R extends RunResult = RunResult> extends Promise<R>, AsyncIterable<Event> {}

/** The input is invalid. No controller was contacted. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';

  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(describe).join('\n'));
  }
}

function describe({ message, source, hint }: Diagnostic): string {
  const place = source === undefined ? '' : `${placeText(source)}: `;
  return `${place}${message}${hint === undefined ? '' : ` (${hint})`}`;
}
