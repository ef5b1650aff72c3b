import { realpathSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';

const EVERYBODY_WRITES = 0o002;
/** In such a folder, other users can add files, but not replace existing ones: `/tmp`, a fresh tmpfs. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Decides whether to trust files that were found, rather than named, because another user may have put them there.
 * Systems without user ids trust everything.
 */
export class Trust {
  readonly #owners: ReadonlySet<number> | undefined;
  readonly #named: string | undefined;

  /**
   * @param directory the working directory: its owner is trusted beside the user and root, since containers mount
   * checkouts that belong to another user
   * @param named a folder that the user vouches for
   */
  constructor(directory: string, named?: string) {
    const user = process.geteuid?.();
    const owner = statsOf(directory)?.uid ?? ROOT;
    this.#owners = user === undefined ? undefined : new Set([user, ROOT, owner]);
    this.#named = named;
  }

  /** Why a folder must not be searched; undefined if it may be. */
  folder(folder: string): string | undefined {
    const found = statsOf(folder);
    if (this.#owners === undefined || found === undefined || this.#owners.has(found.uid)) return undefined;
    return `${folder} belongs to another user (uid ${found.uid})`;
  }

  /** Why a file or folder must not be used; undefined if it may be. */
  refusal(found: string): string | undefined {
    if (this.#owners === undefined || this.#isTrusted(found)) return undefined;
    const folder = path.dirname(found);
    const writable = [found, folder, path.dirname(realOf(found))].find(everybodyWrites);
    return writable === undefined ? this.folder(folder) : `${writable} is world-writable`;
  }

  #isTrusted(found: string): boolean {
    if (this.#named === undefined) return false;
    const inside = path.relative(this.#named, found);
    return !inside.startsWith('..') && !path.isAbsolute(inside);
  }
}

/**
 * Why other users could have created a private file or folder, or could replace its content; undefined if only the
 * user, root, or the owner of the parent folder could.
 */
export function whyNotPrivate(name: string): string | undefined {
  const user = process.geteuid?.();
  const found = statsOf(name);
  if (user === undefined || found === undefined) return undefined;
  if (everybodyWrites(name) && (found.mode & STICKY) === 0) return 'it is world-writable';
  const owned = found.uid === user || found.uid === ROOT;
  return owned || !everybodyWrites(path.dirname(name)) ? undefined : `it belongs to another user (uid ${found.uid})`;
}

/** The access of other users to a private file: `read` or `read and write to`; undefined if they have none. */
export function whatOthersCan(file: string): string | undefined {
  const mode = statsOf(file)?.mode ?? 0;
  const can = [mode & 0o044 ? ['read'] : [], mode & 0o022 ? ['write to'] : []].flat();
  return process.geteuid === undefined || can.length === 0 ? undefined : can.join(' and ');
}

function everybodyWrites(name: string): boolean {
  return ((statsOf(name)?.mode ?? 0) & EVERYBODY_WRITES) !== 0;
}

/** Undefined if it does not exist or is inaccessible: then it cannot be read either. */
function statsOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realOf(name: string): string {
  try {
    return realpathSync(name);
  } catch {
    return name;
  }
}
