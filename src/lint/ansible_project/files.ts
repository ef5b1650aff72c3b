import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { whyUnreadable, relativeName } from '../../core/files/paths.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';

/** The parts of an Ansible project, with absolute paths. */
export interface AnsibleProject {
  readonly directory: string;
  readonly playbooks: readonly string[];
  /** Files of tasks and of handlers, whether a playbook reaches them or not. */
  readonly taskFiles: readonly string[];
  readonly roles: readonly string[];
  readonly variableFiles: readonly string[];
  readonly inventories: readonly string[];
  /** Modules and plugins in Python. */
  readonly python: readonly string[];
}

/** Other people's code, and what test tools keep. */
const LEFT_OUT = /^(?:\..*|node_modules|venv|molecule|__pycache__|collections)$/;

const YAML = /\.ya?ml$/;
const PLAY = /^(?:-\s+|\s{1,4})(?:hosts|(?:ansible\.builtin\.)?import_playbook|include)\s*:/m;
const PLUGINS = /^(?:library|\w+_plugins)$/;
const ROLE_PARTS = ['tasks', 'handlers', 'defaults', 'vars', 'meta', 'templates', 'files', 'tests', 'library'];

/** What was read; undefined, with a warning, if it cannot be. */
type Readable = <T>(file: string, reading: Promise<T>) => Promise<T | undefined>;

/** Searches a folder without executing anything. Warns of what cannot be read. @param cwd for names in messages */
export async function findProject(directory: string, cwd: string, diagnostics: Diagnostics): Promise<AnsibleProject> {
  const readable: Readable = (file, reading) =>
    reading.catch((error: unknown) => {
      diagnostics.warn(`cannot read ${relativeName(file, cwd)}: ${whyUnreadable(error)}; it is left out`);
      return undefined;
    });
  const files = await filesIn(directory, readable);
  const roles = rolesIn(files, directory);
  const inRole = (file: string): boolean =>
    roles.some((role) => ROLE_PARTS.some((part) => isIn(file, path.join(role, part))));
  const yaml = files.filter((file) => YAML.test(file));
  const variableFiles = files.filter((file) => isVariableFile(file, directory));
  const taskFiles = yaml.filter((file) => {
    const folders = foldersAbove(file, directory);
    return folders.some((one) => one === 'tasks' || one === 'handlers') && !folders.includes('tests');
  });
  const known = new Set([...variableFiles, ...taskFiles]);
  const playbooks: string[] = [];
  const plugins: string[] = [];
  for (const file of yaml) {
    if (known.has(file) || inRole(file)) continue;
    const text = await readable(file, readFile(file, 'utf8'));
    if (text === undefined) continue;
    if (isPlaybook(text)) playbooks.push(file);
    else if (/^plugin:\s*[\w.]+\s*$/m.test(text)) plugins.push(file);
  }
  return {
    directory,
    playbooks,
    taskFiles,
    roles,
    variableFiles,
    inventories: [...new Set([...inventoriesIn(files, directory, new Set([...known, ...playbooks])), ...plugins])],
    python: files.filter(
      (file) => file.endsWith('.py') && foldersAbove(file, directory).some((one) => PLUGINS.test(one)),
    ),
  };
}

/** From the folder of the project on: those above it say nothing. */
function foldersAbove(file: string, directory: string): readonly string[] {
  return path.dirname(path.relative(directory, file)).split(path.sep);
}

/** An inventory has "hosts", too, but is a mapping. */
function isPlaybook(text: string): boolean {
  return isYamlList(text) && PLAY.test(text);
}

/** Whether the first line with content, after a byte order mark, is an item. No line can match in two ways, which would take for ever. */
export function isYamlList(text: string): boolean {
  return /^\ufeff?(?:---[^\n]*\n|[ \t]*#[^\n]*\n|[ \t\r]*\n)*[ \t]*-\s/.test(text);
}

async function filesIn(directory: string, readable: Readable): Promise<readonly string[]> {
  const found: string[] = [];
  const entries = await readable(directory, readdir(directory, { withFileTypes: true }));
  for (const entry of entries?.sort((a, b) => (a.name < b.name ? -1 : 1)) ?? []) {
    const file = path.join(directory, entry.name);
    if (entry.isFile() && !entry.name.startsWith('.')) found.push(file);
    else if (entry.isDirectory() && !LEFT_OUT.test(entry.name)) found.push(...(await filesIn(file, readable)));
  }
  return found;
}

/** Folders with tasks, handlers, defaults, vars or meta, except those of the project itself. */
function rolesIn(files: readonly string[], directory: string): readonly string[] {
  const mains = files.flatMap(
    (file) => /^(.*)[/\\](?:tasks|handlers|defaults|vars|meta)[/\\]main\.ya?ml$/.exec(file)?.[1] ?? [],
  );
  return [...new Set(mains)].filter(
    (folder) =>
      // The project may be a folder of roles itself.
      foldersAbove(path.join(folder, 'tasks'), path.dirname(directory)).some((one) => /roles?$/.test(one)) ||
      files.some((file) => isIn(file, path.join(folder, 'tasks'))),
  );
}

function isVariableFile(file: string, directory: string): boolean {
  const folders = foldersAbove(file, directory);
  if (!/\.(?:ya?ml|json)$|^[^.]+$/.test(path.basename(file))) return false;
  return (
    folders.some((one) => ['group_vars', 'host_vars'].includes(one)) ||
    (YAML.test(file) && ['vars', 'defaults'].includes(folders.at(-1) ?? ''))
  );
}

/** Files called `hosts`, and the files of folders with the name of an inventory. */
function inventoriesIn(files: readonly string[], directory: string, others: ReadonlySet<string>): readonly string[] {
  return files.filter((file) => {
    const name = path.basename(file);
    const folders = foldersAbove(file, directory);
    if (others.has(file) || !/^[\w-]+(?:\.(?:ini|ya?ml|toml|json))?$/.test(name)) return false;
    if (folders.some((one) => NO_INVENTORIES.has(one))) return false;
    return (
      /^(?:hosts|inventory)(?:[._-]|$)/.test(name) || folders.slice(-2).some((one) => /^inventor(?:y|ies)$/.test(one))
    );
  });
}

const NO_INVENTORIES: ReadonlySet<string> = new Set('templates files tasks handlers meta src dist test'.split(' '));

function isIn(file: string, folder: string): boolean {
  return file.startsWith(folder + path.sep);
}
