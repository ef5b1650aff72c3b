import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { whyUnreadable, resolveName } from '../../core/files/paths.js';
import { readBeginning } from '../../core/files/replace_file.js';
import { fileWord, shellWord, type Diagnostics } from '../../core/model/source/diagnostic.js';
import { nearby } from '../document/read_file_text.js';

/** The type of one `-i`, or of one file of an inventory folder. */
type SourceText =
  | { readonly type: 'names'; readonly names: readonly string[] }
  | { readonly type: 'folder' | 'file' | 'executable'; readonly path: string }
  | { readonly type: 'problem'; readonly message: string; readonly hint?: string };

/** A text with a comma that is not a file is a list of controllers, as in Ansible. */
export async function classifySource(source: string, cwd: string): Promise<SourceText> {
  const file = resolveName(cwd, source);
  if (source === '') return { type: 'problem', message: 'an inventory source is empty' };
  try {
    const found = await stat(file);
    if (found.isDirectory()) return { type: 'folder', path: file };
    // A pipe can be read only once, and a device may never end.
    return found.isFile() ? await classifyFile(file, source) : { type: 'file', path: file };
  } catch (error) {
    if (source.includes(',')) return { type: 'names', names: split(source) };
    const list = source.includes('/') ? [] : [`a list of controllers ends in a comma: "${source},"`];
    const hint = [nearby(file, source) ?? [], list].flat().join('; ');
    const message = `cannot read the inventory ${source}: ${whyUnreadable(error)}`;
    return { type: 'problem', message, ...(hint !== '' && { hint }) };
  }
}

function split(names: string): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/**
 * A file with the executable bit is run if it is a binary, or a script that names its interpreter. Other text files
 * only appear executable, on file systems without such bits.
 */
async function classifyFile(file: string, shown: string): Promise<SourceText> {
  const start = (await readBeginning(file, 512)) ?? Buffer.of();
  const script = start.toString('latin1').startsWith('#!');
  if (!script && !start.includes(0)) return { type: 'file', path: file };
  if (await isExecutable(file)) return { type: 'executable', path: file };
  if (!script) return { type: 'problem', message: `the inventory ${shown} is neither text nor executable` };
  return {
    type: 'problem',
    message: `the inventory ${shown} is a script, but not executable`,
    hint: `make it executable: chmod +x ${shellWord(fileWord(shown))}`,
  };
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

const NEVER = /^\.|^(?:host_vars|group_vars|vars_plugins)$/;
const OTHER_THINGS = /(?:~|\.(?:pyc|pyo|swp|bak|rpm|md|txt|rst|orig|cfg|retry|license))$/;

/**
 * The entries of an inventory folder that are sources themselves, in sorted order; excludes the same ones as Ansible, and licences of
 * files (`hosts.yml.license`), which Ansible cannot parse and skips with a warning.
 */
export function sourcesIn(names: readonly string[], shown: string, diagnostics: Diagnostics): readonly string[] {
  const entries = names.filter((name) => !NEVER.test(name) && !OTHER_THINGS.test(name));
  const sources = entries.filter((name) => !name.endsWith('.ini'));
  for (const name of entries) {
    if (!name.endsWith('.ini')) continue;
    const hint = `name it ${path.basename(name, '.ini')}, without a suffix`;
    diagnostics.warn(
      `${path.join(shown, name)} is ignored: in an inventory folder, Ansible reads .ini files as settings`,
      undefined,
      hint,
    );
  }
  if (sources.length === 0) diagnostics.error(`the inventory folder ${shown} contains no inventory`);
  return sources;
}
