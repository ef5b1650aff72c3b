import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { whyFailed, syncFolder } from '../../../core/files/paths.js';
import { jsonText } from '../../../core/model/values/value.js';
import { encode } from '../../../core/model/values/value_codec.js';
import { maskText } from '../../../core/secrets/mask_text.js';
import type { Secrets } from '../../../core/secrets/secrets.js';
import { ConfirmedLength } from '../format/confirmed.js';
import { keyName, openKey, Sealer } from '../format/project_key.js';
import { JournalError, journalFile, runFolder, runsFolder } from '../format/run_folders.js';
import { JOURNAL_VERSION, readHeader, writeHeader, type HeaderFile, type RunStart } from '../format/run_header.js';
import { ValueFiles } from '../format/value_files.js';
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
  { invocation, fingerprint, playbooks, ...start }: RunStart,
  secrets: Secrets,
): Promise<RunJournal> {
  const folder = runFolder(stateDirectory, id);
  try {
    const key = await openKey(stateDirectory);
    const sealer = new Sealer(key, id);
    const time = new Date().toISOString();
    const shown = playbooks.map((name) => maskText(name, secrets));
    const header = { schemaVersion: JOURNAL_VERSION, id, time, key: keyName(key), ...start, playbooks: shown } as const;
    const file = { header, sealed: sealer.seal(encode({ ...invocation, fingerprint, playbooks })) };
    const files = await makeRunFolder(folder, file);
    return openedJournal({ stateDirectory, file, files, sealer, secrets, length: 0, lastWrite: 0 });
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError(`cannot keep a journal of the run in ${folder}: ${whyFailed(error)}`);
  }
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

/** The journal in a folder of a run. */
export function openedJournal({ stateDirectory, file, files, ...rest }: OpenedFolder): RunJournal {
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
    onEnd: async (end) => {
      // What the run learned to be secret can be a word of the command line, too.
      const mask = (word: string): string => maskText(word, rest.secrets);
      const shown = { argv: file.header.argv.map(mask), playbooks: file.header.playbooks.map(mask) };
      const { header: last } = await readHeader(stateDirectory, id);
      // Once another process has continued the run, only that one knows how it ends.
      if (jsonText(last.process) !== jsonText(file.header.process)) return;
      await writeHeader(folder, { ...file, header: { ...file.header, ...shown, end } });
    },
  });
}
