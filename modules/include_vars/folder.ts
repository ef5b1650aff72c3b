import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { orElse, PythonExpression } from '../../src/module/contract.js';

/** Which files of a folder are read. */
export interface FolderChoice {
  /** Levels of folders to look into, the first included; 0: all. */
  readonly depth: number;
  /** Regular expression that the name must have a match for. */
  readonly matching: string | undefined;
  /** Regular expressions for the ends of names. */
  readonly ignored: readonly string[];
  readonly extensions: readonly string[];
  readonly otherExtensions: 'leave out' | 'refuse';
}

/** The files in order: folder by folder, each sorted. On failure, a message. */
export async function filesIn(directory: string, choice: FolderChoice): Promise<readonly string[] | string> {
  const type = await entryType(directory);
  if (type !== 'folder') return type === 'nothing' ? `there is no folder ${directory}` : `${directory} is not a folder`;
  const isChosen = chooser(choice);
  if (typeof isChosen === 'string') return isChosen;
  // Sorted by their paths, as Ansible walks them.
  const all = (await walk(directory, choice.depth, [])).toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  const files = all.flatMap(({ folder, names }) => names.filter(isChosen).map((name) => path.join(folder, name)));
  const isKnown = (file: string): boolean => choice.extensions.includes(path.extname(file).slice(1));
  if (choice.otherExtensions === 'leave out') return files.filter(isKnown);
  const other = files.find((file) => !isKnown(file));
  if (other === undefined) return files;
  return `${other} does not end in one of ${choice.extensions.join(', ')}`;
}

/** Undefined patterns match everything. On failure, the invalid regular expression. */
function chooser({ matching, ignored }: FolderChoice): ((name: string) => boolean) | string {
  const wanted = matching === undefined ? undefined : expression(matching);
  const unwanted = ignored.map((pattern) => expression(`${pattern}$`));
  const broken = matching !== undefined && wanted === undefined ? matching : ignored[unwanted.indexOf(undefined)];
  if (broken !== undefined) return `"${broken}" is not a regular expression`;
  return (name) => (wanted?.test(name) ?? true) && !unwanted.some((one) => one?.test(name) === true);
}

function expression(pattern: string): PythonExpression | undefined {
  return orElse(undefined, () => new PythonExpression(pattern, '', 'search'));
}

interface Listing {
  readonly folder: string;
  readonly names: readonly string[];
}

/** The folder and all below it. Follows links, but not back to a parent folder. */
async function walk(folder: string, depth: number, above: readonly string[]): Promise<readonly Listing[]> {
  const here = await realpath(folder);
  if (above.includes(here) || (depth > 0 && above.length >= depth)) return [];
  const names: string[] = [];
  const below: Listing[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const file = path.join(folder, name);
    if ((await entryType(file)) === 'folder') below.push(...(await walk(file, depth, [...above, here])));
    else names.push(name);
  }
  return [{ folder, names }, ...below];
}

async function entryType(file: string): Promise<'folder' | 'file' | 'nothing'> {
  return stat(file).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => 'nothing',
  );
}
