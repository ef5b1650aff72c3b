import path from 'node:path';
import { resolveName } from '../../core/files/paths.js';
import { Trust } from '../../core/files/trust.js';
import { DIALECTS, type Dialects } from '../../core/model/dialect.js';
import { renameFiles } from '../../core/model/inventory/pattern_terms.js';
import type { Routes } from '../../core/model/inventory/route.js';
import type { StrategyName } from '../../core/model/playbook/playbook.js';
import type { Located } from '../../core/model/playbook/step.js';
import { OUTPUTS, type ForkCount, type OutputName } from '../../core/model/run/choices.js';
import { Diagnostics, inReadingOrder, type Diagnostic, type Source } from '../../core/model/source/diagnostic.js';
import { text, texts, wantMapping, type Cursor } from '../document/cursor.js';
import { readStrategy } from '../keywords/keyword.js';
import type { PasswordSource } from '../vault/passwords.js';
import { openAnsibleConfig, type AnsibleConfig } from './ansible_cfg.js';
import {
  openProjectFile,
  passwordFileSource,
  passwordSources,
  Settings,
  type EnvironmentVariables,
  type FindOrigin,
  type ProjectFile,
} from './settings.js';
import { ENVIRONMENT_SETTINGS, LINT_SETTINGS, settingNames } from './table.js';
import {
  boolean,
  checkSetting,
  collections,
  cursorPlace,
  folder,
  folderSettings,
  foldersOrPackages,
  readChoice,
  relativeTo,
  sizeSetting,
  sources,
  forkSetting,
} from './values.js';

/**
 * The settings of the `EVENKEEL_*` variables, of `evenkeel.yml` and of `ansible.cfg`; the first that has a setting wins.
 * Callers apply command line options.
 */
export interface Project {
  /** The project file's name in messages; undefined if there is none. */
  readonly file: string | undefined;
  /** Absolute: the project file that `EVENKEEL_CONFIG` names. */
  readonly named: string | undefined;
  /** Which files next to the project file may determine what runs. */
  readonly trust: Trust;
  /** Absolute: the folder of the project file, or the working directory. */
  readonly directory: string;
  /** Relative to the working directory, or `host,host`. */
  readonly inventory: readonly string[] | undefined;
  readonly inventoryPlace: Source | string | undefined;
  /** Default 50. */
  readonly forks: ForkCount | undefined;
  /** In bytes; default 16 MiB. */
  readonly maxRegistered: number;
  readonly strategy: StrategyName | undefined;
  /** Absolute; default `.evenkeel` in `directory`. */
  readonly stateDirectory: string;
  /** Folders (absolute) and npm packages with modules. */
  readonly modulePaths: readonly string[];
  /** Absolute: folders with roles. Default `roles` in `directory`. */
  readonly rolesPath: readonly string[];
  /** Collections whose names can precede those of modules: `acme.lb.cloud_present` for `cloud_present`. */
  readonly collections: readonly string[];
  readonly output: OutputName | undefined;
  /** `vault_ids`, in order. */
  readonly vaultIds: readonly PasswordSource[] | undefined;
  readonly vaultPasswordFile: PasswordSource | undefined;
  readonly environments: ReadonlyMap<string, Environment>;
  /** The values that `controller_dialect` allows. */
  readonly dialects: Dialects;
  /** The values that `controller_route` allows. */
  readonly routes: Routes;
  readonly lint: LintProject;
  /** The `ansible.cfg` of the project; undefined if there is none. */
  readonly ansible: AnsibleConfig | undefined;
  /** What of it applies, for commands that use the project rather than its journals. */
  readonly ofAnsible: Diagnostic | undefined;
  readonly findOrigin: FindOrigin;
}

const DEFAULT_MAX_REGISTERED = 16 * 2 ** 20;

/** Warns of a checkout whose owner is trusted only because of where this runs. */
function readTrust(cwd: string, env: EnvironmentVariables, diagnostics: Diagnostics): Trust {
  const trust = new Trust(cwd, env);
  for (const folder of trust.relativeFolders) {
    const message = `EVENKEEL_TRUSTED_FOLDERS: "${folder}" is not an absolute path`;
    diagnostics.error(message, undefined, 'name folders from the root, or * for all');
  }
  if (trust.checkoutOwner !== undefined)
    diagnostics.warn(
      `the files of another user (uid ${trust.checkoutOwner}) are trusted: ${cwd} belongs to that user, and you are root in a container`,
      undefined,
      `to trust the folder without this warning: EVENKEEL_TRUSTED_FOLDERS=${cwd}`,
    );
  return trust;
}

/**
 * Reads the file that `EVENKEEL_CONFIG` names, else the nearest `evenkeel.yml` from `cwd` upward; without a file, the
 * variables and the defaults apply.
 */
