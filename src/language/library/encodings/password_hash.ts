import { hash as digestOnce, randomInt } from 'node:crypto';
import { hashSync } from 'bcryptjs';
import { BoundedMap, getOrAdd } from '../../../core/model/values/groups.js';
import { MOST_ITEMS, type CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { NotKnownYet, TemplateError } from '../../runtime/errors.js';

/** Password hashes in the format of `/etc/shadow`. */
export const passwordHashes = {
  password_hash: callable('password, hashtype?, salt?, salt_size?, rounds?, ident?', (args) => {
    const salt = optionalText(args, 2);
    const hash = hashPassword(args.string(0), {
      scheme: args.text(1, 'sha512'),
      salt,
      saltSize: args.value(3) === null ? undefined : args.amount(3),
      rounds: args.value(4) === null ? undefined : args.number(4),
      ident: optionalText(args, 5),
    });
    if (salt === undefined && args.invoke.preview !== undefined) throw new NotKnownYet('a hash with a random salt');
    return hash;
  }),
  /** The salt of `$6$SALT$HASH`. */
  hash_salt: callable('hash', (args) => {
    const [, , salt, hash, ...more] = args.text(0).split('$');
    if (salt !== undefined && hash !== undefined && more.length === 0) return salt;
    throw args.error('the hash is not written as $METHOD$SALT$HASH');
  }),
} satisfies Family;

function optionalText(args: CallableArguments, index: number): string | undefined {
  return args.value(index) === null ? undefined : args.text(index);
}

interface Hashing {
  /** With or without `_crypt`: sha256, sha512, bcrypt or blowfish. */
  readonly scheme: string;
  /** Absent: a random salt, so that each hash differs. */
  readonly salt?: string | undefined;
  readonly saltSize?: number | undefined;
  readonly rounds?: number | undefined;
  /** The variant of bcrypt: 2, 2a, 2b or 2y. */
  readonly ident?: string | undefined;
}

interface Scheme {
  readonly algorithm: string;
  readonly saltSize: number;
  readonly rounds: number;
}

/** Ansible's default numbers of rounds. More rounds make guessing slower. */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['sha256', { algorithm: 'sha256', saltSize: 16, rounds: 535_000 }],
  ['sha512', { algorithm: 'sha512', saltSize: 16, rounds: 656_000 }],
]);
const BCRYPT: Scheme = { algorithm: '2b', saltSize: 22, rounds: 12 };
const IDENTS = ['2', '2a', '2b', '2y'];

/** Of salts and hashes. */
const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The hash of a password. Throws a TemplateError if it cannot be hashed. */
export function hashPassword(password: string, hashing: Hashing): string {
  const name = hashing.scheme.replace(/_crypt$/, '');
  const isBcrypt = name === 'bcrypt' || name === 'blowfish';
  const scheme = isBcrypt ? BCRYPT : SCHEMES.get(name);
  const hint = name === 'md5' ? 'MD5 is broken: use sha512' : 'use sha512, sha256 or bcrypt';
  if (scheme === undefined) throw new TemplateError(`password_hash: unknown hash type "${hashing.scheme}"`, { hint });
  const salt = hashing.salt ?? randomSalt(name, hashing.saltSize);
  requireSalt(salt, isBcrypt, scheme);
  const rounds = hashing.rounds ?? scheme.rounds;
  return isBcrypt ? bcryptHash(password, salt, rounds, hashing.ident) : shaHash(password, salt, rounds, scheme);
}

