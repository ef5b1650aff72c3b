import path from 'node:path';
import { DEFAULT_FORKS } from '../core/model/run/choices.js';
import type { Diagnostics, Source } from '../core/model/source/diagnostic.js';
import { mayExecute } from '../core/programs/programs.js';
import { pickEnvironment } from '../launch/load/target.js';
import type { Workspace } from '../launch/request/invocation.js';
import type { RunOptions } from '../launch/request/run_request.js';
import { loadProject, type Environment, type Project } from '../project/project/project.js';
import { ENVIRONMENT_SETTINGS, PROJECT_SETTINGS, type Setting } from '../project/project/table.js';
import { relativeTo } from '../project/project/values.js';
import type { PasswordSource } from '../project/vault/passwords.js';

/** A setting as commands would use it. */
export interface EffectiveSetting {
  readonly name: string;
  /** Null: not set, and without a default. */
  readonly value: string | number | boolean | readonly string[] | null;
  readonly origin: SettingOrigin;
  /** One line. */
  readonly description: string;
}

export type SettingOrigin =
  | { readonly type: 'option'; readonly name: string }
  | { readonly type: 'variable'; readonly name: string }
  | ({ readonly type: 'file' } & Source)
  | { readonly type: 'default' };

/** The options that override settings. */
export type SettingOptions = Pick<
  RunOptions,
  'env' | 'limit' | 'forks' | 'maxRegistered' | 'strategy' | 'modulePath' | 'vaultId' | 'vaultPasswordFile'
> & {
  readonly inventory?: readonly string[] | undefined;
  readonly config?: string | undefined;
  /** False: `--no-exec`. */
  readonly exec?: boolean | undefined;
};

type EffectiveValue = EffectiveSetting['value'];

/** The settings of the project, and of the environment of `--env`. */
export async function effectiveSettings(
  options: SettingOptions,
  workspace: Workspace,
  diagnostics: Diagnostics,
): Promise<readonly EffectiveSetting[]> {
  const project = await loadProject(workspace.cwd, workspace.env, diagnostics);
  const environment = pickEnvironment(options.env, project, diagnostics);
  const subject = { options, project, environment, cwd: workspace.cwd };
  const ofEnvironment = environment === undefined ? [] : ENVIRONMENT_SETTINGS.filter(({ name }) => !isShared(name));
  const ofMachine = machineSettings(options, project, workspace.env);
  return [...ofMachine, ...[...PROJECT_SETTINGS, ...ofEnvironment].map((setting) => effective(setting, subject))];
}

/** Settings that a project file cannot have. */
function machineSettings(
  { config, exec }: SettingOptions,
  project: Project,
  env: Workspace['env'],
): readonly EffectiveSetting[] {
  const given = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const from = (name: string, option?: string): SettingOrigin => {
    if (option !== undefined) return { type: 'option', name: option };
    return given(name) === undefined ? { type: 'default' } : { type: 'variable', name };
  };
  return [
    {
      name: 'config',
      value: project.file ?? null,
      origin: from('EVENKEEL_CONFIG', config === undefined ? undefined : '--config'),
      description: 'The project file.',
    },
    {
      name: 'lock_dir',
      value: given('EVENKEEL_LOCK_DIR') ?? 'a folder of the user in the temporary folder',
      origin: from('EVENKEEL_LOCK_DIR'),
      description: 'The folder of the locks on controllers; off: no locks.',
    },
    {
      name: 'trusted_folders',
      value: given('EVENKEEL_TRUSTED_FOLDERS') ?? null,
      origin: from('EVENKEEL_TRUSTED_FOLDERS'),
      description: 'Folders whose files are trusted, regardless of their owner; *: all.',
    },
    {
      name: 'no_exec',
      value: !mayExecute(env),
      origin: from('EVENKEEL_NO_EXEC', exec === false ? '--no-exec' : undefined),
      description: 'Start no programs and load no project code.',
    },
  ];
}

function isShared(name: string): boolean {
  return PROJECT_SETTINGS.some((setting) => setting.name === name);
}

