import type { Inventory } from '../../model/inventory/inventory.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Cursor } from '../cursor.js';
import type { Means } from '../means.js';
import { moduleDefaultsOf, NO_DEFAULTS } from '../steps/module_defaults.js';
import type { Modules } from '../steps/modules.js';
import { PlayParts } from './play_parts.js';
import type { Site } from '../site.js';
import { stepLoader } from '../steps/steps.js';
import type { TaskFiles } from '../steps/task_files.js';
import type { Folder } from './vars_files.js';

/** Where a play stands. */
export interface PlayPlace {
  readonly modules: Modules;
  readonly means: Means;
  readonly files: TaskFiles;
  readonly inventory: Inventory | undefined;
  readonly extraVars: readonly VariableLayer[];
  readonly rolesPath: readonly string[];
  readonly folder: Folder;
}

/** The site of the steps that stand in a play itself. `layers`: its variables. */
export function playSite(play: Cursor, place: PlayPlace, layers: readonly VariableLayer[]): Site {
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
