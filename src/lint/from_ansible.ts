import { existsSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type CommandContext, refuse } from '../cli/context.js';
import { EXIT } from '../core/model/exit_code.js';
import { NOTHING_INHERITED } from '../core/model/playbook/playbook.js';
import { Diagnostics, NO_EXEC, type Diagnostic } from '../core/model/source/diagnostic.js';
import { groupBy } from '../core/model/values/groups.js';
import { isList } from '../core/model/values/value.js';
import { openCatalogue } from '../launch/user_code/catalogue.js';
import { openLibrary } from '../launch/user_code/user_filters.js';
import { ProjectSources } from '../project/document/project_sources.js';
import { loadInventory } from '../project/inventory/load.js';
import { isForeignModule, Modules } from '../project/keywords/modules.js';
import { playContext, playReader } from '../project/playbook/play.js';
import { loadPlaybooks, type PlaybookOptions } from '../project/playbook/playbook.js';
import { openAnsibleConfig } from '../project/project/ansible_cfg.js';
import { loadProject } from '../project/project/project.js';
import { inFile } from '../project/task/read_context.js';
import { TaskFiles } from '../project/task/task_files.js';
import { readVariables } from '../project/variables/written_variables.js';
import { configFindings } from './ansible_project/config.js';
import { findProject, isYamlList, type AnsibleProject } from './ansible_project/files.js';
import { survey, type Survey, type SurveyedFile } from './ansible_project/survey.js';
import { surveyJson, surveyText } from './ansible_project/text.js';

interface SurveyOptions {
  readonly modulePath?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/**
 * `evenkeel lint --from-ansible DIR`: 0 if everything works as it is, 2 if something has to change, 1 if there is no
 * project.
 */
export async function lintFromAnsible(
  folder: string,
  options: SurveyOptions,
  context: CommandContext,
): Promise<number> {
  const directory = path.resolve(context.cwd, folder);
  const diagnostics = new Diagnostics();
  const isFolder = (await stat(directory).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) diagnostics.error(`${folder} is not a folder`, undefined, 'name the folder of the Ansible project');
  const project = isFolder ? await findProject(directory, context.cwd, diagnostics) : undefined;
  if (project?.playbooks.length === 0 && project.taskFiles.length === 0)
    diagnostics.error(`${folder} has no playbooks and no roles`, undefined, 'name the folder that contains them');
  if (project === undefined || diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  const survey = await surveyProject(project, options, context, diagnostics);
  const text =
    options.json === true ? surveyJson(survey, project) : surveyText(survey, project, { ...options, ...context });
  context.stdout.write(text, options);
  return survey.tasks.change +
    survey.tasks.cannot +
    survey.findings.filter(({ verdict }) => verdict !== 'works').length ===
    0
    ? EXIT.ok
    : EXIT.failed;
}

/** Everything is read as under `--no-exec`. */
async function surveyProject(
  project: AnsibleProject,
  options: SurveyOptions,
  context: CommandContext,
  diagnostics: Diagnostics,
): Promise<Survey> {
  const { cwd } = context;
  const env = { ...context.env, EVENKEEL_NO_EXEC: '1' };
  const { directory } = project;
  const show = (file: string): string => path.relative(cwd, file) || '.';
  const settings = await loadProject(directory, env, new Diagnostics());
  const config = await openAnsibleConfig({ cwd, directory }, settings.trust, diagnostics);
  const texts = new Map<string, string>();
  const sources = new ProjectSources({
    onRead: (type, name, text) => {
      if (type === 'file') texts.set(name, text);
    },
  });
  const code = { cwd, env, trust: settings.trust, diagnostics, ansible: config };
  const folders = [...new Set([directory, ...project.playbooks.map((file) => path.dirname(file))])];
  const library = await openLibrary(folders, code);
  const named = options.modulePath ?? settings.modulePaths;
  const catalogue = openCatalogue({ named, adjacent: folders, collections: settings.collections }, code);
  const rolesPath = [path.join(directory, 'roles'), ...settings.rolesPath];
  const services = { cwd, catalogue, library, sources, rolesPath, diagnostics };
  await loadPlaybooks(project.playbooks.map(show), services);
  for (const file of project.taskFiles) {
    if (texts.has(file)) continue;
    // The innermost: a folder of roles may be a role itself.
    const [role] = project.roles.filter((one) => file.startsWith(one + path.sep)).sort((a, b) => b.length - a.length);
    await checkTaskFiles([{ path: file, shown: show(file), role }], services);
  }
  for (const file of project.variableFiles)
    if (!texts.has(file)) await readVariables(file, 'vars_files', { diagnostics, library, sources }, show(file));
  // Files beside each other may name each other's groups, as in an inventory folder.
  for (const files of groupBy(project.inventories, (file) => path.dirname(file)).values())
    await loadInventory(files.map(show), { cwd, env, diagnostics, library });
  const isLink = linked(cwd, directory);
  const found = diagnostics.list
    .map(asksAnsible)
    .map(asksPassword)
    .filter(({ source }) => source === undefined || !isLink(source.file));
  const ofConfig = configFindings(config);
  const parts = {
    roles: project.roles.map(show),
    inventories: project.inventories.map(show),
    plugins: project.python.map(show).filter((file) => !/(?:^|[\\/])library[\\/]/.test(file) || isForeignModule(file)),
    settings: ofConfig.length,
  };
  const findings = [...found, ...parts.plugins.map(pythonFinding), ...ofConfig];
  return survey(
    surveyed(project, texts, show).filter(({ shown }) => !isLink(shown)),
    parts,
    findings,
  );
}

function surveyed(
  project: AnsibleProject,
  texts: ReadonlyMap<string, string>,
  show: (file: string) => string,
): readonly SurveyedFile[] {
  const playbooks = new Set(project.playbooks);
  const others = new Set(project.variableFiles);
  const read = [...texts].filter(([file, text]) => !others.has(file) && isYamlList(text));
  return read.map(([file, text]) => ({ shown: show(file), text, content: playbooks.has(file) ? 'plays' : 'steps' }));
}

/** What `--no-exec` does not run, but a run does. */
function asksAnsible(one: Diagnostic): Diagnostic {
  const [, file, plugin] =
    /^the inventory (.*) needs ansible-inventory for the plugin "([^"]*)"/.exec(one.message) ?? [];
  if (one.rule !== NO_EXEC || file === undefined) return one;
  const message = 'inventories that ansible-inventory reads, if the collection of the plugin is installed';
  const source = { file, line: 1, column: 1 };
  return { severity: 'warning', message, source, group: { message, ...(plugin !== undefined && { member: plugin }) } };
}

