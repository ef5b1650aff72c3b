import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyFailed } from '../core/files/file_error.js';
import { makeFolder } from '../core/files/folders.js';
import type { Diagnostics } from '../core/model/source/diagnostic.js';
import type { ProjectFiles } from './project_files.js';

/** What happened to the files, by path in the project. */
export interface WrittenProject {
  readonly written: readonly string[];
  /** Existed before, with other content. */
  readonly kept: readonly string[];
}

/**
 * Writes the files that are missing, and overwrites none.
 *
 * @param shown the folder as the user typed it
 * @param needed if one of these exists with other content, nothing is written: the project would not work
 * @returns undefined if it failed
 */
export async function writeProject(
  folder: string,
  shown: string,
  { needed, others }: { readonly needed: ProjectFiles; readonly others: ProjectFiles },
  diagnostics: Diagnostics,
): Promise<WrittenProject | undefined> {
  const written: string[] = [];
  const kept: string[] = [];
  try {
    const states = await statesOf(folder, new Map([...needed, ...others]));
    const foreign = [...needed.keys()].filter((name) => states.get(name) === 'foreign');
    for (const name of foreign)
      diagnostics.error(`${path.join(shown, name)} already exists; nothing was written`, undefined, FOREIGN);
    if (foreign.length > 0) return undefined;
    for (const [name, text] of [...needed, ...others]) {
      const state = states.get(name);
      if (state === 'foreign') kept.push(name);
      if (state !== 'missing') continue;
      await writeNew(path.join(folder, name), text);
      written.push(name);
    }
    return { written, kept };
  } catch (error) {
    const done = written.length === 0 ? 'nothing was written' : `written so far: ${written.join(', ')}`;
    diagnostics.error(`cannot write to ${shown}: ${whyFailed(error)}; ${done}`, undefined, RETRY);
    return undefined;
  }
}

const FOREIGN = 'init overwrites no file: name an empty folder, such as: evenkeel init lab';
const RETRY = 'when this is solved, run the same command again: it writes what is missing';

type State = 'missing' | 'same' | 'foreign';

async function statesOf(folder: string, files: ProjectFiles): Promise<ReadonlyMap<string, State>> {
  const states = new Map<string, State>();
  for (const [name, text] of files) states.set(name, await stateOf(path.join(folder, name), text));
  return states;
}

async function stateOf(file: string, text: string): Promise<State> {
  try {
    // Reading a pipe may never end.
    if (!(await stat(file)).isFile()) return 'foreign';
    return (await readFile(file, 'utf8')) === text ? 'same' : 'foreign';
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return 'missing';
    throw error;
  }
}

/** Never follows a link, and never replaces what another process just made. */
async function writeNew(file: string, text: string): Promise<void> {
  await makeFolder(path.dirname(file), 0o777);
  await writeFile(file, text, { flag: 'wx' });
}
