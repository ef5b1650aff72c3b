import path from 'node:path';
import { NOTHING_INHERITED } from '../../core/model/playbook/generated_play.js';
import { isList } from '../../core/model/values/value.js';
import { Modules } from '../keywords/modules.js';
import { inFile } from '../task/read_context.js';
import { TaskFiles } from '../task/task_files.js';
import { playContext, playReader } from './play.js';
import type { PlaybookOptions } from './playbook.js';

/** Absolute: a file of tasks or handlers that no playbook names, and its role. */
interface TaskFile {
  readonly path: string;
  readonly shown: string;
  readonly role: string | undefined;
}

/** Checks files as if a play in the folder included them. Reports mistakes to the diagnostics. */
export async function checkTaskFiles(loose: readonly TaskFile[], options: PlaybookOptions): Promise<void> {
  const { cwd, catalogue, library, rolesPath = [], diagnostics } = options;
  const files = new TaskFiles(cwd, options);
  const modules = new Modules(catalogue, library?.table.plugins);
  const reader = playReader({ modules, files, library, rolesPath, folder: { directory: cwd, shown: '.' } });
  for (const { path: file, shown, role } of loose) {
    files.allow('play');
    files.name(file, shown);
    const cursor = await files.read(file, diagnostics);
    if (cursor === undefined || !isList(cursor.value)) continue;
    const play = playContext(cursor, reader, []);
    const own =
      role === undefined ? {} : { role: { name: path.basename(role), path: role, parents: [] }, roleFolders: [role] };
    const context = inFile({ ...play, ...own }, file);
    const kind = path.basename(path.dirname(file)) === 'handlers' ? 'handlers' : 'tasks';
    await reader.load[kind](cursor, context, NOTHING_INHERITED);
  }
}
