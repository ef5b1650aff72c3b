import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyFailed } from '../core/files/file_error.js';
import { makeFolder } from '../core/files/folders.js';
import { CAPTURED, COMMENT, PLAYBOOK, type Files } from './capture_files.js';

/** Why the folder must not be written to; undefined if it may. */
export async function refusalOf(
  folder: string,
  force: boolean,
): Promise<{ readonly message: string; readonly hint?: string } | undefined> {
  try {
    const entries = await readdir(folder);
    if (entries.length === 0) return undefined;
    if (force) return await foreignPlaybook(folder);
    return {
      message: 'the folder is not empty; nothing was contacted',
      hint: 'name another folder, or pass --force to replace an earlier capture in it',
    };
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    return { message: isFileError(error, 'ENOTDIR') ? 'is not a folder' : whyFailed(error) };
  }
}

/** Must not replace a playbook of this name that the user wrote. */
async function foreignPlaybook(folder: string): Promise<{ readonly message: string } | undefined> {
  const text = await readFile(path.join(folder, PLAYBOOK), 'utf8').catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (text === undefined || text.startsWith(`# ${COMMENT}`)) return undefined;
  return { message: `${PLAYBOOK} in this folder is not from a capture, so --force does not replace it` };
}

/**
 * Writes a new folder all at once. In a folder with content, replaces the files of an earlier capture one by one.
 * Objects may be confidential, so only the owner can read the files.
 *
 * @param once files that are never replaced
 * @returns why it failed
 */
export async function writeFiles(folder: string, files: Files, once: ReadonlySet<string>): Promise<string | undefined> {
  const beside = path.join(path.dirname(folder), `.${path.basename(folder)}.${randomBytes(6).toString('hex')}`);
  try {
    await makeFolder(path.dirname(folder));
    await writeAll(beside, files);
    const isNew = (await readdir(folder).catch(() => [])).length === 0;
    if (isNew) await rename(beside, folder);
    else await replaceIn(folder, beside, files, once);
    return undefined;
  } catch (error) {
    return whyFailed(error);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function writeAll(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const folders = new Set([...files.keys()].map((name) => path.dirname(path.join(folder, name))));
  for (const one of folders) await mkdir(one, { recursive: true, mode: 0o700 });
  for (const [name, text] of files) await writeFile(path.join(folder, name), text, { mode: 0o600, flag: 'wx' });
}

async function replaceIn(folder: string, from: string, files: Files, once: ReadonlySet<string>): Promise<void> {
  for (const name of files.keys()) {
    const file = path.join(folder, name);
    if (once.has(name) && (await exists(file))) continue;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await rename(path.join(from, name), file);
  }
  for (const name of await capturedIn(folder)) if (!files.has(name)) await rm(path.join(folder, name), { force: true });
}

/** The files of variables that an earlier capture wrote. */
async function capturedIn(folder: string): Promise<readonly string[]> {
  const kinds = ['group_vars', 'host_vars'];
  const names = await Promise.all(kinds.map((kind) => readdir(path.join(folder, kind)).catch(() => [])));
  return kinds.flatMap((kind, at) => (names[at] ?? []).map((name) => `${kind}/${name}/${CAPTURED}`));
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
