import path from 'node:path';
import { NOTHING_INHERITED } from '../../model/playbook/made_play.js';
import { isList } from '../../model/values/value.js';
import { Modules } from '../keywords/modules.js';
import { TaskFiles } from '../task/task_files.js';
import { inFile } from '../task/read_context.js';
import type { PlaybookOptions } from './playbook.js';
import { playContext } from './play_context.js';

/** Absolute: a file of tasks or handlers that no playbook names, and the role it is in. */
interface TaskFile {
  readonly path: string;
  readonly shown: string;
  readonly role: string | undefined;
}

/** Checks files as if a play in the folder included them. Mistakes go to the diagnostics. */
export async function checkTaskFiles(loose: readonly TaskFile[], options: PlaybookOptions): Promise<void> {
  const { cwd, catalogue, library, vault, onRead, rolesPath = [], diagnostics } = options;
  const means = { library, vault, onRead };
  const files = new TaskFiles(cwd, means);
  const modules = new Modules(catalogue);
  const folder = { directory: cwd, shown: '.' };
  for (const { path: file, shown, role } of loose) {
    files.allow('play');
    files.name(file, shown);
    const cursor = await files.read(file, diagnostics);
    if (cursor === undefined || !isList(cursor.value)) continue;
    const place = { modules, means, files, inventory: undefined, extraVars: [], rolesPath, folder };
    const play = playContext(cursor, place, []);
    const own =
      role === undefined ? {} : { role: { name: path.basename(role), path: role, parents: [] }, roleFolders: [role] };
    const site = inFile({ ...play, ...own }, file);
    const isHandlers = path.basename(path.dirname(file)) === 'handlers';
    if (isHandlers) await site.load.handlers(cursor, site, NOTHING_INHERITED);
    else await site.load.steps(cursor, site, NOTHING_INHERITED);
  }
}
