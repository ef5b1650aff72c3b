import path from 'node:path';
import { fileTypeAt, namesIn } from '../../core/files/paths.js';
import { didYouMean, nearestName } from '../../core/model/source/suggestion.js';
import type { Cursor } from '../document/cursor.js';
import { parentsIn, type PlayReader, type ReadContext, type RoleContext } from '../task/read_context.js';
import type { TaskFiles } from '../task/task_files.js';
import { filesBelow } from '../variables/group_vars.js';

type RolePart = 'tasks' | 'handlers' | 'defaults' | 'vars' | 'meta';

/** Names of files that replace `main`: `tasks_from`, `vars_from`, … */
export type FilesNamed = Readonly<Partial<Record<RolePart, string>>>;

/** The positions of those names. */
export type FilePositions = Readonly<Partial<Record<RolePart, Cursor>>>;

export const SUFFIXES = ['.yml', '.yaml', '.json'];

/** The role whose files are searched, and the step that needs them. */
export interface RoleFolder {
  readonly role: RoleContext;
  readonly named: FilesNamed;
  /** Absent: mistakes in the names are reported at the role's name. */
  readonly positions?: FilePositions | undefined;
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
    name === undefined
      ? [...SUFFIXES, ''].map((suffix) => path.join(base, `main${suffix}`))
      : [name, path.basename(name)].flatMap((one) => namedIn(base, one));
  const wanted = mayBeFolder ? ['file', 'folder'] : ['file'];
  const { sources } = folder.files;
  const found = candidates.find((file) => wanted.includes(sources.fileTypeAt(file) ?? ''));
  if (found === undefined) reportMissingPart(part, folder);
  else if (sources.fileTypeAt(found) === 'folder')
    return filesBelow(found, sources, folder.at.diagnostics, (one) => folder.files.show(one));
  return found === undefined ? [] : [found];
}

function namedIn(base: string, name: string): readonly string[] {
  const inside = path.resolve(base, name);
  return inside.startsWith(base + path.sep) ? ['', ...SUFFIXES].map((suffix) => `${inside}${suffix}`) : [];
}

function reportMissingPart(part: RolePart, { role, named, positions, at, files }: RoleFolder): void {
  const name = named[part];
  const base = path.join(role.path, part);
  const obstacle = files.sources.obstacle(base);
  if (obstacle !== undefined) return at.error(`cannot read ${files.show(base)}: ${obstacle}`);
  const there = namesIn(base);
  if (name !== undefined) {
    const stems = there.map((file) => (SUFFIXES.includes(path.extname(file)) ? path.parse(file).name : file));
    const where = files.show(base);
    return (positions?.[part] ?? at).error(
      `role "${role.name}" has no file "${name}" (looked in ${where})`,
      didYouMean(path.basename(name), [...stems, ...there]),
    );
  }
  const meant = nearestName('main.yml', there);
  if (meant === undefined) return;
  const hint = fileTypeAt(path.join(base, meant)) === 'folder' ? `"${meant}" is a folder` : `rename "${meant}"`;
  at.diagnostics.warn(`${files.show(base)} has no file main.yml, so nothing in it is used`, at.source, hint);
}

/** The roles that every project has. The folder is beside this file; in a build, beside its chunk. */
const SHIPPED = path.join(import.meta.dirname, 'shipped');

/**
 * The role of that name. Searches `roles` next to the playbook, `roles_path`, the folder of the role that asks for it,
 * the folder of the playbook, and the current one, as in Ansible; then the roles that ship with Evenkeel. A full name (`acme.lb.web`) is
 * searched in collections first; any other in those that `collections` names. Reports a missing role, and returns undefined.
 */
export function findRole(
  name: string,
  at: Cursor,
  context: ReadContext,
  parents = parentsIn(context),
): RoleContext | undefined {
  if (name.trim() === '')
    return at.error('the name of a role is empty', 'it comes from a template: give its variable a value');
  const folders = searched(context);
  const { sources, cwd } = context.reader.files;
  const candidates = folders.map((folder) => path.resolve(folder, sources.expandHome(name)));
  const shipped = sources.recall('shipped', 'roles', () => SHIPPED);
  const full = FULL_NAME.test(name) ? [name] : context.collections.map((one) => `${one}.${name}`);
  const inOne = full.flatMap((one) => inCollections(one, 'roles', context.reader).map((folder) => ({ folder, one })));
  const last = [path.resolve(cwd, name), path.join(shipped, name)];
  const found = [...inOne.map(({ folder }) => folder), ...candidates, ...last].find(
    (folder) => sources.fileTypeAt(folder) === 'folder',
  );
  if (found === undefined) {
    // The missing role may have the handler, so do not report its notifications.
    context.parts.mayAddHandlers = true;
    reportMissingRole(name, at, { folders, candidates }, context);
    return undefined;
  }
  const fullName = inOne.find(({ folder }) => folder === found)?.one;
  return { name: fullName ?? (/^[/.~]/.test(name) ? path.basename(found) : name), path: found, parents };
}

function searched({ reader, role }: ReadContext): readonly string[] {
  const playFolder = reader.folder.directory;
  const siblings = role === undefined ? [] : [path.dirname(role.path)];
  return [...new Set([path.join(playFolder, 'roles'), ...reader.rolesPath, ...siblings, playFolder])];
}

const FULL_NAME = /^(\w+)\.(\w+)\.(\w+)$/;

/**
 * The paths that `namespace.collection.name` may mean, as in Ansible; none for other names.
 *
 * @param part the folder of the collection: `roles`, `playbooks`
 */
export function inCollections(name: string, part: string, { folder, files, library }: PlayReader): readonly string[] {
  const [, namespace, collection, last] = FULL_NAME.exec(name) ?? [];
  if (namespace === undefined || collection === undefined || last === undefined) return [];
  // As they were when a plan was made.
  const known = files.sources.recall('collections', folder.directory, () => library?.table.plugins?.collections ?? []);
  const folders = [path.join(folder.directory, 'collections'), ...known];
  return folders.map((one) => path.join(one, 'ansible_collections', namespace, collection, part, last));
}

interface Looked {
  readonly folders: readonly string[];
  /** The path that the role would have in each of them. */
  readonly candidates: readonly string[];
}

function reportMissingRole(
  name: string,
  at: Cursor,
  { folders, candidates }: Looked,
  { reader: { files } }: ReadContext,
): void {
  const shown = folders.map((folder) => files.show(folder)).join(', ');
  const looked = path.isAbsolute(name) ? '' : ` (looked in ${shown})`;
  const known = [...folders.slice(0, -1), SHIPPED].flatMap((folder) =>
    namesIn(folder).filter((name) => fileTypeAt(path.join(folder, name)) === 'folder'),
  );
  const file = candidates.find((candidate) => fileTypeAt(candidate) === 'file');
  const hint =
    file === undefined
      ? (didYouMean(name, known) ?? hintFor(name))
      : `${files.show(file)} is a file; a role is a folder`;
  at.error(`there is no role "${name}"${looked}`, hint);
}

function hintFor(name: string): string | undefined {
  if (/^\w[\w-]*\.\w[\w-]*$/.test(name)) return `to install it, run: ansible-galaxy role install -p roles ${name}`;
  const [, namespace, collection] = FULL_NAME.exec(name) ?? [];
  if (namespace === undefined || collection === undefined)
    return path.isAbsolute(name) ? undefined : '"roles_path" in evenkeel.yml names more folders';
  return `to install its collection, run: ansible-galaxy collection install -p collections ${namespace}.${collection}`;
}
