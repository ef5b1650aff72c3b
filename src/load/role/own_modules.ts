import path from 'node:path';
import type { Cursor } from '../cursor.js';
import { kindAt, namesIn } from '../on_disk.js';
import type { RoleSite, Site } from '../site.js';

/** Makes the modules of a role known: to its own tasks, and to all that are loaded after them, as in Ansible. */
export function addOwnModules(role: RoleSite, at: Cursor, { modules, files }: Site): void {
  const folder = path.join(role.path, 'modules');
  for (const { file, by } of kindAt(folder) === 'folder' ? modules.add(folder) : []) {
    const other = by === undefined ? 'a built-in module' : files.show(by);
    at.error(`${files.show(file)} has the name of ${other}`, 'give it another name');
  }
  const library = path.join(role.path, 'library');
  if (!namesIn(library).some((name) => name.endsWith('.py'))) return;
  const message = `${files.show(library)} holds modules for Ansible, which are not read`;
  at.diagnostics.warn(message, at.source, `modules in TypeScript go into ${files.show(folder)}`);
}
