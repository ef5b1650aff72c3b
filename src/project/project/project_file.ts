import path from 'node:path';
import type { Trust } from '../../core/files/trust.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { isList, isMapping } from '../../core/model/values/value.js';
import { Cursor, describeKind } from '../document/cursor.js';
import { readText } from '../document/read_file_text.js';
import { exists } from '../variables/variables_file.js';
import { parseYaml } from '../yaml/parse_yaml.js';
import { PROJECT_SETTINGS, settingNames } from './table.js';
import { checkSetting } from './values.js';

const PROJECT_FILE_NAMES = ['evenkeel.yml', 'evenkeel.yaml'];

export interface ProjectFile {
  readonly cursor: Cursor;
  /** Absolute. */
  readonly directory: string;
  /** Relative to the working directory. */
  readonly shown: string;
}

/**
 * The project file that was named, else the nearest one from the working directory upward, with its keys checked.
 * Undefined if there is none, or if it is invalid YAML.
 */
export async function openProjectFile(
  cwd: string,
  named: string | undefined,
  trust: Trust,
  diagnostics: Diagnostics,
): Promise<ProjectFile | undefined> {
  const file = named ?? (await find(path.resolve(cwd), trust, diagnostics));
  if (file === undefined) return undefined;
  const shown = path.relative(cwd, file);
  const text = await readText(file, diagnostics, shown);
  const parsed = text === undefined ? undefined : parseYaml(text, shown, diagnostics);
  if (parsed === undefined) return undefined;
  const cursor = new Cursor(parsed.value, { ...parsed, diagnostics });
  if (!isMapping(parsed.value) && parsed.value !== null) {
    cursor.error(`${path.basename(file)} must be a mapping of settings, not ${describeKind(parsed.value)}`);
  }
  for (const item of cursor.entries()) checkSetting(item, 'evenkeel.yml', settingNames(PROJECT_SETTINGS));
  refuseZeroBytes(cursor);
  return { cursor, directory: path.dirname(file), shown };
}

/** The system would refuse such a name of a file, in words of its own and far from here. */
function refuseZeroBytes(cursor: Cursor): void {
  if (typeof cursor.value === 'string' && cursor.value.includes('\0'))
    cursor.error(`${cursor.title} contains a zero byte`);
  for (const item of isList(cursor.value) ? cursor.items() : cursor.entries()) {
    if (isMapping(cursor.value) && item.name.includes('\0')) item.errorAtKey('the name contains a zero byte');
    refuseZeroBytes(item);
  }
}

/** Stops at the first file, used or not: another project's file further up would surprise the user. */
async function find(folder: string, trust: Trust, diagnostics: Diagnostics): Promise<string | undefined> {
  for (const name of PROJECT_FILE_NAMES) {
    const file = path.join(folder, name);
    if (!(await exists(file))) continue;
    const refusal = trust.refusal(file);
    if (refusal === undefined) return file;
    const hint = `if you trust it, name it: --config ${file}, or EVENKEEL_CONFIG`;
    diagnostics.warn(`ignored ${file}: ${refusal}`, undefined, hint);
    return undefined;
  }
  const parent = path.dirname(folder);
  return parent === folder || trust.folder(folder) !== undefined ? undefined : find(parent, trust, diagnostics);
}
