import { open, type FileHandle } from 'node:fs/promises';
import type { Event } from '../model/event.js';
import { entryOf, type KeptRecord } from './entry.js';
import { isFileError, whyFailed } from '../files/file_error.js';
import { JournalError } from './journal_error.js';
import { journalLines, type JournalLine } from './journal_lines.js';

/** Who is told what a journal holds, in its order. */
export interface Taking {
  readonly event: (event: Event) => void;
  readonly record: (record: KeptRecord) => void;
  /** A line that cannot be understood, which is left out. Absent: it is an error, since what is done may depend on it. */
  readonly broken?: ((problem: string) => void) | undefined;
}

/** Where a journal ends. */
export interface JournalEnd {
  /** Bytes up to the end of the last line that could be understood: what comes after it was cut off. */
  readonly length: number;
  /** Whether that line lacks its line break. */
  readonly endsOpen: boolean;
}

const NO_TEXT = { type: 'broken', problem: 'it is not UTF-8 text' } as const;

/**
 * Reads a journal to the last line that can be understood; of what was cut off after it there is nothing to be said.
 *
 * @throws JournalError if there is none, or a line before its end cannot be understood
 */
export async function readJournal(file: string, taking: Taking): Promise<JournalEnd> {
  const handle = await openJournal(file);
  try {
    let end: JournalEnd = { length: 0, endsOpen: false };
    for await (const line of journalLines(handle)) {
      const entry = line.text === undefined ? NO_TEXT : entryOf(line.text);
      if (entry.type === 'broken') {
        if (!line.complete) break;
        tellBroken(`${file}:${line.number}: ${entry.problem}`, taking.broken);
      }
      if (entry.type === 'event') taking.event(entry.event);
      if (entry.type === 'record') taking.record(entry.record);
      end = endOf(line);
    }
    return end;
  } finally {
    await handle.close();
  }
}

async function openJournal(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (isFileError(error, 'ENOENT')) throw new JournalError(`the journal ${file} is gone`);
    throw new JournalError(`cannot read ${file}: ${whyFailed(error)}`);
  }
}

function endOf({ end, complete }: JournalLine): JournalEnd {
  return { length: end, endsOpen: !complete };
}

function tellBroken(problem: string, broken: Taking['broken']): void {
  if (broken === undefined) throw new JournalError(problem, 'the journal was changed since it was written');
  broken(problem);
}
