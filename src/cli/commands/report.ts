import path from 'node:path';
import { writeReport, runReport } from '../../app/report/write_report.js';
import { JournalError } from '../../journal/disk/journal_error.js';
import { findRun } from '../../journal/disk/run_folders.js';
import { loadProject } from '../../load/project/project.js';
import { EXIT } from '../../model/exit_code.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import type { CommandContext } from '../terminal/context.js';
import { refuse, show } from '../terminal/refusal.js';

export interface ReportOptions {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  /** Absent: standard output. */
  readonly output?: string | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel report RUN` */
export async function reportCommand({ run, output, color }: ReportOptions, context: CommandContext): Promise<number> {
  const { cwd, env, stdout, stderr } = context;
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
    const html = await runReport(stateDirectory, await findRun(stateDirectory, run));
    if (output === undefined) stdout.write(html);
    else {
      await writeReport(path.resolve(cwd, output), html);
      stderr.write(`the report is in ${output}\n`);
    }
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return refuse([{ severity: 'error', message: error.message, hint: error.hint }], context, color);
  }
}
