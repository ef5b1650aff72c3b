import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { builtinModules, type BuiltinModule } from '../../../modules/index.js';
import {
  kindModules,
  loadKindModule,
  kindModulesIn,
  vendorModules,
  vendorModulesIn,
} from '../../../modules/kinds/index.js';
import { fileTypeAt } from '../../core/files/paths.js';
import type { Trust } from '../../core/files/trust.js';
import { errorMessage, type Diagnostics } from '../../core/model/source/diagnostic.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { mayExecute } from '../../core/programs/programs.js';
import type { KindTable, LoadKinds } from '../../kinds/kind_table.js';
import type { Catalogue, TakenName } from '../../module/catalogue.js';
import type { Module } from '../../module/contract.js';
import type { OnRead } from '../../project/document/project_sources.js';
import { displayPath } from '../../reporting/text/source_files.js';
import { nameSome } from '../../reporting/text/words.js';
import { userTables, type UserTable } from './kind_tables.js';
import { isOwnPackage, recordFiles, trustedFolder, userFiles, type UserCodeOptions } from './user_files.js';

/**
 * The built-in modules and those of the user: every file of the named folders (or of the `modules` folder of an npm
 * package), and of `modules` beside playbooks and project file.
 * A user's module must not have the name of a built-in one, because a playbook must mean the same on every machine.
 * It can have the name of a module from the table of kinds (`pool_present`), which it replaces.
 */
export function openCatalogue(
  { named, adjacent, collections = [], given = [] }: ModuleSources,
  { cwd, trust, env, diagnostics, onRead }: UserCodeOptions,
): FoundCatalogue {
  const mayAdd = (folder: string): boolean => trustedFolder(folder, trust, diagnostics);
  const catalogue = new FoundModules(mayExecute(env), mayAdd, onRead, collections, given);
  for (const { name } of given) if (Object.hasOwn(builtinModules, name)) reportBuiltIn([`module ${name}`], diagnostics);
  const trustedAdjacent = adjacentModules(adjacent).filter(mayAdd);
  for (const folder of new Set([...named, ...trustedAdjacent])) {
    const found = moduleFolder(folder, cwd, trust, diagnostics);
    if (found === undefined) continue;
    const taken = catalogue.addOver(found).map(({ file }) => displayPath(file, cwd));
    if (taken.length > 0) reportBuiltIn(taken, diagnostics);
    try {
      catalogue.addTables(found);
    } catch (error) {
      const hint = 'fix the file, or write it again with "evenkeel modules from-openapi"';
      diagnostics.error(errorMessage(error), undefined, hint);
    }
  }
  return catalogue;
}

/** More names than this make a long line. */
const MOST_NAMES = 3;

/** Modules, and their kinds of objects. */
export interface FoundCatalogue extends Catalogue {
  readonly kinds: LoadKinds;
  readonly unlisted: readonly string[];
  /** The absolute file of a user's module: code, or a table of kinds. */
  findFile(name: string): string | undefined;
}

function reportBuiltIn(what: readonly string[], diagnostics: Diagnostics): void {
  const one = what.length === 1;
  const names = one ? 'has the name of a built-in module' : 'have the names of built-in modules';
  const hint = `give ${one ? 'it another name' : 'them other names'}`;
  diagnostics.error(`${nameSome(what, MOST_NAMES)} ${names}`, undefined, hint);
}

/** Where modules come from. */
export interface ModuleSources {
  /** Folders and npm packages that an option, a variable or the project file names. */
  readonly named: readonly string[];
  /** The folders of the playbooks and of the project file. */
  readonly adjacent: readonly string[];
  /** Collections that these modules also belong to. */
  readonly collections?: readonly string[];
  /** Modules that a program passes as objects. They replace a file of the same name. */
  readonly given?: readonly Module[] | undefined;
}

/** The `modules` folders beside these directories, except those of this program or another copy of it. */
function adjacentModules(directories: readonly string[]): readonly string[] {
  const folders = directories.map((directory) => path.resolve(directory, 'modules'));
  const isOwn = (folder: string): boolean => isOwnPackage(path.dirname(folder));
  return [...new Set(folders)].filter((folder) => existsSync(folder) && !isOwn(folder));
}

/** A folder, or the `modules` folder of an npm package. Undefined, and reported, if there is none, or if it is not trusted. */
function moduleFolder(folder: string, cwd: string, trust: Trust, diagnostics: Diagnostics): string | undefined {
  const direct = path.resolve(cwd, folder);
  if (fileTypeAt(direct) === 'folder') return trustedFolder(direct, trust, diagnostics, true) ? direct : undefined;
  const found = packageModules(folder, cwd);
  if (found === undefined) {
    const message = `module path ${folder} is neither a folder nor an installed package`;
    diagnostics.error(message, undefined, 'if -M did not name it: evenkeel config shows where modules_path is set');
    return undefined;
  }
  const packages = /^.*?[/\\]node_modules(?=[/\\])/.exec(found)?.[0] ?? found;
  return [packages, found].every((one) => trustedFolder(one, trust, diagnostics)) ? found : undefined;
}

