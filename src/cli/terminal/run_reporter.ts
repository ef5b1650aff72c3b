import { existsSync } from 'node:fs';
import type { RunOptions } from '../../app/request/run_request.js';
import type { PreparedRun } from '../../app/load/prepared_run.js';
import { controllersOf } from '../../app/load/selection.js';
import { writtenArguments } from '../../app/load/written_arguments.js';
import { runFolder } from '../../journal/disk/run_folders.js';
import type { Project } from '../../load/project/project.js';
import type { OutputKind } from '../../load/project/values.js';
import type { KeptRun } from '../../journal/read/read_run.js';
import type { NextStep, WrittenBefore } from '../../report/output/options.js';
import { createReporter, type Reporter } from '../../report/reporter.js';
import { asksSomething } from './questions.js';
import { colourWanted } from './colour.js';
import type { CommandContext } from './context.js';

/** How a run is shown. */
export interface OutputOptions {
  readonly output?: OutputKind | undefined;
  readonly color?: boolean | undefined;
  readonly detailedExitcode?: boolean | undefined;
}

/** The options of every command that runs tasks. */
export interface ExecutionOptions extends RunOptions, OutputOptions {}

/** Opens the output that the user, else the project, else the terminal asks for. */
export function openRunReporter(
  { loaded, request, keeping, selected }: PreparedRun,
  { id, output, color }: { readonly id: string } & OutputOptions,
  context: CommandContext,
): Reporter {
  const { project, secrets } = loaded.target;
  const { stdout, stderr, env, cwd } = context;
  const interactive = stdout.isTTY && env['CI'] === undefined && env['TERM'] !== 'dumb';
  const wanted = output ?? project.output ?? (interactive ? 'live' : 'lines');
  const github = env['GITHUB_ACTIONS'] === 'true' ? { workspace: env['GITHUB_WORKSPACE'] ?? cwd } : undefined;
  return createReporter({
    // The live output would paint over a question.
    output: request.step === true || (wanted === 'live' && asksSomething(loaded.playbooks)) ? 'lines' : wanted,
    stdout,
    stderr,
    colour: colourWanted(stdout, env, color),
    verbosity: request.verbosity ?? 0,
    secrets,
    cwd,
    diff: diffOf(request.diff, controllersOf(selected).size),
    writtenArguments: writtenArguments(loaded.playbooks),
    github,
    commandFor: resumeHint(project, id),
    writtenBefore: keeping.kept && writtenBy(keeping.kept),
  });
}

/** From how many controllers equal diffs are shown together, unless `--diff=host` asks for each. */
const FLEET = 11;

function diffOf(asked: RunOptions['diff'], controllers: number): 'host' | 'fleet' {
  if (asked === 'auto') return controllers >= FLEET ? 'fleet' : 'host';
  return asked ?? 'host';
}

/** The command that resumes, reruns or rolls back a run; undefined if it was not kept. */
function resumeHint(
  { stateDirectory, named, file }: Pick<Project, 'stateDirectory' | 'named' | 'file'>,
  id: string,
): (way: NextStep) => string | undefined {
  const config = named === undefined || file === undefined ? '' : ` --config ${file}`;
  return (way) => {
    if (!existsSync(runFolder(stateDirectory, id))) return undefined;
    return `evenkeel ${way === 'rerun' ? 'run --rerun' : way} ${id}${config}`;
  };
}

/** Only what certainly applied: unknown outcomes are resolved and reported during the run. */
function writtenBy({ shownWrites }: KeptRun): readonly WrittenBefore[] {
  return shownWrites().flatMap(({ controller, object, outcome }) =>
    outcome === 'applied' && object !== undefined ? [{ controller, object }] : [],
  );
}
