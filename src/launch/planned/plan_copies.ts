import { appendFileSync, readFileSync } from 'node:fs';
import { chmod, copyFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isFileError } from '../../core/files/file_error.js';
import { makeFolder } from '../../core/files/folders.js';
import { draftName } from '../../core/files/replace_file.js';
import { texts } from '../../core/model/values/shape.js';

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
    await rename(fresh, copy);
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
  for (const line of readLines(path.join(planFolder(stateDirectory), plan + SUFFIX + MARKS))) {
    const [, run] = markIn(line);
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return [...counts].map(([run, controllers]) => ({ run, controllers }));
}

function markIn(line: string): [controller: string, run: string] {
  const mark: unknown = JSON.parse(line);
  const [controller = '', run = ''] = texts(mark) ? mark : [];
  return [controller, run];
}

/** Ids of plans sort by time. */
async function removeOldest(folder: string, kept: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX) && name !== kept).sort();
  const old = names.slice(0, Math.max(0, names.length - (MOST_PLAN_COPIES - 1)));
  for (const name of old) {
    await rm(path.join(folder, name), { force: true });
    await rm(path.join(folder, name + MARKS), { force: true });
  }
}

/**
 * Records which runs have applied a plan to which controllers, because a plan is applied once. One line of JSON per
 * controller.
 */
export class AppliedTo {
  #runs: Map<string, string> | undefined;

  /** @param copy copy of the plan, from `keepCopy` */
  constructor(private readonly copy: string) {}

  /** See `PlanGuide.begin`. */
  begin(controller: string, run: string): string | undefined {
    // Read only now, because another run may have had the locks until now.
    const runs = (this.#runs ??= new Map(readLines(this.copy + MARKS).map(markIn)));
    const known = runs.get(controller);
    if (known !== undefined) return known === run ? undefined : known;
    appendFileSync(this.copy + MARKS, `${JSON.stringify([controller, run])}\n`, { mode: 0o600 });
    runs.set(controller, run);
    return undefined;
  }
}

/** Complete lines only: a crash may have cut off the last one, before anything was written to the controller. */
function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch (error) {
    if (isFileError(error, 'ENOENT') || isFileError(error, 'ENOTDIR')) return [];
    throw error;
  }
}
