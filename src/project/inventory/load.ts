import path from 'node:path';
import { HOW_TO_TRUST, type Trust } from '../../core/files/trust.js';
import type { Inventory } from '../../core/model/inventory/inventory.js';
import {
  at,
  atUnlessOption,
  type Diagnostic,
  Diagnostics,
  NO_EXEC,
  type Source,
} from '../../core/model/source/diagnostic.js';
import { jsonText, type Mapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { mayExecute } from '../../core/programs/programs.js';
import { maskDiagnostics } from '../../core/secrets/mask_source.js';
import { ProjectSources } from '../document/project_sources.js';
import { enterFolder, type FileServices } from '../document/read_file_text.js';
import { loadAddedVars, loadGroupVars, type GroupVars } from '../variables/group_vars.js';
import { parseYaml } from '../yaml/parse_yaml.js';
import { assembleInventory, reconcile } from './assemble.js';
import { InventoryBuilder, type InventoryOrigin } from './builder.js';
import type { PluginServices } from './plugin.js';
import type { ConfigFileValues } from './plugin_cache.js';
import { expandNames } from './range.js';
import { addFile, addParsed } from './read_file.js';
import { classifySource, sourcesIn } from './source.js';

/** A file, folder, program or list of names (`-i`), or the content of a YAML inventory as an object. */
export type InventorySource = string | Mapping;

export interface LoadInventoryOptions extends FileServices {
  /** The base of relative sources, and the working directory of executables. */
  readonly cwd: string;
  readonly diagnostics: Diagnostics;
  /** The environment of executables. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Decides which executables may run. Absent: all of them. */
  readonly trust?: Trust;
  /** Where the output of inventory plugins is kept. Absent: where their files say, or not at all. */
  readonly stateDirectory?: string | undefined;
  readonly ansible?: { readonly values: ConfigFileValues } | undefined;
  /** For constructed inventories that use them. */
  readonly extraVars?: readonly VariableLayer[] | undefined;
  /** The origin of the sources: a place in a file, an option, or an environment variable. */
  readonly place?: Source | string | undefined;
}

/**
 * Reads inventory sources (`-i`): YAML, INI, TOML or JSON files, executables, folders of them, lists such as `a,b,`;
 * and the `group_vars` and `host_vars` next to them. Later sources are stronger. Reports all mistakes to the
 * diagnostics, with their positions, and returns everything valid. Does not render templates.
 */
export async function loadInventory(
  sources: readonly InventorySource[],
  options: LoadInventoryOptions,
): Promise<Inventory> {
  const found = new Diagnostics();
  const builder = new InventoryBuilder(found, options);
  const folders = new Map<string, string>();
  for (const source of sources) {
    if (typeof source !== 'string') {
      await addObject(source, builder, { ...options, folders });
      continue;
    }
    const adjacent = await addSource(source, builder, { ...options, folders });
    if (adjacent === undefined) continue;
    // If a folder occurs again, its last position counts.
    folders.delete(adjacent.path);
    folders.set(adjacent.path, adjacent.shown);
  }
  reconcile(builder);
  const inventory = assembleInventory(builder, await readAdjacent(folders, builder, found));
  const list = found.list.map(withoutObjectPlace);
  const { diagnostics, vault } = options;
  diagnostics.add(vault === undefined ? list : maskDiagnostics(list, (text) => vault.mask(text)));
  const partial =
    sources.length === 0 || found.list.some(({ severity, rule }) => severity === 'error' || rule === NO_EXEC);
  return { ...inventory, partial, readAdjacent: laterReader(folders, builder.services) };
}

/** The name of an inventory without a file, in messages and variables. */
export const INVENTORY_OBJECT = 'inventory object';

/** Parses it as JSON, so that encrypted and unsafe values have the same meaning as in files. */
async function addObject(groups: Mapping, builder: InventoryBuilder, options: SourceOptions): Promise<void> {
  const parsed = parseYaml(jsonText(groups), INVENTORY_OBJECT, builder.diagnostics, builder.services.vault);
  const origin = { shown: INVENTORY_OBJECT, file: INVENTORY_OBJECT, directory: undefined };
  if (parsed !== undefined) await addParsed(parsed, origin, builder, pluginServices(builder, options, true));
}

/** Lines and columns of an object would mean nothing to the user. */
function withoutObjectPlace(diagnostic: Diagnostic): Diagnostic {
  const { message, source } = diagnostic;
  if (source?.file !== INVENTORY_OBJECT) return diagnostic;
  return { ...diagnostic, message: `${INVENTORY_OBJECT}: ${message}`, source: undefined };
}

interface SourceOptions extends LoadInventoryOptions {
  /** The folders beside the sources so far, each with its name for messages. */
  readonly folders: ReadonlyMap<string, string>;
}

/**
 * Returns the folder that may contain `group_vars`.
 *
 * @param above the folders that contain it, with links resolved
 */
async function addSource(
  source: string,
  builder: InventoryBuilder,
  options: SourceOptions,
  above: readonly string[] = [],
): Promise<{ readonly path: string; readonly shown: string } | undefined> {
  const { sources = new ProjectSources() } = options;
  const kind = await sources.recallAsync('source', source, () => classifySource(source, options.cwd));
  switch (kind.type) {
    case 'problem':
      return builder.diagnostics.add([
        { severity: 'error', ...atUnlessOption(options.place, kind.message), hint: kind.hint },
      ]);
    case 'names':
      addNames(kind.names, { shown: source, file: source, directory: undefined }, builder);
      return undefined;
    case 'folder': {
      const entered = enterFolder(kind.path, above, sources, builder.diagnostics, source);
      if (entered === undefined) return undefined;
      for (const name of sourcesIn(entered.names, source, builder.diagnostics))
        await addSource(path.join(source, name), builder, options, entered.around);
      return { path: kind.path, shown: source };
    }
    case 'file':
    case 'executable': {
      const directory = path.dirname(kind.path);
      const origin = { shown: source, file: kind.path, directory };
      const isSource = above.length === 0;
      if (kind.type === 'file') await addFile(origin, builder, pluginServices(builder, options, isSource));
      else if (mayRun('is a program', origin, isSource, builder, options)) {
        const { cwd, env = process.env } = options;
        const { addExecutable } = await import('./executable.js');
        await addExecutable({ shown: source, file: kind.path, args: [], cwd, env }, origin, builder);
      }
      return { path: directory, shown: path.dirname(source) };
    }
  }
}

/** Whether a program may run for a source. Reports why not. */
function mayRun(
  what: string,
  { shown, file }: InventoryOrigin,
  isSource: boolean,
  { diagnostics }: InventoryBuilder,
  options: LoadInventoryOptions,
): boolean {
  const { sources = new ProjectSources(), env = process.env, place } = options;
  if (!sources.recall('run', file, () => mayExecute(env))) {
    const message = `the inventory ${shown} ${what}, which --no-exec does not run: its controllers are unknown`;
    diagnostics.add([{ severity: 'warning', rule: NO_EXEC, ...at(place, message) }]);
    return false;
  }
  const refusal = sources.recall('refusal', file, () => whyNotRun(file, options, isSource));
  if (refusal !== undefined)
    diagnostics.error(`the inventory ${shown} is not run: ${refusal}`, undefined, HOW_TO_TRUST);
  return refusal === undefined;
}

function pluginServices(builder: InventoryBuilder, options: SourceOptions, isSource: boolean): PluginServices {
  const { env = process.env, extraVars = [] } = options;
  return {
    extraVars,
    // What is wrong in these files is reported when all sources are read.
    readAdjacent: () => readAdjacent(options.folders, builder, new Diagnostics()),
    settings: { ...options, env },
    mayRun: (what, origin) => mayRun(what, origin, isSource, builder, options),
  };
}

/** The user who names a program knows its folder; a project file may name one that others can replace. */
function whyNotRun(file: string, { trust, place }: LoadInventoryOptions, isSource: boolean): string | undefined {
  return isSource && typeof place !== 'object' ? trust?.foreign(file) : trust?.refusal(file);
}

/** Adds only names that are not in another source. */
function addNames(names: readonly string[], origin: InventoryOrigin, builder: InventoryBuilder): void {
  for (const text of names) {
    const expansion = expandNames(text);
    if (expansion.type === 'problem')
      builder.diagnostics.error(`-i ${origin.shown}: ${expansion.message}`, undefined, expansion.hint);
    else {
      for (const name of expansion.names) {
        if (!builder.controllers.has(name))
          builder.addController(name, 'ungrouped', origin, () => undefined, expansion.port);
      }
    }
  }
}

async function readAdjacent(
  folders: ReadonlyMap<string, string>,
  builder: InventoryBuilder,
  diagnostics: Diagnostics,
): Promise<readonly GroupVars[]> {
  const read: GroupVars[] = [];
  for (const [folder, shown] of folders)
    read.push(await loadGroupVars(folder, 'inventory', { ...builder.services, diagnostics }, builder, shown));
  return read;
}

/**
 * Reads `group_vars` and `host_vars` of names that are added during the run.
 *
 * @param folders to search, in the order of the sources, each with its name for messages
 */
function laterReader(
  folders: ReadonlyMap<string, string>,
  services: FileServices,
): NonNullable<Inventory['readAdjacent']> {
  return async (kind, name) => {
    const found = [];
    for (const [directory, shown] of folders)
      found.push(...(await loadAddedVars(kind, name, { path: directory, shown }, 'inventory', services)));
    return found;
  };
}
