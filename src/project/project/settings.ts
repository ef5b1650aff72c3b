import path from 'node:path';
import type { Trust } from '../../core/files/trust.js';
import { removedText } from '../../core/model/removed.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Source } from '../../core/model/source/source.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { type Value, isList, isMapping } from '../../core/model/values/value.js';
import { passOn, TYPED } from '../document/command_line.js';
import { Cursor, describeKind } from '../document/cursor.js';
import { readText } from '../document/read_file_text.js';
import { exists } from '../variables/variables_file.js';
import { parseYaml } from '../yaml/parse_yaml.js';
import { MACHINE_VARIABLES, VARIABLES, PROJECT_SETTINGS, settingNames } from './table.js';
import { checkSetting } from './values.js';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Settings with several folders, separated as in PATH. */
const LISTS: readonly string[] = [VARIABLES.modules_path, VARIABLES.roles_path];

type SettingName = keyof typeof VARIABLES;

/**
 * The origin of a setting: an environment variable, or a place in the project file. Undefined: the setting has its
 * default.
 */
export type OriginOf = (...path: readonly string[]) => Source | string | undefined;

/** Reads one setting; `base` is the base of relative names in it. */
type SettingReader<T> = (cursor: Cursor, base: string) => T | undefined;

/** The settings of the project file and of the variables. */
export class Settings {
  readonly #variables: Cursor;
  readonly #found = new Diagnostics();

  constructor(
    private readonly file: ProjectFile | undefined,
    env: EnvironmentVariables,
    private readonly cwd: string,
  ) {
    this.#variables = new Cursor(environmentValues(env), {
      locate: () => TYPED,
      locateKey: () => TYPED,
      diagnostics: this.#found,
    });
    for (const { name } of this.#variables.entries()) checkName(name, this.#found);
  }

  /** Reads the file and the variable, so that mistakes in the file are reported even if the variable overrides it. */
  read<T>(name: SettingName, reader: SettingReader<T>): T | undefined {
    const written = this.file?.cursor.get(name);
    const typed = this.#variables.get(VARIABLES[name]);
    const ofFile = written && reader(written, this.file?.directory ?? this.cwd);
    return typed === undefined ? ofFile : reader(typed, this.cwd);
  }

  readonly originOf: OriginOf = (...path) => {
    const [name = ''] = path;
    const variable = path.length === 1 ? Object.entries(VARIABLES).find(([one]) => one === name)?.[1] : undefined;
    if (variable !== undefined && this.#variables.get(variable) !== undefined) return variable;
    return path.reduce<Cursor | undefined>((cursor, key) => cursor?.get(key), this.file?.cursor)?.keySource;
  };

  /** Reports mistakes in the variables; those of the file are reported during reading. */
  report(diagnostics: Diagnostics): void {
    passOn(this.#found, diagnostics);
  }
}

function environmentValues(env: EnvironmentVariables): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith('EVENKEEL_') || text === undefined || text === '') continue;
    values[name] = LISTS.includes(name) ? text.split(path.delimiter) : text;
  }
  return values;
}

/** Other tools may use the prefix, so this reports only names that were or resemble ours. */
function checkName(name: string, diagnostics: Diagnostics): void {
  const removed = removedText(name);
  if (removed !== undefined) diagnostics.error(removed, TYPED, `unset ${name}`);
  const known: readonly string[] = [...Object.values(VARIABLES), ...Object.keys(MACHINE_VARIABLES)];
  const hint = known.includes(name) ? undefined : didYouMean(name, known);
  if (hint !== undefined) diagnostics.warn(`unknown environment variable ${name}`, TYPED, hint);
}

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
