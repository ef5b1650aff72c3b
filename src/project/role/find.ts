import { homedir } from 'node:os';
import path from 'node:path';
import { kindAt, namesIn } from '../../core/files/entries.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { Cursor } from '../document/cursor.js';
import type { ReadContext, RoleContext } from '../task/read_context.js';

/**
 * The role of that name. Searches `roles` next to the playbook, `roles_path`, the folder of the role that asks for it,
 * and the folder of the playbook, as in Ansible. Reports a missing role, and returns undefined.
 */
export function findRole(
  name: string,
  at: Cursor,
  context: ReadContext,
  parents: readonly RoleContext[],
): RoleContext | undefined {
  const folders = searched(context);
  const candidates = folders.map((folder) => path.resolve(folder, expanded(name)));
  const found = candidates.find(isFolder);
  if (found === undefined) {
    // The missing role may have the handler, so do not report its notifications.
    context.parts.mayAddHandlers = true;
    reportMissing(name, at, { folders, candidates }, context);
    return undefined;
  }
  return { name: /^[/.~]/.test(name) ? path.basename(found) : name, path: found, parents };
}

function searched({ reader, role }: ReadContext): readonly string[] {
  const playFolder = reader.folder.directory;
  const siblings = role === undefined ? [] : [path.dirname(role.path)];
  return [...new Set([path.join(playFolder, 'roles'), ...reader.rolesPath, ...siblings, playFolder])];
}

function expanded(name: string): string {
  return name.replace(/^~(?=$|\/)/, homedir());
}

interface Looked {
  readonly folders: readonly string[];
  /** The path that the role would have in each of them. */
  readonly candidates: readonly string[];
}

function reportMissing(
  name: string,
  at: Cursor,
  { folders, candidates }: Looked,
  { reader: { files } }: ReadContext,
): void {
  const shown = folders.map((folder) => files.show(folder)).join(', ');
  const looked = path.isAbsolute(name) ? '' : ` (looked in ${shown})`;
  const known = folders.slice(0, -1).flatMap(rolesIn);
  const file = candidates.find((candidate) => kindAt(candidate) === 'file');
  const hint =
    file === undefined
      ? (didYouMean(name, known) ?? hintFor(name))
      : `${files.show(file)} is a file; a role is a folder`;
  at.error(`there is no role "${name}"${looked}`, hint);
}

function hintFor(name: string): string | undefined {
  if (/^\w[\w-]*\.\w[\w-]*$/.test(name)) return `to install it, run: ansible-galaxy role install -p roles ${name}`;
  if (!/^\w+\.\w+\.\w+$/.test(name)) return undefined;
  return 'collections are not supported: copy the role into the folder "roles", and use its short name';
}

function rolesIn(folder: string): readonly string[] {
  return namesIn(folder).filter((name) => isFolder(path.join(folder, name)));
}

function isFolder(folder: string): boolean {
  return kindAt(folder) === 'folder';
}
