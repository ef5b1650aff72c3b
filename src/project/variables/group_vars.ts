import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyUnreadable } from '../../core/files/file_error.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Level, VariableLayer } from '../../core/model/values/variables.js';
import type { FileServices } from '../document/file_services.js';
import { pickFiles, type Folder, type Wanted } from './group_vars_files.js';
import { readVariables } from './variables_file.js';

export type { Wanted } from './group_vars_files.js';

export interface GroupVars {
  /** By group. */
  readonly groups: Map<string, VariableLayer[]>;
  readonly controllers: Map<string, VariableLayer[]>;
}

/** Where `group_vars` is: beside the inventory or beside the playbook, whose variables are stronger. */
type GroupVarsOrigin = 'inventory' | 'playbook';

/**
 * Reads `group_vars` and `host_vars` of a folder. Without these folders, both maps are empty. The variables of `NAME`
 * are in `NAME.yml`, `NAME.yaml`, `NAME.json` or `NAME`, or in a folder `NAME` of such files. The files of a folder are
 * read in sorted order; later ones are stronger.
 *
 * @param wanted the groups and controllers that exist; files for other names are read only if a task may add them later.
 * Absent: not known
 * @param shown the name of the folder in messages
 */
export async function loadGroupVars(
  directory: string,
  origin: GroupVarsOrigin,
  diagnostics: Diagnostics,
  wanted?: { readonly groups: Wanted; readonly controllers: Wanted; readonly later: boolean },
  shown = directory,
  services?: FileServices,
): Promise<GroupVars> {
  const place = { path: directory, shown };
  const isFinal = wanted?.later === false;
  const groups = { wanted: wanted?.groups, later: isFinal ? undefined : 'plain' } as const;
  const controllers = { wanted: wanted?.controllers, later: isFinal ? undefined : 'dotted' } as const;
  return {
    groups: await loadVars('group_vars', { ...place, names: groups }, origin, diagnostics, services),
    controllers: await loadVars('host_vars', { ...place, names: controllers }, origin, diagnostics, services),
  };
}

/** Reads only one of the two folders. */
export function loadVars(
  folder: 'group_vars' | 'host_vars',
  { path: directory, shown, names }: Folder,
  origin: GroupVarsOrigin,
  diagnostics: Diagnostics,
  services: FileServices | undefined,
): Promise<Map<string, VariableLayer[]>> {
  return readFolder(
    { path: path.join(directory, folder), shown: path.join(shown, folder), names },
    levelIn(origin, folder),
    diagnostics,
    services,
  );
}

type LevelOf = (name: string) => Level;

function levelIn(origin: GroupVarsOrigin, folder: 'group_vars' | 'host_vars'): LevelOf {
  if (folder === 'host_vars') return () => `${origin} host_vars/*`;
  return (name) => (name === 'all' ? `${origin} group_vars/all` : `${origin} group_vars/*`);
}

async function readFolder(
  folder: Folder,
  level: LevelOf,
  diagnostics: Diagnostics,
  services: FileServices | undefined,
): Promise<Map<string, VariableLayer[]>> {
  const entries = await list(folder, diagnostics);
  const files = await pickFiles(entries, folder, diagnostics);
  const layers = await readVariableLayers(
    files.map(({ name, ...file }) => ({ ...file, level: level(name) })),
    diagnostics,
    services,
  );
  const found = new Map<string, VariableLayer[]>();
  for (const [index, { name }] of files.entries()) {
    const layer = layers[index];
    if (layer !== undefined) found.set(name, [...(found.get(name) ?? []), layer]);
  }
  return found;
}

async function list(folder: Folder, diagnostics: Diagnostics): Promise<readonly string[]> {
  try {
    return (await readdir(folder.path)).sort();
  } catch (error) {
    if (isFileError(error, 'ENOTDIR')) diagnostics.warn(`${folder.shown} is ignored: it is not a folder`);
    else if (!isFileError(error, 'ENOENT')) diagnostics.error(`cannot read ${folder.shown}: ${whyUnreadable(error)}`);
    return [];
  }
}

/** Maximum number of files read at the same time. */
const AT_ONCE = 64;

interface LayerFile {
  readonly path: string;
  /** Its name in messages. */
  readonly shown: string;
  readonly level: Level;
}

/** Reads variable files in the given order. Returns a layer for each file, or undefined for an invalid file. */
async function readVariableLayers(
  files: readonly LayerFile[],
  diagnostics: Diagnostics,
  services?: FileServices,
): Promise<readonly (VariableLayer | undefined)[]> {
  const layers: (VariableLayer | undefined)[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    // Each file has its own diagnostics, so that they stay in the order of the files.
    const some = files.slice(at, at + AT_ONCE).map((file) => ({ ...file, found: new Diagnostics() }));
    layers.push(
      ...(await Promise.all(some.map((one) => readVariables(one.path, one.level, one.found, one.shown, services)))),
    );
    for (const { found } of some) diagnostics.add(found.list);
  }
  return layers;
}
