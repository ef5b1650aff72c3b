import { createHash, randomBytes } from 'node:crypto';
import { readFile, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, syncFolder } from '../../../core/files/paths.js';
import { writeMissingFile, writeNewFile } from '../../../core/files/replace_file.js';
import { whatOthersCan, whyNotPrivate } from '../../../core/files/trust.js';
import { shellWord } from '../../../core/model/source/diagnostic.js';
import { ifThere, JournalError, runsFolder } from './run_folders.js';

const KEY_BYTES = 32;

/** The project's key: `key` in the state directory, 32 random bytes as base64url. */
export function keyFile(stateDirectory: string): string {
  return path.join(stateDirectory, 'key');
}

/**
 * The key; undefined if there is none.
 *
 * @throws JournalError if it cannot be read, or is no key
 */
export async function readKey(stateDirectory: string): Promise<Buffer | undefined> {
  const file = keyFile(stateDirectory);
  const text = (await ifThere(`the key ${file}`, readFile(file, 'utf8')))?.trim();
  if (text === undefined) return undefined;
  const key = Buffer.from(text, 'base64url');
  if (key.length === KEY_BYTES && key.toString('base64url') === text) return key;
  throw new JournalError(
    `${file} contains no key: it must be ${KEY_BYTES} bytes as base64url`,
    'restore the right key; or remove the file, and a new run makes a new key: values that were sealed before stay sealed',
  );
}

/**
 * Refuses a key that other users may have created or can read: with it, they could forge runs, and control what a
 * resume or rollback does.
 *
 * @throws JournalError
 */
export function requirePrivate(stateDirectory: string): void {
  const file = keyFile(stateDirectory);
  const open = whatOthersCan(file);
  if (open !== undefined) {
    const hint = `if you trust them all, run: chmod 600 ${shellWord(file)}`;
    throw new JournalError(`other users can ${open} the key ${file}`, hint);
  }
  for (const name of [stateDirectory, runsFolder(stateDirectory), file]) {
    const refusal = whyNotPrivate(name);
    if (refusal !== undefined)
      throw new JournalError(
        `${name} cannot be trusted: ${refusal}`,
        'check who created it, then remove it or revoke write access for other users; EVENKEEL_STATE_DIR names another folder',
      );
  }
}

/** The key. Creates it, and the state directory, if there is none. @throws JournalError */
export async function openKey(stateDirectory: string): Promise<Buffer> {
  await makeState(stateDirectory);
  requirePrivate(stateDirectory);
  const key = await readKey(stateDirectory);
  if (key !== undefined) return key;
  await makeKey(stateDirectory);
  const made = await readKey(stateDirectory);
  if (made !== undefined) return made;
  throw new JournalError(`the key ${keyFile(stateDirectory)} disappeared right after it was created`);
}

/** Keeps the folder, and above all the key, out of version control. */
async function makeState(stateDirectory: string): Promise<void> {
  if (await makeFolder(stateDirectory))
    await writeNewFile(path.join(stateDirectory, '.gitignore'), '*\n').catch(async (error: unknown) => {
      // A folder that is there gets none.
      await rmdir(stateDirectory);
      throw error;
    });
  await makeFolder(runsFolder(stateDirectory));
}

/** Says which key it is without giving it away. */
export function keyName(key: Buffer): string {
  return createHash('sha256').update('evenkeel key ').update(key).digest('hex').slice(0, 16);
}

/** Created atomically, because two runs may start at once and share the first key. */
async function makeKey(stateDirectory: string): Promise<void> {
  const file = keyFile(stateDirectory);
  await writeMissingFile(file, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, (draft) => draft.sync());
  await syncFolder(stateDirectory);
}
