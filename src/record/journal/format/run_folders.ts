import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyFailed } from '../../../core/files/paths.js';
import { nameSome } from '../../../core/model/source/amounts.js';
import { HintedError } from '../../../core/model/source/diagnostic.js';
import { didYouMean } from '../../../core/model/source/suggestion.js';

const MOST_SHOWN_RUNS = 3;
/** The user's name for the newest run. */
const LAST = 'last';

/** Where the runs of a project are kept, each in a folder that has its id as name. */
export function runsFolder(stateDirectory: string): string {
  return path.join(stateDirectory, 'runs');
}

export function runFolder(stateDirectory: string, id: string): string {
  return path.join(runsFolder(stateDirectory), id);
}

export function journalFile(folder: string): string {
  return path.join(folder, 'journal.jsonl');
}

/**
 * The ids of the runs that are kept, newest first. Opens none of them.
 *
 * @throws JournalError if the folder cannot be read; without a folder, there are no runs
 */
export async function listRuns(stateDirectory: string): Promise<readonly string[]> {
  const folder = runsFolder(stateDirectory);
  return ((await ifThere(`the runs in ${folder}`, readdir(folder))) ?? []).filter(isRunId).sort().reverse();
}

/** The id of a new run, which sorts after all that are kept: also if the clock was set back since. */
export async function nextRunId(stateDirectory: string): Promise<string> {
  const [newest] = await listRuns(stateDirectory).catch(() => []);
  return newRunId(new Date(), newest);
}

/**
 * The id of the named run: `last`, an id, or an unambiguous beginning of one.
 *
 * @throws JournalError that names the nearest
 */
export async function findRun(stateDirectory: string, name: string): Promise<string> {
  const ids = await listRuns(stateDirectory);
  const [newest] = ids;
  if (newest === undefined) throw new JournalError(`there are no runs in ${runsFolder(stateDirectory)} yet`);
  if (name === LAST) return newest;
  if (name === '')
    throw new JournalError('no run is named', `write ${LAST} or the beginning of an id; evenkeel runs lists them`);
  const found = ids.includes(name) ? [name] : ids.filter((id) => id.startsWith(name));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) {
    const which = `they are ${nameSome(found, MOST_SHOWN_RUNS)}`;
    throw new JournalError(`"${name}" is ambiguous: ${found.length} runs begin with it`, which);
  }
  const hint = `${didYouMean(name, [LAST, ...ids]) ?? `the newest is ${newest};`} evenkeel runs lists them`;
  throw new JournalError(`there is no run "${name}" in ${runsFolder(stateDirectory)}`, hint);
}

/** `20261120T185022Z-9f3a1c` */
const ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([\da-f]{6})$/;
const NUMBERS = 0x1000000;
/** Two runs of one second that begin at once in two processes must not take the same. */
const WIDEST_STEP = 0x1000;

/**
 * Sorts by time and is unique.
 *
 * @param after an id that must sort before the new one, even if the clock was set back or both are from the same second
 */
export function newRunId(now = new Date(), after?: string): string {
  const id = makeRunId(now, randomInt(NUMBERS / 2));
  return after === undefined || id > after ? id : (next(after) ?? id);
}

export function isRunId(name: string): boolean {
  return ID.test(name);
}

function makeRunId(time: Date, number: number): string {
  const stamp = time
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${stamp}-${number.toString(16).padStart(6, '0')}`;
}

/** The next id, in the same second if possible. Undefined if the earlier id does not begin with a time. */
function next(after: string): string | undefined {
  const [, year, month, day, hour, minute, second, hex = ''] = ID.exec(after) ?? [];
  const time = new Date(`${year ?? ''}-${month ?? ''}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}Z`);
  if (Number.isNaN(time.getTime())) return undefined;
  const number = Number.parseInt(hex, 16) + randomInt(1, WIDEST_STEP);
  const id =
    number < NUMBERS ? makeRunId(time, number) : makeRunId(new Date(time.getTime() + 1000), randomInt(NUMBERS / 2));
  return isRunId(id) ? id : undefined;
}

/** The state of runs cannot be read or written. Contains a message for the user, and what to do next. */
export class JournalError extends HintedError {
  override readonly name = 'JournalError';
}

/**
 * What was read of a file of the state folder; undefined if there is none.
 *
 * @param what for the message: the file
 * @throws JournalError if it cannot be read
 */
export async function ifThere<T>(what: string, reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw new JournalError(`cannot read ${what}: ${whyFailed(error)}`);
  });
}
