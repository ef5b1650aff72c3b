import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyUnreadable } from '../../files/file_error.js';
import { inside } from './relocation.js';

/** A bundle cannot be made or used. The message is for the user, and says what to do. */
export class BundleError extends Error {
  override readonly name = 'BundleError';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** One file, folder or link of a bundle, without its times and owner. */
export type Entry =
  | { readonly type: 'folder'; readonly name: string }
  | {
      readonly type: 'file';
      readonly name: string;
      /** The path from which to read it. */
      readonly file: string;
      readonly size: number;
      readonly executable: boolean;
    }
  /** The target is relative to the folder of the link. */
  | { readonly type: 'link'; readonly name: string; readonly target: string };

/**
 * A file or folder to bundle with its content, and its name in the bundle. An empty name puts the content at the top.
 */
export interface Top {
  readonly file: string;
  readonly name: string;
}

/** A project has hundreds of files. Without a limit, a home folder taken for a project would be read for hours. */
const MOST_ENTRIES = 20_000;

/**
 * The entries of the tops, by name. Skips sockets, devices, broken links, and links to skipped files. A link that leads
 * out of the tops is an error.
 */
export async function entriesOf(
  tops: readonly Top[],
  isLeftOut: (file: string) => boolean = () => false,
): Promise<readonly Entry[]> {
  const walk = new Walk(isLeftOut);
  for (const top of tops) await walk.take(top);
  return walk.entries();
}

class Walk {
  readonly #entries = new Map<string, Entry>();
  readonly #links: { readonly name: string; readonly file: string; readonly real: string }[] = [];
  readonly #tops: { readonly real: string; readonly name: string }[] = [];

  constructor(private readonly isLeftOut: (file: string) => boolean) {}

  /** A top that is a link is replaced by its target. */
  async take({ file, name }: Top): Promise<void> {
    const { found, real } = await readable(file, async () => ({ found: await stat(file), real: await realpath(file) }));
    this.#tops.push({ real, name });
    if (found.isDirectory()) await this.#folder(real, name);
    else if (found.isFile()) await this.#file(real, name);
  }

  entries(): readonly Entry[] {
    for (const { name, file, real } of this.#links) {
      const target = this.#nameOf(real);
      if (target === undefined)
        throw new BundleError(
          `the link ${file} leads out of the project, to ${real}: workers at sites cannot follow it`,
          'copy what it leads to into the project, or remove the link',
        );
      if (this.#entries.has(target))
        this.#add({ type: 'link', name, target: path.posix.relative(path.posix.dirname(name), target) || '.' });
    }
    return [...this.#entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #folder(folder: string, name: string): Promise<void> {
    if (name !== '') this.#add({ type: 'folder', name });
    for (const found of await readable(folder, () => readdir(folder, { withFileTypes: true })))
      if (!this.isLeftOut(path.join(folder, found.name))) await this.#found(found, folder, name);
  }

  async #found(found: Dirent, folder: string, parent: string): Promise<void> {
    const file = path.join(folder, found.name);
    const name = path.posix.join(parent, found.name);
    if (found.isDirectory()) await this.#folder(file, name);
    else if (found.isFile()) await this.#file(file, name);
    else if (found.isSymbolicLink()) await this.#link(file, name);
  }

  async #file(file: string, name: string): Promise<void> {
    const { size, mode } = await readable(file, () => lstat(file));
    this.#add({ type: 'file', name, file, size, executable: (mode & 0o100) !== 0 });
  }

  async #link(file: string, name: string): Promise<void> {
    const real = await readable(file, () => realpath(file).catch(ignoreBroken));
    if (real !== undefined) this.#links.push({ name, file, real });
  }

  #nameOf(real: string): string | undefined {
    for (const top of this.#tops) {
      const rest = inside(top.real, real);
      if (rest !== undefined) return path.posix.join(top.name, rest).replace(/^\.$/, '');
    }
    return undefined;
  }

  /** Adds the parent folders, too, as an unpacked bundle has them. */
  #add(entry: Entry): void {
    const folder = path.posix.dirname(entry.name);
    if (folder !== '.' && !this.#entries.has(folder)) this.#add({ type: 'folder', name: folder });
    this.#entries.set(entry.name, entry);
    if (this.#entries.size > MOST_ENTRIES)
      throw new BundleError(
        `${this.#tops[0]?.real ?? ''} has more than ${MOST_ENTRIES.toLocaleString('en')} files: too many to send to workers at sites`,
        'is it the folder of the project? Create an evenkeel.yml where the project begins',
      );
  }
}

function ignoreBroken(error: unknown): undefined {
  if (!isFileError(error, 'ENOENT') && !isFileError(error, 'ELOOP') && !isFileError(error, 'ENOTDIR')) throw error;
}

async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new BundleError(`cannot send ${file} to workers at sites: ${whyUnreadable(error)}`);
  }
}
