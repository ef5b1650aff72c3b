import { realpathSync } from 'node:fs';
import path from 'node:path';
import { kindAt, linkLoopText, namesIn } from '../../core/files/entries.js';
import { didYouMean, nearestName } from '../../core/model/source/suggestion.js';
import type { Cursor } from '../document/cursor.js';
import type { RoleContext } from '../task/read_context.js';
import type { TaskFiles } from '../task/task_files.js';

type RolePart = 'tasks' | 'handlers' | 'defaults' | 'vars' | 'meta';

/** Names of files that replace `main`: `tasks_from`, `vars_from`, … */
export type FilesNamed = Readonly<Partial<Record<RolePart, string>>>;

/** The positions of those names. */
export type FilePlaces = Readonly<Partial<Record<RolePart, Cursor>>>;

export const SUFFIXES = ['.yml', '.yaml', '.json'];

/** The role whose files are searched, and the step that needs them. */
export interface RoleFolder {
  readonly role: RoleContext;
  readonly named: FilesNamed;
  /** Absent: mistakes in the names are reported at the role's name. */
  readonly places?: FilePlaces | undefined;
  readonly at: Cursor;
  readonly files: TaskFiles;
}

/** The absolute path of one part of a role. Undefined if the role has no such file; reports this only if a step names the file. */
export function partFile(part: RolePart, folder: RoleFolder): string | undefined {
  return partFiles(part, folder, false)[0];
}

/**
 * The files of `defaults` or `vars`, weakest first: `main.yml` (`.yaml`, `.json`, no suffix), or all in a folder
 * `main`, sorted, including subfolders.
 */
export function variableFiles(part: 'defaults' | 'vars', folder: RoleFolder): readonly string[] {
  return partFiles(part, folder, true);
}

function partFiles(part: RolePart, folder: RoleFolder, mayBeFolder: boolean): readonly string[] {
  const { role, named } = folder;
  const name = named[part];
  const base = path.join(role.path, part);
  const candidates =
    name === undefined ? mainIn(base) : [name, path.basename(name)].flatMap((one) => namedIn(base, one));
  const wanted = mayBeFolder ? ['file', 'folder'] : ['file'];
  const found = candidates.find((file) => wanted.includes(kindAt(file) ?? ''));
  if (found === undefined) reportMissing(part, folder);
  else return isFolder(found) ? filesIn(found, folder) : [found];
  return [];
}

/** For `main`, a file with a suffix comes first. */
function mainIn(base: string): readonly string[] {
  return [...SUFFIXES, ''].map((suffix) => path.join(base, `main${suffix}`));
}

function namedIn(base: string, name: string): readonly string[] {
  const inside = path.resolve(base, name);
  return inside.startsWith(base + path.sep) ? ['', ...SUFFIXES].map((suffix) => `${inside}${suffix}`) : [];
}

/** Excludes hidden files and backups, as in Ansible. */
function filesIn(folder: string, whose: RoleFolder, above: readonly string[] = []): readonly string[] {
  const here = realpathSync(folder);
  if (above.includes(here)) {
    whose.at.diagnostics.warn(linkLoopText(whose.files.show(folder)));
    return [];
  }
  const entries = namesIn(folder).filter((name) => !name.startsWith('.') && !name.endsWith('~'));
  return entries.flatMap((name) => {
    const file = path.join(folder, name);
    const suffix = path.extname(name);
    if (isFolder(file)) return suffix === '' ? filesIn(file, whose, [...above, here]) : [];
    return suffix === '' || SUFFIXES.includes(suffix) ? [file] : [];
  });
}

function reportMissing(part: RolePart, { role, named, places, at, files }: RoleFolder): void {
  const name = named[part];
  const base = path.join(role.path, part);
  const there = namesIn(base);
  if (name !== undefined) {
    const stems = there.map((file) => (SUFFIXES.includes(path.extname(file)) ? path.parse(file).name : file));
    const where = files.show(base);
    (places?.[part] ?? at).error(
      `role "${role.name}" has no file "${name}" (looked in ${where})`,
      didYouMean(path.basename(name), [...stems, ...there]),
    );
    return;
  }
  const meant = nearestName('main.yml', there);
  if (meant === undefined) return;
  at.diagnostics.warn(`${files.show(base)} has no main.yml, so nothing in it is used`, at.source, `rename "${meant}"`);
}

function isFolder(file: string): boolean {
  return kindAt(file) === 'folder';
}
