import path from 'node:path';
import type { CommandContext } from '../cli/context.js';
import { refuse, show } from '../cli/refusal.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { loadProject } from '../project/project/project.js';
import { JournalError } from '../record/journal/disk/journal_error.js';
import { findRun } from '../record/journal/disk/run_folders.js';
import { plain } from '../reporting/text/plain.js';
import { joinRuns } from './join_runs.js';
import { runSource } from './run_source.js';
import { runReport, writeReport } from './write_report.js';

export interface ReportOptions {
  /** Ids, beginnings of ids, `last`, folders and files of events. */
  readonly runs: readonly string[];
  /** Absent: standard output. */
  readonly output?: string | undefined;
  readonly detailedExitcode?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel report RUN…` */
export async function reportCommand(options: ReportOptions, context: CommandContext): Promise<number> {
  const { output, color } = options;
  const { cwd, env, stdout } = context;
  const diagnostics = new Diagnostics();
  if (output === undefined && stdout.isTTY)
    diagnostics.error(
      'a report is an HTML file: pass its name with -o',
      undefined,
      'such as: evenkeel report last -o run.html',
    );
  const { stateDirectory } = await loadProject(cwd, env, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, color);
  show(diagnostics.list, context, color);
  try {
    return await report(options, stateDirectory, context);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return refuse([{ severity: 'error', message: error.message, hint: error.hint }], context, color);
  }
}

/** A run of this project is shown. Several runs, or those of other machines, are one run, and end as it would have. */
async function report(
  { runs, output, detailedExitcode, color }: ReportOptions,
  stateDirectory: string,
  context: CommandContext,
): Promise<number> {
  const { cwd, stderr } = context;
  const sources = await Promise.all(runs.map((named) => runSource(named, { cwd, stateDirectory })));
  const [only, ...others] = sources;
  if (only?.isPath === false && others.length === 0) {
    await put(await runReport(stateDirectory, await findRun(stateDirectory, only.named)), output, context);
    return EXIT.ok;
  }
  const { html, totals, problems, isChanged, exitCode } = await joinRuns(sources, cwd);
  await put(html, output, context);
  stderr.write(`${plain(totals)}\n`);
  show(problems, context, color);
  return exitCode === EXIT.ok && isChanged && detailedExitcode === true ? EXIT.changes : exitCode;
}

async function put(
  html: string,
  output: string | undefined,
  { cwd, stdout, stderr, signals }: CommandContext,
): Promise<void> {
  if (output === undefined) {
    stdout.write(html);
    return;
  }
  signals.takeOver?.();
  await writeReport(path.resolve(cwd, output), html);
  stderr.write(`the report is in ${output}\n`);
}
