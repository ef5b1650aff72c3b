import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Value } from '../model/values/value.js';
import { stepDigest } from './step_digest.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NAME_BYTES = 20;

/** Encrypts what of one run must come back whole but may not stand readable. Each run has a key of its own, made from the project's. */
export class Sealer {
  readonly #key: Buffer;
  readonly #digestKey: Buffer;

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
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    const encrypted = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]);
  }

  /** A keyed digest of something that may become the name of a file: 20 bytes in hexadecimal digits. */
  nameOf(text: Buffer): string {
    return createHmac('sha256', this.#digestKey).update('value ').update(text).digest().toString('hex', 0, NAME_BYTES);
  }

  /** As `Journal.digest`. */
  digest(value: Value): string {
    return stepDigest(this.#digestKey, value);
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
