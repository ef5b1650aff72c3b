import path from 'node:path';
import { didYouMean } from '../../model/source/suggestion.js';
import type { Cursor } from '../document/cursor.js';
import { kindAt, namesIn } from '../../files/entries.js';
import type { ReadContext } from './read_context.js';

/** Whether the steps in the file shall be tasks or handlers: each kind has a folder in a role. */
export type StepKind = 'tasks' | 'handlers';

/** Of an import, or of an include: Ansible looks for their files in different orders. */
type IncludeOrImport = 'import' | 'include';

/** The absolute path of the file. If there is none, reports that and returns undefined. */
export function findTaskFile(
  name: string,
  at: Cursor,
  context: ReadContext,
  kind: StepKind,
  word: IncludeOrImport,
): string | undefined {
  const candidates = taskFileCandidates(name, context, kind, word);
  const found = candidates.find((file) => kindAt(file) === 'file');
  if (found === undefined && candidates.some((file) => kindAt(file) === 'folder'))
    at.error(`"${name}" is a folder`, 'name a file in it');
  else if (found === undefined) {
    const folders = [...new Set(candidates.map((file) => context.reader.files.show(path.dirname(file))))];
    at.error(`there is no file "${name}" (looked in ${folders.join(', ')})`, nearbyFile(candidates));
  }
  return found;
}

/** A file of nearly that name in one of the folders. */
export function nearbyFile(candidates: readonly string[]): string | undefined {
  for (const file of candidates) {
    const hint = didYouMean(path.basename(file), namesIn(path.dirname(file)));
    if (hint !== undefined) return hint;
  }
  return undefined;
}

/**
 * Where Ansible looks for a file of steps, in its order: without a role, below the folders of the includes around, each
 * each followed by the folder of the play; in a role, in the role's folder of that kind and below it, and next to the playbook.
 */
function taskFileCandidates(
  name: string,
  context: ReadContext,
  kind: StepKind,
  word: IncludeOrImport,
): readonly string[] {
  if (path.isAbsolute(name)) return [name];
  const ways = cumulated(context.file.includes);
  const { reader, role } = context;
  const playFolder = reader.folder.directory;
  if (role === undefined) {
    const below = ways.flatMap((way) => [path.resolve(playFolder, way, name), path.resolve(playFolder, name)]);
    return [...new Set([...below, path.resolve(playFolder, name)])];
  }
  const base = [
    path.resolve(role.path, kind, name),
    path.resolve(role.path, 'tasks', name),
    path.resolve(playFolder, kind, name),
    path.resolve(role.path, name),
    path.resolve(playFolder, name),
  ];
  const nested = ways.flatMap((way) => {
    const folder = path.resolve(role.path, kind, way);
    return [path.resolve(folder, kind, name), path.resolve(folder, name)];
  });
  return [...new Set(word === 'import' ? [...nested, ...base] : [...base, ...nested])];
}

/** `['b', 'a']`, innermost first, becomes `b`, `a/b`. */
function cumulated(folders: readonly string[]): readonly string[] {
  const ways: string[] = [];
  for (const folder of folders) {
    const last = ways.at(-1);
    ways.push(last === undefined || path.isAbsolute(last) ? (last ?? folder) : path.join(folder, last));
  }
  return ways;
}
