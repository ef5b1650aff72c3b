import { randomBytes } from 'node:crypto';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../../core/files/replace_file.js';
import type { RunFinished } from '../../../core/model/run/event.js';
import { isProcess, type ProcessIdentity } from '../../../core/model/run/process.js';
import { orElse } from '../../../core/model/source/diagnostic.js';
import {
  fields,
  flag,
  hasFields,
  listShape,
  nullable,
  number,
  optional,
  text,
  texts,
  trusted,
  type FieldsOf,
} from '../../../core/model/values/stored.js';
import { jsonText, isMapping, type Mapping } from '../../../core/model/values/value.js';
import { ifThere, JournalError, runFolder } from './run_folders.js';

/** Raised when older journals cannot be read in the same way: each version of evenkeel reads those of its own. */
export const JOURNAL_VERSION = 3;

const AUTHOR = {
  user: text,
  host: text,
  /** The reason and the ticket, as given by the user. */
  reason: optional(text),
  ticket: optional(text),
};

/** Who started a run, or resumed it. */
export type Author = FieldsOf<typeof AUTHOR>;

/** `time`: ISO 8601. */
const RESUMPTION = { ...AUTHOR, time: text };

export type RecordedResumption = FieldsOf<typeof RESUMPTION>;

const START = {
  /** The version of evenkeel. */
  evenkeel: text,
  /** `run`, `task`, `rollback`. */
  command: text,
  /** The typed arguments, without secrets. Empty if a program started the run. */
  argv: texts,
  cwd: text,
  check: flag,
  simulated: flag,
  environment: nullable(text),
  /** `2/4`. Absent: the whole fleet. */
  shard: optional(text),
  /** The playbooks as given; empty for a single task. In the header without secrets. */
  playbooks: texts,
  process: isProcess,
  author: optional(fields(AUTHOR)),
  /** Of a rollback: the run that it undoes. */
  undoes: optional(text),
};

/** What is known about a run before its first event. */
export interface RunStart extends FieldsOf<typeof START> {
  /** What a resume needs to start the same run again. Sealed on disk, because it may contain passwords. */
  readonly invocation?: Mapping | undefined;
  /** The inputs of the run, for a resume to compare. Sealed on disk, because it has names of files. */
  readonly fingerprint?: Mapping | undefined;
}

const END = {
  /** ISO 8601. */
  time: text,
  status: trusted<RunFinished['status']>(text),
  exitCode: number,
  seconds: number,
  controllers: number,
  /** Whether a write was started. Absent: unknown. */
  wrote: optional(flag),
  /** Whether the journal could not be written for a while, so that a resume finishes the run. */
  unkept: optional(flag),
};

/** How a run ended, so that a list of runs need not read whole journals. */
export type RunEnd = FieldsOf<typeof END>;

const HEADER = {
  ...START,
  schemaVersion: number,
  id: text,
  /** When the run started: ISO 8601, by the clock of the machine, which may have been set back since. */
  time: text,
  /** Which key it was sealed with. */
  key: text,
  resumes: optional(listShape(fields(RESUMPTION))),
  /** How it ended. Absent while it runs, and if it was cut off. */
  end: optional(fields(END)),
};

/** `run.json`. */
export type RunHeader = FieldsOf<typeof HEADER>;

/** The content of `run.json`. */
export interface HeaderFile {
  readonly header: RunHeader;
  /** The invocation, the fingerprint and the whole names of the playbooks, sealed. */
  readonly sealed: string | undefined;
}

function headerFile(folder: string): string {
  return path.join(folder, 'run.json');
}

/** Replaces the file atomically, after a sync: readers never see half of it. */
export async function writeHeader(folder: string, { header, sealed }: HeaderFile): Promise<void> {
  await replaceFile(headerFile(folder), `${jsonText({ ...header, sealed }, null, 2)}\n`, (draft) => draft.sync());
}

/**
 * @param oldest the oldest version of a journal to accept. The header has the same fields in all of them
 * @throws JournalError if there is no such run, its journal is of another version, or its header is invalid
 */
export async function readHeader(
  stateDirectory: string,
  id: string,
  oldest: number = JOURNAL_VERSION,
): Promise<HeaderFile> {
  const file = headerFile(runFolder(stateDirectory, id));
  const content = await ifThere(file, readFile(file, 'utf8'));
  if (content === undefined) throw new JournalError(`run ${id} is no longer kept`);
  const value = orElse(undefined, (): unknown => JSON.parse(content));
  if (!isMapping(value)) throw new JournalError(`${file} is not the header of a run`);
  const version = value['schemaVersion'];
  if (typeof version === 'number' && version < oldest) {
    const what = `run ${id} was made by an earlier version of evenkeel, and this version does not read its journal`;
    throw new JournalError(what, 'to show it, finish it or roll it back, use that version');
  }
  if (typeof version === 'number' && version > JOURNAL_VERSION)
    throw new JournalError(`${file} was written by a later version of evenkeel`, 'use that version to read it');
  const { sealed, ...header } = value;
  if (!hasFields(header, HEADER)) throw new JournalError(`${file} is not the header of a run`);
  return { header, sealed: text(sealed) ? sealed : undefined };
}

const READER = 'reader-';

/** Marks a run as being read, so that it is not pruned. Returns a function that removes the mark. */
export async function markAsRead(folder: string, process: ProcessIdentity): Promise<() => Promise<void>> {
  const mark = path.join(folder, `${READER}${process.pid}-${randomBytes(3).toString('hex')}.json`);
  // A read-only folder is not pruned either, and a missing one is reported by the reader.
  const marked = await writeFile(mark, JSON.stringify(process), { mode: 0o600 }).then(
    () => true,
    () => false,
  );
  return async () => {
    if (marked) await unlink(mark).catch(() => undefined);
  };
}

export function isReaderMark(name: string): boolean {
  return name.startsWith(READER);
}

/** The reading process; undefined if it has finished, or the mark is invalid. */
export async function readMark(file: string): Promise<ProcessIdentity | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isProcess(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
