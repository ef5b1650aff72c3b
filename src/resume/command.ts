import type { CommandContext } from '../cli/context.js';
import { reportOutcome, runPorts } from '../cli/run_ports.js';
import type { ExecutionOptions } from '../cli/run_reporter.js';
import { runOptions } from '../launch/request/run_request.js';
import { resumeRun } from './resume_run.js';

export interface ResumeCommandOptions extends ExecutionOptions {
  /** An id, the beginning of one, or `last`. */
  readonly run: string;
  readonly force?: boolean | undefined;
}

/** `evenkeel resume RUN`: finishes an interrupted run, under the same id. */
export async function resumeCommand(options: ResumeCommandOptions, context: CommandContext): Promise<number> {
  const { run, force, verbosity } = options;
  const ports = await runPorts(context, options, verbosity);
  const { outcome, cwd } = await resumeRun({ ...runOptions(options), run, force }, ports);
  return reportOutcome(outcome, options, context, cwd);
}
