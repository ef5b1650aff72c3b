import { open, type FileHandle } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { whyFailed } from '../../../core/files/paths.js';
import type { ProcessIdentity } from '../../../core/model/run/process.js';
import type { Mapping } from '../../../core/model/values/value.js';
import { encode } from '../../../core/model/values/value_codec.js';
import type { Secrets } from '../../../core/secrets/secrets.js';
import { ConfirmedLength } from '../format/confirmed.js';
import { JournalError, journalFile, runFolder } from '../format/run_folders.js';
import { readHeader, writeHeader, type Author, type HeaderFile } from '../format/run_header.js';
import type { KeptRun } from '../read/read_run.js';
import type { RunJournal } from './run_journal.js';
import { openedJournal } from './start_journal.js';

/**
 * Continues the journal of an interrupted run.
 *
 * @param now the author of the resume; a fingerprint that replaces the one of the run
 * @throws JournalError if it cannot be written, or another process resumed the run since it was read
 */
export async function continueRun(
  stateDirectory: string,
  run: KeptRun,
  process: ProcessIdentity,
  secrets: Secrets,
  now: { readonly author?: Author | undefined; readonly fingerprint?: Mapping | undefined } = {},
): Promise<RunJournal> {
  const { file, length, endsOpen, lastWrite, sealer, hash } = run.tail;
  const { resumes = [] } = file.header;
  const { playbooks } = run.inputs();
  const sealed = now.fingerprint && encode({ ...run.invocation(), playbooks, fingerprint: now.fingerprint });
  const resume = now.author && { time: new Date().toISOString(), ...now.author };
  const header = {
    ...file.header,
    process,
    end: undefined,
    ...(resume && { resumes: [...resumes, resume] }),
  };
  const folder = runFolder(stateDirectory, file.header.id);
  let handle: FileHandle | undefined;
  try {
    const opener = sealer();
    const renewed = { header, sealed: sealed === undefined ? file.sealed : opener.seal(sealed) };
    await requireAsRead(stateDirectory, file);
    handle = await open(journalFile(folder), 'r+');
    await handle.truncate(length);
    const kept = hash.copy();
    if (endsOpen) {
      await handle.write('\n', length);
      kept.update('\n');
    }
    await writeHeader(folder, renewed);
    const from = length + (endsOpen ? 1 : 0);
    const files = { handle, confirmation: await ConfirmedLength.open(folder, kept, from) };
    return openedJournal({ stateDirectory, file: renewed, files, sealer: opener, secrets, length: from, lastWrite });
  } catch (error) {
    await handle?.close();
    if (error instanceof JournalError) throw error;
    throw new JournalError(`cannot append to the journal in ${folder}: ${whyFailed(error)}`);
  }
}

/**
 * Time can pass between reading a run and going on from it, because of a question or a wait for locks. What was read does not count if the
 * run went on meanwhile: work would be repeated or left, and a resume would truncate the journal.
 *
 * @throws JournalError if it did
 */
export async function requireAsRead(stateDirectory: string, then: HeaderFile): Promise<void> {
  const now = await readHeader(stateDirectory, then.header.id);
  if (isDeepStrictEqual(now, then)) return;
  const { id, process } = now.header;
  const message = `run ${id} went on meanwhile (process ${process.pid} on ${process.host})`;
  throw new JournalError(message, 'see its result: evenkeel runs lists it');
}
