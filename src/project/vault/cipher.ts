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
import { DEFAULT_LABEL, type VaultPassword } from './passwords.js';

const MARK = '$ANSIBLE_VAULT';
const CIPHER = 'AES256';
const VERSIONS = ['1.1', '1.2'];
const COLUMNS = 80;
const HEXADECIMAL = /^(?:[0-9a-fA-F]{2})*$/;
/** Bytes of HMAC-SHA256. */
const DIGEST = 32;
/**
 * PKCS#7: each padding byte is the number of padding bytes. If the content fills its last block, a block of padding
 * follows.
 */
const BLOCK = 16;

/** The ciphertext, and everything else that decryption needs besides the password. */
export interface Sealed {
  readonly salt: Buffer;
  /** HMAC-SHA256 of the ciphertext. */
  readonly digest: Buffer;
  readonly ciphertext: Buffer;
}

/** The parts of an encrypted text. */
export interface Envelope extends Sealed {
  /** The label of the password; `default` if the text has none. */
  readonly label: string;
}

type ParsedEnvelope =
  | { readonly status: 'ok'; readonly envelope: Envelope }
  /** The message does not quote the encrypted data. */
  | { readonly status: 'damaged'; readonly message: string };

/** Whether a text begins with the header of ansible-vault. */
export function isEncrypted(text: string): boolean {
  return text.startsWith(MARK);
}

/** Whether a text is encrypted, or has `!vault` values. */
export function holdsEncrypted(text: string): boolean {
  return text.includes(`${MARK};`);
}

/** The length of the lines before the header of ansible-vault: blank ones, comments and marks of documents. Undefined: there is no header. */
export function linesBeforeHeader(text: string): number | undefined {
  return /^(?:[ \t]*(?:#.*|---.*)?\r?\n)*[ \t]*(?=\$ANSIBLE_VAULT)/.exec(text)?.[0].length;
}

/** For a file with such lines. */
export const MISPLACED = 'delete what is before "$ANSIBLE_VAULT": Ansible does not decrypt such a file, either';

/**
 * Parses a header, `$ANSIBLE_VAULT;1.1;AES256` or `$ANSIBLE_VAULT;1.2;AES256;label`, and the hexadecimal digits after
 * it. The digits encode a text of three lines: the salt, the digest and the ciphertext, each in hexadecimal digits
 * again.
 */
export function parseEnvelope(text: string): ParsedEnvelope {
  const [header = '', ...lines] = text.trim().split(/\r\n|\r|\n/);
  const [mark, version = '', cipher = '', label] = header.split(';').map((part) => part.trim());
  if (mark !== MARK) return damaged(`its first line is not "${MARK};1.1;AES256"`);
  if (!VERSIONS.includes(version)) return damaged(`version "${printable(version)}" of the format is not 1.1 or 1.2`);
  if (cipher !== CIPHER) return damaged(`its cipher is "${printable(cipher)}", not ${CIPHER}`);
  const body = fromHexadecimal(lines.map((line) => line.trim()).join(''));
  if (body === undefined) return damaged('its lines are not pairs of hexadecimal digits');
  const sealed = parseBody(body.toString('latin1'));
  if (typeof sealed === 'string') return damaged(sealed);
  return { status: 'ok', envelope: { ...sealed, label: label === undefined || label === '' ? DEFAULT_LABEL : label } };
}

/** The reverse of `parseEnvelope`. The text ends in a line break. Only a label needs version 1.2. */
export function formatEnvelope({ salt, digest, ciphertext, label }: Envelope): string {
  const header = label === DEFAULT_LABEL ? [MARK, '1.1', CIPHER] : [MARK, '1.2', CIPHER, label];
  const body = [salt, digest, ciphertext].map((part) => part.toString('hex')).join('\n');
  const digits = Buffer.from(body).toString('hex');
  const lines: string[] = [];
  for (let at = 0; at < digits.length; at += COLUMNS) lines.push(digits.slice(at, at + COLUMNS));
  return `${[header.join(';'), ...lines].join('\n')}\n`;
}

function parseBody(body: string): Sealed | string {
  const [salt, digest, ciphertext, ...more] = body.split('\n').map(fromHexadecimal);
  if (salt === undefined || digest === undefined || ciphertext === undefined || more.length > 0)
    return 'it does not hold a salt, a digest and a ciphertext';
  if (salt.length === 0) return 'its salt is empty';
  if (digest.length !== DIGEST) return `its digest has ${digest.length} bytes, not ${DIGEST}`;
  if (ciphertext.length === 0 || ciphertext.length % BLOCK !== 0) return 'its end is missing';
  return { salt, digest, ciphertext };
}

function fromHexadecimal(digits: string): Buffer | undefined {
  return HEXADECIMAL.test(digits) ? Buffer.from(digits, 'hex') : undefined;
}

function damaged(message: string): ParsedEnvelope {
  return { status: 'damaged', message };
}

function printable(text: string): string {
  return text.slice(0, 20).replaceAll(/[^\x20-\x7e]/g, '?');
}

const ROUNDS = 10_000;
const KEY = 32;
const COUNTER = 16;
const SALT = 32;
const ALGORITHM = 'aes-256-ctr';

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
export async function seal(content: Buffer, password: Buffer): Promise<Sealed> {
  const salt = randomBytes(SALT);
  const keys = split(await promisify(pbkdf2)(password, salt, ROUNDS, 2 * KEY + COUNTER, 'sha256'));
  const cipher = createCipheriv(ALGORITHM, keys.encryption, keys.counter);
  const missing = BLOCK - (content.length % BLOCK);
  const ciphertext = Buffer.concat([
    cipher.update(content),
    cipher.update(Buffer.alloc(missing, missing)),
    cipher.final(),
  ]);
  return { salt, digest: authenticationDigest(ciphertext, keys), ciphertext };
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
  const expected = authenticationDigest(ciphertext, keys);
  if (expected.length !== digest.length || !timingSafeEqual(expected, digest)) return { status: 'refused' };
  const decipher = createDecipheriv(ALGORITHM, keys.encryption, keys.counter);
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

function authenticationDigest(ciphertext: Buffer, { authentication }: Keys): Buffer {
  return createHmac('sha256', authentication).update(ciphertext).digest();
}

/** Returns text that ansible-vault can decrypt, with the label of the password. The text ends in a line break. */
export async function encrypt(content: Buffer, { label, bytes }: VaultPassword): Promise<string> {
  return formatEnvelope({ ...(await seal(content, bytes)), label });
}
