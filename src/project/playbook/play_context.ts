import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Cursor } from '../document/cursor.js';
import { NO_DEFAULTS, readModuleDefaults } from '../keywords/modules.js';
import { stepLoader } from '../steps/steps.js';
import { PlayParts, type Folder, type PlayReader, type ReadContext } from '../task/read_context.js';

/** Creates the reader for steps of every type. */
export function playReader(inputs: Omit<PlayReader, 'load'>): PlayReader {
  return { ...inputs, load: stepLoader };
}

/** The context of the play's own steps. `known`: the variables of the play and of `-e`. */
export function playContext(play: Cursor, reader: PlayReader, known: readonly VariableLayer[]): ReadContext {
  const { modules, folder } = reader;
  return {
    reader,
    file: { folder: folder.directory, includes: [], chain: [], beforeInclude: 0, isIncluded: false },
    role: undefined,
    roleFolders: [],
    moduleDefaults: readModuleDefaults(play, NO_DEFAULTS, modules),
    known: [...known, beforeRun(folder)],
    parts: new PlayParts(),
  };
}

/** The magic variables that are known before the run. */
function beforeRun({ directory }: Folder): VariableLayer {
  return { level: 'magic', values: { playbook_dir: directory }, origin: 'magic variables', literal: true };
}
