import { readdirSync, statSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { orElse, errorMessage } from '../model/source/diagnostic.js';

/**
 * What is at a path; undefined if it is neither, or cannot be examined: a name may be too long, contain a zero byte or be a
 * circular link.
 */
export function fileTypeAt(path: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return 'folder';
    return found?.isFile() === true ? 'file' : undefined;
  } catch {
    return undefined;
  }
}

/** Whether nothing is at a path. What cannot be examined, as below a folder without permission, may be there. */
export function isGone(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return isFileError(error, 'ENOTDIR');
  }
}

/** Why what was at a path cannot be used, to follow its name and a comma. Undefined: something is there. */
export function whyAbsent(path: string): string | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    return isGone(path) ? 'which is not on this machine' : `which cannot be examined: ${whyUnreadable(error)}`;
  }
}

/** Whether a path is a folder or below it. */
export function isInside(folder: string, name: string): boolean {
  const inside = path.relative(folder, name);
  return inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
}

/** A file or folder that a user wrote, absolute. */
export function resolveName(base: string, name: string): string {
  return path.resolve(base, expandHome(name));
}

/** `~/` is the home folder: no shell expands it in `@~/vars.yml` or in a file. */
export function expandHome(name: string, home = homedir): string {
  return name.startsWith('~/') ? path.join(home(), name.slice(2)) : name;
}

/** A file as users name it: relative to the working directory if it is inside. */
export function relativeName(file: string, cwd: string): string {
  return isInside(cwd, file) ? path.relative(cwd, file) || '.' : file;
}

/** The names in a folder, sorted; empty if it is not a folder, or cannot be read. */
export function namesIn(folder: string): readonly string[] {
  return orElse([], () => readdirSync(folder).sort());
}

/** The warning about a link to a folder that contains it. */
export function linkLoopText(shown: string): string {
  return `${shown} links back to a folder that contains it: ignored`;
}

/**
 * Creates a folder and its parents, by default readable by the owner only, and syncs them. Node's recursive `mkdir`
 * reports a read-only parent as missing, and never returns in /proc.
 *
 * @returns whether it was created
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<boolean> {
  try {
    return await makeOne(folder, mode);
  } catch (error) {
    if (!isFileError(error, 'ENOENT') || path.dirname(folder) === folder) throw error;
    await makeFolder(path.dirname(folder), mode);
    // Retry only once: some file systems (/proc) report ENOENT for folders that cannot be created.
    return makeOne(folder, mode);
  }
}

async function makeOne(folder: string, mode: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return false;
    throw error;
  }
  await syncFolder(path.dirname(folder));
  return true;
}

/** Syncs the entries of a folder to disk. Some systems cannot do this, and protect entries in another way. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}

const ZERO_BYTE = 'the name contains a zero byte';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ENXIO: 'it is a socket',
  EIO: 'reading it failed',
  ERR_INVALID_ARG_VALUE: ZERO_BYTE,
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

/** Whether an operation on a file, or on its content, failed for that reason: `ENOENT`. */
export function isFileError(error: unknown, code: string): boolean {
  return errorCode(error) === code;
}

/** Why a file cannot be read, for the user who named it. */
export function whyUnreadable(error: unknown): string {
  return REASONS[errorCode(error) ?? ''] ?? errorMessage(error);
}

/** Why a file that the user named cannot be written. */
export function whyUnwritable(error: unknown): string {
  if (isFileError(error, 'ENOENT')) return 'its folder does not exist';
  if (isFileError(error, 'ENOTDIR')) return 'a part of its path is a file, not a folder';
  return REASONS[errorCode(error) ?? ''] ?? whyFailed(error);
}

/** Why an operation on a file of Evenkeel failed, in the system's words: `no space left on device`. */
export function whyFailed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isFileError(error, 'ERR_INVALID_ARG_VALUE')) return ZERO_BYTE;
  const known = 'errno' in error && typeof error.errno === 'number' ? getSystemErrorMap().get(error.errno) : undefined;
  return known?.[1] ?? error.message;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
