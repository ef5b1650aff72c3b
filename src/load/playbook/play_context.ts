import type { Inventory } from '../../model/inventory/inventory.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Cursor } from '../document/cursor.js';
import type { FileServices } from '../document/file_services.js';
import { moduleDefaultsOf, NO_DEFAULTS } from '../keywords/module_defaults.js';
import type { Modules } from '../keywords/modules.js';
import { PlayParts } from '../task/play_parts.js';
import type { ReadContext } from '../task/read_context.js';
import { stepLoader } from '../steps/steps.js';
import type { TaskFiles } from '../task/task_files.js';
import type { Folder } from './vars_files.js';

/** Where a play stands. */
export interface PlayInputs {
  readonly modules: Modules;
  readonly means: FileServices;
  readonly files: TaskFiles;
  readonly inventory: Inventory | undefined;
  readonly extraVars: readonly VariableLayer[];
  readonly rolesPath: readonly string[];
  readonly folder: Folder;
}

/** The site of the steps that stand in a play itself. `layers`: its variables. */
export function playContext(play: Cursor, place: PlayInputs, layers: readonly VariableLayer[]): ReadContext {
  const { modules, means, files, inventory, rolesPath, extraVars, folder } = place;
  return {
    modules,
    means,
    files,
    inventory,
    rolesPath,
    moduleDefaults: moduleDefaultsOf(play.get('module_defaults'), NO_DEFAULTS, modules),
    role: undefined,
    roleFolders: [],
    fileFolder: folder.directory,
    playFolder: folder.directory,
    includes: [],
    chain: [],
    beforeInclude: 0,
    isIncluded: false,
    known: [...layers, ...extraVars, beforeRun(folder)],
    play: new PlayParts(),
    load: stepLoader,
  };
}

/** The magic variables that are known before the run. */
function beforeRun({ directory }: Folder): VariableLayer {
  return { level: 'magic', values: { playbook_dir: directory }, origin: 'magic variables', literal: true };
}
