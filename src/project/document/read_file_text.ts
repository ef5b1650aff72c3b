import path from 'node:path';
import { isFileError, whyUnreadable, fileTypeAt, linkLoopText, namesIn } from '../../core/files/paths.js';
import { decodeUtf8, readBytes } from '../../core/files/read_bytes.js';
import { PLAN_MAGIC } from '../../core/model/run/plan.js';
import { Diagnostics, LoadError } from '../../core/model/source/diagnostic.js';
import { nearestName } from '../../core/model/source/suggestion.js';
import { maskDiagnostics } from '../../core/secrets/mask_source.js';
import { Secrets } from '../../core/secrets/secrets.js';
import type { Library } from '../../language/library.js';
import { linesBeforeHeader, MISPLACED } from '../vault/cipher.js';
import { Vault } from '../vault/vault.js';
import { ProjectSources } from './project_sources.js';

interface FileText {
  readonly text: string;
  /** Whether the file is encrypted: messages must not show its content. */
  readonly encrypted: boolean;
}

/** Like `readText`, but decrypts what ansible-vault encrypted. */
export async function readDecrypted(file: string, reading: FileReading, shown: string): Promise<FileText | undefined> {
  const { diagnostics, vault = Vault.locked(), sources = new ProjectSources() } = reading;
  const found = await sources.recallAsync('file', file, async () => {
    const text = await readText(file, diagnostics, shown);
    if (text !== undefined) sources.noteRead('file', file, text);
    return text === undefined ? undefined : decrypted(text, diagnostics, vault, shown);
  });
  // A plan has the text: the file is not read now, and may have changed.
  if (found?.encrypted === false && !sources.files.has(file)) sources.noteRecorded(file, found.text);
  return found;
}

/** Separators of words in every format. */
const WORDS = /[\s=:,"'[\]{}&*!]+/;
/** Separators of values, which may have several words. */
const VALUES = /\r?\n|[=:-][ \t]+|["']/;

/** What a message could quote of a text. */
export function quotableWords(text: string): readonly string[] {
  return [...text.split(WORDS), ...text.split(VALUES)];
}

/** Reads from a file's text. The mistakes that it finds in an encrypted one are reported without its words. */
export function withoutQuotes<T>(
  { text, encrypted }: FileText,
  diagnostics: Diagnostics,
  read: (found: Diagnostics) => T,
): T {
  const found = new Diagnostics();
  const result = read(found);
  const secrets = new Secrets();
  if (encrypted && found.list.length > 0) for (const word of quotableWords(text)) secrets.add(word);
  diagnostics.add(maskDiagnostics(found.list, (message) => secrets.mask(message)));
  return result;
}

async function decrypted(
  text: string,
  diagnostics: Diagnostics,
  vault: Vault,
  shown: string,
): Promise<FileText | undefined> {
  const before = linesBeforeHeader(text);
  if (before === undefined) return { text, encrypted: false };
  const place = { file: shown, line: text.slice(0, before).split('\n').length, column: 1 };
  if (before > 0)
    return diagnostics.error('this file is encrypted, but something is before its header', place, MISPLACED);
  const opened = await vault.open(text);
  if (opened.status === 'refused') return diagnostics.error(`this file ${opened.message}`, place, opened.hint);
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(opened.content);
    return { text: content, encrypted: true };
  } catch {
    return diagnostics.error('this file is not UTF-8 text once it is decrypted', place);
  }
}

/**
 * The text of a file, without a byte order mark. Reports unreadable files and invalid UTF-8 to `diagnostics`.
 *
 * @param shown the name of the file in messages
 * @param name the name of the file in positions
 */
export async function readText(
  file: string,
  diagnostics: Diagnostics,
  shown = file,
  name = shown,
): Promise<string | undefined> {
  try {
    const bytes = await readBytes(file);
    const decoded = decodeUtf8(bytes);
    if ('text' in decoded) return decoded.text;
    const { byte, ...place } = decoded.bad;
    if (bytes.toString('latin1', 0, PLAN_MAGIC.length) === PLAN_MAGIC)
      diagnostics.error(`cannot read ${shown}: it is a plan`, undefined, 'evenkeel apply carries it out');
    else diagnostics.error(`cannot read ${shown}: it is not UTF-8 text (byte ${byte})`, { file: name, ...place });
  } catch (error) {
    const missing = isFileError(error, 'ENOENT') ? nearby(file, name) : undefined;
    const hint = fileTypeAt(file) === 'folder' ? fileIn(file, name) : missing;
    diagnostics.error(`cannot read ${shown}: ${whyUnreadable(error)}`, undefined, hint);
  }
  return undefined;
}

function fileIn(folder: string, shown: string): string | undefined {
  const name = namesIn(folder).find((one) => /\.ya?ml$/.test(one));
  return name === undefined ? undefined : `name a file in it, such as ${path.join(shown, name)}`;
}

/**
 * What a missing file may be: the same name with a suffix, in a folder below or in one with a similar name, or a similar name beside it.
 * @param shown the name of the file as the user wrote it
 */
export function nearby(file: string, shown: string): string | undefined {
  const [folder, name] = [path.dirname(file), path.basename(file)];
  const [above, own] = [path.dirname(folder), path.basename(folder)];
  const names = namesIn(folder);
  if (names.includes(name)) return 'it is a link to a file that does not exist';
  const below = ['', ...names]
    .flatMap((one) => ['', '.yml', '.yaml'].map((suffix) => path.join(one, name + suffix)))
    .find((one) => fileTypeAt(path.join(folder, one)) !== undefined);
  const other = names.length > 0 ? undefined : nearestName(own, namesIn(above));
  const moved = other === undefined ? undefined : path.join('..', other, name);
  const found =
    below ??
    (moved !== undefined && fileTypeAt(path.join(folder, moved)) !== undefined ? moved : undefined) ??
    nearestName(name, names) ??
    names.find((one) => one.startsWith(name));
  return found === undefined ? undefined : `did you mean "${path.join(path.dirname(shown), found)}"?`;
}

/** What a walk finds in a folder. */
interface EnteredFolder {
  /** Sorted. */
  readonly names: readonly string[];
  /** The folder and those that contain it, with links resolved. */
  readonly around: readonly string[];
}

/**
 * Reads the names in a folder. Undefined after a complaint: it cannot be read, or links back to a folder that contains
 * it.
 *
 * @param above the folders that contain it, with links resolved
 */
export function enterFolder(
  folder: string,
  above: readonly string[],
  sources: ProjectSources,
  diagnostics: Diagnostics,
  shown: string,
): EnteredFolder | undefined {
  try {
    const here = sources.realPath(folder);
    if (!above.includes(here)) return { names: sources.namesIn(folder), around: [...above, here] };
    diagnostics.warn(linkLoopText(shown));
  } catch (error) {
    // Of a plan that lacks the folder.
    if (error instanceof LoadError) throw error;
    diagnostics.error(`cannot read ${shown}: ${whyUnreadable(error)}`);
  }
  return undefined;
}

/** What a loader needs besides the file itself. */
export interface FileServices {
  /** The filters that templates can call. Absent: the built-in filters. */
  readonly library?: Library | undefined;
  /** Decrypts encrypted files and values. Absent: there is no password. */
  readonly vault?: Vault | undefined;
  /** Where everything is read from. Absent: from this machine, and nothing is recorded. */
  readonly sources?: ProjectSources | undefined;
}

/** The services for a file, and where its mistakes are reported. */
export interface FileReading extends FileServices {
  readonly diagnostics: Diagnostics;
}
