import path from 'node:path';
import { DEFAULT_FORKS } from '../core/model/run/choices.js';
import type { Diagnostics, Source } from '../core/model/source/diagnostic.js';
import { mayExecute } from '../core/programs/programs.js';
import { pickEnvironment } from '../launch/load/target.js';
import type { Workspace } from '../launch/request/invocation.js';
import type { RunOptions } from '../launch/request/run_request.js';
import { loadProject, type Environment, type Project } from '../project/project/project.js';
import { ENVIRONMENT_SETTINGS, MACHINE_VARIABLES, PROJECT_SETTINGS, settingNames } from '../project/project/table.js';
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

/** The settings of the project, and of the environment of `--env`. */
export async function effectiveSettings(
  options: SettingOptions,
  workspace: Workspace,
  diagnostics: Diagnostics,
): Promise<readonly EffectiveSetting[]> {
  const project = await loadProject(workspace.cwd, workspace.env, diagnostics);
  const environment = pickEnvironment(options.env, project, diagnostics);
  const subject = { options, project, environment, cwd: workspace.cwd };
  const shared = settingNames(PROJECT_SETTINGS);
  const isShown = (name: string): boolean => environment !== undefined || findOption(name, options) !== undefined;
  const ofEnvironment = ENVIRONMENT_SETTINGS.filter(({ name }) => !shared.includes(name) && isShown(name));
  const ofMachine = machineSettings(options, project, workspace.env);
  const values = effectiveValues(subject);
  return ofMachine.concat(
    [...PROJECT_SETTINGS, ...ofEnvironment].map(({ name, description }) => {
      return { name, value: values[name] ?? null, origin: findOrigin(name, subject), description };
    }),
  );
}

/** Settings that a project file cannot have, by the names of their variables. */
function machineSettings(
  { config, exec }: SettingOptions,
  project: Project,
  env: Workspace['env'],
): readonly EffectiveSetting[] {
  const given = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const setting = (variable: keyof typeof MACHINE_VARIABLES, value: EffectiveSetting['value'], option?: string) => {
    const origin: SettingOrigin =
      given(variable) === undefined ? { type: 'default' } : { type: 'variable', name: variable };
    return {
      name: variable.replace('EVENKEEL_', '').toLowerCase(),
      value,
      origin: option === undefined ? origin : ({ type: 'option', name: option } as const),
      description: MACHINE_VARIABLES[variable],
    };
  };
  return [
    setting('EVENKEEL_CONFIG', project.file ?? null, config === undefined ? undefined : '--config'),
    setting('EVENKEEL_LOCK_DIR', given('EVENKEEL_LOCK_DIR') ?? 'a folder of the user in the temporary folder'),
    setting('EVENKEEL_TRUSTED_FOLDERS', given('EVENKEEL_TRUSTED_FOLDERS') ?? null),
    setting('EVENKEEL_PLUGIN_TIMEOUT', Number(given('EVENKEEL_PLUGIN_TIMEOUT') ?? 120)),
    setting('EVENKEEL_PYTHON', given('EVENKEEL_PYTHON') ?? 'that of ansible, else python3 in PATH'),
    setting('EVENKEEL_NO_EXEC', !mayExecute(env), exec === false ? '--no-exec' : undefined),
  ];
}

interface SettingsSubject {
  readonly options: SettingOptions;
  readonly project: Project;
  readonly environment: Environment | undefined;
  readonly cwd: string;
}

function findOrigin(name: string, { options, project, environment }: SettingsSubject): SettingOrigin {
  const option = findOption(name, options);
  if (option !== undefined) return { type: 'option', name: option };
  const ofEnvironment = environment && project.findOrigin('environments', environment.name, name);
  const origin = ofEnvironment ?? project.findOrigin(name);
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

/** By name. */
function effectiveValues(subject: SettingsSubject): Readonly<Record<string, EffectiveSetting['value']>> {
  const { options, project, environment, cwd } = subject;
  const near = (file: string): string => relativeTo(cwd, file);
  const ids = environment?.vaultIds ?? project.vaultIds ?? [];
  const passwords = environment?.vaultPasswordFile ?? project.vaultPasswordFile;
  const { skip, warn } = project.lint;
  return {
    inventory: options.inventory ?? environment?.inventory ?? project.inventory ?? null,
    forks: options.forks ?? project.forks ?? `${DEFAULT_FORKS}, auto for commands that only read`,
    max_registered: options.maxRegistered ?? project.maxRegistered,
    strategy: options.strategy ?? project.strategy ?? 'host_pinned',
    state_dir: near(project.stateDirectory),
    modules_path: options.modulePath ?? project.modulePaths.map((one) => (path.isAbsolute(one) ? near(one) : one)),
    roles_path: project.rolesPath.map(near),
    collections: project.collections,
    output: project.output ?? 'live in a terminal, else grouped',
    vault_ids: [...ids.map((one) => `${one.label}@${shownSource(one)}`), ...(options.vaultId ?? [])],
    vault_password_file: options.vaultPasswordFile ?? (passwords && shownSource(passwords)) ?? null,
    environments: [...project.environments.keys()],
    dialects: [...project.dialects.keys()],
    routes: [...project.routes].map(([name, proxies]) => `${name}: ${proxies.join(', ')}`),
    lint: [...skip.map(({ value }) => `skip ${value}`), ...warn.map(({ value }) => `warn ${value}`)],
    extra_vars: environment?.extraVars.map(({ value }) => value) ?? [],
    limit: [environment?.limit?.value, options.limit].filter((one) => one !== undefined),
    confirm: environment?.confirm ?? false,
    require_plan: environment?.requirePlan ?? false,
  };
}

function shownSource(source: PasswordSource): string {
  return source.type === 'prompt' ? 'prompt' : source.shown;
}
