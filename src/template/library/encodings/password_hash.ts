import { hashSync } from 'bcryptjs';
import { randomInt } from 'node:crypto';
import { NotKnownYet, TemplateError } from '../../runtime/errors.js';
import { LONGEST, type Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';
import { shaCrypt } from './sha_crypt.js';

/** Hashes of passwords as `/etc/shadow` has them. */
export const passwordHashes = {
  password_hash: helper('password, hashtype?, salt?, salt_size?, rounds?, ident?', (args) => {
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
  hash_salt: helper('hash', saltOf),
} satisfies Family;

/** The salt of `$6$SALT$HASH`. */
function saltOf(args: Arguments): string {
  const [, , salt, hash, ...more] = args.text(0).split('$');
  if (salt !== undefined && hash !== undefined && more.length === 0) return salt;
  throw args.error('the hash is not written as $METHOD$SALT$HASH');
}

function optionalText(args: Arguments, index: number): string | undefined {
  return args.value(index) === null ? undefined : args.text(index);
}

interface Hashing {
  /** With or without `_crypt`: sha256, sha512, bcrypt or blowfish. */
  readonly scheme: string;
  /** Absent: a random salt, so that each hash differs. */
  readonly salt?: string | undefined;
  readonly saltSize?: number | undefined;
  readonly rounds?: number | undefined;
  /** Of bcrypt: 2, 2a, 2b or 2y. */
  readonly ident?: string | undefined;
}

interface Scheme {
  readonly algorithm: string;
  readonly saltSize: number;
  readonly rounds: number;
}

/** Ansible's numbers of rounds, which make guessing slow. */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['sha256', { algorithm: 'sha256', saltSize: 16, rounds: 535_000 }],
  ['sha512', { algorithm: 'sha512', saltSize: 16, rounds: 656_000 }],
]);
const BCRYPT: Scheme = { algorithm: '2b', saltSize: 22, rounds: 12 };
const IDENTS = ['2', '2a', '2b', '2y'];

const SALT_CHARACTERS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The hash of a password. Throws a TemplateError if it cannot be hashed. */
export function hashPassword(password: string, hashing: Hashing): string {
  const name = hashing.scheme.replace(/_crypt$/, '');
  const isBcrypt = name === 'bcrypt' || name === 'blowfish';
  const scheme = isBcrypt ? BCRYPT : SCHEMES.get(name);
  if (scheme === undefined)
    throw new TemplateError(`password_hash: there is no hash "${hashing.scheme}"`, {
      hint: name === 'md5' ? 'MD5 is broken: write sha512' : 'it is one of sha512, sha256, bcrypt',
    });
  const salt = hashing.salt ?? randomSalt(name, hashing.saltSize);
  requireSalt(salt, isBcrypt, scheme);
  const rounds = hashing.rounds ?? scheme.rounds;
  return isBcrypt ? bcryptHash(password, salt, rounds, hashing.ident) : shaHash(password, salt, rounds, scheme);
}

/** As long as the hash takes. */
export function randomSalt(scheme: string, size?: number): string {
  const length = size ?? (scheme.startsWith('b') ? BCRYPT.saltSize : 16);
  if (length > LONGEST) throw new TemplateError(`password_hash: a salt of ${length} characters is too long`);
  return Array.from({ length }, () => SALT_CHARACTERS.charAt(randomInt(SALT_CHARACTERS.length))).join('');
}

function requireSalt(salt: string, exact: boolean, { saltSize }: Scheme): void {
  const fits = exact ? salt.length === saltSize : salt.length <= saltSize;
  if (fits && /^[./\dA-Za-z]*$/.test(salt)) return;
  throw new TemplateError(
    `password_hash: a salt has ${exact ? '' : 'at most '}${saltSize} letters, digits, "." and "/", unlike "${salt}"`,
  );
}

/** Hashing is slow on purpose, and thousands of controllers need the same hash. */
const known = new Map<string, string>();
const MOST_KNOWN = 1000;

function remembered(key: string, make: () => string): string {
  const found = known.get(key) ?? make();
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

function shaHash(password: string, salt: string, rounds: number, { algorithm }: Scheme): string {
  if (!Number.isInteger(rounds) || rounds < 1000 || rounds > 999_999_999)
    throw new TemplateError(`password_hash: rounds must be a whole number from 1000 to 999999999, not ${rounds}`);
  const key = [algorithm, rounds, salt, password].join('\0');
  return remembered(key, () => shaCrypt(algorithm === 'sha256' ? 'sha256' : 'sha512', password, salt, rounds));
}

function bcryptHash(password: string, salt: string, rounds: number, ident = BCRYPT.algorithm): string {
  if (!IDENTS.includes(ident))
    throw new TemplateError(`password_hash: ident must be one of ${IDENTS.join(', ')}, not "${ident}"`);
  if (!Number.isInteger(rounds) || rounds < 4 || rounds > 31)
    throw new TemplateError(`password_hash: bcrypt takes from 4 to 31 rounds, not ${rounds}`);
  const start = `$2b$${String(rounds).padStart(2, '0')}$${salt}`;
  const hash = remembered(`${start}\0${password}`, () => hashSync(password, start));
  return hash.replace('$2b$', `$${ident}$`);
}
