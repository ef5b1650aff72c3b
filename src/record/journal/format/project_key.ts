import { createHash, randomBytes, createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { readFile, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, syncFolder } from '../../../core/files/paths.js';
import { writeMissingFile, writeNewFile } from '../../../core/files/replace_file.js';
import { whatOthersCan, whyNotPrivate } from '../../../core/files/trust.js';
import { shellWord } from '../../../core/model/source/diagnostic.js';
import {
  jsonText,
  isList,
  isMapping,
  lazyEntries,
  LazyMapping,
  Unsafe,
  Vaulted,
} from '../../../core/model/values/value.js';
import type { Value } from '../../../core/model/values/value.js';
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

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NAME_BYTES = 20;
const DIGEST_BYTES = 12;

/**
 * Encrypts what a run must restore exactly but may not store readable. Each run has its own key, derived from the
 * project's.
 */
export class Sealer {
  readonly #key: Buffer;
  readonly #digestKey: Buffer;
  readonly #nonces = new Nonces();

  constructor(key: Buffer, run: string) {
    this.#key = Buffer.from(hkdfSync('sha256', key, '', `evenkeel run ${run}`, 32));
    this.#digestKey = Buffer.from(hkdfSync('sha256', key, '', `evenkeel digests of run ${run}`, 32));
  }

  /** base64url of nonce, tag and encrypted text. */
  seal(text: string): string {
    return this.sealBytes(Buffer.from(text)).toString('base64url');
  }

  /** Nonce, tag and what was encrypted. */
  sealBytes(bytes: Buffer): Buffer {
    const nonce = this.#nonces.next();
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    const encrypted = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]);
  }

  /** A keyed digest of something that may become the name of a file: 20 bytes in hexadecimal digits. */
  sealedName(text: Buffer): string {
    return createHmac('sha256', this.#digestKey).update('value ').update(text).digest().toString('hex', 0, NAME_BYTES);
  }

  /** A keyed digest, 12 bytes in base64url: equal for equal values, and useless for guessing without the key. */
  digest(value: Value): string {
    return createHmac('sha256', this.#digestKey)
      .update(jsonText(ordered(value)))
      .digest()
      .toString('base64url', 0, DIGEST_BYTES);
  }

  /** @throws Error if it was sealed with another key, or is not what was sealed */
  open(sealed: string): string {
    return this.openBytes(Buffer.from(sealed, 'base64url')).toString();
  }

  /** @throws Error as `open` */
  openBytes(bytes: Buffer): Buffer {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  }
}

/** Makes many at once, because each call of the system's generator costs as much as the encryption of a short text. */
class Nonces {
  #random = Buffer.alloc(0);
  #used = 0;

  next(): Buffer {
    if (this.#used === this.#random.length) [this.#random, this.#used] = [randomBytes(NONCE_BYTES * 256), 0];
    this.#used += NONCE_BYTES;
    return this.#random.subarray(this.#used - NONCE_BYTES, this.#used);
  }
}

/** Equal text for equal content, whatever the order of keys. */
function ordered(value: Value): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : { '': String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Unsafe) return { '': ['data', unsafeText(value)] };
  if (value instanceof LazyMapping) return entries(lazyEntries(value));
  if (isList(value)) return value.map(ordered);
  return isMapping(value) ? entries(Object.entries(value)) : null;
}

function entries(list: readonly (readonly [string, Value])[]): unknown {
  const sorted = list.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { '': ['mapping', sorted.map(([key, value]) => [key, ordered(value)])] };
}

/** A value that cannot be decrypted is identified by its ciphertext. */
function unsafeText(value: Unsafe): string {
  try {
    return value.text;
  } catch (error) {
    if (value instanceof Vaulted) return value.envelope;
    throw error;
  }
}
