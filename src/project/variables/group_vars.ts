import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyUnreadable } from '../../core/files/paths.js';
import { LOCALHOST_NAMES, type VariablesKind } from '../../core/model/inventory/inventory.js';
import { Diagnostics, LoadError, type Diagnostic } from '../../core/model/source/diagnostic.js';
import type { VariableLayer, VariableLevel } from '../../core/model/values/variables.js';
import { ProjectSources } from '../document/project_sources.js';
import { enterFolder, type FileReading, type FileServices } from '../document/read_file_text.js';
import { readVariables } from './written_variables.js';

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
 * @param wanted the groups and controllers that exist: files for other names are not read. Absent: not known
 * @param shown the name of the folder in messages
 */
export async function loadGroupVars(
  directory: string,
  origin: GroupVarsOrigin,
  reading: FileReading,
  wanted?: { readonly groups: WantedNames; readonly controllers: WantedNames },
  shown = directory,
): Promise<GroupVars> {
  const place = { path: directory, shown };
  const controllers = wanted && {
    has: (name: string): boolean => wanted.controllers.has(name) || LOCALHOST_NAMES.includes(name),
  };
  return {
    groups: await loadVars('group_vars', { ...place, wanted: wanted?.groups }, origin, reading),
    controllers: await loadVars('host_vars', { ...place, wanted: controllers }, origin, reading),
  };
}

/**
 * Reads the variables of a name that a task has added, in one of the two folders.
 *
 * @throws LoadError if a file is invalid
 */
export async function loadAddedVars(
  kind: VariablesKind,
  name: string,
  place: Pick<VariableFolder, 'path' | 'shown'>,
  origin: GroupVarsOrigin,
  services: FileServices,
): Promise<readonly VariableLayer[]> {
  const diagnostics = new Diagnostics();
  const wanted = { has: (one: string): boolean => one === name };
  const found = await loadVars(kind, { ...place, wanted }, origin, { ...services, diagnostics });
  const wrong = diagnostics.list.find(({ severity }) => severity === 'error');
  if (wrong !== undefined) throw new LoadError(wrong.message, wrong.source, wrong.hint);
  return found.get(name) ?? [];
}

function loadVars(
  kind: VariablesKind,
  { path: directory, shown, wanted }: Omit<VariableFolder, 'kind'>,
  origin: GroupVarsOrigin,
  reading: FileReading,
): Promise<Map<string, VariableLayer[]>> {
  const variables = { kind, path: path.join(directory, kind), shown: path.join(shown, kind), wanted };
  return readFolder(variables, levelIn(origin, kind), reading);
}

type LevelOf = (name: string) => VariableLevel;

function levelIn(origin: GroupVarsOrigin, kind: VariablesKind): LevelOf {
  if (kind === 'host_vars') return () => `${origin} host_vars/*`;
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

interface VariableFile {
  /** The group or controller whose variables the file has. */
  readonly name: string;
  readonly path: string;
  readonly shown: string;
}

/** A `group_vars` or `host_vars` folder. */
interface VariableFolder {
  readonly kind: VariablesKind;
  readonly path: string;
  readonly shown: string;
  /** Undefined: not known. */
  readonly wanted: WantedNames | undefined;
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
    for (const name of variableFileNames(file, folder)) candidates.set(name, [...(candidates.get(name) ?? []), file]);
  }
  const picked: VariableFile[] = [];
  for (const [name, files] of candidates) {
    // As in Ansible, a link to a file that does not exist hides no other file.
    const existing =
      files.length === 1 ? files : files.filter((one) => sources.fileTypeAt(path.join(folder.path, one)) !== undefined);
    const [first, ...others] = existing.toSorted((a, b) => rank(a, name) - rank(b, name));
    if (first === undefined) continue;
    for (const other of others) {
      const hint = first === name ? `move it to ${path.join(folder.shown, name)}/` : undefined;
      diagnostics.warn(
        `${path.join(folder.shown, other)} is ignored, because ${path.join(folder.shown, first)} exists, too`,
        undefined,
        hint,
      );
    }
    const file = path.join(folder.path, first);
    const shown = (inside: string): string => path.join(folder.shown, path.relative(folder.path, inside));
    const found = sources.fileTypeAt(file) === 'folder' ? filesBelow(file, sources, diagnostics, shown) : [file];
    picked.push(...found.map((one) => ({ name, path: one, shown: shown(one) })));
  }
  return picked;
}

/** `lb1.yml` is for `lb1`, and for a controller named `lb1.yml` if there is one. */
function variableFileNames(file: string, { kind, wanted }: VariableFolder): readonly string[] {
  const { name, ext } = path.parse(file);
  const hasSuffix = SUFFIXES.includes(ext);
  const bare = hasSuffix ? name : file;
  if (wanted !== undefined) return [...new Set([bare, file])].filter((one) => wanted.has(one));
  // Without a suffix, the end of lb1.example.com is a part of its name.
  return (hasSuffix || kind === 'host_vars') && !NO_VARIABLES.test(file) ? [bare] : [];
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
