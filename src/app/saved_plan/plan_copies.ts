import { chmod, copyFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../files/folders.js';

/** Enough for the runs that anybody still resumes. */
const MOST = 20;
const SUFFIX = '.plan';

/**
 * Copies a plan that is applied to the state folder, because a resume needs it and the file may be gone by then. Returns the copy. Only the
 * newest plans are kept.
 */
export async function keepCopy(file: string, stateDirectory: string, id: string): Promise<string> {
  const folder = path.join(stateDirectory, 'plans');
  await makeFolder(folder);
  const copy = path.join(folder, id + SUFFIX);
  const fresh = `${copy}.new`;
  await copyFile(file, fresh);
  await chmod(fresh, 0o600);
  await rename(fresh, copy);
  await removeOldest(folder, path.basename(copy));
  return copy;
}

/** Ids of plans sort by time. */
async function removeOldest(folder: string, kept: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX) && name !== kept).sort();
  const old = names.slice(0, Math.max(0, names.length - (MOST - 1)));
  for (const name of old) await rm(path.join(folder, name), { force: true });
}
