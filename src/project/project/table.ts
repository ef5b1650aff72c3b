import { OUTPUTS, STRATEGIES } from '../../core/model/run/choices.js';

/** The type of a setting's value. */
type SettingKind =
  /** Files, folders, executables or `host,host`: one, or a list. */
  | 'sources'
  | 'forks'
  /** A number of bytes, or with a unit: 16MB. */
  | 'size'
  | 'boolean'
  | 'text'
  | 'file'
  | 'folder'
  /** One, or a list. */
  | 'files'
  /** Folders (of modules: or names of packages): one, or a list. */
  | 'folders'
  /** `label@prompt`, `label@file` or `file`: one, or a list. */
  | 'vault ids'
  /** One of `choices`. */
  | 'choice'
  /** Names such as `vendor.controller`: one, or a list. */
  | 'collections'
  /** Names of rules: one, or a list. */
  | 'rules'
  | 'environments'
  /** Traits by the name of a dialect. */
  | 'dialects'
  /** URLs of proxies by the name of a route. */
  | 'routes'
  | 'lint';

export interface Setting {
  readonly name: string;
  readonly value: SettingKind;
  /** One line, for editors. */
  readonly description: string;
  readonly choices?: readonly string[];
}

function setting(name: string, value: SettingKind, description: string, choices?: readonly string[]): Setting {
  return { name, value, description, ...(choices === undefined ? {} : { choices }) };
}

const INVENTORY = setting(
  'inventory',
  'sources',
  'Files, folders or executables that name the controllers, or "host,host".',
);
const VAULT_IDS = setting(
  'vault_ids',
  'vault ids',
  'Where passwords of encrypted values come from: LABEL@FILE or LABEL@prompt.',
);
const VAULT_PASSWORD_FILE = setting('vault_password_file', 'file', 'The vault password, or a program that prints it.');

/** The settings of `evenkeel.yml`: the loader and editors use this table. */
export const PROJECT_SETTINGS: readonly Setting[] = [
  INVENTORY,
  setting(
    'forks',
    'forks',
    'Controllers that work at the same time, or auto; default 50, auto for commands that only read.',
  ),
  setting('max_registered', 'size', 'The largest value that a task may register, such as 16MB (the default).'),
  setting(
    'strategy',
    'choice',
    'Whether controllers wait for each other after each task (linear) or not (host_pinned).',
    STRATEGIES,
  ),
  setting('state_dir', 'folder', 'The folder of runs and keys; default .evenkeel.'),
  setting('modules_path', 'folders', 'Folders or packages with project modules.'),
  setting('roles_path', 'folders', 'Folders in which to look for roles, after "roles" beside the playbook.'),
  setting(
    'collections',
    'collections',
    'Collections that the modules also belong to: with vendor.controller, vendor.controller.debug is debug.',
  ),
  setting('output', 'choice', 'How runs are reported.', OUTPUTS),
  VAULT_IDS,
  VAULT_PASSWORD_FILE,
  setting('environments', 'environments', 'The environments for --env, such as development, staging, production.'),
  setting('dialects', 'dialects', 'Dialects for controller_dialect: what controllers do beyond the API document.'),
  setting('routes', 'routes', 'Routes for controller_route: the proxies that lead to the controllers of a site.'),
  setting('lint', 'lint', 'Which rules evenkeel lint checks.'),
];

/** Settings that both the project file and a variable can give. */
export const VARIABLES = {
  inventory: 'EVENKEEL_INVENTORY',
  forks: 'EVENKEEL_FORKS',
  max_registered: 'EVENKEEL_MAX_REGISTERED',
  strategy: 'EVENKEEL_STRATEGY',
  state_dir: 'EVENKEEL_STATE_DIR',
  modules_path: 'EVENKEEL_MODULE_PATH',
  roles_path: 'EVENKEEL_ROLES_PATH',
  output: 'EVENKEEL_OUTPUT',
  vault_password_file: 'EVENKEEL_VAULT_PASSWORD_FILE',
} as const;

/** Variables that are not settings of a project. */
export const MACHINE_VARIABLES = {
  EVENKEEL_CONFIG: 'The project file, as with --config.',
  EVENKEEL_LOCK_DIR: 'The folder of the locks on controllers; off: no locks.',
  EVENKEEL_TRUSTED_FOLDERS: 'Folders whose files are trusted, regardless of their owner; *: all.',
  EVENKEEL_PLUGIN_TIMEOUT: 'Seconds that a plugin in Python may take; default 120.',
  EVENKEEL_PYTHON: 'The Python for plugins; default: that of ansible, else python3 in PATH.',
  EVENKEEL_NO_EXEC: '1: start no programs and load no project code, as with --no-exec.',
} as const;

/** The settings of each of `environments`. */
export const ENVIRONMENT_SETTINGS: readonly Setting[] = [
  INVENTORY,
  setting('extra_vars', 'files', 'Files of variables, as with -e @FILE.'),
  setting('limit', 'text', 'Only these controllers: a pattern, as with --limit.'),
  VAULT_IDS,
  VAULT_PASSWORD_FILE,
  setting('confirm', 'boolean', 'A run shows its controllers, and asks the user to type the name of the environment.'),
  setting('require_plan', 'boolean', 'Only "evenkeel apply" and a confirmed rollback can write.'),
];

export const LINT_SETTINGS: readonly Setting[] = [
  setting('skip', 'rules', 'Rules that are off in this project.'),
  setting('warn', 'rules', 'Rules whose findings are warnings: they do not make lint fail.'),
];

export function settingNames(settings: readonly Setting[]): readonly string[] {
  return settings.map(({ name }) => name);
}
