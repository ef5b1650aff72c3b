import path from 'node:path';
import type { Inventory } from '../../model/inventory/inventory.js';
import type { Handler, Step } from '../../model/playbook/step.js';
import type { VariableLayer } from '../../model/values/variables.js';
import type { Cursor } from '../document/cursor.js';
import type { Inherited } from '../keywords/inherited.js';
import type { FileServices } from '../document/file_services.js';
import type { ModuleDefaults } from '../keywords/module_defaults.js';
import type { Modules } from '../keywords/modules.js';
import type { PlayParts } from './play_parts.js';
import type { TaskFiles } from './task_files.js';

/** Where steps stand, and what the names in them mean. */
export interface ReadContext {
  /** Those of the role included. */
  readonly modules: Modules;
  readonly means: FileServices;
  readonly moduleDefaults: ModuleDefaults;
  /** The role that the steps belong to. */
  readonly role: RoleContext | undefined;
  /** Absolute: the folder of that role, then of the roles that depend on it. */
  readonly roleFolders: readonly string[];
  /** Absolute: the folder of the file that the steps stand in. */
  readonly fileFolder: string;
  /** Absolute: the folder of the playbook that the play stands in. */
  readonly playFolder: string;
  /** Folders of the includes and imports around, as their names were written, innermost first; a role begins anew. */
  readonly includes: readonly string[];
  /** Absolute: the task files that are being read, outermost first. */
  readonly chain: readonly string[];
  /** How many of `chain` stand before the innermost include: imports may come back to those, an include has a condition. */
  readonly beforeInclude: number;
  /** Whether an include around brings the steps during the run. */
  readonly isIncluded: boolean;
  readonly files: TaskFiles;
  /** Variables that are known before the run: those of the play, of its static roles, of `-e`. */
  readonly known: readonly VariableLayer[];
  readonly inventory: Inventory | undefined;
  /** Absolute: where roles are looked for, beside the `roles` folder of the play. */
  readonly rolesPath: readonly string[];
  /** What steps bring to the whole play beside themselves, such as the handlers of imported roles. */
  readonly play: PlayParts;
  /** Loads what stands inside a step: the loaders of steps do not know each other. */
  readonly load: StepLoader;
}

export interface RoleContext {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** The roles whose tasks include or import it, nearest first. */
  readonly parents: readonly RoleContext[];
}

export interface StepLoader {
  /** A list of tasks, blocks, includes, imports and metas; nothing if there is none. */
  steps(cursor: Cursor | undefined, site: ReadContext, inherited: Inherited): Promise<readonly Step[]>;
  handlers(cursor: Cursor | undefined, site: ReadContext, inherited: Inherited): Promise<readonly Handler[]>;
}

/** The site of the steps in a file; `written`: its name in the include or import. */
export function inFile(site: ReadContext, file: string, written = path.basename(file)): ReadContext {
  return {
    ...site,
    fileFolder: path.dirname(file),
    includes: [path.dirname(written), ...site.includes],
    chain: [...site.chain, file],
  };
}

/** The site of what an include brings. */
export function inInclude(site: ReadContext, play: PlayParts): ReadContext {
  return { ...site, play, beforeInclude: site.chain.length, isIncluded: true };
}

/** The way round, as messages call the files, if an import of this file closes a circle. */
export function importCircle(file: string, { chain, beforeInclude, files }: ReadContext): string | undefined {
  const start = chain.indexOf(file, beforeInclude);
  if (start < 0) return undefined;
  return [...chain.slice(start), file].map((one) => files.show(one)).join(' → ');
}

/** Where relative names are looked for, nearest first: Ansible's `ansible_search_path`. */
function searchPath({ roleFolders, fileFolder, playFolder }: ReadContext): readonly string[] {
  return [...new Set([...roleFolders, fileFolder, playFolder])];
}

const layers = new WeakMap<ReadContext, VariableLayer>();

/** The variables that say where a step stands; each step carries them. */
export function searchPathLayer(site: ReadContext): VariableLayer {
  const known = layers.get(site);
  if (known !== undefined) return known;
  const values = { ansible_search_path: searchPath(site) };
  const layer: VariableLayer = { level: 'magic', values, origin: 'magic variables', literal: true };
  layers.set(site, layer);
  return layer;
}
