/** The label of a password that was given without one. */
export const DEFAULT_LABEL = 'default';

const MARK = '$ANSIBLE_VAULT';
const CIPHER = 'AES256';
const VERSIONS = ['1.1', '1.2'];
const COLUMNS = 80;
const HEXADECIMAL = /^(?:[0-9a-fA-F]{2})*$/;
/** Bytes of HMAC-SHA256. */
const DIGEST = 32;
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
  if (salt === undefined || digest === undefined || ciphertext === undefined || more.length > 0) {
    return 'it does not hold a salt, a digest and a ciphertext';
  }
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
