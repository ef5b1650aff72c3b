import { existsSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { colourWanted } from '../cli/colour.js';
import type { CommandContext } from '../cli/context.js';
import { refuse } from '../cli/refusal.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics, type Diagnostic } from '../core/model/source/diagnostic.js';
import { placeText } from '../core/model/source/source.js';
import { openCatalogue } from '../launch/user_code/catalogue.js';
import { openLibrary } from '../launch/user_code/user_helpers.js';
import { ProjectSources } from '../project/document/project_sources.js';
import { loadInventory } from '../project/inventory/load.js';
import { checkTaskFiles } from '../project/playbook/check_task_files.js';
import { loadPlaybooks } from '../project/playbook/playbook.js';
import { openAnsibleConfig } from '../project/project/ansible_cfg.js';
import { loadProject } from '../project/project/project.js';
import { readVariables } from '../project/variables/variables_file.js';
import { createPalette, type Palette } from '../reporting/text/palette.js';
import { count, grouped, nameSome } from '../reporting/text/words.js';
import { configFindings } from './ansible_project/config.js';
import { findProject, type AnsibleProject } from './ansible_project/files.js';
import {
  survey,
  type Survey,
  type SurveyedFile,
  type SurveyFinding,
  type SurveyVerdict,
} from './ansible_project/survey.js';

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
  const isFolder = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) diagnostics.error(`${folder} is not a folder`, undefined, 'name the folder of the Ansible project');
  const project = isFolder ? await findProject(directory) : undefined;
  if (project?.playbooks.length === 0 && project.taskFiles.length === 0)
    diagnostics.error(`${folder} has no playbooks and no roles`, undefined, 'name the folder that contains them');
  if (project === undefined || diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  const found = await surveyProject(project, options, context);
  const text =
    options.json === true ? surveyJson(found, project) : surveyText(found, project, { ...options, ...context });
  context.stdout.write(text, options);
  return found.tasks.change +
    found.tasks.cannot +
    found.findings.filter(({ verdict }) => verdict !== 'works').length ===
    0
    ? EXIT.ok
    : EXIT.failed;
}

/** Everything is read as under `--no-exec`. */
async function surveyProject(
  project: AnsibleProject,
  options: SurveyOptions,
  context: CommandContext,
): Promise<Survey> {
  const { cwd } = context;
  const env = { ...context.env, EVENKEEL_NO_EXEC: '1' };
  const { directory } = project;
  const show = (file: string): string => path.relative(cwd, file) || '.';
  const diagnostics = new Diagnostics();
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
  const catalogue = openCatalogue({ named, beside: folders, collections: settings.collections }, code);
  const rolesPath = [path.join(directory, 'roles'), ...settings.rolesPath];
  const services = { cwd, catalogue, library, sources, rolesPath, diagnostics };
  await loadPlaybooks(project.playbooks.map(show), services);
  for (const file of project.taskFiles) {
    if (texts.has(file)) continue;
    const role = project.roles.find((one) => file.startsWith(one + path.sep));
    await checkTaskFiles([{ path: file, shown: show(file), role }], services);
  }
  for (const file of project.variableFiles)
    if (!texts.has(file)) await readVariables(file, 'vars_files', diagnostics, show(file), { library, sources });
  for (const file of project.inventories) await loadInventory([show(file)], { cwd, env, diagnostics, library });
  const isLink = linked(cwd);
  const found = diagnostics.list.filter(({ source }) => source === undefined || !isLink(source.file));
  return survey(
    surveyed(project, texts, show).filter(({ shown }) => !isLink(shown)),
    [...found, ...project.python.map((file) => pythonFinding(show(file))), ...configFindings(config)],
  );
}

