import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  pbkdf2,
  pbkdf2Sync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { formatEnvelope, type Sealed } from './envelope.js';
import type { VaultPassword } from './passwords.js';

const ROUNDS = 10_000;
const KEY = 32;
const COUNTER = 16;
const SALT = 32;
/**
 * PKCS#7: each padding byte is the number of padding bytes. If the content fills its last block, a block of padding
 * follows.
 */
const BLOCK = 16;
const CIPHER = 'aes-256-ctr';

interface Keys {
  readonly encryption: Buffer;
  readonly authentication: Buffer;
  readonly counter: Buffer;
}

export type Unsealed =
  | { readonly status: 'ok'; readonly content: Buffer }
  /** The password is wrong or the text was changed; the digest does not tell these apart. */
  | { readonly status: 'refused' };

/** Encrypts as ansible-vault does: keys by PBKDF2, AES-256 in counter mode with PKCS#7 padding, HMAC-SHA256 over the result. */
export async function seal(content: Buffer, password: Buffer, salt = randomBytes(SALT)): Promise<Sealed> {
  const keys = split(await promisify(pbkdf2)(password, salt, ROUNDS, 2 * KEY + COUNTER, 'sha256'));
  const cipher = createCipheriv(CIPHER, keys.encryption, keys.counter);
  const missing = BLOCK - (content.length % BLOCK);
  const ciphertext = Buffer.concat([
    cipher.update(content),
    cipher.update(Buffer.alloc(missing, missing)),
    cipher.final(),
  ]);
  return { salt, digest: digestOf(ciphertext, keys), ciphertext };
}

/** Decrypts. Derives the keys in another thread, because that takes milliseconds. */
export async function unseal(sealed: Sealed, password: Buffer): Promise<Unsealed> {
  const keys = await promisify(pbkdf2)(password, sealed.salt, ROUNDS, 2 * KEY + COUNTER, 'sha256');
  return unsealWith(sealed, split(keys));
}

/** Like `unseal`, but synchronous. */
export function unsealNow(sealed: Sealed, password: Buffer): Unsealed {
  return unsealWith(sealed, split(pbkdf2Sync(password, sealed.salt, ROUNDS, 2 * KEY + COUNTER, 'sha256')));
}

function unsealWith({ digest, ciphertext }: Sealed, keys: Keys): Unsealed {
  const expected = digestOf(ciphertext, keys);
  if (expected.length !== digest.length || !timingSafeEqual(expected, digest)) return { status: 'refused' };
  const decipher = createDecipheriv(CIPHER, keys.encryption, keys.counter);
  const padded = Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  const padding = padded.at(-1) ?? 0;
  const intact = padding > 0 && padding <= BLOCK && padded.subarray(-padding).every((byte) => byte === padding);
  return intact ? { status: 'ok', content: padded.subarray(0, -padding) } : { status: 'refused' };
}

function split(derived: Buffer): Keys {
  return {
    encryption: derived.subarray(0, KEY),
    authentication: derived.subarray(KEY, 2 * KEY),
    counter: derived.subarray(2 * KEY),
  };
}

function digestOf(ciphertext: Buffer, { authentication }: Keys): Buffer {
  return createHmac('sha256', authentication).update(ciphertext).digest();
}

/** Returns text that ansible-vault can decrypt, with the label of the password. The text ends in a line break. */
export async function encrypt(content: Buffer, { label, bytes }: VaultPassword): Promise<string> {
  return formatEnvelope({ ...(await seal(content, bytes)), label });
}
