import { runRequest } from '../../app/request/run_request.js';
import { startRun } from '../../app/run/start_run.js';
import type { CommandContext } from '../terminal/context.js';
import type { ExecutionOptions } from '../terminal/run_reporter.js';
import { reportOutcome, runPorts } from '../terminal/run_ports.js';

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
