/**
 * Encryption against reading by the broker. Each run has a random key for AES-256-GCM for each site; it is sealed for
 * each worker of the site with the NATS ecosystem's X25519 keys (NaCl box with a fresh sender key, as libsodium's
 * sealed box).
 */
import { nkeys } from '@nats-io/transport-node';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyUnreadable } from '../../../files/file_error.js';
import { makeFolder } from '../../../files/folders.js';
import { whatOthersCan } from '../../../files/trust.js';
import { NatsError } from '../broker/connection.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts the texts of one run and site. A text that is sealed for a place opens only for that place. */
export class RunKey {
  /** Sealed keys by public key, cached because sealing takes milliseconds. */
  readonly #sealed = new Map<string, SealedKey>();

  #nonces = Buffer.alloc(0);
  #used = 0;

  constructor(private readonly key: Buffer = randomBytes(KEY_BYTES)) {}

  /** @param text the value of `text` */
  static of(text: string): RunKey {
    return new RunKey(Buffer.from(text, 'base64'));
  }

  /** The key itself, to be sealed with another key. */
  get text(): string {
    return this.key.toString('base64');
  }

  seal(place: string, text: Uint8Array): Buffer {
    const nonce = this.#nextNonce();
    const cipher = createCipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(place));
    const encrypted = [cipher.update(text), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]);
  }

  /** @throws Error if it was sealed with another key or for another place, or was modified */
  open(place: string, sealed: Uint8Array): Buffer {
    const decipher = createDecipheriv(CIPHER, this.key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  }

  /** Generates many nonces at once: a call of the system's generator costs as much as encrypting a short text. */
  #nextNonce(): Buffer {
    if (this.#used === this.#nonces.length) [this.#nonces, this.#used] = [randomBytes(NONCE_BYTES * 256), 0];
    this.#used += NONCE_BYTES;
    return this.#nonces.subarray(this.#used - NONCE_BYTES, this.#used);
  }

  /**
   * Seals the key for one worker.
   * @param publicKey `X…`
   * @throws Error if it is not a public key
   */
  sealedFor(publicKey: string): SealedKey {
    const known = this.#sealed.get(publicKey);
    if (known !== undefined) return known;
    const sender = nkeys.createCurve();
    const sealed = Buffer.from(sender.seal(this.key, publicKey)).toString('base64');
    const made = { sender: sender.getPublicKey(), sealed };
    this.#sealed.set(publicKey, made);
    return made;
  }
}

/** The key of a run, sealed for one worker. */
export interface SealedKey {
  readonly sender: string;
  readonly sealed: string;
}

/** The key pair of a worker. */
export class Identity {
  readonly publicKey: string;

  constructor(private readonly pair: nkeys.KeyPair) {
    this.publicKey = pair.getPublicKey();
  }

  /** @throws NatsError if it was sealed for another worker */
  openKey({ sender, sealed }: SealedKey): RunKey {
    const key = this.pair.open(Buffer.from(sealed, 'base64'), sender);
    if (key?.length === KEY_BYTES) return new RunKey(Buffer.from(key));
    throw new NatsError(
      'cannot open the key of the run: it was sealed for another worker',
      'check that two workers do not share one state folder',
    );
  }
}

/**
 * The worker's key pair, from `worker.key` in its state folder. Created if missing.
 * @throws NatsError
 */
export async function openIdentity(folder: string): Promise<Identity> {
  const file = path.join(folder, 'worker.key');
  await makeFolder(folder);
  const seed = (await readSeed(file)) ?? (await makeSeed(file));
  const others = whatOthersCan(file);
  if (others !== undefined)
    throw new NatsError(`other users can ${others} the key of the worker ${file}`, `run: chmod 600 ${file}`);
  try {
    return new Identity(nkeys.fromCurveSeed(Buffer.from(seed)));
  } catch {
    throw new NatsError(`${file} holds no key of a worker`, 'put the right file back, or remove it to make a new key');
  }
}

/** The name of sealed bytes in the object store. */
export function digestOf(sealed: Uint8Array): string {
  return createHash('sha256').update(sealed).digest('hex');
}

async function readSeed(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw new NatsError(
      `cannot read the key of the worker ${file}: ${whyUnreadable(error)}`,
      'check who owns the file',
    );
  }
}

async function makeSeed(file: string): Promise<string> {
  const seed = Buffer.from(nkeys.createCurve().getSeed()).toString();
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(`${seed}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return seed;
  } catch (error) {
    // Another worker with this folder has just created it.
    if (isFileError(error, 'EEXIST')) return (await readFile(file, 'utf8')).trim();
    throw new NatsError(
      `cannot write the key of the worker ${file}: ${whyUnreadable(error)}`,
      'check who owns the folder',
    );
  }
}
