import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type CommandContext, refuse, show } from '../cli/context.js';
import { isFileError, whyFailed, makeFolder } from '../core/files/paths.js';
import { writeNewFile } from '../core/files/replace_file.js';
import { Trust } from '../core/files/trust.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { plain } from '../reporting/text/plain.js';
import { tableLines } from '../reporting/text/width.js';
import { commandLine, fileWord } from '../reporting/text/words.js';
import { askForAnswers, type InitAnswers } from './answers.js';
import {
  defaultEnvironment,
  editorFiles,
  NEW_PLAYBOOK,
  passwordVariable,
  PROJECT_FILE,
  projectFiles,
  type NewProject,
  type ProjectFiles,
} from './project_files.js';

export interface InitOptions extends InitAnswers {
  /** Default: the working directory. */
  readonly directory?: string;
}

/** `evenkeel init`: writes a working project, and overwrites no file. */
export async function initCommand(options: InitOptions, context: CommandContext): Promise<number> {
  const { directory = '.' } = options;
  const folder = path.resolve(context.cwd, directory);
  const diagnostics = new Diagnostics();
  const earlier = [PROJECT_FILE, 'evenkeel.yaml'].find((name) => existsSync(path.join(folder, name)));
  if (earlier !== undefined) {
    const hint = 'init overwrites no file: name another folder, such as: evenkeel init lab';
    diagnostics.error(`${path.join(directory, earlier)} exists: this is a project already`, undefined, hint);
    return refuse(diagnostics.list, context);
  }
  const answered = await askForAnswers(options, context);
  switch (answered.status) {
    case 'interrupted':
      context.stderr.write('evenkeel: interrupted: nothing was written\n');
      return EXIT.interrupted;
    case 'refused':
      diagnostics.error(answered.message, undefined, answered.hint);
      return refuse(diagnostics.list, context);
    case 'answered':
      return create(folder, directory, answered.project, context);
  }
}

async function create(
  folder: string,
  directory: string,
  project: NewProject,
  context: CommandContext,
): Promise<number> {
  const diagnostics = new Diagnostics();
  const others = await editorFiles({ cwd: folder, env: context.env }, diagnostics);
  context.signals.takeOver?.();
  const kept = await writeProject(folder, directory, { needed: projectFiles(project), others }, diagnostics);
  const ignored = kept && new Trust(folder, context.env).refusal(path.join(folder, PROJECT_FILE));
  if (ignored !== undefined) {
    const hint = 'change its owner or its permissions, or name its folder in EVENKEEL_TRUSTED_FOLDERS';
    diagnostics.warn(`commands will ignore ${PROJECT_FILE}: ${ignored}`, undefined, hint);
  }
  if (kept === undefined) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  context.stdout.write(plainLines(summary(directory, project, kept)) + nextSteps(directory, project));
  return EXIT.ok;
}

function plainLines(lines: readonly string[]): string {
  return lines.map((line) => `${plain(line)}\n`).join('');
}

function summary(directory: string, { environments }: NewProject, kept: readonly string[]): readonly string[] {
  const rows = [
    [PROJECT_FILE, 'settings and environments'],
    ...environments.map(({ name }) => [`inventory/${name}/`, `the controllers of ${name}, and their variables`]),
    [NEW_PLAYBOOK, 'the desired state of the controllers'],
    ['.vscode/', 'completion and checks in editors'],
  ] as const;
  const protectedNames = environments.filter(({ confirm }) => confirm).map(({ name }) => name);
  return [
    directory === '.' ? 'Created a project:' : `Created a project in ${directory}:`,
    ...tableLines(rows, '  '),
    protectedNames.length === 0
      ? 'No environment asks before a run writes (confirm in evenkeel.yml).'
      : `A run asks before it writes in: ${protectedNames.join(', ')} (confirm in evenkeel.yml).`,
    ...kept.map((name) => `Kept ${name}, which existed.${WANTED[name] ?? ''}`),
  ];
}

/** What a file that was kept should have. */
const WANTED: Readonly<Record<string, string>> = {
  '.gitignore': ' It should contain: .evenkeel/',
  '.vscode/settings.json': ' It should contain what docs/editor.md of Evenkeel says.',
};

function nextSteps(directory: string, project: NewProject): string {
  const usual = defaultEnvironment(project)?.name;
  const shown = usual ?? project.environments[0]?.name ?? '';
  const where = usual === undefined ? `${NEW_PLAYBOOK} --env ${shown}` : NEW_PLAYBOOK;
  const steps = [
    [`evenkeel run ${where} --simulate --check --diff`, 'show what would change'],
    [`evenkeel run ${where} --simulate`, 'change it'],
    [`evenkeel drift ${where} --simulate`, 'compare: exit 0 is no drift'],
  ] as const;
  const rows = steps.map(([line, why]) => [line, `# ${why}`] as const);
  const lines = tableLines(rows, '  ');
  const enter = directory === '.' ? [] : [`  ${commandLine(['cd', fileWord(directory)])}`];
  const password = passwordVariable(shown);
  return `
Try it. --simulate contacts no controller:
${[...enter, ...lines].join('\n')}

For real controllers, edit what ${NEW_PLAYBOOK} declares, set ${password}, and leave out --simulate.
`;
}

/**
 * Writes the files that are missing, and overwrites none.
 *
 * @param shown the folder as the user typed it
 * @param needed if one of these exists with other content, nothing is written: the project would not work
 * @returns those that existed before, with other content; undefined if it failed
 */
async function writeProject(
  folder: string,
  shown: string,
  { needed, others }: { readonly needed: ProjectFiles; readonly others: ProjectFiles },
  diagnostics: Diagnostics,
): Promise<readonly string[] | undefined> {
  const written: string[] = [];
  const kept: string[] = [];
  try {
    const states = await readStates(folder, new Map([...needed, ...others]));
    const foreign = [...needed.keys()].filter((name) => states.get(name) === 'foreign');
    for (const name of foreign)
      diagnostics.error(`${path.join(shown, name)} already exists; nothing was written`, undefined, FOREIGN);
    if (foreign.length > 0) return undefined;
    for (const [name, text] of [...needed, ...others]) {
      const state = states.get(name);
      if (state === 'foreign') kept.push(name);
      if (state !== 'missing') continue;
      await writeNew(path.join(folder, name), text);
      written.push(name);
    }
    return kept;
  } catch (error) {
    const done = written.length === 0 ? 'nothing was written' : `written so far: ${written.join(', ')}`;
    diagnostics.error(`cannot write to ${shown}: ${whyFailed(error)}; ${done}`, undefined, RETRY);
    return undefined;
  }
}

const FOREIGN = 'init overwrites no file: name an empty folder, such as: evenkeel init lab';
const RETRY = 'when this is solved, run the same command again: it writes what is missing';

type FileState = 'missing' | 'same' | 'foreign';

async function readStates(folder: string, files: ProjectFiles): Promise<ReadonlyMap<string, FileState>> {
  const states = new Map<string, FileState>();
  for (const [name, text] of files) states.set(name, await readState(path.join(folder, name), text));
  return states;
}

async function readState(file: string, text: string): Promise<FileState> {
  try {
    // Reading a pipe may never end.
    if (!(await stat(file)).isFile()) return 'foreign';
    return (await readFile(file, 'utf8')) === text ? 'same' : 'foreign';
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return 'missing';
    throw error;
  }
}

/** Never follows a link, and never replaces what another process just made. */
async function writeNew(file: string, text: string): Promise<void> {
  await makeFolder(path.dirname(file), 0o777);
  await writeNewFile(file, text);
}