/** A random salt, by default of the longest size that the hash accepts. */
export function randomSalt(scheme: string, size?: number): string {
  const length = size ?? (scheme.startsWith('b') ? BCRYPT.saltSize : 16);
  if (length > MOST_ITEMS) throw new TemplateError(`password_hash: a salt of ${length} characters is too long`);
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

function requireSalt(salt: string, exact: boolean, { saltSize }: Scheme): void {
  const fits = exact ? salt.length === saltSize : salt.length <= saltSize;
  if (fits && /^[./\dA-Za-z]*$/.test(salt)) return;
  const wanted = `${exact ? '' : 'at most '}${saltSize} letters, digits, "." and "/"`;
  throw new TemplateError(`password_hash: invalid salt "${salt}"`, { hint: `use ${wanted}` });
}

/** Cached, because hashing is slow on purpose and thousands of controllers need the same hash. */
const known = new BoundedMap<string, string>(1000);

function shaHash(password: string, salt: string, rounds: number, { algorithm }: Scheme): string {
  if (!Number.isInteger(rounds) || rounds < 1000 || rounds > 999_999_999)
    throw new TemplateError(`password_hash: rounds must be a whole number from 1000 to 999999999, not ${rounds}`);
  const key = [algorithm, rounds, salt, password].join('\0');
  return getOrAdd(known, key, () => shaCrypt(algorithm === 'sha256' ? 'sha256' : 'sha512', password, salt, rounds));
}

function bcryptHash(password: string, salt: string, rounds: number, ident = BCRYPT.algorithm): string {
  if (!IDENTS.includes(ident))
    throw new TemplateError(`password_hash: ident must be one of ${IDENTS.join(', ')}, not "${ident}"`);
  if (!Number.isInteger(rounds) || rounds < 4 || rounds > 31)
    throw new TemplateError(`password_hash: bcrypt takes from 4 to 31 rounds, not ${rounds}`);
  const start = `$2b$${String(rounds).padStart(2, '0')}$${salt}`;
  return getOrAdd(known, `${start}\0${password}`, () => hashSync(password, start)).replace('$2b$', `$${ident}$`);
}

type Algorithm = 'sha256' | 'sha512';

const DEFAULT_ROUNDS = 5000;

/** The differences: the number in front, the size of the digest, the step of the three bytes of a group, and the last group. */
const SHAPES = {
  sha256: { id: '5', size: 32, step: 21, last: [-1, 31, 30] },
  sha512: { id: '6', size: 64, step: 22, last: [-1, -1, 63] },
} as const;

/** `$6$salt$hash`: SHA-crypt, as crypt(3) and Ansible make it. The salt has at most 16 characters. */
function shaCrypt(algorithm: Algorithm, password: string, salt: string, rounds: number): string {
  const digest = hashRounds(algorithm, Buffer.from(password), Buffer.from(salt), rounds);
  const shown = rounds === DEFAULT_ROUNDS ? '' : `rounds=${rounds}$`;
  return `$${SHAPES[algorithm].id}$${shown}${salt}$${encode(algorithm, digest)}`;
}

/** The steps of the specification, https://www.akkadia.org/drepper/SHA-crypt.txt. */
function hashRounds(algorithm: Algorithm, password: Buffer, salt: Buffer, rounds: number): Buffer {
  const hash = (...parts: readonly Buffer[]): Buffer => digestOnce(algorithm, Buffer.concat(parts), 'buffer');
  const mixed = hash(password, salt, password);
  const bits = password.length.toString(2).split('').reverse();
  const further = password.length === 0 ? [] : bits.map((bit) => (bit === '1' ? mixed : password));
  const start = hash(password, salt, repeated(mixed, password.length), ...further);
  const passwords = repeated(hash(...times(password, password.length)), password.length);
  const salts = repeated(hash(...times(salt, 16 + (start[0] ?? 0))), salt.length);
  let digest = start;
  for (let round = 0; round < rounds; round += 1) {
    const isOdd = round % 2 === 1;
    const parts = [isOdd ? passwords : digest];
    if (round % 3 !== 0) parts.push(salts);
    if (round % 7 !== 0) parts.push(passwords);
    digest = hash(...parts, isOdd ? digest : passwords);
  }
  return digest;
}

function times(bytes: Buffer, count: number): readonly Buffer[] {
  return Array.from({ length: count }, () => bytes);
}

/** The bytes repeated up to a length. */
function repeated(bytes: Buffer, length: number): Buffer {
  return Buffer.concat(times(bytes, Math.ceil(length / bytes.length)), length);
}

/** Groups of three bytes from the three thirds of the digest, each group as four characters. */
function encode(algorithm: Algorithm, digest: Buffer): string {
  const { size, step, last } = SHAPES[algorithm];
  const third = Math.floor(size / 3);
  let places = [0, third, 2 * third];
  let text = '';
  for (let group = 0; group < third; group += 1) {
    text += characters(places, 4, digest);
    places = places.map((place) => (place + step) % (3 * third));
  }
  return text + characters(last, last.filter((place) => place >= 0).length + 1, digest);
}

function characters(places: readonly number[], count: number, digest: Buffer): string {
  const [high = 0, middle = 0, low = 0] = places.map((place) => digest[place] ?? 0);
  const bits = (high << 16) | (middle << 8) | low;
  return Array.from({ length: count }, (_, index) => ALPHABET.charAt((bits >> (6 * index)) & 63)).join('');
}
