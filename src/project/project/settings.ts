import path from 'node:path';
import { resolveName } from '../../core/files/paths.js';
import type { Trust } from '../../core/files/trust.js';
import { Diagnostics, type Diagnostic, type Source } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { type Value, isList, isMapping } from '../../core/model/values/value.js';
import { removedText } from '../../core/model/version.js';
import { passOn, TYPED } from '../document/command_line.js';
import { Cursor, text, texts, wantMapping } from '../document/cursor.js';
import { readText } from '../document/read_file_text.js';
import { fileExists } from '../variables/written_variables.js';
import { parseVaultId, passwordFile, type FindFile, type PasswordSource } from '../vault/passwords.js';
import { parseYaml } from '../yaml/parse_yaml.js';
import { ANSIBLE_VARIABLES, ansibleSettings, ansibleVariable, type AnsibleConfig } from './ansible_cfg.js';
import { MACHINE_VARIABLES, VARIABLES, PROJECT_SETTINGS, settingNames } from './table.js';
import { checkSetting, cursorPlace, relativeTo } from './values.js';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Settings with several folders, separated as in PATH. */
const LISTS: readonly string[] = [VARIABLES.modules_path, VARIABLES.roles_path];

/**
 * The origin of a setting: an environment variable, or a place in the project file. Undefined: the setting has its
 * default.
 */
export type FindOrigin = (...path: readonly string[]) => Source | string | undefined;

/** Reads one setting; `base` is the base of relative names in it. */
type SettingReader<T> = (cursor: Cursor, base: string) => T | undefined;

/** The settings of the variables, of the project file and, where that has none, of `ansible.cfg`. */
export class Settings {
  readonly #variables: Cursor;
  readonly #ofAnsible: Cursor | undefined;
  /** The settings of `ansible.cfg` that apply, and where the first one is. */
  readonly #applied = new Map<string, Source>();
  readonly #found = new Diagnostics();

