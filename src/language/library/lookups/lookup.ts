import { resolve } from 'node:path';
import { whyUnreadable, fileTypeAt, relativeName, resolveName } from '../../../core/files/paths.js';
import { decodeUtf8, readBytesSync } from '../../../core/files/read_bytes.js';
import { isNumeric } from '../../../core/model/values/json.js';
import { isList, type Value } from '../../../core/model/values/value.js';
import { maskDocument } from '../../../core/secrets/mask_value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { NotKnownYet } from '../../runtime/errors.js';
import type { SearchFolder } from '../../runtime/frame.js';
import { decodedAs } from '../encodings/charsets.js';

/** The arguments of a lookup: `lookup("name", ...terms, option=value)`. */
export interface LookupCall {
  readonly terms: readonly Value[];
  readonly options: ReadonlyMap<string, Value>;
  readonly args: CallableArguments;
  /** The folder of a role or playbook to search first for files, if it is not `files`. */
  readonly folder?: SearchFolder | undefined;
}

export interface LookupFunction {
  /** The names of its options; `any` for those of a plugin, which checks them itself. */
  readonly options: readonly string[] | 'any';
  /** What `with_NAME` takes. Absent: a list, or any other value as its only item. */
  readonly takes?: 'list' | 'mapping' | 'text or mapping';
  /** Whether `with_NAME` passes null for a term that names an undefined variable. */
  readonly skipsUndefined?: true;
  /** Any number of results. Throws a TemplateError if it fails. */
  run(call: LookupCall): readonly Value[];
}

export type Lookups = Readonly<Record<string, LookupFunction>>;

/** A lookup that has a result for each term; of lists, for each item. */
export function forEach(options: readonly string[], find: (term: Value, call: LookupCall) => Value): LookupFunction {
  return { options, run: (call) => flattenTerms(call).map((term) => find(term, call)) };
}

export function flattenTerms({ terms }: LookupCall): readonly Value[] {
  return terms.flat();
}

/** An option as text; the fallback if it is missing or null. */
export function textOption({ options, args }: LookupCall, name: string, fallback: string): string {
  const value = options.get(name) ?? null;
  if (value === null) return fallback;
  if (typeof value === 'string' || isNumeric(value) || typeof value === 'boolean') return String(value);
  throw args.error(`"${name}" must be a text`);
}

/** Ansible's older way of writing options, in the term itself: `"lb1 file=fleet.csv delimiter=,"`. */
export function inlineOptions(
  term: string,
  call: LookupCall,
  names: readonly string[],
): { readonly key: string; readonly call: LookupCall } {
  const options = new Map(call.options);
  const key = term.split(/\s+/).filter((word) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    if (!names.includes(name)) return true;
    options.set(name, value);
    return false;
  });
  return { key: key.join(' '), call: { ...call, options } };
}

/** The output of a failed command, or why something could not be read. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error && Buffer.isBuffer(error.stderr) ? error.stderr.toString().trim() : '';
  const status = 'status' in error && typeof error.status === 'number' ? `exit code ${error.status}` : error.message;
  return said === '' ? status : `${status}: ${maskDocument(said)}`;
}

/**
 * The folders for relative paths, as in Ansible: of the current role, of the task's file, then of the playbook; in each of
 * them, `kind` comes first.
 */
export function foldersToSearch(args: CallableArguments, kind: SearchFolder = 'files'): readonly string[] {
  if (args.invoke.preview !== undefined && !args.invoke.preview.readsLocal) throw new NotKnownYet('a file');
  const found = args.scope.get('ansible_search_path');
  const near = found !== undefined && isList(found) ? found.filter((folder) => typeof folder === 'string') : [];
  const role = args.scope.get('role_path');
  const bases = new Set([...(typeof role === 'string' ? [role] : []), ...near, playbookFolder(args)]);
  return [...bases].flatMap((base) => [resolve(base, kind), base]);
}

/** The playbook's folder; without a playbook, the working directory. */
export function playbookFolder(args: CallableArguments): string {
  const folder = args.scope.get('playbook_dir');
  return typeof folder === 'string' ? folder : process.cwd();
}

export function findFile(args: CallableArguments, path: string, kind?: SearchFolder): string {
  const found = foldersToSearch(args, kind)
    .map((folder) => resolveName(folder, path))
    .find(isFile);
  if (found !== undefined) return found;
  throw args.error(`there is no file "${path}"`, searchedIn(args, foldersToSearch(args, kind)));
}

/** The hint about a file that was not found. */
export function searchedIn(args: CallableArguments, places: readonly string[]): string {
  return `looked in ${places.map((place) => displayName(args, place)).join(', ')}`;
}

function displayName({ invoke }: CallableArguments, file: string): string {
  const { cwd } = invoke.services;
  return cwd === undefined ? file : relativeName(file, cwd);
}

export function isFile(path: string): boolean {
  return fileTypeAt(path) === 'file';
}

/** Decrypts an encrypted file. `encoding` may be any that the platform knows. */
export function readLookupFile(args: CallableArguments, file: string, encoding = 'utf-8'): string {
  const text = decodedFile(args, file, encoding);
  if (!text.startsWith('$ANSIBLE_VAULT;')) return text;
  const { secrets } = args.invoke.services;
  const shown = displayName(args, file);
  if (secrets === undefined) throw args.error(`"${shown}" is encrypted, and this command does not decrypt files`);
  try {
    return secrets.decrypt(text);
  } catch (error) {
    throw args.error(`"${shown}" ${describeError(error)}`);
  }
}

function decodedFile(args: CallableArguments, file: string, encoding: string): string {
  const bytes = readFound(args, file);
  if (!/^utf[-_]?8$/i.test(encoding)) return decodedAs(encoding, bytes, args);
  const decoded = decodeUtf8(bytes);
  if ('text' in decoded) return decoded.text;
  const { line, column, byte } = decoded.bad;
  const reason = `line ${line}, column ${column} is not UTF-8 text (byte ${byte})`;
  throw args.error(`"${displayName(args, file)}" cannot be read: ${reason}`);
}

function readFound(args: CallableArguments, file: string): Buffer {
  try {
    return readBytesSync(file);
  } catch (error) {
    throw args.error(`"${displayName(args, file)}" cannot be read: ${whyUnreadable(error)}`);
  }
}
