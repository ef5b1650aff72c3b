import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isFileError } from '../../../core/files/paths.js';
import { isList, type Value } from '../../../core/model/values/value.js';
import { MersenneTwister } from '../../python/mersenne_twister.js';
import { MOST_ITEMS } from '../../runtime/arguments.js';
import { NotKnownYet } from '../../runtime/errors.js';
import { asText } from '../../runtime/result.js';
import { hashPassword, randomSalt } from '../encodings/password_hash.js';
import { describeError, inlineOptions, playbookFolder, textOption, type LookupCall } from './lookup.js';

export const PASSWORD_OPTIONS = ['length', 'chars', 'seed', 'encrypt', 'ident'] as const;

/** The content of the file: `password salt=… ident=…`. */
interface Kept {
  readonly password: string;
  readonly salt?: string | undefined;
  readonly ident?: string | undefined;
}

/**
 * A password from a file, which is created if it is missing: `lookup("password", "secrets/lb1 length=12")`. In check
 * mode nothing is written: the password is kept in memory for the rest of the run. Shards create no files: each would
 * create a different password.
 */
export function passwordFrom(term: Value, call: LookupCall): string {
  const { args } = call;
  if (args.invoke.preview !== undefined) throw new NotKnownYet('a password');
  const { key, call: whole } = inlineOptions(asText(term), call, PASSWORD_OPTIONS);
  const unknown = key.split(' ').find((word) => /^\w+=/.test(word));
  if (unknown !== undefined)
    throw args.error(`"${unknown}" is not an option`, `use one of ${PASSWORD_OPTIONS.join(', ')}`);
  const file = path.resolve(playbookFolder(args), key.replace(/^~(?=\/)/, homedir()));
  const scheme = textOption(whole, 'encrypt', '');
  const kept = file === '/dev/null' ? make(whole) : read(file, whole);
  args.invoke.services.secrets?.learn(kept.password);
  if (scheme === '') return kept.password;
  const { salt = randomSalt(scheme), ident = textOption(whole, 'ident', scheme === 'bcrypt' ? '2b' : '') } = kept;
  const complete = { password: kept.password, salt, ident };
  if (file !== '/dev/null' && written(complete) !== written(kept)) store(file, complete, whole, 'replace');
  return hashPassword(kept.password, { scheme, salt, ident: ident === '' ? undefined : ident });
}

/** The first process creates it; another run at the same time gets the same password. */
function read(file: string, call: LookupCall): Kept {
  const known = readExisting(file, call);
  if (known !== undefined) return parse(known);
  store(file, make(call), call, 'create');
  const stored = readExisting(file, call);
  if (stored === undefined)
    throw call.args.error(`the password file "${file}" is a link to a file that does not exist`);
  return parse(stored);
}

function readExisting(file: string, { args }: LookupCall): string | undefined {
  const remembered = args.invoke.unsavedPasswords.get(file);
  if (remembered !== undefined) return remembered;
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw args.error(`the password file "${file}" cannot be read: ${describeError(error)}`);
  }
}

/** Readable by its owner only, and written atomically. */
function store(file: string, kept: Kept, { args }: LookupCall, how: 'create' | 'replace'): void {
  if (args.scope.get('ansible_check_mode') === true) {
    args.invoke.unsavedPasswords.set(file, written(kept));
    return;
  }
  if (args.invoke.services.inShard === true)
    throw args.error(
      `--shard: the password file "${file}" ${how === 'create' ? 'does not exist' : 'has no salt'}, and each shard would write another`,
      'write it before the run, for all machines',
    );
  const fresh = `${file}.${process.pid}.new`;
  try {
    makeFolder(path.dirname(file));
    writeFileSync(fresh, `${written(kept)}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(fresh, 0o600);
    if (how === 'replace') renameSync(fresh, file);
    else link(fresh, file);
  } catch (error) {
    throw args.error(`the password file "${file}" cannot be written: ${describeError(error)}`);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** One level at a time: Node's recursive mkdir never returns in file systems that take no folders, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another run may have created it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/** Unlike a rename, a link never replaces another file. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!isFileError(error, 'EEXIST')) throw error;
  }
}

function parse(content: string): Kept {
  const [, password = content, salt, ident] = /^(.*) salt=(.*?)(?: ident=(.*))?$/s.exec(content) ?? [];
  return { password, salt, ident };
}

function written({ password, salt, ident }: Kept): string {
  if (salt === undefined) return password;
  return `${password} salt=${salt}${ident === undefined || ident === '' ? '' : ` ident=${ident}`}`;
}

function make(call: LookupCall): Kept {
  const { args, options } = call;
  const length = Number(textOption(call, 'length', '20'));
  const characters = candidates(options.get('chars') ?? DEFAULT_CHARACTERS);
  if (!Number.isInteger(length) || length < 1 || length > MOST_ITEMS)
    throw args.error(`length must be a whole number from 1, not "${textOption(call, 'length', '')}"`);
  if (characters === '') throw args.error('there are no characters to choose from');
  const seed = textOption(call, 'seed', '');
  const twister = seed === '' ? undefined : new MersenneTwister(seed);
  const place = (): number => twister?.below(characters.length) ?? randomInt(characters.length);
  return { password: Array.from({ length }, () => characters.charAt(place())).join('') };
}

const DEFAULT_CHARACTERS = ['ascii_letters', 'digits', '.,:-_'];

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** The constants of Python's module `string`. */
const SETS: ReadonlyMap<string, string> = new Map([
  ['ascii_lowercase', LOWER],
  ['ascii_uppercase', LOWER.toUpperCase()],
  ['ascii_letters', LOWER + LOWER.toUpperCase()],
  ['digits', DIGITS],
  ['hexdigits', `${DIGITS}abcdefABCDEF`],
  ['octdigits', '01234567'],
  ['punctuation', PUNCTUATION],
  ['whitespace', ' \t\n\r\v\f'],
  ['printable', `${DIGITS}${LOWER}${LOWER.toUpperCase()}${PUNCTUATION} \t\n\r\v\f`],
]);

/**
 * A list of sets and characters, or a text with commas, in which two commas are one. Quotes are left out, as in
 * Ansible.
 */
function candidates(given: Value): string {
  const names = isList(given) ? given.map(asText) : namesIn(asText(given));
  return names
    .map((name) => SETS.get(name) ?? name)
    .join('')
    .replaceAll(/["']/g, '');
}

function namesIn(text: string): readonly string[] {
  const names = text
    .replaceAll(',,', ',')
    .split(',')
    .filter((name) => name !== '');
  return text.includes(',,') ? [',', ...names] : names;
}
