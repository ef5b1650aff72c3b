import { readdirSync, statSync } from 'node:fs';

/**
 * What is at a path; undefined if it is neither, or cannot be examined: a name may be too long, contain a zero byte or be a
 * circular link.
 */
export function kindAt(path: string): 'file' | 'folder' | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return 'folder';
    return found?.isFile() === true ? 'file' : undefined;
  } catch {
    return undefined;
  }
}

/** The names in a folder, sorted; empty if it is not a folder, or cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The warning about a link to a folder that contains it. */
export function linkLoopText(shown: string): string {
  return `${shown} links back to a folder that contains it: ignored`;
}
