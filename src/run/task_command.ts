import type { CommandContext } from '../cli/context.js';
import { reportOutcome, runPorts } from '../cli/run_ports.js';
import type { ExecutionOptions } from '../cli/run_reporter.js';
import { runRequest } from '../launch/request/run_request.js';
import { startRun } from '../launch/start/start_run.js';

export interface TaskOptions extends ExecutionOptions {
  readonly pattern: string;
  readonly module: string;
  readonly args?: string | undefined;
}

/** `evenkeel task PATTERN -m MODULE -a ARGS`. */
export async function taskCommand(options: TaskOptions, context: CommandContext): Promise<number> {
  const { pattern, module, args, verbosity } = options;
  const request = runRequest({ type: 'task', pattern, module, ...(args !== undefined && { args }) }, options);
  return reportOutcome(await startRun(request, await runPorts(context, options, verbosity)), options, context);
}
