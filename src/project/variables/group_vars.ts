import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyUnreadable } from '../../core/files/file_error.js';
import { Diagnostics, type Diagnostic } from '../../core/model/source/diagnostic.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import { ProjectSources } from '../document/project_sources.js';
import { enterFolder, type FileReading } from '../document/read_file_text.js';
import { readVariables } from './variables_file.js';

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
  reading: FileReading,
  wanted?: { readonly groups: WantedNames; readonly controllers: WantedNames; readonly later: boolean },
  shown = directory,
): Promise<GroupVars> {
  const place = { path: directory, shown };
  const isFinal = wanted?.later === false;
  const groups = { wanted: wanted?.groups, later: isFinal ? undefined : 'plain' } as const;
  const controllers = { wanted: wanted?.controllers, later: isFinal ? undefined : 'dotted' } as const;
  return {
    groups: await loadVars('group_vars', { ...place, names: groups }, origin, reading),
    controllers: await loadVars('host_vars', { ...place, names: controllers }, origin, reading),
  };
}

/** Reads only one of the two folders. */
export function loadVars(
  folder: 'group_vars' | 'host_vars',
  { path: directory, shown, names }: VariableFolder,
  origin: GroupVarsOrigin,
  reading: FileReading,
): Promise<Map<string, VariableLayer[]>> {
  const variables = { path: path.join(directory, folder), shown: path.join(shown, folder), names };
  return readFolder(variables, levelIn(origin, folder), reading);
}

type LevelOf = (name: string) => VariableLevel;

function levelIn(origin: GroupVarsOrigin, folder: 'group_vars' | 'host_vars'): LevelOf {
  if (folder === 'host_vars') return () => `${origin} host_vars/*`;
  return (name) => (name === 'all' ? `${origin} group_vars/all` : `${origin} group_vars/*`);
}

async function readFolder(
  folder: VariableFolder,
  level: LevelOf,
  reading: FileReading,
): Promise<Map<string, VariableLayer[]>> {
  const { diagnostics, sources = new ProjectSources() } = reading;
  const { names, problem } = await sources.recallAsync('entries', folder.path, () => entriesIn(folder));
  if (problem !== undefined) diagnostics.add([problem]);
  const files = pickFiles(names, folder, sources, diagnostics);
  const layers = await readVariableLayers(
    files.map(({ name, ...file }) => ({ ...file, level: level(name) })),
    reading,
  );
  const found = new Map<string, VariableLayer[]>();
  for (const [index, { name }] of files.entries()) {
    const layer = layers[index];
    if (layer !== undefined) found.set(name, [...(found.get(name) ?? []), layer]);
  }
  return found;
}

async function entriesIn({
  path: folder,
  shown,
}: VariableFolder): Promise<{ readonly names: readonly string[]; readonly problem?: Diagnostic }> {
  try {
    return { names: (await readdir(folder)).sort() };
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return { names: [] };
    const message = isFileError(error, 'ENOTDIR')
      ? `${shown} is ignored: it is not a folder`
      : `cannot read ${shown}: ${whyUnreadable(error)}`;
    return { names: [], problem: { severity: isFileError(error, 'ENOTDIR') ? 'warning' : 'error', message } };
  }
}

/** Maximum number of files read at the same time. */
const AT_ONCE = 64;

interface LayerFile {
  readonly path: string;
  /** Its name in messages. */
  readonly shown: string;
  readonly level: VariableLevel;
}

/** Reads variable files in the given order. Returns a layer for each file, or undefined for an invalid file. */
async function readVariableLayers(
  files: readonly LayerFile[],
  reading: FileReading,
): Promise<readonly (VariableLayer | undefined)[]> {
  const layers: (VariableLayer | undefined)[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    // Each file has its own diagnostics, so that they stay in the order of the files.
    const some = files.slice(at, at + AT_ONCE).map((file) => ({ ...file, found: new Diagnostics() }));
    layers.push(
      ...(await Promise.all(
        some.map((one) => readVariables(one.path, one.level, { ...reading, diagnostics: one.found }, one.shown)),
      )),
    );
    for (const { found } of some) reading.diagnostics.add(found.list);
  }
  return layers;
}

