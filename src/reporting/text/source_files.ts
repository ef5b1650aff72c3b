import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { placeText, type Diagnostic, type Source } from '../../core/model/source/diagnostic.js';
import { plain } from './plain.js';

/** A file as the user would name it: relative to the working directory if it is inside. */
export function displayPath(file: string, cwd: string): string {
  if (!isAbsolute(file)) return plain(file);
  const path = relative(cwd, file);
  return plain(path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? file : path);
}

/** `playbooks/rollout.yml:12:7` */
export function displayPlace(source: Source, cwd: string): string {
  return placeText({ ...source, file: displayPath(source.file, cwd) });
}

/** Larger files are data; a frame of their lines does not help. */
const MOST_SOURCE_BYTES = 16 * 1024 * 1024;

/** The first bytes of a file that ansible-vault encrypted. Positions refer to the decrypted text, so the file's own lines do not match them. */
const ENCRYPTED = '$ANSIBLE_VAULT;';

/** Whether a run has read another text in a file. False if it did not read the file. */
export type HasChanged = (path: string, text: string) => boolean;

/** The lines of the files that messages refer to. Reads each file once. */
export class SourceFiles {
  readonly #lines = new Map<string, readonly string[] | 'changed' | undefined>();

  constructor(
    private readonly cwd: string,
    private readonly hasChanged: HasChanged = () => false,
  ) {}

  /** Undefined if the file cannot be read, or has changed; the message then has no frame. */
  lines(file: string): readonly string[] | undefined {
    const lines = this.#read(file);
    return lines === 'changed' ? undefined : lines;
  }

  /** Whether the file has changed since it was read, so that positions may mean other lines. */
  isChanged(file: string): boolean {
    return this.#read(file) === 'changed';
  }

  #read(file: string): readonly string[] | 'changed' | undefined {
    const path = resolve(this.cwd, file);
    if (!this.#lines.has(path)) this.#lines.set(path, readLines(path, this.hasChanged));
    return this.#lines.get(path);
  }
}

/** Notes which files have changed since. */
export function withOutdated(
  diagnostics: readonly Diagnostic[],
  cwd: string,
  hasChanged: HasChanged,
): readonly Diagnostic[] {
  const files = new SourceFiles(cwd, hasChanged);
  return diagnostics.map((one) =>
    one.source !== undefined && files.isChanged(one.source.file) ? { ...one, isOutdated: true } : one,
  );
}

export const OUTDATED = 'the file has changed since it was read, so its lines are not shown';

function readLines(path: string, hasChanged: HasChanged): readonly string[] | 'changed' | undefined {
  try {
    const facts = statSync(path);
    const isRead = facts.isFile() && facts.size <= MOST_SOURCE_BYTES;
    const text = isRead ? readFileSync(path, 'utf8').replace(/^\uFEFF/, '') : ENCRYPTED;
    if (text.startsWith(ENCRYPTED)) return undefined;
    return hasChanged(path, text) ? 'changed' : text.split(/\r?\n/);
  } catch {
    return undefined;
  }
}
