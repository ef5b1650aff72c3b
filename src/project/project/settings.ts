import path from 'node:path';
import { removedText } from '../../core/model/removed.js';
import { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Source } from '../../core/model/source/source.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { Value } from '../../core/model/values/value.js';
import { passOn, TYPED } from '../document/command_line.js';
import { Cursor } from '../document/cursor.js';
import type { ProjectFile } from './project_file.js';
import { MACHINE_VARIABLES, VARIABLES } from './table.js';

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
  readonly #file: ProjectFile | undefined;
  readonly #cwd: string;
  readonly #variables: Cursor;
  readonly #found = new Diagnostics();

  constructor(file: ProjectFile | undefined, env: EnvironmentVariables, cwd: string) {
    this.#file = file;
    this.#cwd = cwd;
    this.#variables = new Cursor(environmentValues(env), {
      locate: () => TYPED,
      locateKey: () => TYPED,
      diagnostics: this.#found,
    });
    for (const { name } of this.#variables.entries()) checkName(name, this.#found);
  }

  /** Reads the file and the variable, so that mistakes in the file are reported even if the variable overrides it. */
  read<T>(name: SettingName, reader: SettingReader<T>): T | undefined {
    const written = this.#file?.cursor.get(name);
    const typed = this.#variables.get(VARIABLES[name]);
    const ofFile = written && reader(written, this.#file?.directory ?? this.#cwd);
    return typed === undefined ? ofFile : reader(typed, this.#cwd);
  }

  readonly originOf: OriginOf = (...path) => {
    const [name = ''] = path;
    const variable = path.length === 1 ? Object.entries(VARIABLES).find(([one]) => one === name)?.[1] : undefined;
    if (variable !== undefined && this.#variables.get(variable) !== undefined) return variable;
    return path.reduce<Cursor | undefined>((cursor, key) => cursor?.get(key), this.#file?.cursor)?.keySource;
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