/** In Ansible's search order. Only the first file that exists is read. */
const SUFFIXES = ['', '.yml', '.yaml', '.json'];

/** Hidden files, backups, documentation and files about another file (`lb1.yml.license`), which are not variable files. */
const NO_VARIABLES = /^\.|~$|\.(?:md|rst|txt|bak|orig|swp|retry|license)$|\.(?:ya?ml|json)\./;

/** The names of groups or controllers that exist. */
export interface WantedNames {
  has(name: string): boolean;
}

/** Which files of a folder are variable files: `NAME`, or `NAME` with a suffix, of a name that exists. */
interface Names {
  /** Undefined: not known. */
  readonly wanted?: WantedNames | undefined;
  /** How the names may look that a task adds during the run; undefined if none is. `dotted`: like `lb1.example.com`. */
  readonly later?: 'dotted' | 'plain' | undefined;
}

interface VariableFile {
  /** The group or controller whose variables the file has. */
  readonly name: string;
  readonly path: string;
  readonly shown: string;
}

/** A `group_vars` or `host_vars` folder. */
interface VariableFolder {
  readonly path: string;
  readonly shown: string;
  readonly names: Names;
}

/** Picks the variable files from the sorted entries of a `group_vars` or `host_vars` folder. Later files of a name are stronger. */
function pickFiles(
  entries: readonly string[],
  folder: VariableFolder,
  sources: ProjectSources,
  diagnostics: Diagnostics,
): readonly VariableFile[] {
  const candidates = new Map<string, string[]>();
  for (const file of entries) {
    for (const name of variableFileNames(file, folder.names))
      candidates.set(name, [...(candidates.get(name) ?? []), file]);
  }
  const picked: VariableFile[] = [];
  for (const [name, files] of candidates) {
    const [first, ...others] = files.toSorted((a, b) => rank(a, name) - rank(b, name));
    for (const other of others) {
      const hint = first === name ? `move it to ${path.join(folder.shown, name)}/` : undefined;
      diagnostics.warn(
        `${path.join(folder.shown, other)} is ignored, because ${path.join(folder.shown, first ?? name)} exists, too`,
        undefined,
        hint,
      );
    }
    const file = path.join(folder.path, first ?? name);
    const shown = (inside: string): string => path.join(folder.shown, path.relative(folder.path, inside));
    const found = sources.fileTypeAt(file) === 'folder' ? filesBelow(file, sources, diagnostics, shown) : [file];
    picked.push(...found.map((one) => ({ name, path: one, shown: shown(one) })));
  }
  return picked;
}

/** `lb1.yml` is for `lb1`, and for a controller named `lb1.yml` if there is one. */
function variableFileNames(file: string, { wanted, later }: Names): readonly string[] {
  const { name, ext } = path.parse(file);
  const hasSuffix = SUFFIXES.includes(ext);
  const bare = hasSuffix ? name : file;
  const known = [...new Set([bare, file])].filter((one) => wanted?.has(one));
  if (known.length > 0 || later === undefined || NO_VARIABLES.test(file)) return known;
  return hasSuffix || later === 'dotted' ? [bare] : [];
}

function rank(file: string, name: string): number {
  return SUFFIXES.indexOf(file.slice(name.length));
}

/**
 * The variable files of a folder and the folders below it, sorted. Excludes hidden files and backups, as in Ansible.
 *
 * @param shown a folder in messages
 * @param above the folders that contain it, with links resolved
 */
export function filesBelow(
  folder: string,
  sources: ProjectSources,
  diagnostics: Diagnostics,
  shown: (folder: string) => string,
  above: readonly string[] = [],
): readonly string[] {
  const { names = [], around } = enterFolder(folder, above, sources, diagnostics, shown(folder)) ?? {};
  const visible = names.filter((name) => !/^\.|~$/.test(name));
  return visible.flatMap((name) => {
    const file = path.join(folder, name);
    const suffix = path.extname(name);
    if (sources.fileTypeAt(file) !== 'folder') return SUFFIXES.includes(suffix) ? [file] : [];
    return suffix === '' ? filesBelow(file, sources, diagnostics, shown, around) : [];
  });
}
