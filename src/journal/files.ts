import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMap } from 'node:util';

/** Whether a file operation failed for that reason: `ENOENT`. */
export function isFileError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Why a file operation failed, in words: `no space left on device`. */
export function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = 'errno' in error && typeof error.errno === 'number' ? getSystemErrorMap().get(error.errno) : undefined;
  return known?.[1] ?? error.message;
}

/**
 * Makes a folder, and those that it lies in, for nobody else to read; what is made is on disk. (Node's own way to do that says of a read-only one that it is
 * not there.)
 *
 * @returns whether it was not there before
 */
export async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await syncFolder(path.dirname(folder));
    return true;
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return false;
    if (!isFileError(error, 'ENOENT') || path.dirname(folder) === folder) throw error;
    await makeFolder(path.dirname(folder));
    return makeFolder(folder);
  }
}

/** Puts on disk that a folder has its entries. Systems that cannot do that keep them safe in their own way. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}
