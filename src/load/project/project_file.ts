import path from 'node:path';
import type { Diagnostics } from '../../model/diagnostic.js';
import { isMapping } from '../../model/value.js';
import { Cursor, kindOf } from '../cursor.js';
import { readText } from '../file.js';
import { namesOf, PROJECT_SETTINGS } from './project_table.js';
import { checkSetting } from './project_values.js';
import { exists } from '../variables/variables_file.js';
import { parseYaml } from '../yaml.js';

const NAMES = ['evenkeel.yml', 'evenkeel.yaml'];

export interface ProjectFile {
  readonly cursor: Cursor;
  /** Absolute. */
  readonly directory: string;
  /** Relative to the working directory. */
  readonly shown: string;
}

/** The nearest project file from a folder upward, its keys checked; undefined if there is none or it is no YAML. */
export async function openProjectFile(cwd: string, diagnostics: Diagnostics): Promise<ProjectFile | undefined> {
  const file = await find(path.resolve(cwd));
  if (file === undefined) return undefined;
  const shown = path.relative(cwd, file);
  const text = await readText(file, diagnostics, shown);
  const parsed = text === undefined ? undefined : parseYaml(text, shown, diagnostics);
  if (parsed === undefined) return undefined;
  const cursor = new Cursor(parsed.value, { ...parsed, diagnostics });
  if (!isMapping(parsed.value) && parsed.value !== null) {
    cursor.error(`${path.basename(file)} must be a mapping of settings, not ${kindOf(parsed.value)}`);
  }
  for (const item of cursor.entries()) checkSetting(item, 'evenkeel.yml', namesOf(PROJECT_SETTINGS));
  return { cursor, directory: path.dirname(file), shown };
}

async function find(folder: string): Promise<string | undefined> {
  for (const name of NAMES) if (await exists(path.join(folder, name))) return path.join(folder, name);
  const parent = path.dirname(folder);
  return parent === folder ? undefined : find(parent);
}