interface SettingsSubject {
  readonly options: SettingOptions;
  readonly project: Project;
  readonly environment: Environment | undefined;
  readonly cwd: string;
}

function effective({ name, description }: Setting, subject: SettingsSubject): EffectiveSetting {
  return { name, value: effectiveValue(name, subject), origin: findOrigin(name, subject), description };
}

function findOrigin(name: string, { options, project, environment }: SettingsSubject): SettingOrigin {
  const option = findOption(name, options);
  if (option !== undefined) return { type: 'option', name: option };
  const ofEnvironment = environment && project.originOf('environments', environment.name, name);
  const origin = ofEnvironment ?? project.originOf(name);
  if (origin === undefined) return { type: 'default' };
  return typeof origin === 'string' ? { type: 'variable', name: origin } : { type: 'file', ...origin };
}

/** The option that sets it on this command line. */
function findOption(name: string, options: SettingOptions): string | undefined {
  const given: Readonly<Record<string, readonly [option: string, value: unknown]>> = {
    inventory: ['--inventory', options.inventory],
    limit: ['--limit', options.limit],
    forks: ['--forks', options.forks],
    max_registered: ['--max-registered', options.maxRegistered],
    strategy: ['--strategy', options.strategy],
    modules_path: ['--module-path', options.modulePath],
    vault_ids: ['--vault-id', options.vaultId],
    vault_password_file: ['--vault-password-file', options.vaultPasswordFile],
  };
  const [option, value] = given[name] ?? [];
  return value === undefined ? undefined : option;
}

function effectiveValue(name: string, { options, project, environment, cwd }: SettingsSubject): EffectiveValue {
  const near = (file: string): string => relativeTo(cwd, file);
  switch (name) {
    case 'inventory':
      return options.inventory ?? environment?.inventory ?? project.inventory ?? null;
    case 'forks':
      return options.forks ?? project.forks ?? `${DEFAULT_FORKS}, auto for commands that only read`;
    case 'max_registered':
      return options.maxRegistered ?? project.maxRegistered;
    case 'strategy':
      return options.strategy ?? project.strategy ?? 'host_pinned';
    case 'state_dir':
      return near(project.stateDirectory);
    case 'modules_path':
      return (
        options.modulePath ?? project.modulePaths.map((folder) => (path.isAbsolute(folder) ? near(folder) : folder))
      );
    case 'roles_path':
      return project.rolesPath.map(near);
    case 'collections':
      return project.collections;
    case 'output':
      return project.output ?? 'live in a terminal, else grouped';
    case 'vault_ids':
      return [...(environment?.vaultIds ?? project.vaultIds ?? []).map(passwordText), ...(options.vaultId ?? [])];
    case 'vault_password_file': {
      const source = environment?.vaultPasswordFile ?? project.vaultPasswordFile;
      return options.vaultPasswordFile ?? (source === undefined ? null : passwordFileText(source));
    }
    case 'environments':
      return [...project.environments.keys()];
    case 'dialects':
      return [...project.dialects.keys()];
    case 'routes':
      return [...project.routes].map(([name, proxies]) => `${name}: ${proxies.join(', ')}`);
    case 'lint':
      return [
        ...project.lint.skip.map(({ value }) => `skip ${value}`),
        ...project.lint.warn.map(({ value }) => `warn ${value}`),
      ];
    case 'extra_vars':
      return environment?.extraVars.map(({ value }) => value) ?? [];
    case 'limit':
      return [environment?.limit?.value, options.limit].filter((one) => one !== undefined);
    case 'confirm':
      return environment?.confirm ?? false;
    case 'require_plan':
      return environment?.requirePlan ?? false;
    default:
      return null;
  }
}

function passwordText(source: PasswordSource): string {
  return `${source.label}@${source.type === 'prompt' ? 'prompt' : source.shown}`;
}

function passwordFileText(source: PasswordSource): string {
  return source.type === 'file' ? source.shown : 'prompt';
}
