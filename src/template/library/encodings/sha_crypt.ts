import { createHash } from 'node:crypto';

type Algorithm = 'sha256' | 'sha512';

const DEFAULT_ROUNDS = 5000;
const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The differences: the number in front, the size of the digest, the step of the three bytes of a group, and the last group. */
const SHAPES = {
  sha256: { id: '5', size: 32, step: 21, last: [-1, 31, 30] },
  sha512: { id: '6', size: 64, step: 22, last: [-1, -1, 63] },
} as const;

/** `$6$salt$hash`: SHA-crypt, as crypt(3) and Ansible make it. The salt has at most 16 characters. */
export function shaCrypt(algorithm: Algorithm, password: string, salt: string, rounds: number): string {
  const digest = digestOf(algorithm, Buffer.from(password), Buffer.from(salt), rounds);
  const shown = rounds === DEFAULT_ROUNDS ? '' : `rounds=${rounds}$`;
  return `$${SHAPES[algorithm].id}$${shown}${salt}$${encode(algorithm, digest)}`;
}

/** The steps of the specification, https://www.akkadia.org/drepper/SHA-crypt.txt. */
function digestOf(algorithm: Algorithm, password: Buffer, salt: Buffer, rounds: number): Buffer {
  const hash = (...parts: readonly Buffer[]): Buffer => createHash(algorithm).update(Buffer.concat(parts)).digest();
  const mixed = hash(password, salt, password);
  const bits = password.length.toString(2).split('').reverse();
  const start = hash(
    password,
    salt,
    repeated(mixed, password.length),
    ...(password.length === 0 ? [] : bits.map((bit) => (bit === '1' ? mixed : password))),
  );
  const passwords = repeated(hash(...times(password, password.length)), password.length);
  const salts = repeated(hash(...times(salt, 16 + (start[0] ?? 0))), salt.length);
  let digest = start;
  for (let round = 0; round < rounds; round += 1) {
    const one = createHash(algorithm).update(round % 2 === 1 ? passwords : digest);
    if (round % 3 !== 0) one.update(salts);
    if (round % 7 !== 0) one.update(passwords);
    digest = one.update(round % 2 === 1 ? digest : passwords).digest();
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
