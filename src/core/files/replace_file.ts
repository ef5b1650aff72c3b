import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, readlink, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyUnwritable } from './paths.js';

/**
 * Replaces a file of Evenkeel as a whole: readers see the old one or the new one, which only its owner can read.
 *
 * @param prepare is done with the new file before it takes its name, such as a sync
 */
export async function replaceFile(
  file: string,
  content: Buffer | string,
  prepare?: (draft: FileHandle) => Promise<void>,
): Promise<void> {
  const draft = draftName(file);
  await orDiscard(draft, async () => {
    await writeDraft(draft, content, prepare);
    await rename(draft, file);
  });
}

/** Writes a file as a whole, unless there is one: another process may write it at the same time. */
export async function writeMissingFile(...[file, content, prepare]: Parameters<typeof replaceFile>): Promise<void> {
  const draft = draftName(file);
  try {
    await writeDraft(draft, content, prepare);
    await link(draft, file).catch((error: unknown) => {
      if (!isFileError(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Writes a file that must not exist. Leaves none if that fails, such as on a full disk: half of a file would pass for a whole one. */
export async function writeNewFile(file: string, content: string, mode?: number): Promise<void> {
  const handle = await open(file, 'wx', mode);
  try {
    await handle.writeFile(content);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** New content on disk. It takes the place of the old, or is removed. */
export interface FileDraft {
  readonly accept: () => Promise<void>;
  readonly discard: () => Promise<void>;
}

/**
 * Writes the draft of a file that a user named, beside what its links lead to.
 *
 * @param prepare as of `replaceFile`
 * @param takesMode whether also a file that cannot be replaced must get the mode of the draft
 */
export async function draftFile(
  named: string,
  content: Buffer | string,
  prepare?: (draft: FileHandle) => Promise<void>,
  takesMode = false,
): Promise<FileDraft> {
  const file = await linkedFile(named);
  await requireRegular(file);
  const draft = draftName(file);
  await orDiscard(draft, () => writeDraft(draft, content, prepare));
  return {
    accept: () => orDiscard(draft, () => acceptDraft(draft, file, takesMode)),
    discard: () => rm(draft, { force: true }).catch(() => undefined),
  };
}

async function orDiscard(draft: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Gives a draft the name of the file that a user named. A file that is mounted by itself, as in a container, cannot be
 * replaced: it is overwritten. If that fails or the process exits, the old content may be gone, so the draft has another name
 * meanwhile, which the error tells: callers remove the draft.
 */
export async function acceptDraft(draft: string, file: string, takesMode = false): Promise<void> {
  await rename(draft, file).catch(async (error: unknown) => {
    if (!isFileError(error, 'EBUSY')) throw error;
    if (takesMode) await chmod(file, (await stat(draft)).mode);
    const kept = draftName(file);
    await rename(draft, kept);
    await overwrite(file, kept).catch((cause: unknown) => {
      throw new Error(`${whyUnwritable(cause)}; the new content is in ${kept}`, { cause });
    });
    await rm(kept);
  });
}

/** Keeps the old content until there is new content in its place, and the mode: the file may belong to another user. */
async function overwrite(file: string, draft: string): Promise<void> {
  const content = await readFile(draft);
  const handle = await open(file, 'r+');
  try {
    await handle.writeFile(content);
    await handle.truncate(content.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The file that a name leads to through links, whether or not it exists: a link is not to be replaced. A `..` is resolved
 * as the system does it, from the folder that a link leads to.
 */
export async function linkedFile(file: string): Promise<string> {
  return realpath(file).catch(async (error: unknown) => {
    const name = path.basename(file);
    // Nothing leads out of a folder that does not exist.
    if (!isFileError(error, 'ENOENT') || name === '..') throw error;
    // What has no name, such as a pipe behind `/dev/stdout`.
    if (await stat(file).catch(() => undefined)) return file;
    const folder = await linkedFile(path.dirname(file));
    const linked = path.join(folder, name);
    const target = await readlink(linked).catch(() => undefined);
    return target === undefined ? linked : linkedFile(path.isAbsolute(target) ? target : `${folder}/${target}`);
  });
}

async function writeDraft(
  draft: string,
  content: Buffer | string,
  prepare?: (draft: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await prepare?.(handle);
  } finally {
    await handle.close();
  }
}

/** A name for the draft of a file, beside it: no other process uses it. */
export function draftName(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}`);
}

/** A draft takes no place of a device or a pipe, which others use. Folders are refused as they are opened or replaced. */
export async function requireRegular(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && !found.isFile() && !found.isDirectory()) throw new Error('it is not a regular file');
}

/** The first bytes of a file that may be replaced; undefined if it does not exist. */
export async function readBeginning(file: string, length: number): Promise<Buffer | undefined> {
  let handle: FileHandle | undefined;
  await requireRegular(file);
  try {
    handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  } finally {
    await handle?.close();
  }
}
