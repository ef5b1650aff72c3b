import type { Event } from '../model/event.js';
import type { Past, PastWrite } from '../model/journal.js';
import type { Mapping } from '../model/value.js';
import type { RunHeader } from './run_header.js';

/** A write of a run, whether its step was settled or not. */
export interface WrittenObject extends PastWrite {
  /** The object as the controller showed it after the write. Absent: it was never looked at. */
  readonly seen?: Mapping | undefined;
}

/** What is kept of a run, read once; what is sealed is opened when it is asked for. */
export interface KeptRun {
  readonly header: RunHeader;
  /** @throws JournalError if the key is lost or another one. Undefined if the run was given none. */
  readonly invocation: () => Mapping | undefined;
  /** For a resume. Its methods throw a `JournalError` if the key is lost. */
  readonly past: Past;
  /** All of them, in the order of the intents. @throws JournalError if the key is lost */
  readonly writes: () => readonly WrittenObject[];
  /** The number of the last write. */
  readonly lastWrite: number;
  /** Bytes of the journal up to the end of its last complete line: what comes after it was cut off. */
  readonly length: number;
}

export interface Reading {
  /** Each event as it is read, redacted as it was kept, in its order: for recaps and reports, in the same pass. */
  readonly onEvent?: ((event: Event) => void) | undefined;
  /** Told of a line that cannot be understood, which is left out. Absent: it is an error, since what is done may depend on it. */
  readonly onBroken?: ((problem: string) => void) | undefined;
}

/**
 * Reads a run of the state directory. While it is in use it is not pruned: until `use` is through.
 *
 * @param id as `findRun` gives it
 * @throws JournalError if there is no such run, or its journal cannot be understood: `journal.jsonl:12: …`
 */
export async function withRun<T>(
  _stateDirectory: string,
  _id: string,
  _reading: Reading,
  _use: (run: KeptRun) => Promise<T>,
): Promise<T> {
  return Promise.reject(new Error('not there yet'));
}