function surveyed(
  project: AnsibleProject,
  texts: ReadonlyMap<string, string>,
  show: (file: string) => string,
): readonly SurveyedFile[] {
  const playbooks = new Set(project.playbooks);
  const others = new Set(project.variableFiles);
  const read = [...texts].filter(
    ([file, text]) => !others.has(file) && /^(?:---.*\n|\s*#.*\n|\s*\n)*\s*-\s/.test(text),
  );
  return read.map(([file, text]) => ({ shown: show(file), text, of: playbooks.has(file) ? 'plays' : 'steps' }));
}

/** Whether a file is reached through a link: then its target is checked. */
function linked(cwd: string): (file: string) => boolean {
  const known = new Map<string, boolean>();
  return (shown) => {
    const file = path.resolve(cwd, shown);
    const isLink =
      known.get(file) ?? (existsSync(file) && realpathSync(file) !== realpathSync(cwd) + file.slice(cwd.length));
    known.set(file, isLink);
    return isLink;
  };
}

/** Python code of the project, and what to use instead. */
function pythonFinding(file: string): Diagnostic {
  const folder = path.basename(path.dirname(file));
  const name = path.basename(file, '.py');
  if (/^(?:filter|test|lookup)_plugins$/.test(folder)) {
    const message = `the plugin "${name}" runs as it is, in Python`;
    return { severity: 'warning', rule: 'python', message, source: { file, line: 1, column: 1 } };
  }
  const message = folder === 'library' ? `the module "${name}" is in Python` : `the plugin "${name}" is in Python`;
  const hint = HINTS_FOR_PYTHON[folder] ?? 'there is no such kind of plugin here';
  return { severity: 'error', rule: 'python', message, hint, source: { file, line: 1, column: 1 } };
}

const HINTS_FOR_PYTHON: Readonly<Record<string, string>> = {
  library: 'write it in TypeScript: docs/writing-a-module.md',
  inventory_plugins: 'let an executable print the inventory: docs/inventory.md',
  callback_plugins: 'read the events of --output json: docs/output.md',
};

interface Format extends Pick<CommandContext, 'cwd' | 'env' | 'stdout'> {
  readonly color?: boolean | undefined;
}

const MOST_PLACES = 5;
const MOST_MEMBERS = 12;

const HEADINGS: Readonly<Record<SurveyVerdict, string>> = {
  cannot: 'What cannot work here',
  change: 'What needs a change',
  works: 'What works, with a remark',
};

/** The summary first, then what was found: what cannot work, what needs a change, remarks; most frequent first. */
function surveyText({ tasks, findings }: Survey, project: AnsibleProject, format: Format): string {
  const { cwd, env, stdout, color } = format;
  const palette = createPalette(colourWanted(stdout, env, color));
  const total = tasks.works + tasks.change + tasks.cannot;
  const line = (number: number, words: string): string =>
    `  ${grouped(number).padStart(7)}  ${percentage(number, total).padStart(5)}  ${words}\n`;
  const { playbooks, roles, inventories } = project;
  const sizes = [count(playbooks.length, 'playbook'), count(roles.length, 'role'), inventoriesText(inventories.length)];
  const verdicts: readonly SurveyVerdict[] = ['cannot', 'change', 'works'];
  const sections = verdicts.map((verdict) =>
    section(
      verdict,
      findings.filter((one) => one.verdict === verdict),
      palette,
    ),
  );
  return `${palette.strong(path.relative(cwd, project.directory) || '.')}: ${sizes.join(', ')}, ${count(total, 'task')}

${line(tasks.works, 'work as they are')}${line(tasks.change, 'need a change')}${line(tasks.cannot, 'cannot work here')}${sections.join('')}`;
}

function inventoriesText(number: number): string {
  return number === 1 ? '1 inventory' : `${grouped(number)} inventories`;
}

function percentage(number: number, total: number): string {
  return total === 0 ? '' : `${Math.floor((100 * number) / total)} %`;
}

function section(verdict: SurveyVerdict, findings: readonly SurveyFinding[], palette: Palette): string {
  if (findings.length === 0) return '';
  return `\n${palette.strong(HEADINGS[verdict])}\n${findings.map((one) => findingText(one, palette)).join('')}`;
}

function findingText({ message, hint, members, places }: SurveyFinding, palette: Palette): string {
  const named = [...members].map(([name, times]) => (times === 1 ? name : `${name} (${times})`));
  const what = named.length === 0 ? '' : `: ${nameSome(named, MOST_MEMBERS)}`;
  const indent = ' '.repeat(11);
  const lines = [`  ${grouped(Math.max(1, places.length)).padStart(7)}  ${message}${what}`];
  if (hint !== undefined) lines.push(`${indent}${palette.good('→')} ${hint}`);
  if (places.length > 0) lines.push(`${indent}${palette.place(nameSome(places.map(placeText), MOST_PLACES))}`);
  return `${lines.join('\n')}\n`;
}

/** For programs: documented in `docs/lint.md`. */
function surveyJson({ tasks, findings }: Survey, project: AnsibleProject): string {
  const report = {
    directory: project.directory,
    playbooks: project.playbooks.length,
    roles: project.roles.length,
    inventories: project.inventories.length,
    tasks: { total: tasks.works + tasks.change + tasks.cannot, ...tasks },
    findings: findings.map(({ members, ...one }) => ({
      ...one,
      count: Math.max(1, one.places.length),
      members: Object.fromEntries(members),
    })),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
