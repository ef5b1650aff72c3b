import path from 'node:path';
import { namesIn } from '../../core/files/paths.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { Cursor } from '../document/cursor.js';
import type { ReadContext, StepKind } from './read_context.js';

/** Ansible searches for the files of imports and includes in different orders. */
type IncludeOrImport = 'import' | 'include';

/** The absolute path of the file. Reports a missing file, and returns undefined. */
export function findTaskFile(
  name: string,
  at: Cursor,
  context: ReadContext,
  kind: StepKind,
  word: IncludeOrImport,
): string | undefined {
  const candidates = taskFileCandidates(name, context, kind, word);
  const { sources } = context.reader.files;
  const found = candidates.find((file) => sources.fileTypeAt(file) === 'file');
  if (found === undefined && candidates.some((file) => sources.fileTypeAt(file) === 'folder'))
    at.error(`"${name}" is a folder`, 'name a file in it');
  else if (found === undefined) {
    const folders = [...new Set(candidates.map((file) => context.reader.files.show(path.dirname(file))))];
    at.error(`there is no file "${name}" (looked in ${folders.join(', ')})`, nearbyFile(candidates));
  }
  return found;
}

/** A file with a similar name in one of the folders. */
export function nearbyFile(candidates: readonly string[]): string | undefined {
  for (const file of candidates) {
    const hint = didYouMean(path.basename(file), namesIn(path.dirname(file)));
    if (hint !== undefined) return hint;
  }
  return undefined;
}

/**
 * The places where Ansible searches for a file of steps, in order: without a role, the folders of the surrounding
 * includes, each followed by the folder of the play; in a role, its folder of that type and folders below, then next to
 * the playbook.
 */
function taskFileCandidates(
  written: string,
  context: ReadContext,
  kind: StepKind,
  word: IncludeOrImport,
): readonly string[] {
  const { reader, role } = context;
  const { expandHome } = reader.files.sources;
  const name = expandHome(written);
  if (path.isAbsolute(name)) return [name];
  const ways = cumulated(context.file.includes.map(expandHome));
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
