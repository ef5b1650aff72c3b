import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
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
