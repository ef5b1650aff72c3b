import { readFileSync } from 'node:fs';
import { appendFile, chmod, copyFile, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, makeFolder, syncFolder, whyFailed } from '../../core/files/paths.js';
import { draftName } from '../../core/files/replace_file.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { texts } from '../../core/model/values/stored.js';
import { TaskProblem } from '../../engine/keywords/failed_result.js';

/** Enough for all runs that are likely to be resumed. */
const MOST_PLAN_COPIES = 20;
const SUFFIX = '.plan';
const MARKS = '.applied';

/** Where the state folder has the copies of applied plans. */
export function planFolder(stateDirectory: string): string {
  return path.join(stateDirectory, 'plans');
}

/**
 * Copies an applied plan to the state folder, because a resume needs it and the original may have been deleted. Returns
 * the copy. Only the newest plans are kept.
 */
export async function keepCopy(file: string, stateDirectory: string, id: string): Promise<string> {
  const folder = planFolder(stateDirectory);
  await makeFolder(folder);
  const copy = path.join(folder, id + SUFFIX);
  const fresh = draftName(copy);
  try {
    await copyFile(file, fresh);
    await chmod(fresh, 0o600);
    const handle = await open(fresh, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, copy);
    await syncFolder(folder);
  } finally {
    await rm(fresh, { force: true });
  }
  await removeOldest(folder, path.basename(copy));
  return copy;
}

/** The files of plans in a folder. */
export async function plansIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(SUFFIX)).map((name) => path.join(folder, name));
}

/** The runs that have applied a plan, with the number of their controllers. */
export function appliedBy(
  stateDirectory: string,
  plan: string,
): readonly { readonly run: string; readonly controllers: number }[] {
  const counts = new Map<string, number>();
  const marks = new Map(readMarks(path.join(planFolder(stateDirectory), plan + SUFFIX + MARKS)));
  for (const run of marks.values()) counts.set(run, (counts.get(run) ?? 0) + 1);
  return [...counts].map(([run, controllers]) => ({ run, controllers }));
}

type Mark = readonly [controller: string, run: string];

function markIn(line: string): readonly Mark[] {
  const mark = orElse(undefined, (): unknown => JSON.parse(line));
  const [controller, run] = texts(mark) ? mark : [];
  return controller === undefined || run === undefined ? [] : [[controller, run]];
}

/** Ids of plans sort by time. Marks stay: a plan whose copy is gone can be applied again, but only where it was not yet. */
async function removeOldest(folder: string, kept: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX) && name !== kept).sort();
  const old = names.slice(0, Math.max(0, names.length - (MOST_PLAN_COPIES - 1)));
  for (const name of old) await rm(path.join(folder, name), { force: true });
}

/**
 * Records which runs have applied a plan to which controllers, because a plan is applied once. One line of JSON per
 * controller.
 */
export class AppliedTo {
  #runs: Map<string, string> | undefined;
  #listed: Promise<void> | undefined;

  /** @param copy copy of the plan, from `keepCopy` */
  constructor(private readonly copy: string) {}

  /**
   * Notes on disk that the run begins to write to the controller. Returns the earlier run that applied the plan to it: then
   * nothing may be written.
   *
   * @throws TaskProblem if that cannot be noted: then nothing may be written either
   */
  async begin(controller: string, run: string): Promise<string | undefined> {
    const marks = this.copy + MARKS;
    try {
      const known = this.#begun.get(controller);
      if (known !== undefined) return known === run ? undefined : known;
      // After a line break, because a crash or a full disk may have cut off the line before.
      const line = `\n${JSON.stringify([controller, run])}\n`;
      await appendFile(marks, line, { mode: 0o600, flush: true });
      await (this.#listed ??= syncFolder(path.dirname(this.copy)));
      this.#begun.set(controller, run);
      return undefined;
    } catch (error) {
      const message = `nothing was written, because ${marks} cannot note that the plan is applied: ${whyFailed(error)}`;
      throw new TaskProblem(
        message,
        undefined,
        'free disk space, or restore the state folder, then apply the plan again',
      );
    }
  }

  has(controller: string): boolean {
    return this.#begun.has(controller);
  }

  /** Read only when needed, because another run may have had the locks until then. */
  get #begun(): Map<string, string> {
    return (this.#runs ??= new Map(readMarks(this.copy + MARKS)));
  }
}

/** What was cut off is left out: nothing was written to that controller. */
function readMarks(file: string): readonly Mark[] {
  try {
    return readFileSync(file, 'utf8').split('\n').flatMap(markIn);
  } catch (error) {
    if (isFileError(error, 'ENOENT') || isFileError(error, 'ENOTDIR')) return [];
    throw error;
  }
}
