import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { whyUnreadable } from '../core/files/paths.js';
import type { Event } from '../core/model/run/event.js';
import { choiceShape, fields, listShape, text } from '../core/model/values/stored.js';
import { runDetail, type RunDetail } from '../launch/history/run_detail.js';
import { findRun, isRunId, JournalError, journalFile, listRuns } from '../record/journal/format/run_folders.js';
import { readHeader } from '../record/journal/format/run_header.js';
import { EntryReader } from '../record/journal/read/entry.js';

/** A run to report: one of this project, or one that another machine made. */
export interface RunSource {
  /** As the user names it. */
  readonly named: string;
  /** Whether it is a file or folder. */
  readonly isPath: boolean;
  /** ISO 8601. */
  readonly started: string;
  /** Why the run did not start. Absent: it did. */
  readonly refusal?: string | undefined;
  /**
   * Returns what a journal has besides events; undefined for a file of events.
   *
   * @throws JournalError
   */
  readonly read: (onEvent: (event: Event) => void) => Promise<RunDetail | undefined>;
}

/**
 * Finds a run: an id, `last`, a state folder (its newest run), the folder of a run, or a file of events (`--report json`).
 *
 * @throws JournalError if there is no such run
 */
export async function runSource(
  named: string,
  { cwd, stateDirectory }: { readonly cwd: string; readonly stateDirectory: string },
): Promise<RunSource> {
  const place = path.resolve(cwd, named);
  const found =
    named === '' || named === 'last' || isRunId(named) ? undefined : await stat(place).catch(() => undefined);
  if (found === undefined) {
    if (named.includes(path.sep)) throw new JournalError(`there is no file or folder ${named}`);
    return { ...(await keptRun(named, stateDirectory, await findRun(stateDirectory, named))), isPath: false };
  }
  return found.isDirectory() ? runInFolder(named, place) : eventsIn(named, place);
}

async function keptRun(named: string, stateDirectory: string, id: string): Promise<RunSource> {
  const { header } = await readHeader(stateDirectory, id);
  return { named, isPath: true, started: header.time, read: (onEvent) => runDetail(stateDirectory, id, onEvent) };
}

async function runInFolder(named: string, folder: string): Promise<RunSource> {
  const isRun = await stat(journalFile(folder)).then(
    () => true,
    () => false,
  );
  if (isRun) return keptRun(named, path.resolve(folder, '../..'), path.basename(folder));
  const [newest] = await listRuns(folder);
  if (newest !== undefined) return keptRun(named, folder, newest);
  const message = `${named} is neither a state folder nor the folder of a run`;
  throw new JournalError(message, 'name the folder with "runs" in it');
}

/** @throws JournalError if the file does not begin with the start of a run */
async function eventsIn(named: string, file: string): Promise<RunSource> {
  const { time, refusal } = await firstEvent(named, file);
  return {
    named,
    isPath: true,
    started: time,
    refusal,
    read: async (onEvent) => {
      let number = 0;
      const reader = new EntryReader();
      for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
        number += 1;
        const entry = reader.parse(line);
        if (entry.type === 'broken') throw new JournalError(`${named}:${number}: ${entry.problem}`);
        if (entry.type === 'event') onEvent(entry.event);
      }
      return undefined;
    },
  };
}

interface Beginning {
  readonly time: string;
  readonly refusal?: string | undefined;
}

async function firstEvent(named: string, file: string): Promise<Beginning> {
  const line = await firstLine(file).catch((error: unknown) => {
    throw new JournalError(`cannot read ${named}: ${whyUnreadable(error)}`);
  });
  const entry = new EntryReader().parse(line);
  if (entry.type === 'event' && entry.event.type === 'run-started') return { time: entry.event.time };
  const refused: unknown = entry.type === 'other' ? JSON.parse(line) : undefined;
  if (isRefused(refused)) {
    const { time, diagnostics } = refused;
    return { time, refusal: diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'it was refused' };
  }
  throw new JournalError(`${named} has no events of a run`, 'such a file is written with --report json=FILE');
}

const isRefused = fields({
  type: choiceShape('run-refused'),
  time: text,
  diagnostics: listShape(fields({ severity: text, message: text })),
});

async function firstLine(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    for await (const line of handle.readLines({ autoClose: false })) return line;
    return '';
  } finally {
    await handle.close();
  }
}
