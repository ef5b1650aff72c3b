import { readdirSync, statSync } from 'node:fs';

/**
 * What a name in a playbook leads to; undefined if it is neither, or cannot be looked at: names may be too long, hold a zero
 * byte or go round in links, and then there is simply nothing.
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

/** What a folder holds, sorted; nothing if it is none, or cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The warning about a link to a folder that contains it. */
export function leadsBack(shown: string): string {
  return `${shown} links back to a folder that contains it: ignored`;
}
