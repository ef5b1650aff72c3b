import { Trust } from '../core/files/trust.js';
import type { Diagnostics } from '../core/model/source/diagnostic.js';
import type { Workspace } from '../launch/request/invocation.js';
import { openCatalogue } from '../launch/user_code/catalogue.js';
import { loadModules } from '../launch/user_code/project_modules.js';
import { RULES } from '../lint/rules/index.js';
import { editorSettings, schemaFiles } from '../schema/command.js';
import { SCHEMAS } from '../schema/index.js';

export interface NewProject {
  readonly environments: readonly NewEnvironment[];
  readonly dialect: 'generic' | 'avi';
}

export interface NewEnvironment {
  readonly name: string;
  /** A run asks before it writes. */
  readonly confirm: boolean;
  /** Names, addresses or ranges. */
  readonly controllers: readonly string[];
}

/** Texts by the path of their file in the project. */
export type ProjectFiles = ReadonlyMap<string, string>;

export const PROJECT_FILE = 'evenkeel.yml';
export const NEW_PLAYBOOK = 'playbooks/rollout.yml';
const SCHEMA_FOLDER = '.vscode/schemas';

export function projectFiles({ environments, dialect }: NewProject): ProjectFiles {
  const files = new Map<string, string>();
  for (const { name, controllers } of environments) {
    files.set(`inventory/${name}/controllers.yml`, inventory(name, controllers));
    files.set(`inventory/${name}/group_vars/all.yml`, variables(name, dialect));
  }
  files.set(NEW_PLAYBOOK, PLAYBOOK);
  // Written last: a folder with this file is a complete project.
  files.set(PROJECT_FILE, settings(environments));
  return files;
}

/** Files for editors. They describe the built-in modules only, because no code of the folder is executed. */
export async function editorFiles(workspace: Workspace, diagnostics: Diagnostics): Promise<ProjectFiles> {
  const { cwd, env } = workspace;
  const catalogue = openCatalogue({ named: [], adjacent: [] }, { cwd, env, trust: new Trust(cwd, env), diagnostics });
  const modules = await loadModules(catalogue, [...catalogue.names, ...catalogue.unlisted], diagnostics);
  const schemas = schemaFiles(SCHEMAS, { modules, rules: RULES.map(({ name }) => name) });
  return new Map([
    ['.gitignore', '# What Evenkeel keeps of runs: journals and the state of simulated controllers.\n.evenkeel/\n'],
    ['.vscode/settings.json', editorSettings(SCHEMA_FOLDER)],
    ['.vscode/extensions.json', `${JSON.stringify({ recommendations: ['redhat.vscode-yaml'] }, null, 2)}\n`],
    ...schemas.map(({ name, text }) => [`${SCHEMA_FOLDER}/${name}`, text] as const),
  ]);
}

/**
 * The environment whose inventory commands use without `--env`. None that asks before it writes: without `--env`,
 * nothing asks.
 */
export function defaultEnvironment({ environments }: Pick<NewProject, 'environments'>): NewEnvironment | undefined {
  return environments.find(({ confirm }) => !confirm);
}

function settings(environments: readonly NewEnvironment[]): string {
  const first = defaultEnvironment({ environments });
  const blocks = environments.map(({ name, confirm }) => {
    const asks = confirm
      ? `    # A run shows the controllers and asks you to type "${name}" (or pass --yes).\n    confirm: true\n`
      : '';
    return `  ${quoted(name)}:\n    inventory: inventory/${name}\n${asks}`;
  });
  const otherwise =
    first === undefined
      ? '# There is no default inventory, because without --env a run would not ask: name an environment.\n'
      : `inventory: inventory/${first.name}\n`;
  return `# Defaults of every command, and the environments that --env can name.
${otherwise}
environments:
${blocks.join('')}`;
}

function inventory(environment: string, controllers: readonly string[]): string {
  return `# The controllers of ${environment}. A range such as lb[01:03] counts: lb01, lb02, lb03.
# If a name does not resolve, write the address beside it: lb1: { controller_url: 'https://10.0.0.11' }
all:
  hosts:
${controllers.map((name) => `    ${quoted(name)}:\n`).join('')}`;
}

/** The environment variable with the password of an environment's controllers. */
export function passwordVariable(environment: string): string {
  return `${environment.toUpperCase().replaceAll(/\W/g, '_')}_CONTROLLER_PASSWORD`;
}

const CONNECTION = { generic: 'controller_api_version: 22.1.3\n', avi: 'controller_dialect: avi\n' } as const;

function variables(environment: string, dialect: NewProject['dialect']): string {
  return `# How to reach the controllers of ${environment}.
controller_url: 'https://{{inventory_hostname}}'
controller_username: admin
# The password comes from an environment variable: do not write it into a file. --simulate needs none.
controller_password: '{{env "${passwordVariable(environment)}"}}'
${CONNECTION[dialect]}
# What differs between environments. ${NEW_PLAYBOOK} uses it.
stage: ${quoted(environment)}
# Without dns, the playbook leaves the DNS settings of the controllers alone; with it, the playbook replaces them.
# dns:
#   search_domain: example.com
#   server_list: [{ type: V4, addr: 10.0.0.53 }]
`;
}

const PLAYBOOK = `# Brings every controller of an environment to the same state.
- name: Roll out the base configuration
  hosts: all
  serial: [1, '50%'] # one controller first, then half of them at a time
  tasks:
    - name: The cloud exists
      cloud_present:
        name: 'edge-{{stage}}'
        vtype: CLOUD_NONE
        mtu: 1500
      tags: cloud

    - name: DNS is as agreed
      system_config:
        dns_configuration: '{{dns}}'
      when: dns is defined
      tags: dns
`;

/** YAML reads words that look like numbers, booleans or lists as such. */
function quoted(word: string): string {
  const isPlain = /^[a-z][\w.-]*$/i.test(word) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(word);
  return isPlain ? word : `'${word}'`;
}
