import type { ProcessIdentity } from '../../core/model/run/process.js';
import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import { JournalError, listRuns } from '../../record/journal/format/run_folders.js';
import { readHeader, type RunHeader } from '../../record/journal/format/run_header.js';
import { judgeLife, ownIdentity, type Life } from '../../record/locks/process_identity.js';

/** Whether the process of a run is alive, if this machine can see it. */
export function lifeOfProcess(process: ProcessIdentity): Life {
  return judgeLife(process, ownIdentity());
}

/**
 * Why a run without an end must not be continued or rolled back.
 *
 * @param force the user says that a run which this machine cannot see has ended
 * @param hint what to do if it has
 */
export function whyNotEnded(
  header: Pick<RunHeader, 'id' | 'process'>,
  force: boolean | undefined,
  hint = 'if it has ended, pass --force',
): Diagnostic | undefined {
  const { id, process } = header;
  const life = lifeOfProcess(process);
  if (life === 'alive') return stillRunning(header);
  if (life === 'gone' || force === true) return undefined;
  const message = `run ${id} was started on ${process.host}: this machine cannot see whether it is still running`;
  return { severity: 'error', message, hint };
}

/** A run that is still running cannot be resumed, rerun or rolled back. */
export function stillRunning({ id, process }: Pick<RunHeader, 'id' | 'process'>): Diagnostic {
  return {
    severity: 'error',
    message: `run ${id} is still running (process ${process.pid} on ${process.host}): nothing was contacted`,
    hint: 'wait until it finishes, or end it with Ctrl-C',
  };
}

/** @throws JournalError if a rollback of the run was begun after the known one */
export async function requireNotUndone(
  stateDirectory: string,
  header: Pick<RunHeader, 'id' | 'simulated'>,
  known: string | undefined,
  hint: string,
): Promise<void> {
  const by = await findRollback(stateDirectory, header);
  if (by !== undefined && by !== known)
    throw new JournalError(`run ${header.id} was rolled back meanwhile, by ${by}`, hint);
}

/**
 * The id of the newest rollback of a run; undefined if there is none. Those that restored nothing do not count: checks,
 * simulations, and those that failed before they wrote. One that found all as before counts: what the run did is undone.
 */
export async function findRollback(
  stateDirectory: string,
  { id, simulated }: Pick<RunHeader, 'id' | 'simulated'>,
): Promise<string | undefined> {
  for (const later of await listRuns(stateDirectory)) {
    if (later <= id) return undefined;
    const { header } = (await readHeader(stateDirectory, later).catch(() => undefined)) ?? {};
    if (header?.undoes !== id || header.check || header.simulated !== simulated) continue;
    if (header.end?.wrote !== false || header.end.status === 'ok') return later;
  }
  return undefined;
}
