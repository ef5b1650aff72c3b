import { openRun, type WrittenObject } from '../../journal/read/read_run.js';
import { JournalError } from '../../journal/disk/journal_error.js';
import { findRun, listRuns, runsFolder } from '../../journal/disk/run_folders.js';
import { readHeader, type RunHeader } from '../../journal/disk/run_header.js';
import { ownIdentity } from '../../locks/process_identity.js';
import type { Diagnostics } from '../../model/source/diagnostic.js';
import type { Mapping } from '../../model/values/value.js';
import { underWay } from '../history/under_way.js';
import { lifeOfProcess } from '../run/run_record.js';

/** The run that a rollback undoes. */
export interface UndoneRun {
  readonly header: RunHeader;
  readonly invocation: Mapping | undefined;
  readonly writes: readonly WrittenObject[];
  /** Where its controllers were, by name. */
  readonly urls: ReadonlyMap<string, string>;
  /** Lets it be pruned again, which would take away its large values. The end of the process does so, too. */
  readonly release: () => Promise<void>;
}

/**
 * Reads it, if it is over: what is still written cannot be undone. Undefined with a diagnostic if it cannot be read.
 * @param name an id, the beginning of one, or `last`
 */
export async function readUndoneRun(
  stateDirectory: string,
  name: string,
  diagnostics: Diagnostics,
): Promise<UndoneRun | undefined> {
  try {
    const id = name === 'last' ? await lastThatMayHaveWritten(stateDirectory) : await findRun(stateDirectory, name);
    const { run, release } = await openRun(stateDirectory, id, { process: ownIdentity() });
    const { header, urls } = run;
    refuseIfUnderWay(header, diagnostics);
    return { header, urls, invocation: run.invocation(), writes: run.writes(), release };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    diagnostics.error(error.message, undefined, error.hint);
    return undefined;
  }
}

/** A check changes nothing, so `last` means the same run after `rollback --check`. */
async function lastThatMayHaveWritten(stateDirectory: string): Promise<string> {
  for (const id of await listRuns(stateDirectory)) {
    if (!(await readHeader(stateDirectory, id)).header.check) return id;
  }
  throw new JournalError(`there is no run in ${runsFolder(stateDirectory)} yet that may have changed something`);
}

function refuseIfUnderWay(header: RunHeader, diagnostics: Diagnostics): void {
  if (header.end === undefined && lifeOfProcess(header.process) !== 'gone') diagnostics.add([underWay(header)]);
}
