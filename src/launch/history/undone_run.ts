import type { UnsettledWrite } from '../../core/model/run/past.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Mapping } from '../../core/model/values/value.js';
import { JournalError } from '../../record/journal/disk/journal_error.js';
import { findRun, listRuns, runsFolder } from '../../record/journal/disk/run_folders.js';
import { readHeader, type RunHeader } from '../../record/journal/disk/run_header.js';
import { openRun, type WrittenObject } from '../../record/journal/read/read_run.js';
import { ownIdentity } from '../../record/locks/process_identity.js';
import { wasAtSites } from '../request/invocation.js';
import { atSitesText, lifeOfProcess, stillRunning } from './run_life.js';

/** The run that is rolled back. */
export interface UndoneRun {
  readonly header: RunHeader;
  readonly invocation: Mapping | undefined;
  readonly writes: readonly WrittenObject[];
  /** Those whose outcome is unknown. */
  readonly unsettled: readonly UnsettledWrite[];
  /** The addresses of its controllers, by name. */
  readonly urls: ReadonlyMap<string, string>;
  /** Allows the run to be pruned again. The end of the process does so, too. */
  readonly release: () => Promise<void>;
}

/**
 * Reads a run that has ended. Undefined with a diagnostic if it cannot be read.
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
    refuseIfRunning(header, diagnostics);
    const invocation = run.invocation();
    if (!header.simulated && wasAtSites(invocation ?? {})) diagnostics.error(atSitesText(header));
    return { header, urls, invocation, writes: run.writes(), unsettled: run.unsettled(), release };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    diagnostics.error(error.message, undefined, error.hint);
    return undefined;
  }
}

/** Ignores checks: after `rollback last --check`, `last` still means the same run. */
async function lastThatMayHaveWritten(stateDirectory: string): Promise<string> {
  for (const id of await listRuns(stateDirectory)) {
    if (!(await readHeader(stateDirectory, id)).header.check) return id;
  }
  throw new JournalError(`no run in ${runsFolder(stateDirectory)} may have changed anything`);
}

function refuseIfRunning(header: RunHeader, diagnostics: Diagnostics): void {
  if (header.end === undefined && lifeOfProcess(header.process) !== 'gone') diagnostics.add([stillRunning(header)]);
}
