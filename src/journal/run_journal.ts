import type { Event } from '../model/event.js';
import type { Journal } from '../model/journal.js';
import type { ProcessIdentity } from '../model/process_identity.js';
import type { Secrets } from '../model/secrets.js';
import type { KeptRun } from './kept_run.js';
import type { RunStart } from './run_header.js';

/** The journal of a run that is under way. */
export interface RunJournal extends Journal {
  /** `20261120T185022Z-9f3a1c` */
  readonly id: string;
  /** Keeps an event that is redacted already. Never throws and never waits. */
  keep(event: Event): void;
  /** Writes at once, without giving anything else a turn: the process is about to end. */
  flush(): void;
  /** Everything is on disk. Never rejects: what could not be kept was told by `broken`. */
  close(): Promise<void>;
}

/**
 * Makes the folder of a new run.
 *
 * @throws JournalError if it cannot be made or written
 */
export async function startRun(_stateDirectory: string, _start: RunStart, _secrets: Secrets): Promise<RunJournal> {
  return Promise.reject(new Error('not there yet'));
}

/**
 * Goes on with the journal of a run that was cut off.
 *
 * @throws JournalError if it cannot be written, or another process goes on with it
 */
export async function continueRun(
  _stateDirectory: string,
  _run: KeptRun,
  _process: ProcessIdentity,
  _secrets: Secrets,
): Promise<RunJournal> {
  return Promise.reject(new Error('not there yet'));
}