/** Node looks for a package in every folder upward. */
function packageModules(name: string, cwd: string): string | undefined {
  try {
    const manifest = createRequire(path.join(cwd, 'noop.js')).resolve(`${name}/package.json`);
    const modules = path.join(path.dirname(manifest), 'modules');
    return existsSync(modules) ? modules : undefined;
  } catch {
    return undefined;
  }
}

/** The built-in modules, and the modules in files. */
class FoundModules implements FoundCatalogue {
  readonly #given: ReadonlyMap<string, Module>;
  readonly #files = new Map<string, string>();
  readonly #tables: UserTable[] = [];
  readonly #loaded = new Map<string, Promise<Module | undefined>>();
  #kinds: Promise<KindTable> | undefined;
  #names: readonly string[];

  constructor(
    private readonly mayLoad: boolean,
    private readonly mayAdd: (folder: string) => boolean,
    private readonly onRead: OnRead | undefined,
    readonly collections: readonly string[],
    given: readonly Module[],
  ) {
    this.#given = new Map(given.map((module) => [module.name, module]));
    this.#names = this.#allNames();
  }

  isWithheld(name: string): boolean {
    return !this.mayLoad && this.#files.has(name) && !this.#given.has(name);
  }

  isProjectModule(name: string): boolean {
    return this.#files.has(name) || this.#given.has(name);
  }

  findFile(name: string): string | undefined {
    const hasModule = ({ data }: UserTable): boolean =>
      [...kindModulesIn(data), ...vendorModulesIn(data)].includes(name);
    return this.#files.get(name) ?? this.#tables.findLast(hasModule)?.file;
  }

  get unlisted(): readonly string[] {
    return [...vendorModules, ...this.#tables.flatMap(({ data }) => vendorModulesIn(data))];
  }

  get names(): readonly string[] {
    return this.#names;
  }

  load(name: string): Promise<Module | undefined> {
    return getOrAdd(this.#loaded, name, () => this.#load(name));
  }

  add(folder: string): readonly TakenName[] {
    return this.mayAdd(folder) ? this.#take(folder, (name) => this.#files.get(name)) : [];
  }

  /** Adds a folder's tables of kinds. Throws an error that names the invalid file. */
  addTables(folder: string): void {
    const found = userTables(folder);
    for (const { file, text } of found) this.onRead?.('file', file, text);
    this.#tables.push(...found);
    this.#kinds = undefined;
    this.#names = this.#allNames();
  }

  /** As `add`, but a file replaces an earlier one of the same name. */
  addOver(folder: string): readonly TakenName[] {
    return this.#take(folder, () => undefined);
  }

  #take(folder: string, holder: (name: string) => string | undefined): readonly TakenName[] {
    if (this.onRead !== undefined) recordFiles(folder, this.onRead);
    const taken = userFiles(folder).flatMap(({ name, file }) => {
      if (Object.hasOwn(builtinModules, name)) return { file, by: undefined };
      const by = holder(name);
      if (by === undefined) this.#files.set(name, file);
      return by === undefined || isSame(by, file) ? [] : { file, by };
    });
    this.#names = this.#allNames();
    return taken;
  }

  #allNames(): readonly string[] {
    const ofTables = this.#tables.flatMap(({ data }) => kindModulesIn(data));
    const others = [...ofTables, ...this.#given.keys(), ...this.#files.keys()];
    return [...new Set([...Object.keys(builtinModules), ...kindModules, ...others])].sort();
  }

  async #load(name: string): Promise<Module | undefined> {
    const builtin = Object.hasOwn(builtinModules, name) ? builtinModules[name] : undefined;
    if (builtin !== undefined) return this.#builtIn(await builtin());
    const given = this.#given.get(name);
    if (given !== undefined) return given;
    const file = this.#files.get(name);
    if (file === undefined) return this.#loadOfKind(name);
    const { loadUserModule, withheldModule } = await import('./user_module.js');
    return this.isWithheld(name) ? withheldModule(name) : loadUserModule(name, file);
  }

  async #builtIn({ default: module, withKinds }: BuiltinModule): Promise<Module> {
    if (withKinds === undefined || this.#tables.length === 0) return module;
    const kinds = await this.kinds();
    return withKinds(() => kinds);
  }

  async #loadOfKind(name: string): Promise<Module | undefined> {
    if (!this.#names.includes(name) && !this.unlisted.includes(name)) return undefined;
    return loadKindModule(name, await this.kinds());
  }

  readonly kinds = (): Promise<KindTable> => (this.#kinds ??= kindsWith(this.#tables));
}

async function kindsWith(tables: readonly UserTable[]): Promise<KindTable> {
  const { builtInKinds, KindTable } = await import('../../kinds/kind_table.js');
  return tables.reduce((below, { data }) => new KindTable(data, below), builtInKinds());
}

/** Several roles may bring copies of a module. */
function isSame(file: string, other: string): boolean {
  return file === other || readFileSync(file, 'utf8') === readFileSync(other, 'utf8');
}
