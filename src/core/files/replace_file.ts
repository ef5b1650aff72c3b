import { randomBytes } from 'node:crypto';
import { copyFile, open, readlink, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isFileError } from './file_error.js';

/**
 * Replaces a file as a whole: readers see the old one or the new one, which only its owner can read.
 *
 * @param prepare as of `draftFile`
 */
export async function replaceFile(
  file: string,
  content: Buffer | string,
  prepare?: (draft: FileHandle) => Promise<void>,
): Promise<void> {
  await (await draftFile(file, content, prepare)).accept();
}

/** Writes a file that must not exist. Leaves none if that fails, such as on a full disk: half of a file would pass for a whole one. */
export async function writeNewFile(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx');
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

/** @param prepare is done with the new file before it takes its name, such as a sync */
export async function draftFile(
  file: string,
  content: Buffer | string,
  prepare?: (draft: FileHandle) => Promise<void>,
): Promise<FileDraft> {
  const draft = draftName(file);
  const discard = (): Promise<void> => rm(draft, { force: true }).catch(() => undefined);
  const orDiscard = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      await discard();
      throw error;
    }
  };
  await orDiscard(writeDraft(draft, content, prepare));
  return { accept: () => orDiscard(acceptDraft(draft, file)), discard };
}

/** Gives a draft the name of its file. A file that is mounted by itself, as in a container, cannot be replaced: it is overwritten. */
export async function acceptDraft(draft: string, file: string): Promise<void> {
  await rename(draft, file).catch(async (error: unknown) => {
    if (!isFileError(error, 'EBUSY')) throw error;
    await copyFile(draft, file);
    await rm(draft);
  });
}

/** The file that a name leads to through links, whether or not it exists: a link is not to be replaced. */
export async function linkedFile(file: string): Promise<string> {
  return realpath(file).catch(async (error: unknown) => {
    if (!isFileError(error, 'ENOENT')) throw error;
    const link = await readlink(file).catch(() => undefined);
    return link === undefined ? file : linkedFile(path.resolve(path.dirname(file), link));
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

/** The first bytes of a file; undefined if it does not exist. */
export async function readBeginning(file: string, length: number): Promise<Buffer | undefined> {
  let handle: FileHandle | undefined;
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