/** Nothing is decrypted here, and nothing has to change. */
function asksPassword(one: Diagnostic): Diagnostic {
  if (!/^this file is encrypted\b.* no vault password was given$/.test(one.message)) return one;
  const message = 'encrypted files, which are not looked at without their password';
  return { severity: 'warning', message, source: one.source, group: { message } };
}

/** Whether a file is reached through a link: then its target is checked. */
function linked(cwd: string, directory: string): (file: string) => boolean {
  const known = new Map<string, boolean>();
  return (shown) => {
    const file = path.resolve(cwd, shown);
    const unlinked = (): string => path.join(realpathSync(directory), path.relative(directory, file));
    const isLink = known.get(file) ?? (existsSync(file) && realpathSync(file) !== unlinked());
    known.set(file, isLink);
    return isLink;
  };
}

/** Python code of the project, and what to use instead. */
function pythonFinding(file: string): Diagnostic {
  const folder = path.basename(path.dirname(file));
  const name = path.basename(file, '.py');
  const runs = RUNS_IN_PYTHON[folder];
  if (runs !== undefined) {
    const message = `the plugin "${name}" runs as it is, ${runs}`;
    return { severity: 'warning', rule: 'python', message, source: { file, line: 1, column: 1 } };
  }
  const message = folder === 'library' ? `the module "${name}" is in Python` : `the plugin "${name}" is in Python`;
  const hint = HINTS_FOR_PYTHON[folder] ?? 'there is no such kind of plugin here';
  return { severity: 'error', rule: 'python', message, hint, source: { file, line: 1, column: 1 } };
}

const RUNS_IN_PYTHON: Readonly<Record<string, string>> = {
  filter_plugins: 'in Python',
  test_plugins: 'in Python',
  lookup_plugins: 'in Python',
  inventory_plugins: 'through ansible-inventory',
};

const HINTS_FOR_PYTHON: Readonly<Record<string, string>> = {
  library: 'write it in TypeScript: docs/writing-a-module.md',
  callback_plugins: 'read the events of --output json: docs/output.md',
};

/** Absolute: a file of tasks or handlers that no playbook names, and its role. */
interface TaskFile {
  readonly path: string;
  readonly shown: string;
  readonly role: string | undefined;
}

/** Checks files as if a play in the folder included them. Reports mistakes to the diagnostics. */
export async function checkTaskFiles(loose: readonly TaskFile[], options: PlaybookOptions): Promise<void> {
  const { cwd, catalogue, library, rolesPath = [], diagnostics } = options;
  const files = new TaskFiles(cwd, options);
  const modules = new Modules(catalogue, library?.table.plugins);
  const reader = playReader({ modules, files, library, rolesPath, folder: { directory: cwd, shown: '.' } });
  for (const { path: file, shown, role } of loose) {
    files.allow('play');
    files.name(file, shown);
    const cursor = await files.read(file, diagnostics);
    if (cursor === undefined || !isList(cursor.value)) continue;
    const play = playContext(cursor, reader, []);
    const own =
      role === undefined ? {} : { role: { name: path.basename(role), path: role, parents: [] }, roleFolders: [role] };
    const context = inFile({ ...play, ...own }, file);
    const kind = path.basename(path.dirname(file)) === 'handlers' ? 'handlers' : 'tasks';
    await reader.load[kind](cursor, { context, inherited: NOTHING_INHERITED });
  }
}
