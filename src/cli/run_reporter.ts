import { existsSync } from 'node:fs';
import type { OutputName } from '../core/model/run/choices.js';
import { unsuccessful } from '../core/model/run/event.js';
import { configOption } from '../launch/history/listed_run.js';
import { writtenArguments } from '../launch/load/load_run.js';
import { type PreparedRun, selectedControllers } from '../launch/load/prepared_run.js';
import type { RunOptions } from '../launch/request/run_request.js';
import { runFolder } from '../record/journal/format/run_folders.js';
import type { KeptRun } from '../record/journal/read/read_run.js';
import type { HasWritten, Picture } from '../reporting/output/options.js';
import { createReporter, type Reporter, type ReporterOptions } from '../reporting/reporter.js';
import type { ReportOptions } from '../reporting/reports/report.js';
import { MASKED_OBJECT } from '../reporting/run/failures/failure_group.js';
import { colourWanted } from '../reporting/text/palette.js';
import { commandLine } from '../reporting/text/words.js';
import type { CommandContext } from './context.js';
import type { ExtraOptions, ExtraOutputs } from './extra_outputs.js';

export interface OutputOptions extends ExtraOptions {
  readonly output?: OutputName | undefined;
  readonly color?: boolean | undefined;
  readonly detailedExitcode?: boolean | undefined;
  /** For reports of a run that did not start. */
  readonly playbooks?: readonly string[] | undefined;
}

/** The part of `options` that concerns the output of a run. */
export function outputOptions(options: OutputOptions): OutputOptions {
  const { output, color, detailedExitcode, report, log, profile } = options;
  return { output, color, detailedExitcode, report, log, profile };
}

/** The options of every command that runs tasks. */
export interface ExecutionOptions extends RunOptions, OutputOptions {}

interface OpenedOutput extends Pick<OutputOptions, 'output' | 'color'> {
  /** Of the run. */
  readonly id: string;
  /** The words of the command, without secrets. */
  readonly typed?: () => readonly string[];
  readonly extra: ExtraOutputs | undefined;
  readonly picture?: Picture;
}

/** The additional outputs that the options request; undefined if there are none. */
export async function extraOutputs(options: ExtraOptions, context: CommandContext): Promise<ExtraOutputs | undefined> {
  const { report, log, profile } = options;
  if (report === undefined && log === undefined && profile !== true) return undefined;
  const { ExtraOutputs } = await import('./extra_outputs.js');
  return new ExtraOutputs(options, context);
}

/** Opens the output that the user selects, otherwise the project, otherwise the terminal. */
export function openRunReporter(
  run: PreparedRun,
  { id, output, color, extra, typed, picture }: OpenedOutput,
  context: CommandContext,
): Reporter {
  const { loaded, request, selected } = run;
  const { project } = loaded.target;
  const { stdout, stderr, env, cwd } = context;
  const interactive = stdout.isTTY && env['CI'] === undefined && env['TERM'] !== 'dumb';
  const wanted = output ?? project.output ?? (interactive ? 'live' : 'grouped');
  const github = env['GITHUB_ACTIONS'] === 'true' ? { workspace: env['GITHUB_WORKSPACE'] ?? cwd } : undefined;
  const options: ReporterOptions = {
    ...reportOptions(run, id, cwd, typed),
    // Each question is about what the last task did.
    output: request.step === true ? 'lines' : wanted,
    picture,
    stdout: stdout.unmasked,
    stderr: stderr.unmasked,
    colour: colourWanted(stdout, env, color),
    stderrColour: colourWanted(stderr, env, color),
    verbosity: request.verbosity ?? 0,
    plan: request.readOnly,
    results: request.command.type === 'task',
    diff: chooseDiff(request, selectedControllers(selected).size),
    github,
  };
  return extra === undefined ? createReporter(options) : extra.open(options);
}

/**
 * What outputs need to know about a run.
 *
 * @param typed the words of the command, without secrets
 */
export function reportOptions(
  run: PreparedRun,
  id: string,
  cwd: string,
  typed: () => readonly string[] = () => [],
): ReportOptions {
  const { loaded, journalOptions } = run;
  const { plan } = loaded;
  const { secrets } = loaded.target;
  return {
    secrets,
    cwd,
    writtenArguments: writtenArguments(loaded.playbooks),
    commandFor: followUp(run, id, typed),
    // A plan is saved whole, and applied once.
    needsPlan:
      plan && ((finished) => plan.type === 'make' || unsuccessful(finished).some((name) => plan.hasBegun(name))),
    hasChanged: loaded.reads.hasChanged,
    writtenBefore: journalOptions.kept && writtenBy(journalOptions.kept),
  };
}

/** The number of controllers from which equal diffs are shown together, unless `--diff=host` is given. */
const FLEET = 11;

function chooseDiff({ diff, readOnly }: PreparedRun['request'], controllers: number): ReporterOptions['diff'] {
  if (diff !== 'auto') return diff;
  return controllers < FLEET ? 'host' : readOnly === true ? 'outline' : 'fleet';
}

/** The command that comes after a run; undefined if it was not kept, or there is none. */
function followUp(
  { loaded, selected }: PreparedRun,
  id: string,
  typed: () => readonly string[],
): ReportOptions['commandFor'] {
  const { plan, rollback, target } = loaded;
  const { stateDirectory } = target.project;
  const config = configOption(target.project);
  return (way, finished) => {
    if (!existsSync(runFolder(stateDirectory, id))) return undefined;
    if (way === 'plan') return plan?.type === 'make' ? commandLine(['evenkeel', ...typed()]) : plan?.madeBy;
    // A rerun of a rollback has all of its controllers.
    if (way === 'unstarted' && rollback !== undefined) return undefined;
    const { unstarted = [] } = finished ?? {};
    const left =
      way === 'unstarted' ? unstarted : way === 'rerun' && finished !== undefined ? unsuccessful(finished) : [];
    // Controllers that the run itself added are not there when it starts again.
    if (left.length > 0 && !left.some((name) => selectedControllers(selected).has(name))) return undefined;
    const words = way === 'rerun' ? ['run', '--rerun', id] : [way, id];
    return commandLine([
      'evenkeel',
      ...(way === 'unstarted' ? ['run', '--rerun', `${id}:unstarted`] : words),
      ...config,
    ]);
  };
}

/** Only what certainly applied: unknown outcomes are resolved and reported during the run. */
function writtenBy({ shownWrites }: KeptRun): readonly HasWritten[] {
  return shownWrites().flatMap(({ controller, object = MASKED_OBJECT, outcome, undone }) =>
    outcome === 'applied' && undone !== true ? [{ controller, object }] : [],
  );
}
