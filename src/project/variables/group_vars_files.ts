import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { linkLoopText } from '../../core/files/entries.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';

/** In Ansible's search order. Only the first file that exists is read. */
const SUFFIXES = ['', '.yml', '.yaml', '.json'];

/** Hidden files, backups, documentation and files about another file (`lb1.yml.license`), which are not variable files. */
const NO_VARIABLES = /^\.|~$|\.(?:md|rst|txt|bak|orig|swp|retry|license)$|\.(?:ya?ml|json)\./;

/** The names of groups or controllers that exist. */
export interface Wanted {
  has(name: string): boolean;
}

/** Which files of a folder are variable files: `NAME`, or `NAME` with a suffix, of a name that exists. */
interface Names {
  /** Undefined: not known. */
  readonly wanted?: Wanted | undefined;
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
export interface Folder {
  readonly path: string;
  readonly shown: string;
  readonly names: Names;
}

/** Picks the variable files from the sorted entries of a `group_vars` or `host_vars` folder. Later files of a name are stronger. */
export async function pickFiles(
  entries: readonly string[],
  folder: Folder,
  diagnostics: Diagnostics,
): Promise<readonly VariableFile[]> {
  const candidates = new Map<string, string[]>();
  for (const file of entries) {
    for (const name of namesOf(file, folder.names)) candidates.set(name, [...(candidates.get(name) ?? []), file]);
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
    picked.push(
      ...(await filesAt(
        name,
        { path: path.join(folder.path, first ?? name), shown: path.join(folder.shown, first ?? name) },
        diagnostics,
      )),
    );
  }
  return picked;
}

/** `lb1.yml` is for `lb1`, and for a controller named `lb1.yml` if there is one. */
function namesOf(file: string, { wanted, later }: Names): readonly string[] {
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

interface Place {
  readonly path: string;
  readonly shown: string;
}

/** @param above the folders that contain it, with links resolved */
async function filesAt(
  name: string,
  place: Place,
  diagnostics: Diagnostics,
  above: readonly string[] = [],
): Promise<readonly VariableFile[]> {
  if (!(await isFolder(place.path))) return [{ name, ...place }];
  const here = await realpath(place.path);
  if (above.includes(here)) {
    diagnostics.warn(linkLoopText(place.shown));
    return [];
  }
  const found: VariableFile[] = [];
  for (const file of (await readdir(place.path)).sort()) {
    const inside = { path: path.join(place.path, file), shown: path.join(place.shown, file) };
    if (/^\.|~$/.test(file)) continue;
    if (await isFolder(inside.path)) {
      if (path.extname(file) === '') found.push(...(await filesAt(name, inside, diagnostics, [...above, here])));
    } else if (SUFFIXES.includes(path.extname(file))) found.push({ name, ...inside });
  }
  return found;
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
