import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CommandContext } from '../cli/context.js';
import { refuse, show } from '../cli/refusal.js';
import { Trust } from '../core/files/trust.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { commandLine } from '../reporting/page/format/command_line.js';
import { plain } from '../reporting/text/plain.js';
import { answersOf, type InitAnswers } from './answers.js';
import {
  defaultEnvironment,
  editorFiles,
  NEW_PLAYBOOK,
  passwordVariable,
  PROJECT_FILE,
  projectFiles,
  type NewProject,
} from './project_files.js';
import { writeProject, type WrittenProject } from './write_project.js';

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
  const answered = await answersOf(options, context);
  switch (answered.status) {
    case 'interrupted':
      context.stderr.write('\nevenkeel: interrupted: nothing was written\n');
      return EXIT.interrupted;
    case 'refused':
      diagnostics.error(answered.message, undefined, answered.hint);
      return refuse(diagnostics.list, context);
    case 'answered':
      return create(folder, directory, answered.project, context);
    default:
      return answered satisfies never;
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
  const written = await writeProject(folder, directory, { needed: projectFiles(project), others }, diagnostics);
  const ignored = written && new Trust(folder, context.env).refusal(path.join(folder, PROJECT_FILE));
  if (ignored !== undefined)
    diagnostics.warn(
      `commands will ignore ${PROJECT_FILE}: ${ignored}`,
      undefined,
      'change its owner or its permissions, or name its folder in EVENKEEL_TRUSTED_FOLDERS',
    );
  if (written === undefined) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  context.stdout.write(plainLines(summary(directory, project, written)) + nextSteps(directory, project));
  return EXIT.ok;
}

function plainLines(lines: readonly string[]): string {
  return lines.map((line) => `${plain(line)}\n`).join('');
}

function summary(directory: string, { environments }: NewProject, { kept }: WrittenProject): readonly string[] {
  const rows = [
    [PROJECT_FILE, 'settings and environments'],
    ...environments.map(({ name }) => [`inventory/${name}/`, `the controllers of ${name}, and their variables`]),
    [NEW_PLAYBOOK, 'the desired state of the controllers'],
    ['.vscode/', 'completion and checks in editors'],
  ] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  const protectedNames = environments.filter(({ confirm }) => confirm).map(({ name }) => name);
  return [
    directory === '.' ? 'Created a project:' : `Created a project in ${directory}:`,
    ...rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`),
    protectedNames.length === 0
      ? 'No environment asks before a run writes (confirm in evenkeel.yml).'
      : `A run asks before it writes in: ${protectedNames.join(', ')} (confirm in evenkeel.yml).`,
    ...kept.map(
      (name) => `Kept ${name}, which existed.${name === '.gitignore' ? ' It should contain: .evenkeel/' : ''}`,
    ),
  ];
}

function nextSteps(directory: string, project: NewProject): string {
  const usual = defaultEnvironment(project)?.name;
  const shown = usual ?? project.environments[0]?.name ?? '';
  const where = usual === undefined ? `${NEW_PLAYBOOK} --env ${shown}` : NEW_PLAYBOOK;
  const steps = [
    [`evenkeel run ${where} --simulate --check --diff`, 'show what would change'],
    [`evenkeel run ${where} --simulate`, 'change it'],
    [`evenkeel drift ${where} --simulate`, 'compare: exit 0 is no drift'],
  ] as const;
  const width = Math.max(...steps.map(([line]) => line.length));
  const lines = steps.map(([line, why]) => `  ${line.padEnd(width)}  # ${why}`);
  const enter =
    directory === '.' ? [] : [`  ${commandLine(['cd', directory.startsWith('-') ? `./${directory}` : directory])}`];
  const password = passwordVariable(shown);
  return `
Try it. --simulate contacts no controller:
${[...enter, ...lines].join('\n')}

For real controllers, set ${password}, and leave out --simulate.
`;
}