export async function loadProject(cwd: string, env: EnvironmentVariables, diagnostics: Diagnostics): Promise<Project> {
  const found = new Diagnostics();
  const { EVENKEEL_CONFIG: config = '' } = env;
  const named = config === '' ? undefined : resolveName(cwd, config);
  const trust = readTrust(cwd, env, found);
  const file = await openProjectFile(cwd, named, trust, found);
  const directory = file?.directory ?? path.resolve(cwd);
  const ansible = await openAnsibleConfig({ cwd, directory, named: env['ANSIBLE_CONFIG'] }, trust, found);
  const settings = new Settings(file, env, cwd, ansible);
  const project = {
    // A file that cannot be parsed is one, too.
    file: file?.shown ?? found.list.find(({ source }) => source !== undefined)?.source?.file,
    named,
    trust,
    directory,
    inventory: settings.read('inventory', (cursor, base) => sources(cursor, base, cwd)),
    inventoryPlace: settings.read('inventory', cursorPlace),
    forks: settings.read('forks', forkSetting),
    maxRegistered: settings.read('max_registered', sizeSetting) ?? DEFAULT_MAX_REGISTERED,
    strategy: settings.read('strategy', (cursor) => readStrategy(cursor)),
    stateDirectory: settings.read('state_dir', folder) ?? path.join(directory, '.evenkeel'),
    modulePaths: settings.read('modules_path', foldersOrPackages) ?? [],
    rolesPath: settings.read('roles_path', folderSettings) ?? [path.join(directory, 'roles')],
    collections: collections(file?.cursor.get('collections')),
    output: settings.read('output', (cursor) => readChoice(cursor, OUTPUTS)),
    vaultIds: settings.read('vault_ids', (cursor, base) => passwordSources(cursor, base, cwd)),
    vaultPasswordFile: settings.read('vault_password_file', (cursor, base) => passwordFileSource(cursor, base, cwd)),
    environments: readEnvironments(file, cwd),
    dialects: await projectDialects(file?.cursor.get('dialects')),
    routes: await projectRoutes(file?.cursor.get('routes')),
    lint: readLint(file?.cursor.get('lint')),
    ansible,
    ofAnsible: settings.ofAnsible(),
    findOrigin: settings.findOrigin,
  };
  settings.report(found);
  diagnostics.add(inReadingOrder(found.list));
  return project;
}

/** Few projects define dialects, so their code is loaded on demand. */
async function projectDialects(cursor: Cursor | undefined): Promise<Dialects> {
  return cursor === undefined ? DIALECTS : (await import('./dialects.js')).readDialects(cursor);
}

async function projectRoutes(cursor: Cursor | undefined): Promise<Routes> {
  return cursor === undefined ? new Map<string, never>() : (await import('./routes.js')).readRoutes(cursor);
}

/** One of the `environments` of the project file, selected by `--env`. */
export interface Environment {
  readonly name: string;
  /** Relative to the working directory; undefined if it sets none. */
  readonly inventory: readonly string[] | undefined;
  readonly inventoryPlace: Source | undefined;
  /** Files of variables, relative to the working directory, weakest first. */
  readonly extraVars: readonly Located<string>[];
  readonly limit: Located<string> | undefined;
  /** Overrides the project's; undefined if it sets none. */
  readonly vaultIds: readonly PasswordSource[] | undefined;
  readonly vaultPasswordFile: PasswordSource | undefined;
  /** Whether a run shows its controllers, and requires the user to type the name of the environment. */
  readonly confirm: boolean;
  /** Whether only an applied plan can write. */
  readonly requirePlan: boolean;
}

function readEnvironments(file: ProjectFile | undefined, cwd: string): ReadonlyMap<string, Environment> {
  const found = new Map<string, Environment>();
  const environments = file?.cursor.get('environments');
  if (file === undefined || environments === undefined) return found;
  wantMapping(environments, ' of names to settings');
  for (const item of environments.entries()) found.set(item.name, environment(item, file.directory, cwd));
  return found;
}

function environment(cursor: Cursor, base: string, cwd: string): Environment {
  if (cursor.name.trim() === '') cursor.errorAtKey('an environment needs a name, such as production');
  if (cursor.value !== null) wantMapping(cursor, ' of settings', `the environment "${cursor.name}"`);
  for (const item of cursor.entries()) checkSetting(item, 'an environment', settingNames(ENVIRONMENT_SETTINGS));
  return {
    name: cursor.name,
    inventory: sources(cursor.get('inventory'), base, cwd),
    inventoryPlace: cursor.get('inventory')?.source,
    extraVars: texts(cursor.get('extra_vars'), 'write the variables into a file, and its name here').map(
      ({ value, source }) => ({ value: relativeTo(cwd, resolveName(base, value)), source }),
    ),
    limit: readLimit(cursor.get('limit'), base, cwd),
    vaultIds: passwordSources(cursor.get('vault_ids'), base, cwd),
    vaultPasswordFile: passwordFileSource(cursor.get('vault_password_file'), base, cwd),
    confirm: boolean(cursor.get('confirm')),
    requirePlan: boolean(cursor.get('require_plan')),
  };
}

function readLimit(cursor: Cursor | undefined, base: string, cwd: string): Located<string> | undefined {
  const value = text(cursor);
  if (cursor === undefined || value === undefined) return undefined;
  return { value: renameFiles(value, (file) => relativeTo(cwd, resolveName(base, file))), source: cursor.source };
}

/** Names of rules, as written: `evenkeel lint` checks whether they exist. */
export interface LintProject {
  readonly skip: readonly Located<string>[];
  readonly warn: readonly Located<string>[];
}

function readLint(cursor: Cursor | undefined): LintProject {
  if (cursor !== undefined) wantMapping(cursor, ' of settings');
  for (const item of cursor?.entries() ?? []) checkSetting(item, '"lint"', settingNames(LINT_SETTINGS));
  return { skip: texts(cursor?.get('skip')), warn: texts(cursor?.get('warn')) };
}
