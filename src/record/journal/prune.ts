import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyFailed } from '../../core/files/paths.js';
import type { ProcessIdentity } from '../../core/model/run/process.js';
import { JournalError, journalFile, listRuns, runFolder, runsFolder } from './format/run_folders.js';
import { isReaderMark, readHeader, readMark, type RunHeader } from './format/run_header.js';

/** Default number of runs to keep of each kind. */
export const DEFAULT_KEPT = 50;
/** A process on another machine cannot be checked. If it has not written for a week, it counts as dead. */
const QUIET_MS = 7 * 24 * 60 * 60 * 1000;
/** Folders that are being created or removed. */
const BETWEEN = /^\.(?:new|old)-/;

export interface Pruning {
  /** How many of the newest runs to keep: of those that wrote or can be resumed, and of the others. */
  readonly keep: number;
  /** The state of a process: runs that a living process runs or reads are kept. */
  readonly lifeOf: (process: ProcessIdentity) => 'alive' | 'gone' | 'elsewhere';
  /** The maximum number of runs to remove. Absent: no limit. */
  readonly most?: number | undefined;
  /** Only reports what would be removed. */
  readonly check?: boolean | undefined;
}

/** The removed runs, oldest first, and old runs that are kept because a process uses them. */
export interface Pruned {
  readonly removed: readonly string[];
  readonly inUse: readonly string[];
}

/**
 * Removes the oldest runs.
 *
 * @throws JournalError if one cannot be removed
 */
export async function pruneRuns(stateDirectory: string, pruning: Pruning): Promise<Pruned> {
  const ids = await runsToPrune(stateDirectory, await listRuns(stateDirectory), pruning);
  const [removed, inUse]: [string[], string[]] = [[], []];
  for (const id of ids) {
    if (await isInUse(stateDirectory, id, pruning)) inUse.push(id);
    else {
      if (pruning.check !== true) await removeRun(stateDirectory, id);
      removed.push(id);
    }
  }
  if (pruning.check !== true) await sweep(runsFolder(stateDirectory));
  return { removed, inUse };
}

async function isInUse(stateDirectory: string, id: string, { lifeOf }: Pruning): Promise<boolean> {
  const folder = runFolder(stateDirectory, id);
  const header = await headerIfValid(stateDirectory, id);
  const processes = [...(await findReaders(folder))];
  if (header !== undefined && header.end === undefined) processes.push(header.process);
  const lives = processes.map(lifeOf);
  if (lives.includes('alive')) return true;
  return (header === undefined || lives.includes('elsewhere')) && !(await isQuiet(journalFile(folder)));
}

async function findReaders(folder: string): Promise<readonly ProcessIdentity[]> {
  const marks = (await readdir(folder).catch(() => [])).filter(isReaderMark);
  const readers = await Promise.all(marks.map((name) => readMark(path.join(folder, name))));
  return readers.filter((one) => one !== undefined);
}

async function isQuiet(file: string): Promise<boolean> {
  const written = await stat(file).catch(() => undefined);
  return written === undefined || Date.now() - written.mtimeMs > QUIET_MS;
}

/** Gone for everybody at once; what a crash leaves of it is swept away later. */
async function removeRun(stateDirectory: string, id: string): Promise<void> {
  const folder = runFolder(stateDirectory, id);
  const old = path.join(runsFolder(stateDirectory), `.old-${id}`);
  try {
    await rename(folder, old);
    await rm(old, { recursive: true, force: true });
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return;
    throw new JournalError(`cannot remove ${folder}: ${whyFailed(error)}`);
  }
}

/** Remains of processes that died while they created or removed a folder. */
async function sweep(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => BETWEEN.test(name));
  for (const name of names) {
    const left = path.join(folder, name);
    const isOver = name.startsWith('.old-') || (await isQuiet(left));
    if (isOver) await rm(left, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Runs are counted by what would be lost with them. `weighty`: the run wrote to controllers, so it can be rolled back,
 * or it can be resumed. `light`: checks, simulations, and runs without a change; they never displace a weighty run.
 */
type Weight = 'weighty' | 'light';

/** The number of headers to read for each returned run, so that a long history is not read completely. */
const READ_FOR_ONE = 50;

/**
 * The surplus runs, oldest first. Reads headers from both ends of the history, and only as many as necessary.
 * @param ids newest first
 */
async function runsToPrune(
  stateDirectory: string,
  ids: readonly string[],
  { keep, most = ids.length }: Pick<Pruning, 'keep' | 'most'>,
): Promise<readonly string[]> {
  if (ids.length <= keep) return [];
  const history = new PrunedHistory(stateDirectory, ids, Math.max(most * READ_FOR_ONE, 2 * keep));
  const surplus: string[] = [];
  for (const [at, id] of [...ids.entries()].reverse()) {
    if (surplus.length >= most || at < keep) break;
    if (await history.hasNewer(keep, at)) surplus.push(id);
  }
  return surplus;
}

/** The newest runs, read one after the other on demand. */
class PrunedHistory {
  /** The positions in the history of the newest runs of each weight. */
  readonly #places: Record<Weight, number[]> = { weighty: [], light: [] };
  #read = 0;

  constructor(
    private readonly stateDirectory: string,
    private readonly ids: readonly string[],
    private readonly mostRead: number,
  ) {}

  /** Whether at least that many newer runs have the same weight. */
  async hasNewer(count: number, at: number): Promise<boolean> {
    if (count === 0) return true;
    const places = this.#places[await measureWeight(this.stateDirectory, this.ids[at] ?? '')];
    const end = Math.min(at, this.mostRead);
    while (places.length < count && this.#read < end) {
      this.#places[await measureWeight(this.stateDirectory, this.ids[this.#read] ?? '')].push(this.#read);
      this.#read += 1;
    }
    return (places[count - 1] ?? at) < at;
  }
}

/** Runs whose journals this version does not read are pruned by the same rules. */
async function headerIfValid(stateDirectory: string, id: string): Promise<RunHeader | undefined> {
  return (await readHeader(stateDirectory, id, 1).catch(() => undefined))?.header;
}

async function measureWeight(stateDirectory: string, id: string): Promise<Weight> {
  const header = await headerIfValid(stateDirectory, id);
  // A run with an invalid header can be of either kind.
  if (header === undefined) return 'weighty';
  const { check, simulated, end } = header;
  if (simulated) return 'light';
  // A check may write, in a task with `check_mode: false`, but cannot be resumed.
  const canGoOn = !check && (end === undefined || end.status === 'interrupted');
  const wrote = end === undefined ? !check : (end.wrote ?? !check);
  return canGoOn || wrote ? 'weighty' : 'light';
}
