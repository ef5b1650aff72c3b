import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { whyFailed } from '../../../core/files/file_error.js';
import { syncFolder } from '../../../core/files/folders.js';
import type { ProcessIdentity } from '../../../core/model/run/journal.js';
import type { Mapping } from '../../../core/model/values/value.js';
import { encode } from '../../../core/model/values/value_codec.js';
import { maskText } from '../../../core/secrets/mask_text.js';
import type { Secrets } from '../../../core/secrets/secrets.js';
import { ConfirmedLength } from '../disk/confirmed.js';
import { keyName, openKey } from '../disk/key_file.js';
import { JournalError, journalFile, runFolder, runsFolder } from '../disk/run_folders.js';
import {
  JOURNAL_VERSION,
  readHeader,
  writeHeader,
  type Author,
  type HeaderFile,
  type RunStart,
} from '../disk/run_header.js';
import { Sealer } from '../disk/sealer.js';
import { ValueFiles } from '../disk/value_files.js';
import type { KeptRun } from '../read/read_run.js';
import { appendFile, type OpenJournal } from './append_file.js';
import { RunJournal, type RunJournalOptions } from './run_journal.js';

/**
 * Creates the folder of a new run.
 *
 * @param id from `nextRunId`
 * @throws JournalError if it cannot be created or written
 */
export async function startJournal(
  stateDirectory: string,
  id: string,
  { invocation, ...start }: RunStart,
  secrets: Secrets,
): Promise<RunJournal> {
  const folder = runFolder(stateDirectory, id);
  try {
    const key = await openKey(stateDirectory);
    const sealer = new Sealer(key, id);
    const time = new Date().toISOString();
    const header = { schemaVersion: JOURNAL_VERSION, id, time, key: keyName(key), ...start } as const;
    const file = { header, sealed: invocation === undefined ? undefined : sealer.seal(encode(invocation)) };
    const files = await makeRunFolder(folder, file);
    return opened({ stateDirectory, file, files, sealer, secrets, length: 0, lastWrite: 0 });
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError(`cannot keep a journal of the run in ${folder}: ${whyFailed(error)}`);
  }
}

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
  const { resumes = [], fingerprint } = file.header;
  const resume = now.author && { time: new Date().toISOString(), ...now.author };
  const header = {
    ...file.header,
    // An earlier version of evenkeel could not read what is appended.
    schemaVersion: JOURNAL_VERSION,
    process,
    fingerprint: now.fingerprint ?? fingerprint,
    end: undefined,
    ...(resume && { resumes: [...resumes, resume] }),
  };
  const renewed = { ...file, header };
  const folder = runFolder(stateDirectory, file.header.id);
  let handle: FileHandle | undefined;
  try {
    const opener = sealer();
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
    return opened({ stateDirectory, file: renewed, files, sealer: opener, secrets, length: from, lastWrite });
  } catch (error) {
    await handle?.close();
    if (error instanceof JournalError) throw error;
    throw new JournalError(`cannot append to the journal in ${folder}: ${whyFailed(error)}`);
  }
}

/**
 * Time can pass between reading a run and resuming it, because of a question or a wait for locks. If another process
 * resumed the run meanwhile, this one must not: it would repeat work and truncate the journal.
 */
async function requireAsRead(stateDirectory: string, { header: { id, process: then } }: HeaderFile): Promise<void> {
  const { process: now } = (await readHeader(stateDirectory, id)).header;
  if (now.pid === then.pid && now.started === then.started && now.host === then.host && now.boot === then.boot) return;
  const message = `run ${id} was resumed meanwhile (process ${now.pid} on ${now.host})`;
  throw new JournalError(message, 'see its result: evenkeel runs lists it');
}

/** Seen under its name only when it is whole. */
async function makeRunFolder(folder: string, file: HeaderFile): Promise<OpenFiles> {
  const fresh = path.join(path.dirname(folder), `.new-${path.basename(folder)}`);
  await mkdir(fresh, { mode: 0o700 });
  let handle: FileHandle | undefined;
  let confirmation: ConfirmedLength | undefined;
  try {
    await writeHeader(fresh, file);
    handle = await open(journalFile(fresh), 'wx', 0o600);
    confirmation = await ConfirmedLength.open(fresh);
    await rename(fresh, folder);
    return { handle, confirmation };
  } catch (error) {
    await confirmation?.close();
    await handle?.close();
    await rm(fresh, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

type OpenFiles = Pick<OpenJournal, 'handle' | 'confirmation'>;

interface OpenedFolder extends Pick<RunJournalOptions, 'length' | 'lastWrite' | 'secrets' | 'sealer'> {
  readonly stateDirectory: string;
  readonly file: HeaderFile;
  readonly files: OpenFiles;
}

function opened({ stateDirectory, file, files, ...rest }: OpenedFolder): RunJournal {
  const { id } = file.header;
  const folder = runFolder(stateDirectory, id);
  const shown = journalFile(folder);
  const alongside = async (): Promise<void> => {
    await Promise.all([folder, runsFolder(stateDirectory), stateDirectory].map(syncFolder));
  };
  return new RunJournal({
    ...rest,
    id,
    values: new ValueFiles(folder, rest.sealer),
    file: appendFile({ ...files, path: shown, alongside }),
    shown,
    // A run whose end cannot be recorded counts as cut off, which loses nothing.
    onEnd: (end) => {
      // What the run learned to be secret can be a word of the command line, too.
      const argv = file.header.argv.map((word) => maskText(word, rest.secrets));
      return writeHeader(folder, { ...file, header: { ...file.header, argv, end } }).catch(() => undefined);
    },
  });
}