  constructor(
    private readonly file: ProjectFile | undefined,
    env: EnvironmentVariables,
    private readonly cwd: string,
    private readonly ansible?: AnsibleConfig,
  ) {
    this.#ofAnsible = ansible && ansibleSettings(ansible, cwd, this.#found);
    this.#variables = new Cursor(environmentValues(env, cwd), {
      locate: () => TYPED,
      locateKey: () => TYPED,
      diagnostics: this.#found,
    });
    for (const { name } of this.#variables.entries()) checkName(name, this.#found);
    const seconds = this.#variables.get('EVENKEEL_PLUGIN_TIMEOUT');
    if (seconds !== undefined && !(Number(seconds.value) > 0))
      seconds.error(
        `"EVENKEEL_PLUGIN_TIMEOUT" must be a number of seconds above 0, not "${env['EVENKEEL_PLUGIN_TIMEOUT'] ?? ''}"`,
      );
  }

  /** Reads the file and the variable, so that mistakes in the file are reported even if the variable overrides it. */
  read<T>(name: keyof typeof VARIABLES | 'vault_ids', reader: SettingReader<T>): T | undefined {
    const written = this.file?.cursor.get(name);
    const typed = name === 'vault_ids' ? undefined : this.#variables.get(VARIABLES[name]);
    const ofFile = written && reader(written, this.file?.directory ?? this.cwd);
    if (typed !== undefined) return reader(typed, this.cwd);
    const inherited = written === undefined ? this.#inherited(name) : undefined;
    if (inherited === undefined) return ofFile;
    if (inherited.source === TYPED) return reader(inherited, this.cwd);
    this.#applied.set(name, inherited.source);
    return reader(inherited, this.ansible?.directory ?? this.cwd);
  }

  /** Where `environments` decide about the inventory, a run must not take another one without `--env`. */
  #inherited(name: string): Cursor | undefined {
    const decided = name === 'inventory' && this.file?.cursor.get('environments') !== undefined;
    return decided ? undefined : (this.#variables.get(ANSIBLE_VARIABLES.get(name) ?? '') ?? this.#ofAnsible?.get(name));
  }

  readonly findOrigin: FindOrigin = (...path) => {
    const [name = ''] = path;
    const variable = path.length === 1 ? Object.entries(VARIABLES).find(([one]) => one === name)?.[1] : undefined;
    if (variable !== undefined && this.#variables.get(variable) !== undefined) return variable;
    const written = path.reduce<Cursor | undefined>((cursor, key) => cursor?.get(key), this.file?.cursor);
    const found = written ?? (path.length === 1 ? this.#inherited(name) : undefined);
    return found?.keySource === TYPED ? found.name : found?.keySource;
  };

  /** Reports mistakes in the variables; mistakes in the file are reported during reading. */
  report(diagnostics: Diagnostics): void {
    passOn(this.#found, diagnostics);
  }

  /** What `ansible.cfg` sets, after everything is read. */
  ofAnsible(): Diagnostic | undefined {
    const [source] = this.#applied.values();
    if (source === undefined) return undefined;
    const message = `${this.ansible?.shown ?? ''} sets ${[...this.#applied.keys()].join(', ')}`;
    const hint = 'write them into evenkeel.yml; "evenkeel lint --from-ansible ." shows what else in this file matters';
    return { severity: 'warning', message, source: { ...source }, hint };
  }
}

function environmentValues(env: EnvironmentVariables, cwd: string): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [name, text] of Object.entries(env)) {
    if (text === undefined || text === '') continue;
    if (name.startsWith('EVENKEEL_')) values[name] = LISTS.includes(name) ? text.split(path.delimiter) : text;
    const value = name.startsWith('ANSIBLE_') ? ansibleVariable(name, text, cwd) : undefined;
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Other tools may use the prefix, so this reports only names that were or resemble ours. */
function checkName(name: string, diagnostics: Diagnostics): void {
  const removed = removedText(name);
  if (removed !== undefined) diagnostics.error(removed, TYPED, `unset ${name}`);
  const known = [...Object.values(VARIABLES), ...ANSIBLE_VARIABLES.values(), ...Object.keys(MACHINE_VARIABLES)];
  const hint = removed !== undefined || known.includes(name) ? undefined : didYouMean(name, known);
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
  const title = named === undefined ? shown : `the project file ${shown} (--config or EVENKEEL_CONFIG)`;
  const text = await readText(file, diagnostics, title, shown);
  const parsed = text === undefined ? undefined : parseYaml(text, shown, diagnostics);
  if (parsed === undefined) return undefined;
  const cursor = new Cursor(parsed.value, { ...parsed, diagnostics });
  if (parsed.value !== null) wantMapping(cursor, ' of settings', path.basename(file));
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
    if (!(await fileExists(file))) continue;
    const refusal = trust.refusal(file);
    if (refusal === undefined) return file;
    const hint = 'if you trust it, name it with --config or EVENKEEL_CONFIG';
    return diagnostics.warn(`ignored ${file}: ${refusal}`, undefined, hint);
  }
  const parent = path.dirname(folder);
  return parent === folder || trust.folder(folder) !== undefined ? undefined : find(parent, trust, diagnostics);
}

/** `vault_ids`: a list of `label@prompt` and `label@file`. Undefined if there is none. */
export function passwordSources(
  cursor: Cursor | undefined,
  base: string,
  cwd: string,
): readonly PasswordSource[] | undefined {
  return cursor?.items().flatMap((item) =>
    texts(item).flatMap(({ value }) => {
      const source = parseVaultId(value, fileBelow(base, cwd, cursorPlace(item)));
      if (typeof source !== 'string') return [source];
      item.error(source, 'write LABEL@FILE or LABEL@prompt');
      return [];
    }),
  );
}

/** `vault_password_file`: one file, or a program that prints the password. */
export function passwordFileSource(cursor: Cursor | undefined, base: string, cwd: string): PasswordSource | undefined {
  const name = text(cursor);
  return name === undefined ? undefined : passwordFile(name, fileBelow(base, cwd, cursor && cursorPlace(cursor)));
}

/** Finds files relative to a folder; `~/` is the user's home folder. */
export function fileBelow(base: string, cwd: string, place?: Source | string): FindFile {
  return (name) => {
    const file = resolveName(base, name);
    return { path: file, shown: relativeTo(cwd, file), ...(place !== undefined && { place }) };
  };
}
